import type { Field } from '@atrium/platform/database';
import { invalidFields, isObject, MOST_FAULTS, type FieldFault } from '@atrium/platform/kernel';
import type { Type } from '@nestjs/common';
import type { TransformerPackage } from '@nestjs/common/interfaces/external/transformer-package.interface';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { faultBudget, hasFieldsAlone, readEntries, type FaultBudget } from './entries';
import { boundFault, FieldConstraint } from './field-rules';
import { nearestName } from './nearest-name';
import { largestRowOf, noteLargestRow } from './rows';

type Plain = Record<string, unknown>;

/** What the entries of one class may be, gathered once. */
interface Shape {
  readonly fields: ReadonlyMap<string, Field>;
  /** Sizes that are bounded by a decorator of class-validator. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly known: ReadonlySet<string>;
}

const shapes = new WeakMap<Function, Shape>();

/** What the fields and decorators of a class of input say. */
export function shapeOf(type: Function): Shape {
  const before = shapes.get(type);
  if (before) return before;
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const fields = new Map(
    rules
      .filter(({ constraintCls }) => constraintCls === FieldConstraint)
      .map(({ propertyName, constraints }) => [propertyName, (constraints as [Field])[0]]),
  );
  const sizes = new Map(
    rules
      .filter(({ name }) => name === 'arrayMaxSize')
      .map(({ propertyName, constraints }) => [propertyName, Number((constraints as unknown[])[0])]),
  );
  const shape = { fields, sizes, known: new Set([...fields.keys(), ...rules.map(({ propertyName }) => propertyName)]) };
  shapes.set(type, shape);
  return shape;
}

/** The names of the secrets that a class of input takes, at any depth. */
export function secretsOf(type: Function, seen = new Set<Function>()): ReadonlySet<string> {
  if (seen.has(type)) return new Set();
  seen.add(type);
  const fields = [...shapeOf(type).fields.values()];
  return new Set(fields.flatMap(({ name, secret, of }) => (secret ? [name] : of ? [...secretsOf(of(), seen)] : [])));
}

const HELD_KINDS: ReadonlySet<string> = new Set(['json', 'ids', 'texts', 'wholes']);

/** Most names of one request for which the one that was meant is looked for. */
const MOST_GUESSES = 10;
const LONGEST_NAME = 255;

/** Whether nothing is converted in a value of that known name, so that nobody need walk through it: in no list that a decorator bounds either. */
const isHeld = ({ fields, sizes }: Shape, name: string, value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const field = fields.get(name);
  return field ? HELD_KINDS.has(field.kind) : Array.isArray(value) && sizes.has(name);
};

/**
 * Turns the known names of input into its class; the others are refused by `unknownNames`, which is asked first. What needs no
 * conversion (JSON, lists of plain values) is left as it is: class-transformer takes some 30 microseconds for every entry it
 * copies, and compares every name with every other. Lists of objects are read by `readEntries`.
 */
export const knownNamesTransformer: TransformerPackage = {
  plainToInstance<T>(type: Type<T>, given: unknown): T | T[] {
    if (!isObject(given)) return plainToInstance(type, given);
    return instanceOf(type, given, faultBudget());
  },
  classToPlain: (value) => value as Plain,
};

/**
 * The names in the input that its class does not have. They are counted over the whole of the input: one more than an answer
 * lists, and it is refused before anything is made of it. So is the first list or map with too many entries, before any of
 * them is looked at.
 */
export function unknownNames(type: Function, given: Plain): FieldFault[] {
  const found: UnknownName[] = [];
  gatherUnknown(type, given, { prefix: '', found });
  return found.map(({ path, name, known }, at) => unknownField(path, at < MOST_GUESSES ? nearestName(name, known) : undefined));
}

/** The input without the names that its class does not have. */
export function knownPart(type: Function, given: unknown): unknown {
  if (!isObject(given)) return given;
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => shapeOf(type).known.has(name)));
  noteLargestRow(known, largestRowOf(given));
  return known;
}

interface UnknownName {
  readonly path: string;
  readonly name: string;
  readonly known: ReadonlySet<string>;
}

function gatherUnknown(type: Function, given: Plain, { prefix, found }: { readonly prefix: string; readonly found: UnknownName[] }): void {
  const { fields, sizes, known } = shapeOf(type);
  for (const name of Object.keys(given)) {
    const path = `${prefix}${name.slice(0, LONGEST_NAME)}`;
    if (!known.has(name)) {
      if (found.length === MOST_FAULTS) throw invalidFields(found.map((earlier) => unknownField(earlier.path)));
      found.push({ path, name, known });
      continue;
    }
    const field = fields.get(name);
    const value = given[name];
    const fault = field ? boundFault(field, value) : listFault(sizes.get(name), value);
    if (fault) throw invalidFields([{ path, code: fault[0], message: fault[1] }]);
    if (!field?.of) continue;
    const inner = field.of();
    if (field.kind === 'nestedList' && Array.isArray(value))
      value.forEach((item: unknown, at) => isObject(item) && gatherUnknown(inner, item, { prefix: `${path}[${at}].`, found }));
    else if (isObject(value)) gatherUnknown(inner, value, { prefix: `${path}.`, found });
  }
}

/** The fault of an unknown name, with the known one that was probably meant. */
const unknownField = (path: string, meant?: string): FieldFault => ({
  path,
  code: 'unknown_field',
  message: meant === undefined ? 'is unknown' : `is unknown; did you mean ${meant}?`,
});

const listFault = (max: number | undefined, value: unknown): readonly [string, string] | null =>
  max !== undefined && Array.isArray(value) && value.length > max ? ['too_many', `must have at most ${max} items`] : null;

const instanceOf = <T>(type: Type<T>, given: Plain, budget: FaultBudget): T =>
  putBack(type, { given, instance: plainToInstance(type, converted(type, given)) }, budget);

/** Whether a value is a list that `readEntries` reads. */
const isOfEntries = (field: Field | undefined, value: unknown): value is readonly unknown[] =>
  field?.kind === 'nestedList' && field.of !== undefined && Array.isArray(value) && hasFieldsAlone(field.of());

/** The part that class-transformer is to see. */
function converted(type: Function, given: Plain): Plain {
  const shape = shapeOf(type);
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name, value]) => shape.known.has(name) && !isHeld(shape, name, value) && !isOfEntries(shape.fields.get(name), value))
      .map(([name, value]) => {
        const inner = shape.fields.get(name)?.of?.();
        if (!inner) return [name, value];
        return [
          name,
          Array.isArray(value)
            ? value.map((item: unknown) => (isObject(item) ? converted(inner, item) : item))
            : isObject(value)
              ? converted(inner, value)
              : value,
        ];
      }),
  );
}

function putBack<T>(type: Function, { given, instance }: { readonly given: Plain; readonly instance: T }, budget: FaultBudget): T {
  const shape = shapeOf(type);
  const target = instance as Plain;
  // In the order in which faults are named.
  for (const name of shape.known) {
    const value = given[name];
    const field = shape.fields.get(name);
    const inner = field?.of?.() as Type<object> | undefined;
    if (isHeld(shape, name, value)) {
      target[name] = value;
      if (shape.sizes.has(name)) noteLargestRow(value, largestRowOf(given));
    } else if (inner && isOfEntries(field, value))
      target[name] = readEntries(inner, value, { budget, instead: (item) => instanceOf(inner, item, budget) });
    else if (inner && Array.isArray(value))
      value.forEach(
        (item: unknown, at) => isObject(item) && putBack(inner, { given: item, instance: (target[name] as unknown[])[at] }, budget),
      );
    else if (inner && isObject(value)) putBack(inner, { given: value, instance: target[name] }, budget);
  }
  return instance;
}
