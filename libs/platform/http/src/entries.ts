import type { Field } from '@atrium/platform/database';
import { isObject, MOST_FAULTS } from '@atrium/platform/kernel';
import { getMetadataStorage } from 'class-validator';
import { faultOf, FieldConstraint, isRuledOut, valueOf } from './field-rules';

type Plain = Record<string, unknown>;
type Class = new () => Plain;

/** What class-validator has of a field beside its form: that it may be absent, and that something is within it. */
const OTHER_RULES: ReadonlySet<string> = new Set(['conditionalValidation', 'nestedValidation']);

interface Entry {
  readonly type: Class;
  readonly fields: ReadonlyMap<string, Field>;
  /** Fields that must be there. */
  readonly required: readonly string[];
}

const entries = new WeakMap<Function, Entry | null>();

/** The fields of a class that has no rules but those of its fields; null for any other class. */
function entryOf(type: Function): Entry | null {
  const known = entries.get(type);
  if (known !== undefined) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const forms = rules.filter(({ constraintCls }) => constraintCls === FieldConstraint);
  const conditional = new Set(rules.filter((rule) => rule.type === 'conditionalValidation').map(({ propertyName }) => propertyName));
  const fields = new Map(forms.map(({ propertyName, constraints }) => [propertyName, (constraints as [Field])[0]]));
  const others = rules.filter(({ type: kind, propertyName }) => OTHER_RULES.has(kind) && fields.has(propertyName));
  const nested = [...fields.values()].filter(({ of }) => of).length;
  const isDeclared =
    forms.length > 0 &&
    forms.length === fields.size &&
    rules.length === forms.length + others.length &&
    others.length === conditional.size + nested;
  const entry = isDeclared ? { type: type as Class, fields, required: [...fields.keys()].filter((name) => !conditional.has(name)) } : null;
  entries.set(type, entry);
  return entry;
}

/** Whether lists of such entries are read by `readEntries`. */
export const hasFieldsAlone = (type: Function): boolean => entryOf(type) !== null;

/** How many faulty entries of a request are still looked at: as many as an answer names. */
export interface FaultBudget {
  left: number;
}

export const faultBudget = (): FaultBudget => ({ left: MOST_FAULTS });

/** Of lists that `readEntries` made, the entries that are left to class-validator, each in its place. */
const doubtful = new WeakMap<object, readonly unknown[]>();

/**
 * A list of entries as instances of their class. class-transformer and class-validator take 60 to 360 microseconds for an entry; here
 * the rules of the fields are asked directly. Entries that are not valid are made by `instead` and validated like anything else, so that
 * their faults are named as everywhere; when there are as many as an answer names, the rest of the list is left unread.
 */
export function readEntries(
  type: Function,
  items: readonly unknown[],
  { budget, instead }: { readonly budget: FaultBudget; readonly instead: (item: Plain) => unknown },
): unknown[] {
  const entry = entryOf(type);
  const made: unknown[] = new Array<unknown>(items.length);
  const left: unknown[] = new Array<unknown>(items.length);
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    const instance = entry && isObject(item) ? instanceOf(entry, item) : undefined;
    made[at] = instance ?? item;
    if (instance) continue;
    // Not an object, or one more than is looked at: it is refused as it is, and so is the list.
    if (!isObject(item) || budget.left <= 0) {
      left[at] = item;
      break;
    }
    const before = budget.left;
    made[at] = left[at] = instead(item);
    if (budget.left === before) budget.left -= 1;
  }
  doubtful.set(made, left);
  return made;
}

/** The instance, or undefined where the item is not valid. */
function instanceOf({ type, fields, required }: Entry, item: Plain): Plain | undefined {
  const instance = new type();
  for (const name of Object.keys(item)) {
    const field = fields.get(name);
    if (!field) continue;
    const value = valueOf(field, item[name]);
    instance[name] = value;
    if (isRuledOut(field, value, !required.includes(name))) continue;
    if (faultOf(field, value)) return undefined;
    const inner = field.of && innerOf(field.of(), value);
    if (field.of && inner === undefined) return undefined;
    if (inner !== undefined) instance[name] = inner;
  }
  return required.every((name) => instance[name] !== undefined) ? instance : undefined;
}

/** What is nested in an item; undefined where it is not valid. */
function innerOf(type: Function, value: unknown): Plain | readonly Plain[] | undefined {
  const entry = entryOf(type);
  if (!entry) return undefined;
  if (isObject(value)) return instanceOf(entry, value);
  if (!Array.isArray(value)) return undefined;
  const made: Plain[] = [];
  for (const item of value) {
    const instance = isObject(item) ? instanceOf(entry, item) : undefined;
    if (!instance) return undefined;
    made.push(instance);
  }
  return made;
}

/**
 * What is left to class-validator of an input: the input itself where nothing in it was read by `readEntries`, else a copy whose lists
 * have gaps where an entry is valid. class-validator passes over gaps and counts them, so that what it finds has its place.
 */
export function leftToValidate<T>(input: T): T {
  if (!isObject(input)) return input;
  let copy: Plain | undefined;
  for (const [name, value] of Object.entries(input)) {
    const left = leftOf(value);
    if (left === value) continue;
    copy ??= Object.assign(Object.create(Object.getPrototypeOf(input) as object | null) as Plain, input);
    copy[name] = left;
  }
  return (copy as T | undefined) ?? input;
}

function leftOf(value: unknown): unknown {
  if (!Array.isArray(value)) return isObject(value) && value.constructor !== Object ? leftToValidate(value) : value;
  const left = doubtful.get(value);
  if (!left) return value;
  // Not `map`, which would look at each gap.
  const copy = left.slice();
  left.forEach((item, at) => (copy[at] = leftToValidate(item)));
  return copy;
}
