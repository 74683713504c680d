import { Choice, Flag, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import { invalidState, StateMachine, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { MAX_ROLES_OF_USER } from '../../roles/domain/role';

export const USER_KINDS = ['person', 'service', 'extension'] as const;
export type UserKind = (typeof USER_KINDS)[number];

export const USER_STATUSES = ['invited', 'active', 'suspended', 'removed'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

const states = new StateMachine<UserStatus>('user', {
  invited: ['active', 'removed'],
  active: ['suspended', 'removed'],
  suspended: ['active', 'removed'],
  removed: ['invited'],
});

/**
 * A membership: somebody in one workspace, under the id that is theirs in every workspace. It is never deleted, so that
 * what somebody made keeps a name; what its state does not allow is refused here.
 */
@Resource({ table: 'workspace_user', sort: '-user_created' })
export class User extends TenantRow {
  @Id({ about: 'Id of the member; the same in every workspace.' }) readonly user_id!: string;
  @Choice(USER_KINDS, {
    filter: 'equals',
    about: 'A person signs in, a service uses API keys, and an extension belongs to an installation.',
  })
  user_kind!: UserKind;
  @Text({
    optional: true,
    max: 254,
    format: 'email',
    filter: 'contains',
    sort: true,
    about: 'E-mail address; null for services and extensions.',
    example: 'ada@example.com',
  })
  user_email!: string | null;
  @Text({ min: 1, filter: 'contains', sort: true, about: 'Name in this workspace.', example: 'Ada Lindgren' }) user_name!: string;
  @Text({ optional: true, about: 'Job title of the member.', example: 'Picture editor' }) user_title!: string | null;
  @Ref({ optional: true, about: 'Picture of the member; an image file of this workspace.' }) user_avatar_file!: string | null;
  @Text({
    optional: true,
    internal: true,
    min: 2,
    max: 35,
    about: 'Language (BCP 47). Null: the language of the workspace.',
    example: 'en',
  })
  user_locale!: string | null;
  @Text({
    optional: true,
    internal: true,
    min: 1,
    max: 64,
    about: 'Time zone (IANA name). Null: the time zone of the workspace.',
    example: 'Europe/Lisbon',
  })
  user_timezone!: string | null;
  @Choice(USER_STATUSES, { filter: 'equals', about: 'Status of the membership.' }) user_status!: UserStatus;
  @IdList({ computed: true, max: MAX_ROLES_OF_USER, about: 'Ids of the roles in this workspace.' }) user_roles!: string[];
  @Flag({ generated: true, filter: 'equals', about: 'Whether the person has a second factor.' }) readonly user_mfa!: boolean;
  @Json({
    internal: true,
    max: 16 * 1024,
    about: 'Preferences that applications store for the person. Members are merged one by one; null removes one. At most 16 KB in total.',
    example: { theme: 'dark' },
  })
  user_pref!: JsonObject;
  @Json({ about: 'Free metadata, at most 64 KB.', example: { department: 'Press' } }) user_metadata!: JsonObject;
  @Text({ optional: true, min: 1, filter: 'equals', about: 'Id in your own system; unique in the workspace.', example: 'hr-4711' })
  user_external_id!: string | null;
  @Ref({ optional: true, about: 'Issuer that created the member.' }) user_issuer!: string | null;
  @Ref({ optional: true, about: 'Installed extension the user belongs to.' }) readonly user_extension!: string | null;
  @Ref({ optional: true, about: 'User who invited the member.' }) user_invited_by!: string | null;
  @Stamp({ optional: true, about: 'When the current invitation link was sent.' }) user_invited_at!: Date | null;
  @Stamp({ optional: true, about: 'When the current invitation link expires.' }) user_invite_expires_at!: Date | null;
  @Text({ optional: true, max: 500, about: 'Reason the invitation could not be delivered.' }) user_invite_error!: string | null;
  @Stamp({
    optional: true,
    generated: true,
    filter: 'range',
    sort: 'user_last_seen_at_key',
    about: 'When the member was last active, to five minutes.',
  })
  readonly user_last_seen_at!: Date | null;
  @Stamp({ filter: 'range', sort: true, about: 'When the member was added.' }) user_created!: Date;
  @Stamp({ filter: 'range', about: 'When the member was last changed.' }) user_updated!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Partial<User> & Pick<User, 'user_id' | 'user_email' | 'user_name'>, now: Date): User {
    return Object.assign(new User(), {
      user_kind: 'person' as const,
      user_status: 'active' as const,
      user_pref: {},
      user_metadata: {},
      user_created: now,
      user_updated: now,
      ...facts,
    });
  }

  /** Whether a seat of the workspace is taken. */
  get takesSeat(): boolean {
    return this.user_kind === 'person' && (this.user_status === 'active' || this.user_status === 'invited');
  }

  assertEditable(): void {
    if (this.user_kind === 'extension') throw invalidState('The user belongs to an extension. Change it where the extension is installed.');
    if (this.user_status === 'removed') throw invalidState('The user was removed from the workspace.');
  }

  /** A link goes out: to a new member, to one who was removed, or again to one who has not come yet. */
  invite(by: string | null, expires: Date, clock: Clock): void {
    if (this.user_status !== 'invited') this.user_status = states.move(this.user_status, 'invited');
    this.user_invited_by = by;
    this.user_invited_at = clock.now();
    this.user_invite_expires_at = expires;
    this.user_invite_error = null;
  }

  assertInvited(): void {
    if (this.user_status !== 'invited') throw invalidState(`The user is ${this.user_status}. Only invited users have an invitation.`);
  }

  /** The person came. */
  join(): void {
    this.assertInvited();
    this.user_status = states.move(this.user_status, 'active');
    this.forgetInvitation();
  }

  suspend(): void {
    this.user_status = states.move(this.user_status, 'suspended');
  }

  reactivate(): void {
    if (this.user_status !== 'suspended') throw invalidState(`The user is ${this.user_status}. Only suspended users can be reactivated.`);
    this.user_status = states.move(this.user_status, 'active');
  }

  remove(): void {
    this.user_status = states.move(this.user_status, 'removed');
    this.forgetInvitation();
  }

  touch(clock: Clock): void {
    this.user_updated = clock.now();
  }

  private forgetInvitation(): void {
    this.user_invite_expires_at = null;
    this.user_invite_error = null;
  }
}

/** A person's preferences after a change: members are replaced one by one, null removes one. */
export const mergedPreferences = (present: JsonObject, changes: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...present, ...changes }).filter(([, value]) => value !== null));
