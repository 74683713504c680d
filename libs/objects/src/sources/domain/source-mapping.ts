import { invalidFields, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { PathFault, RowPath } from './row-path';
import { readTransform, TransformFault, type Transform } from './transforms';

/** What a mapping asks of a schema. */
export interface MappedForm {
  field(path: string):
    | {
        readonly in_list: boolean;
        readonly hidden?: boolean;
        readonly sensitive?: boolean;
        readonly type: { readonly holds: string; readonly readOnly?: boolean | undefined };
      }
    | undefined;
}

/** Entries that say facts of the object beside its content. A field of the same key is filled with the same value. */
const FACTS = ['external_id', 'name', 'url', 'updated', 'deleted'] as const;
type Fact = (typeof FACTS)[number];

const REQUIRED: readonly Fact[] = ['external_id', 'name'];
const ENTRY_KEYS = ['path', 'transform', 'default'];
const MOST_ENTRIES = 205;
const MOST_TRANSFORMS = 5;
const LONGEST_ID = 512;
const LONGEST_NAME = 255;
const LONGEST_URL = 2_048;
const YES = new Set<unknown>([true, 1, '1', 'true', 'yes', 'y']);

interface Entry {
  readonly key: string;
  readonly path: RowPath;
  readonly transforms: readonly Transform[];
  readonly default: JsonValue | undefined;
}

/** A row of a source in the words of the schema. */
export interface MappedRow {
  readonly external_id: string | null;
  readonly name: string | null;
  readonly url: string | null;
  readonly updated: string | null;
  /** The source says that it is gone. */
  readonly deleted: boolean;
  /** By the paths of fields; undefined values are absent in the row. */
  readonly fields: ReadonlyMap<string, JsonValue | undefined>;
  readonly faults: readonly FieldFault[];
}

/** Where in a row the fields of a schema and the facts of an object are found. */
export class SourceMapping {
  private constructor(private readonly entries: readonly Entry[]) {}

  /** The mapping that a client says; faults name the entry below `at`. */
  static read(value: JsonObject, at = 'osr_mapping'): SourceMapping {
    const faults: FieldFault[] = [];
    for (const key of REQUIRED)
      if (!Object.hasOwn(value, key)) faults.push({ path: `${at}.${key}`, code: 'required', message: `${key} must be mapped.` });
    const named = Object.entries(value);
    if (named.length > MOST_ENTRIES) faults.push({ path: at, code: 'length', message: `must have at most ${MOST_ENTRIES} entries.` });
    const entries = named.slice(0, MOST_ENTRIES).flatMap(([key, entry]) => readEntry(key, entry, { at: `${at}.${key}`, faults }) ?? []);
    if (faults.length > 0) throw invalidFields(faults);
    return new SourceMapping(entries);
  }

  /** Refuses keys that the schema does not have, or that nothing may be written to. */
  assertFits(form: MappedForm, at = 'osr_mapping'): void {
    const faults = this.entries.flatMap(({ key }): FieldFault[] => {
      const field = form.field(key);
      if (field && !field.in_list && field.type.holds !== 'none' && !field.type.readOnly) return [];
      if (isFact(key) && (!field || field.in_list)) return [];
      return [{ path: `${at}.${key}`, code: 'unknown_field', message: `${key} is not a field of the schema that a source can write.` }];
    });
    if (faults.length > 0) throw invalidFields(faults);
  }

  /** Whether the source says this fact of its rows at all. */
  says(fact: Fact): boolean {
    return this.entries.some(({ key }) => key === fact);
  }

  /** The fields of a schema that the source writes, by their paths. */
  fieldsOf(form: MappedForm): readonly string[] {
    return this.entries.map(({ key }) => key).filter((key) => form.field(key) !== undefined);
  }

  /** What a row says; what cannot be read is a fault of the row. */
  map(row: JsonValue, form: MappedForm): MappedRow {
    const faults: FieldFault[] = [];
    const quotes = (key: string): boolean => {
      const field = form.field(key);
      return field === undefined || (field.sensitive !== true && field.hidden !== true);
    };
    const values = new Map(this.entries.map((entry) => [entry.key, valueOf(entry, row, faults, quotes(entry.key))]));
    const said = (key: Fact, longest: number): string | null => textOf(values.get(key), { key, longest, faults });
    const external_id = said('external_id', LONGEST_ID);
    if (external_id === null && !faults.some(({ path }) => path === 'external_id'))
      faults.push({ path: 'external_id', code: 'required', message: 'The row has no external id.' });
    return {
      external_id,
      name: said('name', LONGEST_NAME),
      url: addressOf(said('url', LONGEST_URL), faults),
      updated: said('updated', LONGEST_NAME),
      deleted: YES.has(lowered(values.get('deleted'))),
      fields: new Map([...values].filter(([key]) => form.field(key) !== undefined)),
      faults,
    };
  }
}

const isFact = (key: string): key is Fact => (FACTS as readonly string[]).includes(key);
const lowered = (value: JsonValue | undefined): unknown => (typeof value === 'string' ? value.trim().toLowerCase() : value);

function readEntry(
  key: string,
  entry: JsonValue,
  { at, faults }: { readonly at: string; readonly faults: FieldFault[] },
): Entry | undefined {
  const before = faults.length;
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    faults.push({ path: at, code: 'type', message: 'must be an object with a path, such as {"path": "$.name"}.' });
    return undefined;
  }
  const said = entry as JsonObject;
  for (const name of Object.keys(said))
    if (!ENTRY_KEYS.includes(name)) faults.push({ path: `${at}.${name}`, code: 'unknown_field', message: `There is no setting ${name}.` });
  const path = readPath(said['path'], { at: `${at}.path`, faults });
  const transforms = readTransforms(said['transform'], { at: `${at}.transform`, faults });
  return path && faults.length === before ? { key, path, transforms, default: said['default'] } : undefined;
}

function readPath(
  value: JsonValue | undefined,
  { at, faults }: { readonly at: string; readonly faults: FieldFault[] },
): RowPath | undefined {
  if (typeof value !== 'string') {
    faults.push({ path: at, code: value === undefined ? 'required' : 'type', message: 'must be a path, such as $.name.' });
    return undefined;
  }
  try {
    return RowPath.parse(value);
  } catch (error) {
    if (!(error instanceof PathFault)) throw error;
    faults.push({ path: at, code: 'path', message: `The path ${error.message}.` });
    return undefined;
  }
}

function readTransforms(
  value: JsonValue | undefined,
  { at, faults }: { readonly at: string; readonly faults: FieldFault[] },
): readonly Transform[] {
  if (value === undefined || value === null) return [];
  const said = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  if (said.length > MOST_TRANSFORMS) faults.push({ path: at, code: 'length', message: `must have at most ${MOST_TRANSFORMS} steps.` });
  return said.slice(0, MOST_TRANSFORMS).flatMap((one) => {
    const transform = readTransform(one);
    if (typeof transform === 'function') return [transform];
    faults.push({ path: at, code: 'transform', message: `The transform ${transform.fault}.` });
    return [];
  });
}

function valueOf(
  { key, path, transforms, default: usual }: Entry,
  row: JsonValue,
  faults: FieldFault[],
  quotes: boolean,
): JsonValue | undefined {
  try {
    let value = path.read(row);
    for (const transform of transforms) if (value !== undefined) value = transform(value);
    if (value === undefined || value === null) return usual;
    if (isStorable(value)) return value;
    throw new TransformFault('contains characters that cannot be stored');
  } catch (error) {
    if (!(error instanceof PathFault) && !(error instanceof TransformFault)) throw error;
    // The error of a transform ends with the value that it cannot take.
    const said = quotes ? error.message : error.message.replace(/: .*$/s, '');
    faults.push({ path: key, code: 'format', message: `${key} ${said}.` });
    return undefined;
  }
}

/** Neither zero bytes nor halves of characters can be stored. */
function isStorable(value: JsonValue): boolean {
  if (typeof value === 'string') return !value.includes('\0') && !/\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner));
}

/** Readers follow it: an address of the web or none. */
function addressOf(url: string | null, faults: FieldFault[]): string | null {
  if (url === null || (/^https?:\/\//i.test(url) && URL.canParse(url))) return url;
  faults.push({ path: 'url', code: 'format', message: 'url must begin with http:// or https://.' });
  return null;
}

function textOf(
  value: JsonValue | undefined,
  { key, longest, faults }: { readonly key: Fact; readonly longest: number; readonly faults: FieldFault[] },
): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'object') {
    faults.push({ path: key, code: 'type', message: `${key} is neither a text nor a number.` });
    return null;
  }
  const text = String(value).trim();
  if (text === '') return null;
  if (text.length <= longest) return text;
  faults.push({ path: key, code: 'length', message: `${key} has more than ${longest} characters.` });
  return null;
}
