import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { currentEffort, isObject, isTooComplex, spendEffort, type Effort, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { BoundedPattern } from '@atrium/platform/patterns';
import { SchemaDocument, TooComplexSchema } from './schema-document';

const MOST_FAULTS = 5;
/** Units of effort for a step: a schema, or a word or property that it names, that is held against a value … */
const FOR_STEP = 1;
/** … and to compile a schema, for each of those in it. */
const TO_COMPILE = 500;
/** Texts that are longer have no format; those that have one are shorter, and the patterns of formats are made for them. */
const LONGEST_FORMATTED = 4_096;
/** Schemas that are kept compiled, and bytes that they may take together, as a character takes so many and even a tiny schema some besides. */
const MOST_KEPT = 300;
const KEPT_BYTES = 4 * 1024 * 1024;
const [BYTES_A_CHARACTER, BYTES_BESIDE] = [8, 8_192];
/** Keywords in each schema that count its steps; nobody can enter them, because they are overwritten. */
const STEPS = 'atrium:steps';
const UNIQUE = 'atrium:unique';

/** Checks the schemas themselves, which is the same for all. */
const schemas = new Ajv2020({ strict: false, logger: false });
const kept = new LRUCache<string, JsonSchema>({ max: MOST_KEPT, maxSize: KEPT_BYTES });
const own = new WeakMap<JsonObject, JsonSchema>();

/**
 * A JSON Schema (2020-12) that refers to nothing outside of itself. Each is compiled on its own: its names ($id, $anchor) are known
 * to no other. Schemas, and what is checked by them, come from people and models, so each check is bounded: patterns run in linear
 * time, references unfold to a bounded number of schemas for one value, and steps are spent from the effort of the request or step.
 */
export class JsonSchema {
  private readonly validate: ValidateFunction;
  /** What the check at hand spends from; a check is never interrupted, so there is one at a time. */
  private effort = currentEffort();

  /** The same as before where the schema is the same: compiling takes longer than checking. Throws like the constructor. */
  static of(schema: JsonObject): JsonSchema {
    const text = JSON.stringify(schema);
    const hash = createHash('sha256').update(text).digest('base64');
    const known = kept.get(hash) ?? new JsonSchema(schema);
    kept.set(hash, known, { size: text.length * BYTES_A_CHARACTER + BYTES_BESIDE });
    return known;
  }

  /**
   * A schema that the service itself declares as a constant: whether it is valid is not checked, for which the schema of all schemas
   * would be compiled, and no schemas of others push it out.
   */
  static ofOwn(schema: JsonObject): JsonSchema {
    const known = own.get(schema) ?? new JsonSchema(schema, { isOwn: true });
    own.set(schema, known);
    return known;
  }

  /** Throws an error that says what is wrong with it. */
  constructor(schema: JsonObject, { isOwn = false }: { readonly isOwn?: boolean } = {}) {
    try {
      this.validate = this.compiled(structuredClone(schema), isOwn);
    } catch (error) {
      throw error instanceof RangeError ? new Error('it is nested too deeply; shorten its chains of references') : error;
    }
  }

  /** What is wrong with a value, which bears this name; none where it fits. */
  faults(value: JsonValue, name = 'value'): readonly string[] {
    return this.errorsOf(value)
      .slice(0, MOST_FAULTS)
      .map(({ instancePath, message }) => `${name}${instancePath} ${message ?? 'is not valid'}`);
  }

  /** The path to a value inside that does not fit, and why; null where all of them do. */
  findMisfit(value: JsonValue, effort?: Effort): { readonly steps: readonly string[]; readonly fault: string } | null {
    // The last error is the one that those before it led to.
    const error = this.errorsOf(value, effort).at(-1);
    if (!error) return null;
    const [, ...steps] = error.instancePath.split('/');
    return {
      steps: steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
      fault: error.message ?? 'is not valid',
    };
  }

  private errorsOf(value: JsonValue, effort = currentEffort()): readonly Pick<ErrorObject, 'instancePath' | 'message'>[] {
    this.effort = effort;
    try {
      return this.validate(value) ? [] : (this.validate.errors ?? []);
    } catch (error) {
      if (isTooComplex(error) || error instanceof RangeError)
        return [{ instancePath: '', message: 'is too large or too deeply nested to be validated with this schema' }];
      throw error;
    }
  }

  private compiled(schema: JsonObject, isOwn: boolean): ValidateFunction {
    const document = new SchemaDocument(schema);
    spendEffort(document.schemas.size * TO_COMPILE + JSON.stringify(schema).length);
    if (!isOwn && !schemas.validateSchema(schema)) throw new Error(`schema is invalid: ${schemas.errorsText()}`);
    for (const one of document.schemas.keys()) Object.assign(one, { [STEPS]: stepsOf(one), [UNIQUE]: comparisonOf(one) });
    // A schema that is put in place of each reference to it would multiply the code. It refers to no schema of schemas, so none is added.
    const ajv = new Ajv2020({
      strict: false,
      logger: false,
      inlineRefs: false,
      validateSchema: false,
      meta: false,
      code: { regExp: this.linear() },
    });
    addFormats(ajv);
    boundFormats(ajv);
    ajv.addKeyword({ keyword: STEPS, schemaType: 'number', errors: false, validate: (steps: number) => this.spend(steps) });
    const unique = (by: string, { length }: readonly JsonValue[]): true =>
      this.spend(by === 'pairs' ? (length * length) / 2 : by === 'items' ? length : 0);
    ajv.addKeyword({ keyword: UNIQUE, type: 'array', before: 'uniqueItems', schemaType: 'string', errors: false, validate: unique });
    return ajv.compile(schema);
  }

  /** Patterns that run in linear time within the effort; others are refused. */
  private linear() {
    const pattern = (source: string): { test(text: string): boolean; toString(): string } => {
      const read = BoundedPattern.of(source);
      if (!(read instanceof BoundedPattern)) {
        const why = `the pattern ${JSON.stringify(source.slice(0, 100))} cannot be used: ${read.message}`;
        throw read.code === 'too_complex' ? new TooComplexSchema(why) : new Error(why);
      }
      // Its name is the key under which it is kept: without one, each would be taken for the first.
      return { test: (text) => read.finds(text, this.effort), toString: () => `/${source}/` };
    };
    return Object.assign(pattern, { code: 'undefined' });
  }

  private spend(steps: number): true {
    this.effort.spend(steps * FOR_STEP);
    return true;
  }
}

/** The patterns of formats were made for addresses and dates; what is longer is none. */
function boundFormats(ajv: Ajv2020): void {
  for (const [name, format] of Object.entries(ajv.formats)) {
    const test = testOf(format);
    if (test) ajv.addFormat(name, { type: 'string', validate: (text: string) => text.length <= LONGEST_FORMATTED && test(text) });
  }
}

/** How a format of texts is tested; null where it is one of numbers, or any value has it. */
function testOf(format: Ajv2020['formats'][string]): ((text: string) => boolean) | null {
  const whole = typeof format === 'object' && !(format instanceof RegExp) ? format : { type: 'string' as const, validate: format };
  const { type, validate } = whole;
  if (type === 'number' || validate === true || validate === undefined) return null;
  if (validate instanceof RegExp) return (text) => validate.test(text);
  return typeof validate === 'function' ? (text) => (validate as (text: string) => unknown)(text) === true : null;
}

/** One, and one for each word or property that the schema names itself. */
const stepsOf = (schema: JsonObject): number =>
  Object.values(schema).reduce<number>(
    (sum, value) => sum + (typeof value === 'object' && value !== null ? Object.keys(value).length : 0),
    1,
  );

/** How items are compared that are to be unique: scalars by their names in one pass, others each with each. */
function comparisonOf({ uniqueItems, items }: JsonObject): 'pairs' | 'items' | 'none' {
  if (uniqueItems !== true) return 'none';
  const type = isObject(items) ? items.type : undefined;
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? (type as readonly JsonValue[]) : [];
  return types.length > 0 && !types.includes('object') && !types.includes('array') ? 'items' : 'pairs';
}
