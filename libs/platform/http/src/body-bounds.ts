import type { Field } from '@atrium/platform/database';
import { invalidFields } from '@atrium/platform/kernel';
import type { Type } from '@nestjs/common';
import type { TransformerPackage } from '@nestjs/common/interfaces/external/transformer-package.interface';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { boundFault, FieldConstraint } from './field-rules';

type Plain = Record<string, unknown>;

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the entries of one class may be, gathered once. */
interface Shape {
  readonly fields: ReadonlyMap<string, Field>;
  /** Sizes that are bounded by a decorator of class-validator. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly known: ReadonlySet<string>;
}

const shapes = new WeakMap<Function, Shape>();

function shapeOf(type: Function): Shape {
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

/** The names that a class of input takes. */
export const namesOf = (type: Function): ReadonlySet<string> => shapeOf(type).known;

/** The names of the secrets that a class of input takes, at any depth. */
export function secretsOf(type: Function, seen = new Set<Function>()): ReadonlySet<string> {
  if (seen.has(type)) return new Set();
  seen.add(type);
  const fields = [...shapeOf(type).fields.values()];
  return new Set(fields.flatMap(({ name, secret, of }) => (secret ? [name] : of ? [...secretsOf(of(), seen)] : [])));
}

const HELD_KINDS: ReadonlySet<string> = new Set(['json', 'ids', 'texts', 'wholes']);
const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Whether nothing is converted in a value of that name, so that nobody need walk through it. */
const isHeld = ({ fields, known }: Shape, name: string, value: unknown): boolean =>
  typeof value === 'object' && value !== null && (known.has(name) ? HELD_KINDS.has(fields.get(name)?.kind ?? '') : !UNSAFE_NAMES.has(name));

/**
 * Turns input into its class. The size of every list and map is looked at before any of its entries, and one that is too
 * large is refused at once. What needs no conversion (JSON, lists of plain values, fields that nobody asked for) is left
 * as it is: class-transformer takes some 30 microseconds for every entry it copies.
 */
export const boundedTransformer: TransformerPackage = {
  plainToInstance<T>(type: Type<T>, given: unknown): T | T[] {
    if (!isPlain(given)) return plainToInstance(type, given);
    assertBounds(type, given, '');
    return putBack(type, given, plainToInstance(type, converted(type, given)));
  },
  classToPlain: (value) => value as Plain,
};

/** Rejects the first list or map with too many entries, at any depth. */
function assertBounds(type: Function, given: Plain, prefix: string): void {
  const { fields, sizes } = shapeOf(type);
  for (const [name, value] of Object.entries(given)) {
    const field = fields.get(name);
    const path = `${prefix}${name}`;
    const fault = field ? boundFault(field, value) : listFault(sizes.get(name), value);
    if (fault) throw invalidFields([{ path, code: fault[0], message: fault[1] }]);
    if (!field?.of) continue;
    const inner = field.of();
    if (field.kind === 'nestedList' && Array.isArray(value))
      value.forEach((item: unknown, at) => isPlain(item) && assertBounds(inner, item, `${path}[${at}].`));
    else if (isPlain(value)) assertBounds(inner, value, `${path}.`);
  }
}

const listFault = (max: number | undefined, value: unknown): readonly [string, string] | null =>
  max !== undefined && Array.isArray(value) && value.length > max ? ['too_many', `must have at most ${max} items`] : null;

/** The part that class-transformer is to see. */
function converted(type: Function, given: Plain): Plain {
  const shape = shapeOf(type);
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name, value]) => !isHeld(shape, name, value))
      .map(([name, value]) => {
        const inner = shape.fields.get(name)?.of?.();
        if (!inner) return [name, value];
        return [
          name,
          Array.isArray(value)
            ? value.map((item: unknown) => (isPlain(item) ? converted(inner, item) : item))
            : isPlain(value)
              ? converted(inner, value)
              : value,
        ];
      }),
  );
}

function putBack<T>(type: Function, given: Plain, instance: T): T {
  const shape = shapeOf(type);
  const target = instance as Plain;
  for (const [name, value] of Object.entries(given)) {
    const inner = shape.fields.get(name)?.of?.();
    if (isHeld(shape, name, value)) target[name] = value;
    else if (inner && Array.isArray(value))
      value.forEach((item: unknown, at) => isPlain(item) && putBack(inner, item, (target[name] as unknown[])[at]));
    else if (inner && isPlain(value)) putBack(inner, value, target[name]);
  }
  return instance;
}
