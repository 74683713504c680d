import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Cells, CompiledForm } from '@atrium/forms';
import { isObject, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { ConflictRule } from '../domain/object-source';
import type { MappedRow } from '../domain/source-mapping';
import type { RowDifference } from '../domain/sync-row';

/** What is stored of the object of a row, as far as a row can change it. */
export interface StoredFacts {
  readonly obj_name: string;
  readonly obj_content: JsonObject;
  readonly obj_locked_fields: readonly string[];
}

/** What a row says of its object, after what was edited here has been taken into account. */
export interface SaidFacts {
  readonly obj_name?: string;
  readonly obj_content: JsonObject;
  readonly obj_locked_fields?: readonly string[];
  /** What the source says otherwise of locked fields, and is not written. */
  readonly conflicts: readonly RowDifference[];
  readonly faults: readonly FieldFault[];
}

const NAME = 'obj_name';

/** Digest of what a row says; `salt` names everything else that decides what is written. */
export const digestOf = (salt: string, { name, url, fields }: MappedRow): string =>
  createHash('sha256')
    .update(JSON.stringify([salt, name, url, [...fields]]))
    .digest('base64url');

/** Turns a row into facts of its object: groups are filled part by part, what the row lacks is cleared, locked fields stay. */
export function saidOf(
  row: MappedRow,
  {
    form,
    cells,
    rule,
    previous,
  }: { readonly form: CompiledForm; readonly cells: Cells; readonly rule: ConflictRule; readonly previous: StoredFacts | null },
): SaidFacts {
  const faults: FieldFault[] = [];
  const content: Record<string, JsonValue> = {};
  for (const [path, value] of row.fields) {
    const read = fitted(path, value, { form, cells, faults });
    const [key = '', ...below] = path.split('.');
    if (below.length > 0) content[key] = withPart(content[key] ?? previous?.obj_content[key], below, read);
    else if (read !== undefined) content[key] = read;
    else if (previous) content[key] = null;
  }
  const name = row.name === null ? {} : { obj_name: row.name };
  if (!previous) return { ...name, obj_content: content, conflicts: [], faults };
  const locked = new Set(previous.obj_locked_fields);
  if (rule === 'source_wins') {
    const kept = previous.obj_locked_fields.filter((key) => !Object.hasOwn(content, key) && !(key === NAME && row.name !== null));
    return { ...name, obj_content: content, ...(kept.length < locked.size ? { obj_locked_fields: kept } : {}), conflicts: [], faults };
  }
  const free = Object.entries(content).filter(([key]) => !locked.has(key));
  const conflicts = Object.entries(content).flatMap(([key, to]): RowDifference[] => {
    const from = previous.obj_content[key] ?? null;
    return locked.has(key) && !isDeepStrictEqual(from, to) ? [{ field: `obj_content.${key}`, from, to }] : [];
  });
  // A name that a title field gives follows that field, and is no conflict of its own.
  const named = form.title === null && row.name !== null && locked.has(NAME) && previous.obj_name !== row.name;
  return {
    ...(locked.has(NAME) ? {} : name),
    obj_content: Object.fromEntries(free),
    conflicts: named ? [...conflicts, { field: NAME, from: previous.obj_name, to: row.name }] : conflicts,
    faults,
  };
}

/** A text or a number that its field does not take is read as a cell of a table is. */
function fitted(
  path: string,
  value: JsonValue | undefined,
  { form, cells, faults }: { readonly form: CompiledForm; readonly cells: Cells; readonly faults: FieldFault[] },
): JsonValue | undefined {
  const type = form.field(path)?.type;
  if ((typeof value !== 'string' && typeof value !== 'number') || !type || (type.fits(value) && value !== '')) return value ?? undefined;
  const read = cells.readValues({ [path]: value });
  faults.push(...read.faults);
  return path
    .split('.')
    .reduce<JsonValue | undefined>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), read.content);
}

function withPart(group: JsonValue | undefined, [key = '', ...below]: readonly string[], value: JsonValue | undefined): JsonObject {
  const { [key]: present, ...others } = isObject(group) ? group : {};
  const part = below.length > 0 ? withPart(present, below, value) : value;
  return part === undefined ? others : { ...others, [key]: part };
}
