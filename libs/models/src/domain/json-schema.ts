import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';

const MOST_FAULTS = 5;

/** Patterns run in linear time, or the schema is refused: schemas, and what is checked by them, come from people and models. */
const linear = Object.assign(
  (pattern: string): { test(text: string): boolean; toString(): string } => {
    const compiled = RE2JS.compile(pattern);
    // Its name is the key under which it is kept: without one, each would be taken for the first.
    return { test: (text) => compiled.matcher(text).find(), toString: () => `/${pattern}/` };
  },
  { code: 'undefined' },
);

/** A JSON Schema (2020-12) that refers to nothing outside of itself. Each is compiled on its own: its names ($id, $anchor) are known to no other. */
export class JsonSchema {
  private readonly validate: ValidateFunction;

  /** Throws an error that says what is wrong with it. */
  constructor(schema: JsonObject) {
    const ajv = new Ajv2020({ strict: false, logger: false, code: { regExp: linear } });
    addFormats(ajv);
    this.validate = ajv.compile({ ...schema });
  }

  /** What is wrong with a value, which bears this name; none where it fits. */
  faults(value: JsonValue, name = 'value'): readonly string[] {
    if (this.validate(value)) return [];
    return (this.validate.errors ?? [])
      .slice(0, MOST_FAULTS)
      .map(({ instancePath, message }) => `${name}${instancePath} ${message ?? 'is not valid'}`);
  }
}
