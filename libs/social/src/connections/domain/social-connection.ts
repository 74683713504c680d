import { Choice, Id, Json, Ref, Resource, Stamp, TenantRow, Text, TextList, Whole, Flag } from '@atrium/platform/database';
import { DAY, HOUR, type Clock } from '@atrium/platform/kernel';
import { PLATFORMS, TARGET_KINDS, type Platform, type TargetKind } from '../../network/domain/platforms';
import type { Grant, GrantedAccount, GrantedAuthor } from '../../network/domain/social-port';

export const CONNECTION_STATUSES = ['active', 'expiring', 'expired', 'revoked'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** Days before the end at which its contacts are written to. */
const WARNED_AT = [14, 7, 3, 1] as const;
const EXPIRING_MS = 14 * DAY;
const REFRESHED_AT_MS = 7 * DAY;
const LONGEST_REFRESH_MS = 60_000;

/** The grant of one person at a platform. Its tokens are sealed, and the one who renews them holds a short claim. */
@Resource({ table: 'social_connection', sort: '-con_created' })
export class SocialConnection extends TenantRow {
  @Id({ about: 'Id of the connection.' }) readonly con_id!: string;
  @Choice(PLATFORMS, { about: 'Platform.', example: 'linkedin', filter: 'equals' }) readonly con_platform!: Platform;
  @Text({ about: 'Id of the account at the platform.', example: 'dXJuOmxp' }) readonly con_account_id!: string;
  @Text({ about: 'Name of the account.', example: 'Ada Lovelace' }) con_account_name!: string;
  @Text({ optional: true, max: 2_048, about: 'URL of the picture of the account.', example: 'https://media.example.com/ada.jpg' })
  con_account_picture!: string | null;
  @TextList({ about: 'Scopes that were granted.', example: ['openid', 'profile', 'w_member_social'] }) con_scopes!: string[];
  @Choice(CONNECTION_STATUSES, {
    about:
      'Status. `expiring`: access ends in less than 14 days and cannot be renewed automatically. `expired` and `revoked`: connect the account again.',
    example: 'active',
    filter: 'equals',
  })
  con_status!: ConnectionStatus;
  @Stamp({ about: 'When access ends.' }) con_expires!: Date;
  @Stamp({ optional: true, about: 'When access can no longer be renewed automatically. Null if it cannot be renewed.' })
  con_refresh_expires!: Date | null;
  @Ref({ optional: true, about: 'Member who connected the account.' }) con_connected_by!: string | null;
  @Stamp({ about: 'When the account was first connected.', sort: true }) readonly con_created!: Date;
  @Stamp({ about: 'When the connection was last changed.' }) con_updated!: Date;
  @Stamp({ optional: true, about: 'When the connection was last used. Null if it was never used.' }) con_last_used!: Date | null;
  @Text({ optional: true, max: 1_000, about: 'Last error. Null if there is none.' }) con_last_error!: string | null;
  @Text({ internal: true, optional: true }) con_access!: string | null;
  @Text({ internal: true, optional: true }) con_refresh!: string | null;
  @Whole({ internal: true, column: 'integer' }) con_token_version!: number;
  @Stamp({ internal: true, optional: true }) con_refreshing!: Date | null;
  @Whole({ internal: true, optional: true, column: 'integer' }) con_warned!: number | null;
  @Stamp({ internal: true, optional: true }) con_next!: Date | null;
  @Stamp({ internal: true }) con_accounts_read!: Date;
  @Stamp({ internal: true, optional: true }) con_removed!: Date | null;

  static blank(
    facts: Pick<SocialConnection, 'con_id' | 'con_platform' | 'con_account_id' | 'con_account_name' | 'con_connected_by'>,
    now: Date,
  ): SocialConnection {
    return Object.assign(new SocialConnection(), {
      con_account_picture: null,
      con_scopes: [],
      con_status: 'active' as const,
      con_expires: now,
      con_refresh_expires: null,
      con_created: now,
      con_updated: now,
      con_last_used: null,
      con_last_error: null,
      con_access: null,
      con_refresh: null,
      con_token_version: 0,
      con_refreshing: null,
      con_warned: null,
      con_next: null,
      con_accounts_read: now,
      con_removed: null,
      ...facts,
    });
  }

  /** A person granted access, for the first time or again. */
  connect(
    grant: Grant,
    account: GrantedAccount,
    tokens: SealedTokens,
    { by, clock }: { readonly by: string | null; readonly clock: Clock },
  ): void {
    const now = clock.now();
    this.con_account_name = account.account_name;
    this.con_account_picture = account.account_picture;
    this.con_scopes = [...grant.scopes];
    this.con_connected_by = by;
    this.con_refresh = tokens.refresh;
    this.con_refresh_expires = grant.refresh_expires_in === null ? null : secondsAfter(now, grant.refresh_expires_in);
    this.con_accounts_read = now;
    this.useTokens(grant, tokens.access, now);
  }

  /** Whether this one may renew the tokens that it has read: nobody else does, and nobody has. */
  claimRefresh(version: number, clock: Clock): boolean {
    const now = clock.now();
    if (this.con_token_version !== version || this.con_refresh === null) return false;
    if (this.con_refreshing !== null && now.getTime() - this.con_refreshing.getTime() < LONGEST_REFRESH_MS) return false;
    this.con_refreshing = now;
    return true;
  }

  /** The end of the first grant stays the end; an answer without a refresh token keeps the stored one. */
  refresh(grant: Grant, tokens: SealedTokens, clock: Clock): void {
    const now = clock.now();
    if (tokens.refresh !== null) this.con_refresh = tokens.refresh;
    const ends = grant.refresh_expires_in === null ? null : secondsAfter(now, grant.refresh_expires_in);
    if (ends !== null && (this.con_refresh_expires === null || ends < this.con_refresh_expires)) this.con_refresh_expires = ends;
    this.useTokens(grant, tokens.access, now);
  }

  /** The platform takes the grant no more. */
  revoke(reason: string, clock: Clock): void {
    this.con_status = 'revoked';
    this.con_refreshing = null;
    this.con_last_error = reason.slice(0, 1_000);
    this.con_updated = clock.now();
  }

  /** It was disconnected here: nothing of its tokens is kept. */
  disconnect(clock: Clock): void {
    this.revoke('The connection was removed.', clock);
    this.con_access = null;
    this.con_refresh = null;
    this.con_next = null;
    this.con_removed = clock.now();
  }

  get isUsable(): boolean {
    return this.con_removed === null && this.con_access !== null && (this.con_status === 'active' || this.con_status === 'expiring');
  }

  /** Looks at the clock: the status it has now, the warning that is due, and whether its tokens are to be renewed. */
  review(clock: Clock): { readonly became: ConnectionStatus | null; readonly warns: number | null; readonly isRefreshed: boolean } {
    const now = clock.now();
    this.con_next = new Date(now.getTime() + HOUR);
    if (this.con_status === 'revoked') return { became: null, warns: null, isRefreshed: false };
    const left = this.con_expires.getTime() - now.getTime();
    const isRenewable = this.con_refresh !== null && (this.con_refresh_expires === null || this.con_refresh_expires > now);
    const status = isRenewable ? 'active' : left <= 0 ? 'expired' : left < EXPIRING_MS ? 'expiring' : 'active';
    const became = status === this.con_status ? null : status;
    this.con_status = status;
    const threshold = isRenewable || left <= 0 ? undefined : [...WARNED_AT].reverse().find((days) => left <= days * DAY);
    const warns = threshold !== undefined && (this.con_warned === null || threshold < this.con_warned) ? threshold : null;
    if (warns !== null) this.con_warned = warns;
    return { became, warns, isRefreshed: isRenewable && left < REFRESHED_AT_MS };
  }

  private useTokens(grant: Grant, access: string, now: Date): void {
    this.con_access = access;
    this.con_expires = secondsAfter(now, grant.expires_in);
    this.con_status = 'active';
    this.con_token_version += 1;
    this.con_refreshing = null;
    this.con_warned = null;
    this.con_last_error = null;
    this.con_next = now;
    this.con_removed = null;
    this.con_updated = now;
  }
}

export interface SealedTokens {
  readonly access: string;
  readonly refresh: string | null;
}

const secondsAfter = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1_000);

/** What a connection may do as a target. */
export interface TargetRights {
  readonly post: boolean;
  readonly read_stats: boolean;
}

/** An author that a connection may post as; the newest grant serves it. */
@Resource({ table: 'social_target', sort: '-tgt_updated' })
export class SocialTarget extends TenantRow {
  @Id({ about: 'Id of the target.' }) readonly tgt_id!: string;
  @Ref({ about: 'Connection that posts as this target.' }) tgt_connection!: string;
  @Choice(TARGET_KINDS, { about: 'Whether the target is a person or an organization.', example: 'organization', filter: 'equals' })
  readonly tgt_kind!: TargetKind;
  @Text({ about: 'Id at the platform.', example: 'urn:li:organization:1001' }) readonly tgt_external_id!: string;
  @Text({ about: 'Name at the platform.', example: 'Analytical Engines' }) tgt_name!: string;
  @Text({ optional: true, max: 2_048, about: 'URL of the picture at the platform.' }) tgt_picture!: string | null;
  @Text({ optional: true, about: 'Role of the connected person in the organization. Null for persons.', example: 'ADMINISTRATOR' })
  tgt_role!: string | null;
  @Json({ about: 'What the connection allows: `post` and `read_stats`.', example: { post: true, read_stats: true } })
  tgt_can!: TargetRights;
  @Flag({ about: 'Whether posts can be sent as this target.' }) tgt_enabled!: boolean;
  @Text({ max: 64, about: 'Time zone of the target (IANA name).', example: 'Europe/Berlin' }) tgt_timezone!: string;
  @Stamp({ about: 'When the target was last changed.', sort: true }) tgt_updated!: Date;

  static blank(facts: Pick<SocialTarget, 'tgt_id' | 'tgt_connection' | 'tgt_timezone'>, author: GrantedAuthor, now: Date): SocialTarget {
    const { kind, external_id, name, picture, role, can } = author;
    return Object.assign(new SocialTarget(), {
      tgt_kind: kind,
      tgt_external_id: external_id,
      tgt_name: name.slice(0, 255),
      tgt_picture: picture,
      tgt_role: role,
      tgt_can: can,
      tgt_enabled: true,
      tgt_updated: now,
      ...facts,
    });
  }

  /** A grant serves it from now on; whether anything is different. */
  serve(
    con_id: string,
    { name, picture, role, can }: GrantedAuthor,
    { enable, now }: { readonly enable: boolean; readonly now: Date },
  ): boolean {
    const before = JSON.stringify([this.tgt_connection, this.tgt_name, this.tgt_picture, this.tgt_role, this.tgt_can, this.tgt_enabled]);
    Object.assign(this, { tgt_connection: con_id, tgt_name: name.slice(0, 255), tgt_picture: picture, tgt_role: role, tgt_can: can });
    if (enable) this.tgt_enabled = true;
    const after = JSON.stringify([this.tgt_connection, this.tgt_name, this.tgt_picture, this.tgt_role, this.tgt_can, this.tgt_enabled]);
    if (before !== after) this.tgt_updated = now;
    return before !== after;
  }

  /** The connection does not post as it any more. */
  lose(now: Date): void {
    this.tgt_can = { post: false, read_stats: false };
    this.tgt_enabled = false;
    this.tgt_updated = now;
  }
}
