import { invalidField, Problem } from '@atrium/platform/kernel';
import { isId } from '@atrium/platform/kernel';

/** What a caller may want of a file. */
export type FileAction = 'view' | 'upload' | 'edit' | 'delete' | 'download';

interface RepositoryRule {
  /** The key of `file_repo`; `library` for the libraries. */
  readonly key: string;
  /** Clients may name it; else the platform stamps it. */
  readonly open: boolean;
  readonly owned: boolean;
  readonly license?: 'module-documents';
  /** Any one of these; without one, the platform alone. */
  readonly permissions: Readonly<Record<FileAction, readonly string[]>>;
}

const anyOf = (permissions: string | readonly string[] | null): readonly string[] => (permissions === null ? [] : [permissions].flat());

const rule = (
  key: string,
  open: boolean,
  view: string,
  upload: string | readonly string[] | null,
  edit: string | readonly string[],
  remove: string | readonly string[],
  download: string,
): RepositoryRule => ({
  key,
  open,
  owned: key !== 'library',
  permissions: { view: [view], upload: anyOf(upload), edit: anyOf(edit), delete: anyOf(remove), download: [download] },
});

/** Pages are edited by those who edit the site, and by those who edit content, where their owner lets them. */
const PAGE_EDITORS = ['site:edit', 'content:edit'] as const;

/** The ownership model: what may own files, and which permission each action needs there (`repo_type` is the key). */
export const REPOSITORIES = {
  media: rule('library', true, 'media:view', 'media:upload', 'media:edit', 'media:delete', 'media:download'),
  docs: {
    ...rule('library', true, 'document:view', 'document:upload', 'document:edit', 'document:delete', 'document:download'),
    license: 'module-documents' as const,
  },
  generated: rule('library', false, 'media:view', null, 'media:edit', 'media:delete', 'media:download'),
  ds: rule(
    'ds',
    true,
    'knowledge-base:view',
    'knowledge-base:upload',
    'knowledge-base:write',
    'knowledge-base:delete',
    'knowledge-base:view',
  ),
  thread: rule('thread', true, 'thread:view', 'thread:upload', 'thread:edit', 'thread:edit', 'thread:view'),
  design: rule('design', true, 'design:view', 'design:edit', 'design:edit', 'design:edit', 'design:view'),
  prompt: rule('prompt', true, 'prompt:view', 'prompt:edit', 'prompt:edit', 'prompt:edit', 'prompt:view'),
  ppt: rule('ppt', false, 'presentation:view', null, 'presentation:edit', 'presentation:edit', 'presentation:view'),
  form: rule('form', false, 'task:view', null, 'task:form:edit', 'task:form:edit', 'task:view'),
  infographic: rule(
    'infographic',
    true,
    'infographic:view',
    'infographic:edit',
    'infographic:edit',
    'infographic:edit',
    'infographic:view',
  ),
  sitemap: rule('sitemap', true, 'site:view', 'site:edit', 'site:edit', 'site:edit', 'site:view'),
  node: rule('node', true, 'site:view', PAGE_EDITORS, PAGE_EDITORS, PAGE_EDITORS, 'site:view'),
  workflow: rule('wf_instance', false, 'workflow:view', null, 'workflow:edit', 'workflow:edit', 'workflow:view'),
} as const satisfies Record<string, RepositoryRule>;

export type RepoType = keyof typeof REPOSITORIES;

/** The repositories a list may name. */
export const LISTED_REPO_TYPES = [
  'media',
  'generated',
  'docs',
  'ds',
  'thread',
  'design',
  'prompt',
  'ppt',
] as const satisfies readonly RepoType[];

const LIBRARIES: readonly string[] = ['media', 'docs', 'generated'];

export const ruleOf = (type: RepoType): RepositoryRule => REPOSITORIES[type];

/** What owns a file: one library, or one object of another context. */
export interface Repository {
  readonly type: RepoType;
  readonly id: string | null;
}

/** The key that one repository's rows share: `media`, `thread:<id>`. */
export const repoKey = ({ type, id }: Repository): string => (id === null ? type : `${type}:${id}`);

/** `file_repo` as rows and answers show it. */
export const toFileRepo = ({ type, id }: Repository): Record<string, unknown> =>
  id === null ? { library: [type] } : { [ruleOf(type).key]: id };

/** Where `file_repo` names the owner. */
export const ownerPath = ({ type, id }: Repository): string => (id === null ? 'file_repo' : `file_repo.${ruleOf(type).key}`);

/** Reads the `file_repo` a client sent: exactly one key, and one that clients may name. */
export function readFileRepo(value: Readonly<Record<string, unknown>>): Repository {
  const repository = namedRepository(value);
  if (!ruleOf(repository.type).open)
    throw invalidField(`file_repo.${ruleOf(repository.type).key}`, 'is set by the platform and cannot be sent', 'stamped');
  return repository;
}

/** Where a client wants a file to be moved; what the platform stamps takes none and gives none away. */
export function readMoveTarget(value: Readonly<Record<string, unknown>>): Repository {
  const repository = namedRepository(value);
  if (isStamped(repository)) throw stampedMove();
  return repository;
}

/** Whether the platform alone puts files there. */
export const isStamped = ({ type }: Repository): boolean => !ruleOf(type).open;

export const stampedMove = (): Problem =>
  new Problem('invalid_move', 'The platform places the files of this repository. They cannot be moved into it or out of it.');

function namedRepository(value: Readonly<Record<string, unknown>>): Repository {
  const keys = Object.keys(value);
  const [key] = keys;
  if (keys.length !== 1 || key === undefined)
    throw invalidField('file_repo', 'must name exactly one owner, such as {"library": ["media"]}', 'one_key');
  return key === 'library' ? readLibrary(value[key]) : readOwned(key, value[key]);
}

function readLibrary(value: unknown): Repository {
  const [library] = Array.isArray(value) && value.length === 1 ? (value as unknown[]) : [];
  if (typeof library !== 'string' || !LIBRARIES.includes(library))
    throw invalidField('file_repo.library', 'must be an array with one of media, docs', 'choice');
  return { type: library as RepoType, id: null };
}

function readOwned(key: string, value: unknown): Repository {
  const found = (Object.entries(REPOSITORIES) as [RepoType, RepositoryRule][]).find(([, { key: known, owned }]) => owned && known === key);
  if (!found) throw invalidField(`file_repo.${key}`, 'is not a kind of owner', 'unknown_field');
  if (!isId(value)) throw invalidField(`file_repo.${key}`, 'must be a uuid', 'uuid');
  return { type: found[0], id: value.toLowerCase() };
}

export const repositoryOf = (row: { readonly repo_type: string; readonly repo_id: string | null }): Repository => ({
  type: row.repo_type as RepoType,
  id: row.repo_id,
});

/** The repository a list names: the type is needed, the id exactly where the type has owners. */
export function listedRepository(type: RepoType, id: string | undefined): Repository {
  const { owned } = ruleOf(type);
  if (owned && !id) throw invalidField('repo_id', `is required for ${type}`, 'required');
  if (!owned && id) throw invalidField('repo_id', `is not allowed for ${type}`, 'unknown_field');
  return { type, id: id ?? null };
}

export const ownerGone = (): Problem => new Problem('not_found', 'The owner named in file_repo does not exist in this workspace.');
