import { Injectable } from '@nestjs/common';
import { guestOf, UploadsService } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { invalidState, Problem } from '@atrium/platform/kernel';
import { KioskDevices, type KioskDevice } from '../infrastructure/kiosk-devices.rows';
import { ShareUploadsRepository } from '../infrastructure/share-uploads.repository';
import type { OpenShare } from './share-gate';
import { ShareSecrets } from './share-secrets';

/** A visit of a guest at a kiosk: how calls name it, and how rows do. */
export interface BegunVisit {
  readonly visit: string;
  readonly name: string;
}

/**
 * Guests at a kiosk, one after the other: a visit begins with each and ends the one before. What a former guest has sent
 * belongs to the link and is out of reach of everybody at the device; what they had not finished is given up.
 */
@Injectable()
export class KioskVisits {
  constructor(
    private readonly db: Database,
    private readonly devices: KioskDevices,
    private readonly rows: ShareUploadsRepository,
    private readonly uploads: UploadsService,
    private readonly secrets: ShareSecrets,
  ) {}

  /** The current visit at the device; a call that names another one comes from a guest who has left. */
  async findCurrentVisit(share: OpenShare, device: string): Promise<string | null> {
    const visit = await this.db.read(() => this.devices.findVisit(deviceOf(share, device)));
    if (share.call.visit === null) return visit;
    const named = this.secrets.visitName(share.link.share_id, share.call.visit);
    if (named === null || named !== visit) throw invalidState('This visit has ended. Begin a new one.');
    return visit;
  }

  /** The same; a guest without a visit begins one, and `begun` names it. */
  async enterVisit(share: OpenShare, device: string): Promise<{ readonly name: string; readonly begun: string | null }> {
    const present = await this.findCurrentVisit(share, device);
    if (present !== null) return { name: present, begun: null };
    const fresh = this.minted(share);
    const name = await this.db.write(() => this.devices.setVisitIfNone(deviceOf(share, device), fresh.name));
    return { name, begun: name === fresh.name ? fresh.visit : null };
  }

  /** The next guest: the visit before ends. */
  async beginVisit(share: OpenShare, device: string): Promise<BegunVisit> {
    const fresh = this.minted(share);
    await this.left(share, await this.db.write(() => this.devices.replaceVisit(deviceOf(share, device), fresh.name)));
    return fresh;
  }

  /** The guest has left. Twice is once, and a call of a guest who has left ends nobody else's visit. */
  async endVisit(share: OpenShare, device: string): Promise<void> {
    const { link, call } = share;
    const only = call.visit === null ? undefined : this.secrets.visitName(link.share_id, call.visit);
    await this.left(share, await this.db.write(() => this.devices.replaceVisit(deviceOf(share, device), null, only)));
  }

  private async left({ member, link }: OpenShare, former: string | null): Promise<void> {
    if (former === null) return;
    const unfinished = await this.db.read(() => this.rows.openOf(link.share_id, former));
    const guest = guestOf(member, { kind: 'share_link', ref: link.share_id });
    for (const id of unfinished) await this.uploads.abortUpload(guest, id).catch(unlessFinalized);
  }

  private minted({ link }: OpenShare): BegunVisit {
    const visit = this.secrets.mintVisit(link.share_id);
    return { visit, name: this.secrets.visitName(link.share_id, visit) ?? '' };
  }
}

const deviceOf = ({ link }: OpenShare, device: string): KioskDevice => ({ share_id: link.share_id, device });

/** The last bytes came in the meantime: then it is a file of the link like the others. */
const unlessFinalized = (error: unknown): void => {
  if (!(error instanceof Problem) || (error.code !== 'invalid_state' && error.code !== 'not_found')) throw error;
};
