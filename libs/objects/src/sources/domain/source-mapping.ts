import { invalidField, invalidFields, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { type Setting, SettingFault, SettingReader } from '@atrium/platform/settings';
import { pathSetting } from './path-setting';
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
const MOST_ENTRIES = 205;
const MOST_TRANSFORMS = 5;
const WHOLE = RowPath.parse('$');
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
    const keys = Object.keys(value);
    if (keys.length > MOST_ENTRIES) throw invalidField(at, `must have at most ${MOST_ENTRIES} entries`, 'length');
    const entries = SettingReader.read(value, at, (mapping) => {
      for (const key of REQUIRED) if (mapping.raw(key) === undefined) mapping.refuse(key, 'required', 'must be mapped');
      return keys.map((key): Entry => ({ key, ...mapping.within(key, readEntry) }));
    });
    return new SourceMapping(entries);
  }

  /** Refuses keys that the schema does not have, or that nothing may be written to. */
  assertFits(form: MappedForm, at = 'osr_mapping'): void {
    const faults = this.entries.flatMap(({ key }): FieldFault[] => {
      const field = form.field(key);
      if (field && !field.in_list && field.type.holds !== 'none' && !field.type.readOnly) return [];
      if (isFact(key) && (!field || field.in_list)) return [];
      return [{ path: `${at}.${key}`, code: 'unknown_field', message: 'is not a field of the schema that a source can write' }];
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

const readEntry = (entry: SettingReader): Omit<Entry, 'key'> => ({
  path: entry.required('path', pathSetting, WHOLE),
  transforms: entry.nullable('transform', transformsSetting) ?? [],
  default: entry.raw('default'),
});

const transformsSetting: Setting<readonly Transform[]> = (value) => {
  const steps = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  if (steps.length > MOST_TRANSFORMS) return new SettingFault('length', `must have at most ${MOST_TRANSFORMS} steps`);
  const transforms: Transform[] = [];
  for (const step of steps) {
    const transform = readTransform(step);
    if (typeof transform !== 'function') return new SettingFault('transform', transform.fault);
    transforms.push(transform);
  }
  return transforms;
};

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
