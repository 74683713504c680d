import { isObject, newId, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { Faults, pathOf } from '@atrium/platform/settings';
import { isDeepStrictEqual } from 'node:util';
import type { CompiledForm } from './compiled-form';
import type { Expression, ExpressionValues } from './expression';
import { ownValue, Place, type AskedReference, type Checking, type Field } from './field';
import { applyMoves } from './moves';
import { DEEPEST_JSON } from './types/structures';
import { MASK, PLACEHOLDER } from './visible-fields';

/** A value as its type stores it, such as a phone number without spaces; what the type does not take comes back as it was. */
export function normalValue(field: Field, value: JsonValue, now: Date): JsonValue {
  const faults = new Faults();
  const place = new Place(
    { faults, issues: faults, now, references: [], trusted: true, newRowId: () => '', parts: (parts) => ({ ...parts }) },
    field.path,
    undefined,
  );
  const checked = field.type.check(value, field, place);
  return faults.any || checked === undefined ? value : checked;
}

/** How content is judged. */
export interface CheckOptions {
  /**
   * `create`: defaults stand in for what is absent. `update`: what is given is merged over what is stored, and null clears. `replace`: what
   * is given takes the place of what is stored, except for what its writer does not see or cannot write.
   */
  readonly mode: 'create' | 'update' | 'replace';
  readonly previous?: JsonObject | null;
  readonly now: Date;
  /** The position of the content in a request: `obj_content`. */
  readonly at: string;
  /** A source, an import or the service itself: it may write what is read only. */
  readonly trusted?: boolean;
  readonly user?: JsonObject | null;
  readonly state?: string | null;
  readonly newRowId?: () => string;
  /** What is required and absent, lists that are too short and rules that do not hold are issues, and the content can be stored. */
  readonly incomplete?: boolean;
  /** Whether stored references are asked after like new ones. */
  readonly asksStored?: boolean;
}

/** Content in the form in which it is stored, what is wrong with it, and what is left to ask of others. */
export interface CheckedContent {
  readonly content: JsonObject;
  readonly faults: readonly FieldFault[];
  /** What is still missing of content that may be incomplete. */
  readonly issues: readonly FieldFault[];
  readonly references: readonly AskedReference[];
}

/** Judges content by a form, all of it: also what an update leaves as it is, for a form may have become stricter. */
export function checkContent(form: CompiledForm, given: JsonValue, options: CheckOptions): CheckedContent {
  if (!isObject(given)) return refused({ path: options.at, code: 'type', message: 'The content must be an object.' });
  const previous = options.previous ? applyMoves(options.previous, form.moves) : undefined;
  const check = new ContentCheck(form, options, merged(form, given, { previous, mode: options.mode }), previous);
  return check.checkContent(given);
}

/** Content of which nothing is stored, for one reason. */
export const refused = (fault: FieldFault): CheckedContent => ({ content: {}, faults: [fault], issues: [], references: [] });

/** The defaults of all fields, and those that are no values of their own fields. */
export function checkDefaults(form: CompiledForm, now: Date): CheckedContent {
  const faults = new Faults();
  const checking: Checking = { faults, issues: faults, now, references: [], trusted: true, newRowId: newId, parts: (value) => value };
  for (const field of form.all) {
    if (field.default !== undefined)
      field.type.check(field.default, field, new Place(checking, pathOf(field.declared, 'default'), undefined));
  }
  const content = Object.fromEntries(form.fields.flatMap(({ key, default: value }) => (value === undefined ? [] : [[key, value]])));
  return { content, faults: faults.list, issues: [], references: [] };
}

/** The content as expressions see it, before it is checked. */
function merged(
  form: CompiledForm,
  given: JsonObject,
  { previous = {}, mode }: { readonly previous: JsonObject | undefined; readonly mode: CheckOptions['mode'] },
): JsonObject {
  if (mode === 'create') return given;
  const stays = mode === 'update' ? () => true : (key: string) => form.fields.some((field) => field.key === key && isKept(field));
  const stored = Object.entries(previous).filter(([key]) => stays(key));
  return Object.fromEntries([...stored, ...Object.entries(given)].filter(([, value]) => value !== null));
}

/** Whether a stored value stays where a writer does not name it: one who does not see it or cannot write it. */
const isKept = ({ hidden, read_only }: Field): boolean => hidden || read_only;

const isEmpty = (value: JsonValue | undefined): boolean => value === undefined || value === null || value === '';

/** Whether a value under a key that the form does not have says what is stored there, or clears it. */
const isAsStored = (value: JsonValue, stored: JsonValue | undefined): boolean =>
  stored !== undefined && (value === null || isDeepStrictEqual(value, stored));

/**
 * Whether a value, or a part of it that no field of its own holds, is what means a value that may not be seen. What nests deeper than any
 * field keeps is left to the type of the field, which refuses it.
 */
const saysMask = (value: JsonValue, field: Pick<Field, 'fields'>, depth = 0): boolean =>
  typeof value === 'string'
    ? value.trim() === MASK
    : field.fields.length === 0 &&
      typeof value === 'object' &&
      value !== null &&
      depth <= DEEPEST_JSON &&
      Object.values(value).some((part) => saysMask(part, field, depth + 1));

class ContentCheck {
  private readonly checking: Checking;
  private readonly faults = new Faults();
  private readonly issues: Faults;
  private readonly values: ExpressionValues;
  private readonly conditions = new Map<Expression, boolean>();

  constructor(
    private readonly form: CompiledForm,
    private readonly options: CheckOptions,
    whole: JsonObject,
    private readonly previous: JsonObject | undefined,
  ) {
    const { now, user = null, state = null, trusted = false, newRowId = newId, incomplete = false, asksStored = false } = options;
    this.issues = incomplete ? new Faults() : this.faults;
    this.values = { content: this.withDefaults(whole), previous: previous ?? null, user, state, now };
    this.checking = {
      faults: this.faults,
      issues: this.issues,
      asksStored,
      now,
      references: [],
      trusted,
      newRowId,
      parts: (value, field, place) => this.level(value, field.fields, place, { top: false }),
    };
  }

  checkContent(given: JsonObject): CheckedContent {
    const content = this.level(given, this.form.fields, new Place(this.checking, this.options.at, this.previous), { top: true });
    // Of content with something missing rules say nothing new.
    if (!this.faults.any && !this.issues.any) this.obeyRules(content);
    const issues = this.issues === this.faults ? [] : this.issues.list;
    return { content, faults: this.faults.list, issues, references: this.checking.references };
  }

  /** The fields of one level. What is stored under keys that the form does not know any more stays. */
  private level(given: JsonObject, fields: readonly Field[], place: Place, { top }: { readonly top: boolean }): JsonObject {
    const stored = isObject(place.previous) ? place.previous : undefined;
    const known = new Map(fields.filter(({ type }) => type.holds !== 'none').map((field) => [field.key, field]));
    for (const [key, value] of Object.entries(given)) {
      if (!known.has(key) && !isAsStored(value, ownValue(stored, key)))
        place.checking.faults.add(pathOf(place.path, key), 'unknown_field', `There is no field ${key}.`);
    }
    const entries: [string, JsonValue][] = [];
    for (const field of known.values()) {
      const value = this.value(field, given, stored, place, top);
      if (value !== undefined) entries.push([field.key, value]);
    }
    const kept = Object.entries(stored ?? {}).filter(([key]) => !known.has(key) && key !== '_id' && ownValue(given, key) !== null);
    return Object.fromEntries([...entries, ...kept]);
  }

  private value(field: Field, given: JsonObject, stored: JsonObject | undefined, place: Place, top: boolean): JsonValue | undefined {
    const before = ownValue(stored, field.key);
    const at = place.below(field.key, before);
    const said = ownValue(given, field.key);
    const value = this.effective(field, said, before, {
      at,
      keeps: (top && this.options.mode === 'update') || isKept(field),
      isNew: stored === undefined,
    });
    const shown = field.show_if === null || this.holds(field.show_if);
    if (isEmpty(value) || (field.required && Array.isArray(value) && value.length === 0)) {
      if (shown && field.required && !field.read_only) at.lack(field, 'required', 'is required.');
      return isEmpty(value) ? undefined : value;
    }
    if (value === undefined) return undefined;
    if (shown) return this.checked(value, field, at);
    // A field that is not shown keeps what it is given, in the form of its type where it has one.
    const aside = new Faults();
    const checked = field.type.check(
      value,
      field,
      new Place({ ...this.checking, faults: aside, issues: aside, references: [] }, at.path, before),
    );
    if (aside.any || checked === undefined) return value;
    return checked === '' ? undefined : checked;
  }

  /** A condition is about the whole content: it says the same for every row of a list. */
  private holds(condition: Expression): boolean {
    const known = this.conditions.get(condition);
    if (known !== undefined) return known;
    const holds = condition.holds(this.values);
    this.conditions.set(condition, holds);
    return holds;
  }

  private checked(value: JsonValue, field: Field, at: Place): JsonValue | undefined {
    const checked = field.type.check(value, field, at);
    if (checked === '' && field.required) at.lack(field, 'required', 'is required.');
    return checked === '' ? undefined : checked;
  }

  private effective(
    field: Field,
    said: JsonValue | undefined,
    before: JsonValue | undefined,
    { at, keeps, isNew }: { readonly at: Place; readonly keeps: boolean; readonly isNew: boolean },
  ): JsonValue | undefined {
    if (said === undefined) return before !== undefined && keeps ? before : isNew ? field.default : undefined;
    if (isDeepStrictEqual(said, before)) return said;
    if (field.sensitive && saysMask(said, field)) {
      at.refuse(field, 'masked', PLACEHOLDER);
      return before;
    }
    // What the service makes itself, such as a number, nobody else writes: it would repeat.
    if (!field.read_only || (this.checking.trusted && field.type.readOnly !== true)) return said;
    if (said === null && before === undefined) return undefined;
    at.refuse(field, 'read_only', 'can be set only by the service.');
    return before;
  }

  private withDefaults(whole: JsonObject): JsonObject {
    if (this.options.mode !== 'create') return whole;
    const absent = this.form.fields.filter(({ key, default: value }) => value !== undefined && ownValue(whole, key) === undefined);
    return Object.fromEntries([
      ...Object.entries(whole).filter(([, value]) => value !== null),
      ...absent.map(({ key, default: value }): [string, JsonValue] => [key, value ?? null]),
    ]);
  }

  private obeyRules(content: JsonObject): void {
    const values = { ...this.values, content };
    for (const { when, assert, message, field } of this.form.rules) {
      if ((when?.holds(values) ?? true) && !assert.holds(values))
        this.issues.add(field === null ? this.options.at : pathOf(this.options.at, field), 'rule', message);
    }
  }
}
