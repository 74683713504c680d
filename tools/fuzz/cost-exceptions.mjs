// Requests that may take more than others, each with its reason and its own bound. The first that fits counts.

const MIB = 1024 * 1024;

/** `{ operations?, places?, shapes?, bodiesOver?, bounds, why }`; `bodiesOver` compares the bytes of the body that is sent. */
export const EXCEPTIONS = [
  {
    operations: /^PUT \/api\/v1\/files\/\{id\}\/content$/,
    bounds: { processor_ms: 800, memory: 48 * MIB },
    why: 'takes a text of 2 MB, which may be written in 10 MB of JSON: it is received, decoded, checked for characters that cannot be stored, and counted',
  },
  {
    bodiesOver: 5 * MIB,
    bounds: { processor_ms: 600, memory: 64 * MIB },
    why: 'to receive and parse ten megabytes takes as many as 40 ms each where every character is escaped, and several times their size',
  },
  {
    bodiesOver: MIB,
    bounds: { processor_ms: 250, memory: 32 * MIB },
    why: 'to receive and parse some megabytes takes as many as 40 ms each where every character is escaped, and several times their size',
  },
  {
    bodiesOver: MIB / 2,
    shapes: ['nesting'],
    bounds: { processor_ms: 150, memory: 32 * MIB },
    why: 'to parse half a megabyte of lists and objects in one another takes as many as 70 ms: a value in each six bytes, which a large table of a page may have as well',
  },
];

/** Operations that create nothing when they are asked as the document shows, and why. */
export const NOT_CREATED = Object.fromEntries(
  Object.entries({
    'asks a host by its name, and that of the example is nowhere': [
      'POST /api/v1/admin/issuers',
      'POST /api/v1/knowledge-bases/{id}/crawls',
      'POST /api/v1/object-sources',
    ],
    'exchanges a code that the platform has given': ['POST /api/v1/admin/social/{platform}/callback'],
    'sets up a webhook at a content management system, which the site is not connected to': ['POST /api/v1/sites/{id}/cms/webhook'],
    'is asked by a person who is signed in, not with a key': ['POST /api/v1/me/api-keys'],
    'needs the token of a share link, which is shown once': [
      'POST /api/v1/public/kiosk/{share_id}/uploads',
      'POST /api/v1/public/kiosk/{share_id}/uploads/{id}/finalize',
      'POST /api/v1/public/shares/{token}/uploads',
      'POST /api/v1/public/shares/{token}/uploads/{id}/finalize',
    ],
    'needs bytes that were sent before': ['POST /api/v1/faces', 'POST /api/v1/uploads/{id}/finalize'],
    'names rows of a kind that the name of its field does not say': [
      'POST /api/v1/admin/legal-holds',
      'POST /api/v1/documents/{id}/relations',
      'POST /api/v1/knowledge-bases/{id}/schema/fork',
      'POST /api/v1/share-links',
      'POST /api/v1/spaces/{id}/members',
      'POST /api/v1/threads',
      'POST /api/v1/threads/find-or-create',
      'POST /api/v1/threads/{id}/members',
      'POST /api/v1/threads/{id}/messages',
    ],
    'takes fields that depend on one another, or a form of name that is made here in another': [
      'POST /api/v1/admin/media-status-flows',
      'POST /api/v1/admin/roles/{id}/copy',
      'POST /api/v1/admin/storage/providers',
      'POST /api/v1/content-approval-flows',
      'POST /api/v1/content-schema-libraries/{id}/copy',
      'POST /api/v1/media-analysis-schemas',
      'POST /api/v1/model-providers',
      'POST /api/v1/object-lifecycle-flows',
      'POST /api/v1/prompts/{id}/run',
    ],
  }).flatMap(([why, operations]) => operations.map((operation) => [operation, why])),
);
