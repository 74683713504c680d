import { SECRETS } from '../forms/planting';
import { STRANGE } from '../support/planted-values';
import { THIS_WEEK } from './closed-channels';
import type { ClosedGround, PartyName } from './closed-parties';

/** What the bodies of reading operations are about. */
export interface ReadIds {
  readonly closed: ClosedGround['closed'];
  readonly open: ClosedGround['open'];
  /** Somebody whose access is explained. */
  readonly user_id: string;
  readonly role_id: string;
}

const USAGE = ['date', 'usage_user', 'agent_name', 'prompt_name', 'usage_param'];

/** Files that are closed, and some that are not. */
const files = ({ closed, open }: ReadIds): string[] => [...(closed['/files/{id}'] ?? []), ...(open['/files/{id}'] ?? [])];

/** Queries of reading operations: those that an operation cannot do without, and those that show more. */
export const QUERIES: Readonly<Record<string, readonly string[] | ((ids: ReadIds) => readonly string[])>> = {
  'GET /admin/access-logs': ['', 'log_url=albums'],
  'GET /admin/access-logs/stats': ['log_route', 'log_user', 'log_status', 'log_key', 'date'].map((one) => `group_by=${one}`),
  'GET /admin/retention/preview': ['trash', 'file_versions', 'threads_inactive', 'objects'].map((one) => `ret_key=${one}`),
  'GET /admin/storage/consumption': ['class', 'repo_type', 'provider', 'family', 'user', 'date'].map((one) => `group_by=${one}`),
  'GET /admin/usage/aggregated': USAGE.map((one) => `pivot=${one}`),
  'GET /admin/usage/pivot': USAGE.map((one) => `group_by=${one}`),
  'GET /files': ['media', 'generated', 'docs', 'ds', 'thread'].map((one) => `repo_type=${one}`),
  'GET /files/search': ['zq', 'zqdocument', 'Plain'].map((one) => `q=${one}`),
  'GET /stock-photos': ['q=harbour'],
  'GET /albums/{id}/explain': (ids) => files(ids).map((id) => `file_id=${id}`),
  'GET /threads/search': ['q=zqspacemessage', 'q=zqremembered', 'q=remember'],
  'GET /documents': ['', 'lifecycle=all'],
  'GET /objects/{id}': ['', 'expand=*', 'include_hidden=true'],
  'GET /spaces': ['', 'all=true'],
  'GET /admin/social/calendar': [THIS_WEEK],
  'GET /social-calendar': [THIS_WEEK],
  'GET /admin/social/{platform}/auth-url': ['redirect_uri=http://127.0.0.1:9/callback'],
  'GET /delivery/{site_key}/page': ['path=/lamps'],
  'GET /delivery/{site_key}/pages': ['locale=en'],
  'GET /delivery/{site_key}/tree': ['locale=en'],
};

const WORDS = ['zqbytes of the lease', 'zqrecordtext', 'zqremembered', 'zqdeepingroup', 'Lamp', 'ferry'];
const rows = { rows: [{ name: 'Lamp', body: 'A lamp.' }] };

/** Operations that read by a body, and the bodies that read what is planted. */
export const BODIES: Readonly<Record<string, (ids: ReadIds) => readonly object[]>> = {
  'POST /admin/access/explain': ({ closed, user_id }) =>
    (
      [
        ['document_folder', '/document-folders/{id}'],
        ['album', '/albums/{id}'],
        ['knowledge_base', '/knowledge-bases/{id}'],
        ['object', '/objects/{id}'],
        ['agent', '/agents/{id}'],
        ['prompt', '/prompts/{id}'],
        ['site', '/sites/{id}'],
        ['social_post', '/social-posts/{id}'],
      ] as const
    ).map(([type, path]) => ({ user_id, permission: 'media:view', resource: { type, id: closed[path]?.[0] } })),
  'POST /admin/roles/preview': ({ role_id }) => [{ role_id, role_permissions: ['media:view'] }],
  'POST /admin/usage/simulate': () => [{ costs: [{ cost_param: 'ai.output_tokens', cost_credits_per_unit: 0.5 }] }],
  'POST /admin/audit-events/verify': () => [{}],
  'POST /retrieval/search': () => WORDS.flatMap((query) => [{ query }, { query, scopes: ['docs'] }]),
  'POST /knowledge-bases/{id}/search': () => WORDS.map((query) => ({ query })),
  'POST /knowledge-bases/{id}/export': () => [{ format: 'jsonl' }, { format: 'csv' }],
  'POST /knowledge-bases/{id}/records/import/preview': () => [rows],
  'POST /saved-searches/preview': () =>
    ['zqdocument', 'Plain'].map((value) => ({ sq_scope: 'docs', sq_query: { where: { field: 'file_name', op: 'contains', value } } })),
  'POST /uploads/check': () => [
    { file_repo: { library: ['docs'] }, items: [{ file_name: 'zqdocument.txt', file_size: 20, file_hash: 'a'.repeat(64) }] },
  ],
  'POST /files/actions/download': (ids) => files(ids).map((id) => ({ file_ids: [id] })),
  'POST /distribution/evaluate': (ids) => files(ids).map((file_id) => ({ file_id, country: 'FR' })),
};

/** Operations that read and are not asked here, each with its reason. */
export const NOT_ASKED: Readonly<Record<string, string>> = {
  'POST /objects/import/preview': 'shows rows of its body by the names of the fields of a schema: objects/import-values',
  'GET /admin/retention/runs/{id}/held': 'retention has not run on the first day: governance/retention-removals',
  'GET /auth/invitations/{token}': 'the token leaves by mail alone: identity/invitations',
  'GET /public/shares/{token}/download/{job_id}': 'archives of more than 1 GiB: distribution/share-archives',
};

/** What is read at a place although it is closed elsewhere: of which kind it is, with the reason. */
export const SHOWN_BY_DESIGN: readonly { readonly what: RegExp; readonly requests: RegExp; readonly because: string }[] = [
  {
    what: new RegExp(`^${SECRETS.top} `),
    requests: /^GET \/(?:object|knowledge-base)-schemas/,
    because: 'a schema shows its expressions, and who wrote the value into one showed it to all',
  },
  {
    what: /the id of \/share-links\/\{id\}/,
    requests: /^GET \/files\/\{id\}\/history/,
    because: 'the history of a file says that it was shared, and by which link',
  },
  {
    what: /^zqalbum /,
    requests: /^GET \/admin\/access-logs/,
    because: 'the log keeps what changes of albums say, for those who audit',
  },
  {
    what: /^zq(?:website|socialpost) /,
    requests: /^GET \/admin\/audit-events/,
    because: 'the log names the sites and social posts that were changed, for those who audit',
  },
  {
    what: /the file of a link/,
    requests: /^GET \/uploads/,
    because: 'an upload is read by any key of its owner that may upload',
  },
];

/** Filters that answer what is near, so that every word gets another answer. */
export const NEARNESS: ReadonlySet<string> = new Set(['embedding_search']);

/** Paths at which somebody may change what is closed to others. */
export const OF_THEIR_OWN: Readonly<Partial<Record<PartyName, RegExp>>> = {
  // They look after the links of all members.
  admin: /^\/admin\/share-links\//,
  'key for media': /^\/(?:albums|share-links|uploads)\//,
  'key for conversations': /^\/(?:memories|threads|uploads)\//,
  // Who reads an object may ask for a transition: its flow says who moves it.
  'key for reading objects': /^\/objects\/[^/]+\/transitions$/,
};

/** Bodies that a change is asked with where the example of the document is refused as such. */
export const BODIES_OF_CHANGES: Readonly<Record<string, object>> = {
  'POST /share-links/{id}/uploads/review': { accept: [STRANGE.id] },
  'PATCH /sites/{id}/nodes/{node_id}': { node_name: 'Lamps' },
  'PUT /sites/{id}/nodes/{node_id}/content': { node_content: {} },
  'POST /sites/{id}/nodes/{node_id}/content/ops': { ops: [{ op: 'set', uid: 'root0001', key: 'title', value: 'Lamps' }] },
  'POST /sites/{id}/nodes/{node_id}/unpublish': {},
  'POST /social-posts/{id}/schedule': { next_slot: true },
};
