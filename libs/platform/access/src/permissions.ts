/** The closed catalog: areas and what may be done in each. Every permission string is `<area>:<action>`. */
export const CATALOG = {
  media: ['view', 'upload', 'download', 'edit', 'delete', 'publish', 'tag', 'share'],
  document: ['view', 'upload', 'download', 'edit', 'delete', 'relation:manage'],
  'knowledge-base': ['view', 'edit', 'write', 'upload', 'delete', 'schema:edit'],
  thread: ['view', 'create', 'upload', 'edit'],
  agent: ['view', 'edit', 'delete', 'run'],
  space: ['view', 'create', 'edit', 'delete'],
  prompt: ['view', 'edit', 'delete', 'run'],
  object: ['view', 'create', 'edit', 'delete', 'schema:edit', 'lifecycle:edit', 'taxonomy:edit', 'source:edit'],
  design: ['view', 'create', 'contribute', 'edit', 'delete', 'approve'],
  presentation: ['view', 'create', 'edit', 'delete', 'template:edit'],
  infographic: ['view', 'create', 'edit', 'delete'],
  studio: ['view', 'generate'],
  site: ['view', 'edit', 'publish', 'delete', 'cms:sync', 'cms:connect'],
  content: ['view', 'edit', 'delete', 'approve', 'schema:edit', 'flow:edit'],
  social: ['view', 'edit', 'publish', 'delete'],
  workflow: ['view', 'edit', 'delete', 'run'],
  task: ['view', 'edit', 'complete', 'form:edit'],
  job: ['view', 'edit', 'run'],
  integration: ['view', 'edit', 'delete', 'use'],
  extension: ['view', 'install', 'state'],
  channel: ['view', 'edit', 'delete'],
  admin: [
    'users',
    'roles',
    'settings',
    'audit',
    'storage',
    'usage',
    'share-links',
    'social',
    'media-tags',
    'media-status',
    'distribution',
    'api-keys',
  ],
} as const;

export type Area = keyof typeof CATALOG;
export type Permission = { [A in Area]: `${A}:${(typeof CATALOG)[A][number]}` }[Area];

export const AREAS = Object.keys(CATALOG) as Area[];
export const PERMISSIONS: readonly Permission[] = AREAS.flatMap((area) =>
  CATALOG[area].map((action) => `${area}:${action}` as Permission),
).sort();

const bitOf = new Map<string, bigint>(PERMISSIONS.map((permission, index) => [permission, 1n << BigInt(index)]));
/** `area:*` → the bits of all its permissions. */
const areaBits = new Map<string, bigint>(
  AREAS.map((area) => [`${area}:*`, CATALOG[area].reduce((bits, action) => bits | (bitOf.get(`${area}:${action}`) ?? 0n), 0n)]),
);
const EVERYTHING = (1n << BigInt(PERMISSIONS.length)) - 1n;

export const isPermission = (text: string): text is Permission => bitOf.has(text);

/** Whether a role may hold the string: a permission, `area:*` or `*`. */
export const isGrant = (text: string): boolean =>
  text === '*' || bitOf.has(text) || (text.endsWith(':*') && Object.hasOwn(CATALOG, text.slice(0, -2)));

/** What a caller may do: a set over the closed catalog, one bit a permission. */
export class PermissionSet {
  static readonly NONE = new PermissionSet(0n);
  static readonly ALL = new PermissionSet(EVERYTHING);

  private constructor(private readonly bits: bigint) {}

  /** The union of grants, with `area:*` and `*` expanded; unknown strings grant nothing. */
  static of(grants: Iterable<string>): PermissionSet {
    let bits = 0n;
    for (const grant of grants) {
      if (grant === '*') return PermissionSet.ALL;
      bits |= bitOf.get(grant) ?? areaBits.get(grant) ?? 0n;
    }
    return new PermissionSet(bits);
  }

  has(permission: Permission): boolean {
    return (this.bits & (bitOf.get(permission) ?? 0n)) !== 0n;
  }

  hasAny(others: PermissionSet): boolean {
    return (this.bits & others.bits) !== 0n;
  }

  hasAll(others: PermissionSet): boolean {
    return (this.bits & others.bits) === others.bits;
  }

  and(others: PermissionSet): PermissionSet {
    return new PermissionSet(this.bits & others.bits);
  }

  without(others: PermissionSet): PermissionSet {
    return new PermissionSet(this.bits & ~others.bits);
  }

  get isEmpty(): boolean {
    return this.bits === 0n;
  }

  /** The permission strings, sorted. */
  list(): Permission[] {
    return PERMISSIONS.filter((permission) => this.has(permission));
  }
}
