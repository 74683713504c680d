import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { SchemaDocument } from './schema-document';

const MOST_FAULTS = 5;
/** Most steps of one check: about a second at worst. A step is a schema held against a value, or a character by a pattern. */
const MOST_STEPS = 1_000_000;
/** Keywords in each schema that count its steps; nobody can enter them, because they are overwritten. */
const STEPS = 'atrium:steps';
const UNIQUE = 'atrium:unique';

class TooManySteps extends Error {}

/** The steps that several checks may take together. */
export class StepBudget {
  left = MOST_STEPS;
}

/**
 * A JSON Schema (2020-12) that refers to nothing outside of itself. Each is compiled on its own: its names ($id, $anchor) are known
 * to no other. Schemas, and what is checked by them, come from people and models, so each check is bounded: patterns run in linear
 * time, references unfold to a bounded number of schemas for one value, and steps are counted.
 */
export class JsonSchema {
  private readonly validate: ValidateFunction;
  private budget = new StepBudget();

  /** Throws an error that says what is wrong with it. */
  constructor(schema: JsonObject) {
    try {
      this.validate = this.compiled(structuredClone(schema));
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
  misfit(value: JsonValue, budget?: StepBudget): { readonly steps: readonly string[]; readonly fault: string } | null {
    // The last error is the one that those before it led to.
    const error = this.errorsOf(value, budget).at(-1);
    if (!error) return null;
    const [, ...steps] = error.instancePath.split('/');
    return {
      steps: steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
      fault: error.message ?? 'is not valid',
    };
  }

  private errorsOf(value: JsonValue, budget = new StepBudget()): readonly Pick<ErrorObject, 'instancePath' | 'message'>[] {
    this.budget = budget;
    try {
      return this.validate(value) ? [] : (this.validate.errors ?? []);
    } catch (error) {
      if (error instanceof TooManySteps || error instanceof RangeError)
        return [{ instancePath: '', message: 'is too large or too deep to be checked by this schema' }];
      throw error;
    }
  }

  private compiled(schema: JsonObject): ValidateFunction {
    for (const one of new SchemaDocument(schema).schemas.keys()) Object.assign(one, { [STEPS]: stepsOf(one), [UNIQUE]: comparisonOf(one) });
    // A schema that is put in place of each reference to it would multiply the code.
    const ajv = new Ajv2020({ strict: false, logger: false, inlineRefs: false, code: { regExp: this.linear() } });
    addFormats(ajv);
    ajv.addKeyword({ keyword: STEPS, schemaType: 'number', errors: false, validate: (steps: number) => this.spend(steps) });
    const unique = (by: string, { length }: readonly JsonValue[]): true =>
      this.spend(by === 'pairs' ? (length * length) / 2 : by === 'items' ? length : 0);
    ajv.addKeyword({ keyword: UNIQUE, type: 'array', before: 'uniqueItems', schemaType: 'string', errors: false, validate: unique });
    return ajv.compile(schema);
  }

  /** Patterns that run in linear time; others are refused. */
  private linear() {
    const pattern = (source: string): { test(text: string): boolean; toString(): string } => {
      const compiled = RE2JS.compile(source);
      // Its name is the key under which it is kept: without one, each would be taken for the first.
      return { test: (text) => this.spend(text.length) && compiled.matcher(text).find(), toString: () => `/${source}/` };
    };
    return Object.assign(pattern, { code: 'undefined' });
  }

  private spend(steps: number): true {
    this.budget.left -= steps;
    if (this.budget.left < 0) throw new TooManySteps();
    return true;
  }
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
  const type = typeof items === 'object' && items !== null && !Array.isArray(items) ? (items as JsonObject).type : undefined;
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? (type as readonly JsonValue[]) : [];
  return types.length > 0 && !types.includes('object') && !types.includes('array') ? 'items' : 'pairs';
}
