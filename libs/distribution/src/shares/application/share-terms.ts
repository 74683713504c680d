import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Passwords, WorkspaceOptions } from '@atrium/identity';
import { Clock, DAY, invalidField, normalized } from '@atrium/platform/kernel';
import type { ShareLink } from '../domain/share-link';
import { SHARE_EXPIRY_DEFAULT_DAYS, SHARE_EXPIRY_MAX_DAYS, SHARE_PASSWORD_REQUIRED, SHARE_SETTINGS } from './share-settings';

const SHORTEST_PASSWORD = 8;
const LONGEST_PASSWORD = 128;
/** A clock that is a little ahead of ours does not make a day too many. */
const TOLERANCE_MS = 60_000;

/** What the workspace demands of every link: a password where links need one, and an end within the days it allows. */
@Injectable()
export class ShareTerms implements OnModuleInit {
  constructor(
    private readonly passwords: Passwords,
    private readonly options: WorkspaceOptions,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    for (const option of SHARE_SETTINGS) this.options.register(option as (typeof SHARE_SETTINGS)[0]);
  }

  /** The password as it is stored; null without one. Takes its time, so it is called outside a unit of work. */
  async hashPassword(password: string | null | undefined): Promise<string | null> {
    if (password === undefined || password === null) return null;
    this.passwords.assertPossible(password, 'share_password');
    const length = [...normalized(password, 'NFKC')].length;
    if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD)
      throw invalidField(
        'share_password',
        `must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`,
        length < SHORTEST_PASSWORD ? 'too_short' : 'too_long',
      );
    return this.passwords.rehashPassword(password);
  }

  /** The password a new link begins with. */
  async protectNew(link: ShareLink, hash: string | null): Promise<void> {
    if (hash) link.protect(hash);
    else await this.assertNotRequired();
  }

  /** Another password, or none; a link that never had one is not asked for it. */
  async changePassword(link: ShareLink, hash: string | null): Promise<void> {
    if (!hash && link.share_password_hash) await this.assertNotRequired();
    link.protect(hash);
  }

  /** The end of a link is in the future and within what the workspace allows. */
  async limitLife(link: ShareLink, wanted: Date | null | undefined): Promise<void> {
    const [standard, most] = [
      await this.options.readOption(SHARE_EXPIRY_DEFAULT_DAYS),
      await this.options.readOption(SHARE_EXPIRY_MAX_DAYS),
    ];
    if (wanted === undefined) {
      const days = Math.min(standard ?? Infinity, most ?? Infinity);
      link.share_expires_at = Number.isFinite(days) ? this.clock.after(days * DAY) : null;
      return;
    }
    if (wanted !== null && wanted <= this.clock.now()) throw invalidField('share_expires_at', 'must be in the future', 'too_early');
    if (most !== null && (wanted === null || wanted.getTime() > this.clock.after(most * DAY).getTime() + TOLERANCE_MS))
      throw invalidField('share_expires_at', `must be at most ${most} days ahead in this workspace`, 'too_late');
    link.share_expires_at = wanted;
  }

  private async assertNotRequired(): Promise<void> {
    if (await this.options.readOption(SHARE_PASSWORD_REQUIRED))
      throw invalidField('share_password', 'is required in this workspace', 'required');
  }
}
