import { Choice, Id, Ref, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import { type Clock, invalidState, notYet, SECOND } from '@atrium/platform/kernel';
import type { MintedKey } from './api-key';

export const KEY_STATUSES = ['active', 'expired', 'revoked'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

export const REVOKE_REASONS = ['user', 'rotation', 'leaked', 'owner_removed', 'extension_removed'] as const;
export type RevokeReason = (typeof REVOKE_REASONS)[number];

/** Two rotations asked for within this time are two at once, whichever request came through first. */
const AT_ONCE_MS = SECOND;

/** Keys of one owner that may be active at once. */
export const MAX_ACTIVE_KEYS = 100;
const MAX_KEY_RANGES = 50;

/**
 * A credential for programs: acts as its owner, within its scopes. Its secret is shown once and stored as a hash; once
 * revoked or expired it never works again.
 */
@Resource({ table: 'api_key', sort: '-key_created' })
export class ApiKey extends TenantRow {
  @Id({ about: 'Id of the key; not part of its value.' }) readonly key_id!: string;
  @Text({ min: 1, max: 80, filter: 'contains', sort: true, about: 'Name of the key.', example: 'Nightly import' }) key_name!: string;
  @Text({
    generated: true,
    filter: 'equals',
    max: 16,
    about: 'Start of its value, for recognizing it.',
    example: 'atk_0a1B2c3D4e5F',
  })
  readonly key_prefix!: string;
  @Text({ internal: true }) readonly key_public_id!: string;
  @Text({ internal: true }) key_hash!: string;
  @Text({ internal: true, optional: true }) key_prev_hash!: string | null;
  @Stamp({ internal: true, optional: true }) key_prev_expires_at!: Date | null;
  @Stamp({ internal: true, optional: true }) key_rotated_at!: Date | null;
  @Ref({ filter: 'equals', about: 'User the key acts as.' }) readonly key_user!: string;
  @Ref({ optional: true, filter: 'equals', about: 'Installed extension the key belongs to.' }) readonly key_extension!: string | null;
  @TextList({
    optional: true,
    about: "Permissions of the key, a subset of its owner's permissions. Null: all of them. At most 300, sorted.",
    example: ['media:view'],
  })
  key_scopes!: string[] | null;
  @TextList({ max: MAX_KEY_RANGES, about: 'IP ranges (CIDR) the key can be used from. Empty: any address.', example: ['203.0.113.0/24'] })
  key_ip_allow!: string[];
  @Stamp({ optional: true, about: 'When the key expires. Null: never.', example: '2030-01-01T00:00:00.000Z' }) key_expires_at!: Date | null;
  @Choice(KEY_STATUSES, { computed: true, filter: 'equals', about: 'Status of the key.' }) readonly key_status!: KeyStatus;
  @Stamp({ optional: true, generated: true, filter: 'range', about: 'When the key was last used, to the minute.' })
  readonly key_last_used_at!: Date | null;
  @Text({ optional: true, generated: true, about: 'IP address the key was last used from.', example: '203.0.113.7' })
  readonly key_last_used_ip!: string | null;
  @Whole({ optional: true, min: 1, max: 1_000_000, about: 'Maximum requests per minute. Null: the limit of the workspace.', example: 600 })
  key_rate_limit!: number | null;
  @Stamp({ optional: true, about: 'When it was revoked.' }) key_revoked_at!: Date | null;
  @Ref({ optional: true, about: 'User who revoked the key. Null: the service itself.' }) key_revoked_by!: string | null;
  @Choice(REVOKE_REASONS, { optional: true, about: 'Why it was revoked.' }) key_revoke_reason!: RevokeReason | null;
  @Stamp({ filter: 'range', sort: true, about: 'When it was created.' }) readonly key_created!: Date;
  @Ref({ optional: true, about: 'User who created the key. Null: an operator.' }) readonly key_created_by!: string | null;
  @Stamp({ about: 'When it was last changed.' }) key_updated!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Partial<ApiKey> & Pick<ApiKey, 'key_id' | 'key_name' | 'key_public_id' | 'key_hash' | 'key_user' | 'key_created_by'>,
    now: Date,
  ): ApiKey {
    return Object.assign(new ApiKey(), {
      key_extension: null,
      key_scopes: null,
      key_ip_allow: [],
      key_expires_at: null,
      key_rate_limit: null,
      key_created: now,
      key_updated: now,
      ...facts,
    });
  }

  statusAt(now: Date): KeyStatus {
    if (this.key_revoked_at) return 'revoked';
    return this.key_expires_at && this.key_expires_at <= now ? 'expired' : 'active';
  }

  assertActive(clock: Clock): void {
    const status = this.statusAt(clock.now());
    if (status !== 'active') throw invalidState(`The API key is ${status}.`);
  }

  /**
   * A new secret; the old one stays good for so long. `asked` is when that was asked for: a key whose secret was replaced
   * since or just before, or whose former secret still works, stays as it is.
   */
  rotate({ hash }: MintedKey, overlapSeconds: number, asked: Date, clock: Clock): void {
    this.assertActive(clock);
    const now = clock.now();
    if (this.key_prev_expires_at && this.key_prev_expires_at > now)
      throw notYet(
        'The key was rotated and its previous secret is still valid. Wait until that one expires.',
        (this.key_prev_expires_at.getTime() - now.getTime()) / SECOND,
      );
    if (this.key_rotated_at && this.key_rotated_at.getTime() > asked.getTime() - AT_ONCE_MS)
      throw invalidState('Another request has just rotated the key.');
    this.key_prev_hash = overlapSeconds > 0 ? this.key_hash : null;
    this.key_prev_expires_at = overlapSeconds > 0 ? clock.after(overlapSeconds * SECOND) : null;
    this.key_hash = hash;
    this.key_rotated_at = now;
  }

  /** Ends it for good; answers whether it was not ended already. */
  revoke(reason: RevokeReason, by: string | null, clock: Clock): boolean {
    if (this.key_revoked_at) return false;
    this.key_revoked_at = clock.now();
    this.key_revoked_by = by;
    this.key_revoke_reason = reason;
    this.key_prev_hash = null;
    this.key_prev_expires_at = null;
    return true;
  }

  touch(clock: Clock): void {
    this.key_updated = clock.now();
  }
}
