import { SetMetadata } from '@nestjs/common';

export const OPERATION_NAME = Symbol('operation-name');

/** The operationId where the one that the path gives reads badly: `@Named('publishFile')`. */
export const Named = (name: string): MethodDecorator => SetMetadata(OPERATION_NAME, name);

/** Last words of paths that name an action, not a resource. */
const VERBS = new Set([
  'activate',
  'analyze',
  'apply',
  'approve',
  'archive',
  'cancel',
  'check',
  'complete',
  'confirm',
  'copy',
  'delete',
  'detect',
  'dismiss',
  'empty',
  'evaluate',
  'explain',
  'finalize',
  'import',
  'invite',
  'merge',
  'move',
  'pause',
  'preview',
  'publish',
  'purge',
  'reactivate',
  'refresh',
  'reindex',
  'release',
  'resolve',
  'restore',
  'resume',
  'retry',
  'revoke',
  'rotate',
  'run',
  'scan',
  'send',
  'simulate',
  'split',
  'suggest',
  'suspend',
  'test',
  'transfer',
  'undo',
  'unlock',
  'unpublish',
  'verify',
]);

const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  analyses: 'analysis',
  statuses: 'status',
  searches: 'search',
  categories: 'category',
  memories: 'memory',
  libraries: 'library',
  taxonomies: 'taxonomy',
};
const NOT_PLURAL = new Set(['stats', 'status', 'analysis']);
/** Parts of paths that say where an operation belongs, not what it is about. */
const UNSAID = new Set(['api', 'v1', 'admin', 'public', 'actions']);

/**
 * What an operation is called in the OpenAPI document, in generated clients and wherever else it is named, from its method
 * and path: `GET /api/v1/albums` → `listAlbums`, `PATCH /api/v1/albums/:id` → `updateAlbum`, `POST /api/v1/files/:id/move` →
 * `moveFile`, `POST /api/v1/files/actions/purge` → `purgeFiles`.
 */
export function operationName(method: string, path: string): string {
  const parts = path
    .split('/')
    .filter((part) => part !== '' && !UNSAID.has(part))
    .map((part) => (part === 'me' ? 'my' : part));
  const last = parts.at(-1) ?? '';
  const before = parts.slice(0, -1);
  const isOfMany = path.split('/').includes('actions');
  if (isParameter(last)) return `${ON_ONE[method] ?? method.toLowerCase()}${nounOf(parts)}`;
  if (method === 'POST' && VERBS.has(last.split('-')[0] ?? ''))
    return lowerFirst(pascal(last)) + (isOfMany ? nounOf(before.slice(0, -1)) + pascal(before.at(-1) ?? '') : nounOf(before));
  if (method === 'POST') return `create${nounOf(parts)}`;
  if (method === 'GET') return `${isPlural(last) ? 'list' : 'get'}${nounOf(before)}${pascal(last)}`;
  return `${ON_MANY[method] ?? method.toLowerCase()}${nounOf(before)}${pascal(last)}`;
}

const ON_ONE: Readonly<Record<string, string>> = { GET: 'get', PATCH: 'update', PUT: 'replace', DELETE: 'delete' };
const ON_MANY: Readonly<Record<string, string>> = { PATCH: 'update', PUT: 'replace', DELETE: 'remove' };

const isParameter = (part: string): boolean => part.startsWith(':') || part.startsWith('{');

/** The resource that the parts lead to, each collection in the path in the singular: `files/:id/versions` → `FileVersion`. */
const nounOf = (parts: readonly string[]): string =>
  parts
    .filter((part) => !isParameter(part))
    .map((part) => pascal(singular(part)))
    .join('');

function isPlural(part: string): boolean {
  const word = part.split('-').at(-1) ?? '';
  return word in IRREGULAR || (/[^su]s$/.test(word) && !NOT_PLURAL.has(word));
}

function singular(part: string): string {
  if (!isPlural(part)) return part;
  const words = part.split('-');
  const word = words.pop() ?? '';
  return [...words, IRREGULAR[word] ?? word.slice(0, -1)].join('-');
}

const pascal = (part: string): string =>
  part
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
const lowerFirst = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1);
