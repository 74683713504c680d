import { Choice, Flag, Id, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import { alreadyExists, invalidState, type Clock, type Problem } from '@atrium/platform/kernel';

export const ROLE_KEYS = ['owner', 'admin', 'editor', 'contributor', 'viewer'] as const;
export type RoleKey = (typeof ROLE_KEYS)[number];

/** Roles one user may have. */
export const MAX_ROLES_OF_USER = 20;

/**
 * A named set of permissions. The owner's stay as they are, so that somebody can always do everything; one role of a
 * workspace is given to users who are made without any.
 */
@Resource({ table: 'role', sort: '-role_created' })
export class Role extends TenantRow {
  @Id({ about: 'Id of the role.' }) readonly role_id!: string;
  @Choice(ROLE_KEYS, { optional: true, filter: 'equals', about: 'Key of a built-in role. Null for other roles.' })
  readonly role_key!: RoleKey | null;
  @Text({
    min: 1,
    max: 80,
    filter: 'contains',
    sort: true,
    about: 'Name of the role; unique in the workspace, ignoring case.',
    example: 'Picture desk',
  })
  role_name!: string;
  @Text({ max: 1_000, optional: true, about: 'Purpose of the role.', example: 'Chooses and publishes pictures.' }) role_description!:
    string | null;
  @TextList({
    about:
      'Permissions of the role: `area:*` for all of an area, `*` for all, including future ones. At most 300, sorted and without duplicates.',
    example: ['media:*', 'document:view'],
  })
  role_permissions!: string[];
  @Flag({ about: 'Whether new users without roles are assigned this one. Exactly one role of the workspace is the default.' })
  role_default!: boolean;
  @Whole({ computed: true, about: 'Number of users with this role, without removed users.', example: 3 }) role_user_count!: number;
  @Stamp({ filter: 'range', sort: true, about: 'When it was created.' }) readonly role_created!: Date;
  @Stamp({ filter: 'range', sort: true, about: 'When it was last changed.' }) role_updated!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<Role, 'role_id' | 'role_name' | 'role_description' | 'role_permissions'>, now: Date): Role {
    return Object.assign(new Role(), { role_key: null, role_default: false, role_created: now, role_updated: now, ...facts });
  }

  get isOwner(): boolean {
    return this.role_key === 'owner';
  }

  /** Gives it these permissions; answers whether that changes anything. */
  permit(permissions: readonly string[]): boolean {
    if (sameTexts(this.role_permissions, permissions)) return false;
    if (this.isOwner) throw invalidState('The permissions of the role owner cannot be changed.');
    this.role_permissions = [...permissions];
    return true;
  }

  /** Makes it the role of users who are made without one. It stops being that when another takes its place. */
  becomeDefault(wanted: boolean): void {
    if (this.role_default && !wanted) throw invalidState('One role must be the default. Make another role the default instead.');
    this.role_default = wanted;
  }

  assertMayGo(): void {
    if (this.isOwner) throw invalidState('The role owner cannot be deleted.');
  }

  touch(clock: Clock): void {
    this.role_updated = clock.now();
  }
}

export const roleNameTaken = (name: string): Problem => alreadyExists('role_name', `A role named ${name} already exists.`);

const sameTexts = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((text, i) => text === b[i]);
