import type { WorkspaceOption } from '@atrium/identity';

/** What becomes of a request whose country nobody knows, where a rule names territories. */
export const UNKNOWN_TERRITORY: WorkspaceOption<'refuse' | 'allow'> = {
  key: 'unknown_territory',
  schema: { type: 'string', enum: ['refuse', 'allow'], maxLength: 6 },
  default: 'refuse',
  permission: 'admin:distribution',
  description: 'Whether clients whose country is unknown are refused where a rule restricts territories.',
};

/** What becomes of published addresses when the module is no longer licensed. */
export const PUBLICATION_LAPSE: WorkspaceOption<'serve' | 'stop'> = {
  key: 'publication_lapse',
  schema: { type: 'string', enum: ['serve', 'stop'], maxLength: 5 },
  default: 'serve',
  description: 'Whether published files remain available after the licence for publications has ended.',
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
    'Host of new public URLs, such as files.example.com; its DNS must point to this service. Null: the host of this service. Existing URLs keep their host.',
};

/** How long caches keep a published file. */
export const PUBLICATION_MAX_AGE: WorkspaceOption<number> = {
  key: 'publication_max_age',
  schema: { type: 'integer', minimum: 0, maximum: 86_400 },
  default: 300,
  permission: 'admin:distribution',
  description:
    'Seconds for which browsers and caches may keep a published file. Where rules restrict hosts, addresses or hours, it is always 0, unless an edge enforces the rules.',
};
