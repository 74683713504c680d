import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { pathOf } from '@atrium/platform/settings';
import type { CompiledForm } from './compiled-form';
import { ownValue, type Field } from './field';
import { applyMoves } from './moves';

/** The placeholder of a sensitive value for readers who may not see it. */
export const MASK = '•••';

/** What is said of a placeholder that comes back as a value. */
export const PLACEHOLDER = `contains the placeholder ${MASK} of a hidden value; omit it to keep the stored value.`;

/** A stored value that its field cannot show. */
export interface ContentIssue {
  readonly field: string;
  readonly code: string;
}

/** What a reader sees beyond the open fields of a form; nothing, unless it is said. */
export interface Sight {
  /** The fields that reads leave out. */
  readonly hidden?: boolean;
  /** The values of sensitive fields. */
  readonly sensitive?: boolean;
}

export interface ProjectionOptions extends Sight {
  /** These fields of the top level alone. */
  readonly only?: ReadonlySet<string>;
}

export interface ShownContent {
  readonly content: JsonObject;
  readonly issues: readonly ContentIssue[];
}

/** Whether everybody who reads the content reads the field: only such fields may be searched, indexed, quoted or give a name. */
export const isOpen = ({ hidden, sensitive }: Pick<Field, 'hidden' | 'sensitive'>): boolean => !hidden && !sensitive;

/** A sentence at most so long. One that quotes anything ends with a quotation mark, so that what it quotes stays between marks. */
export function shortenedSentence(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const kept = text.slice(0, longest - 2);
  return kept.includes('"') ? `${kept}…"` : `${kept}…`;
}

/** What is said of a cell that does not fit. Reports are read by people who may not see the value: nothing of a closed field is quoted. */
export const misreadSentence = (
  field: Field,
  cell: string,
  { misfit, detail }: { readonly misfit: string; readonly detail?: string },
): string =>
  isOpen(field)
    ? `${field.label}: "${cell.trim().slice(0, 80)}" ${misfit}${detail === undefined ? '' : `${DETAIL}${detail.replaceAll('"', "'")})`}.`
    : `${field.label}: the value ${misfit}.`;

/** What comes before a detail, which may repeat a value that is quoted, or say what it can be. */
const DETAIL = ' (';

/** A field by the key of its time, also under the name that it was given since. */
const namedNow = (form: CompiledForm, key: string): Field | undefined =>
  form.fields.find((field) => field.key === key) ?? form.fields.find(({ renamed_from }) => renamed_from === key);

/**
 * The fields of a form as one reader sees them. Whatever leaves the service asks it: reads, revisions, reports, filters and
 * orders. Flags of a group or list bind everything inside it (`FieldReader` hands them down), so that no caller looks at parents.
 */
export class VisibleFields {
  constructor(
    private readonly form: CompiledForm,
    private readonly sight: Sight = {},
  ) {}

  /** Whether the values of the field are shown, or at least that there are some. */
  shows({ hidden }: Pick<Field, 'hidden'>): boolean {
    return !hidden || this.sight.hidden === true;
  }

  masks({ sensitive }: Pick<Field, 'sensitive'>): boolean {
    return sensitive && this.sight.sensitive !== true;
  }

  /** Whether the reader may filter and sort by the field: an answer or a cursor would reveal the values. */
  reveals(field: Pick<Field, 'hidden' | 'sensitive'>): boolean {
    return this.shows(field) && !this.masks(field);
  }

  /** Whether anything in the form is kept from the reader. */
  get isPartial(): boolean {
    return this.form.all.some((field) => !this.reveals(field));
  }

  /** Stored content as the form shows it by now: its fields alone, in its order; what no longer fits is left out and named. */
  project(stored: JsonObject, { only }: { readonly only?: ReadonlySet<string> } = {}): ShownContent {
    const issues: ContentIssue[] = [];
    const fields = only ? this.form.fields.filter(({ key }) => only.has(key)) : this.form.fields;
    return { content: this.level(applyMoves(stored, this.form.moves), fields, { path: '', issues }), issues };
  }

  /** Stored content without anything that the reader does not see, placeholders included: what conditions are judged by for the reader. */
  revealed(stored: JsonObject): JsonObject {
    return this.withoutMasks(this.project(stored).content, this.form.fields);
  }

  /**
   * A change of one top-level value, which a revision or a report kept under the key of its time; null where the reader sees
   * nothing of the field. The flags are those of today.
   */
  change<C extends { readonly from: JsonValue; readonly to: JsonValue }>(key: string, change: C): (C & { readonly key: string }) | null {
    const field = namedNow(this.form, key);
    if (!field || field.type.holds === 'none' || !this.shows(field)) return null;
    const isOdd = (value: JsonValue): boolean => field.fields.length > 0 && !field.type.fits(value);
    const shown = (value: JsonValue): JsonValue => (value === null || isOdd(value) ? null : this.value(value, field));
    return { ...change, key: field.key, from: shown(change.from), to: shown(change.to) };
  }

  /** A sentence that may quote a value of any field, without what it quotes and details where the form keeps anything from the reader. */
  sentence(text: string): string {
    if (!this.isPartial) return text;
    const first = text.indexOf('"');
    if (first === -1) return text;
    // Of an odd number of marks one may be the opening one of a value that was cut: what follows is not known to be a word of ours.
    const isWhole = text.split('"').length % 2 === 1;
    const rest = isWhole ? text.slice(text.lastIndexOf('"') + 1) : '';
    const detail = rest.indexOf(DETAIL);
    return `${text.slice(0, first)}"${MASK}"${detail === -1 ? rest : `${rest.slice(0, detail)}.`}`;
  }

  private level(
    content: JsonObject,
    fields: readonly Field[],
    place: { readonly path: string; readonly issues: ContentIssue[] },
    beside: readonly [string, JsonValue][] = [],
  ): JsonObject {
    const entries: [string, JsonValue][] = [...beside];
    for (const field of fields) {
      const value = ownValue(content, field.key);
      if (value === undefined || value === null || !this.shows(field) || field.type.holds === 'none') continue;
      const path = pathOf(place.path, field.key);
      if (!field.type.fits(value)) place.issues.push({ field: path, code: 'type' });
      else entries.push([field.key, this.value(value, field, { ...place, path })]);
    }
    return Object.fromEntries(entries);
  }

  private value(value: JsonValue, field: Field, place: { readonly path: string; readonly issues: ContentIssue[] } = NOWHERE()): JsonValue {
    if (this.masks(field)) return MASK;
    if (field.fields.length === 0) return value;
    if (isObject(value)) return this.level(value, field.fields, place);
    if (!Array.isArray(value)) return value;
    return (value as readonly JsonValue[]).filter(isObject).map((row, at) => {
      const id = ownValue(row, '_id');
      const inner = { ...place, path: pathOf(place.path, at) };
      return this.level(row, field.fields, inner, id === undefined ? [] : [['_id', id]]);
    });
  }

  private withoutMasks(content: JsonObject, fields: readonly Field[]): JsonObject {
    const byKey = new Map(fields.map((field) => [field.key, field]));
    return Object.fromEntries(
      Object.entries(content).flatMap(([key, value]): [string, JsonValue][] => {
        const field = byKey.get(key);
        if (!field) return [[key, value]];
        if (this.masks(field)) return [];
        if (field.fields.length === 0) return [[key, value]];
        if (isObject(value)) return [[key, this.withoutMasks(value, field.fields)]];
        const rows = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
        return [[key, rows.map((row) => (isObject(row) ? this.withoutMasks(row, field.fields) : row))]];
      }),
    );
  }
}

const NOWHERE = () => ({ path: '', issues: [] });

/** Stored content as a reader with this sight is shown it. */
export const projectContent = (form: CompiledForm, stored: JsonObject, { only, ...sight }: ProjectionOptions = {}): ShownContent =>
  new VisibleFields(form, sight).project(stored, only ? { only } : {});
