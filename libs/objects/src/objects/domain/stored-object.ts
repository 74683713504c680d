import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import canonicalize from 'canonicalize';
import { pick, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { WorkspaceObject } from './workspace-object';

const STORED = [
  'obj_form',
  'obj_name',
  'obj_content',
  'obj_status',
  'obj_flow',
  'obj_status_since',
  'obj_terms',
  'obj_cover_file',
  'obj_acl',
  'obj_metadata',
  'obj_source',
  'obj_external_id',
  'obj_external_url',
  'obj_synced',
  'obj_locked_fields',
  'obj_shelf',
  'obj_issues',
  'obj_active',
  'obj_deleted',
  'obj_dropped',
  'obj_hash',
] as const;

/** Everything that is stored of an object besides its id, its authors and what follows from the rest. */
export type StoredObject = Pick<WorkspaceObject, (typeof STORED)[number]>;

export const storedOf = (object: StoredObject): StoredObject => pick(object, STORED);

/** What differs between two revisions: `obj_content.price` for a value, else the field of the object. */
export interface ObjectDifference {
  readonly field: string;
  readonly from: JsonValue;
  readonly to: JsonValue;
}

/** What revisions do not tell: it follows from the rest, or only sources care. */
const SILENT: ReadonlySet<string> = new Set([
  'obj_content',
  'obj_shelf',
  'obj_hash',
  'obj_deleted',
  'obj_dropped',
  'obj_synced',
  'obj_status_since',
  'obj_flow',
]);

export function differencesOf(before: StoredObject | null, after: StoredObject): readonly ObjectDifference[] {
  const [old, now] = [before ? plain(before) : {}, plain(after)];
  const told = STORED.filter((name) => !SILENT.has(name) && !isDeepStrictEqual(old[name] ?? EMPTY[name] ?? null, now[name] ?? null));
  const contents = [contentOf(old), contentOf(now)] as const;
  const keys = [...new Set(contents.flatMap(Object.keys))].filter(
    (key) => !isDeepStrictEqual(withoutRowIds(contents[0][key] ?? null), withoutRowIds(contents[1][key] ?? null)),
  );
  return [
    ...told.map((field) => ({ field, from: old[field] ?? null, to: now[field] ?? null })),
    ...keys.map((key) => ({ field: `obj_content.${key}`, from: contents[0][key] ?? null, to: contents[1][key] ?? null })),
  ];
}

/** Whether anything that is stored differs, the moments at which it was said aside. */
export function hasChanged(before: StoredObject, after: StoredObject): boolean {
  const { obj_synced: _, ...old } = plain(before);
  const { obj_synced: __, ...now } = plain(after);
  return !isDeepStrictEqual({ ...old, obj_content: withoutRowIds(contentOf(old)) }, { ...now, obj_content: withoutRowIds(contentOf(now)) });
}

/** Names the text that is indexed: the same while name, content, address and the reading of its schema are the same. */
export const textOf = ({ obj_name, obj_content, obj_external_url, obj_form }: StoredObject, revision: number): string =>
  createHash('sha256')
    .update(canonicalize({ obj_name, obj_content: withoutRowIds(obj_content), obj_external_url, obj_form, revision }) ?? '')
    .digest('base64url');

/** What a new object has before anything is said of it; not worth telling where it stays so. */
const EMPTY: Partial<Record<string, JsonValue>> = {
  obj_terms: [],
  obj_acl: {},
  obj_metadata: {},
  obj_locked_fields: [],
  obj_issues: [],
  obj_active: true,
};

/** Metadata is set as a whole, never changed in place, and a write compares it several times. */
const plainMetadata = new WeakMap<JsonObject, JsonObject>();

function plain(object: StoredObject): JsonObject {
  const { obj_metadata, ...rest } = storedOf(object);
  const others = asJson(rest) as JsonObject;
  if (typeof obj_metadata !== 'object' || obj_metadata === null) return obj_metadata === undefined ? others : { ...others, obj_metadata };
  const metadata = plainMetadata.get(obj_metadata) ?? (asJson(obj_metadata) as JsonObject);
  plainMetadata.set(obj_metadata, metadata);
  return { ...others, obj_metadata: metadata };
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const contentOf = ({ obj_content }: JsonObject): JsonObject => (obj_content ?? {}) as JsonObject;

/** Rows of lists are given ids when they are written; the same rows are the same values. */
function withoutRowIds(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withoutRowIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '_id')
      .map(([key, inner]) => [key, withoutRowIds(inner)]),
  );
}
