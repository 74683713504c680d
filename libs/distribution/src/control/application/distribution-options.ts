import type { WorkspaceOption } from '@atrium/identity';

/** What becomes of a request whose country nobody knows, where a rule names territories. */
export const UNKNOWN_TERRITORY: WorkspaceOption<'refuse' | 'allow'> = {
  key: 'unknown_territory',
  schema: { type: 'string', enum: ['refuse', 'allow'], maxLength: 6 },
  default: 'refuse',
  permission: 'admin:distribution',
  description: 'Whether a client whose country nobody knows is refused where a rule names territories.',
};

/** What becomes of published addresses when the module is no longer licensed. */
export const PUBLICATION_LAPSE: WorkspaceOption<'serve' | 'stop'> = {
  key: 'publication_lapse',
  schema: { type: 'string', enum: ['serve', 'stop'], maxLength: 5 },
  default: 'serve',
  description: 'Whether addresses that are published already go on serving when the licence of publications has ended.',
};

/** The host new addresses are minted under. */
export const PUBLIC_HOSTNAME: WorkspaceOption<string | null> = {
  key: 'public_hostname',
  schema: {
    type: ['string', 'null'],
    minLength: 4,
    maxLength: 253,
    pattern: '^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$',
    description: 'the name of a host in lowercase letters, such as files.example.com',
  },
  default: null,
  description:
    'Host of addresses that are minted from now on, such as files.example.com; it has to lead here. Null: the host of this service. Addresses that are minted already keep theirs.',
};

/** How long caches keep a published file. */
export const PUBLICATION_MAX_AGE: WorkspaceOption<number> = {
  key: 'publication_max_age',
  schema: { type: 'integer', minimum: 0, maximum: 86_400 },
  default: 300,
  permission: 'admin:distribution',
  description:
    'Seconds for which browsers and caches may keep a published file. Where rules restrict hosts, addresses or hours, it is 0 whatever is set here, unless an edge enforces the rules.',
};
