import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Passwords } from '@atrium/identity';
import { unauthenticated } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, HOUR, invalidFields, SECOND, type FieldFault } from '@atrium/platform/kernel';
import { isEmail } from '../domain/guest-email';
import type { ShareLink } from '../domain/share-link';
import { ShareEvents } from '../infrastructure/share-events.rows';
import type { ShareCall } from './share-call';
import { ShareGate, type OpenShare } from './share-gate';
import { ShareSecrets } from './share-secrets';
import { ShareThrottle } from './share-throttle';

const ACCESS_SECONDS = HOUR / SECOND;
const DEVICE_SECONDS = (12 * HOUR) / SECOND;
/** A device token is renewed by use when it is older than this. */
const RENEWED_AFTER_MS = HOUR;

/** What somebody gives to get in. */
export interface UnlockOrder {
  readonly password?: string | null;
  readonly accept_terms?: boolean;
  readonly name?: string | null;
  readonly email?: string | null;
}

export interface Unlocked {
  readonly access_token: string;
  readonly expires_in: number;
}

/** What a device needs that became a kiosk. */
export interface ActivatedDevice {
  readonly device_token: string;
  readonly expires_in: number;
  readonly share_name: string;
}

/** Passwords and terms before links. A proof holds for one link, one password and one wording of the terms. */
@Injectable()
export class ShareUnlocking {
  constructor(
    private readonly db: Database,
    private readonly gate: ShareGate,
    private readonly passwords: Passwords,
    private readonly throttle: ShareThrottle,
    private readonly events: ShareEvents,
    private readonly secrets: ShareSecrets,
    private readonly clock: Clock,
  ) {}

  async unlockShare(token: string, order: UnlockOrder, call: ShareCall): Promise<Unlocked> {
    const share = await this.gate.openByToken(token, call);
    await this.prove(share, order.password);
    const { link, visitor } = share;
    const { terms } = link.options;
    const { name = null, email = null } = order;
    this.assertGiven(link, order);
    await this.db.write(async () => {
      await this.events.insertEvent(link.share_id, visitor, { se_type: 'unlock', se_name: name, se_email: email });
      if (terms !== null)
        await this.events.insertEvent(link.share_id, visitor, { se_type: 'terms_accepted', se_name: name, se_email: email });
    });
    return {
      access_token: this.secrets.signAccess(
        { share: link.share_id, rev: link.share_password_rev, terms: this.secrets.digestText(terms), name, email },
        ACCESS_SECONDS,
      ),
      expires_in: ACCESS_SECONDS,
    };
  }

  /** Makes a device a kiosk: it may send files until it has not been used for twelve hours, or the password changes. */
  async activateDevice(id: string, password: string | null | undefined, call: ShareCall): Promise<ActivatedDevice> {
    const share = await this.gate.openByKiosk(id, call);
    await this.prove(share, password);
    const { link, visitor } = share;
    await this.db.write(() => this.events.insertEvent(link.share_id, visitor, { se_type: 'unlock', se_details: { kiosk: true } }));
    return {
      device_token: this.deviceToken(link, randomBytes(16).toString('base64url')),
      expires_in: DEVICE_SECONDS,
      share_name: link.share_name,
    };
  }

  /** The device that calls, and a fresh token when its own grows old; 401 for everything else. */
  requireDevice({ link, call }: OpenShare): { readonly device: string; readonly renewed: string | null } {
    const claims = call.bearer === null ? null : this.secrets.readDevice(call.bearer);
    if (claims?.share !== link.share_id || claims.rev !== link.share_password_rev)
      throw unauthenticated('Activate this device with the password of the kiosk.');
    const isOld = this.clock.now().getTime() - claims.since > RENEWED_AFTER_MS;
    return { device: claims.device, renewed: isOld ? this.deviceToken(link, claims.device) : null };
  }

  private deviceToken({ share_id, share_password_rev }: ShareLink, device: string): string {
    return this.secrets.signDevice({ share: share_id, rev: share_password_rev, device, since: this.clock.now().getTime() }, DEVICE_SECONDS);
  }

  /** Takes as long whether there is a password or not. */
  private async prove({ link, visitor, call }: OpenShare, password: string | null | undefined): Promise<void> {
    const given = password ?? '';
    this.passwords.assertPossible(given);
    if (link.share_password_hash === null) {
      await this.passwords.verifyPassword(given, null);
      return;
    }
    const proven =
      given !== '' &&
      (await this.throttle.guardProof(link.share_id, call.address, () => this.passwords.verifyPassword(given, link.share_password_hash)));
    if (proven) return;
    if (given !== '') await this.db.write(() => this.events.insertEvent(link.share_id, visitor, { se_type: 'unlock_failed' }));
    throw unauthenticated(given === '' ? 'This link requires a password.' : 'The password is wrong.');
  }

  private assertGiven(link: ShareLink, { accept_terms, name, email }: UnlockOrder): void {
    const { terms, require_name, require_email } = link.options;
    const faults: FieldFault[] = [];
    if (terms !== null && accept_terms !== true)
      faults.push({ path: 'accept_terms', code: 'required', message: 'must be true: the terms must be accepted' });
    if (!link.isUpload && require_name && !name) faults.push({ path: 'name', code: 'required', message: 'is required by this link' });
    if (!link.isUpload && require_email && !email) faults.push({ path: 'email', code: 'required', message: 'is required by this link' });
    if (email && !isEmail(email)) faults.push({ path: 'email', code: 'email', message: 'must be an e-mail address' });
    if (faults.length > 0) throw invalidFields(faults);
  }
}
