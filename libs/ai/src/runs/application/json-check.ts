import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { Problem, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

/** Largest JSON Schema, in characters. */
export const MOST_SCHEMA = 32 * 1024;
const MOST_FAULTS = 5;

/** Patterns of a schema are those of strangers: they run in linear time, or the schema is refused. */
const linear = Object.assign(
  (pattern: string): { test(text: string): boolean; toString(): string } => {
    const compiled = RE2JS.compile(pattern);
    // Its name is the key under which it is kept: without one, each would be taken for the first.
    return { test: (text) => compiled.matcher(text).find(), toString: () => `/${pattern}/` };
  },
  { code: 'linear' },
);

/** Checks values against a JSON Schema 2020-12, for inputs of tools and answers with a schema. */
export class JsonCheck {
  private readonly validate: ValidateFunction;

  /** Throws `unprocessable_content` where it is no schema. */
  constructor(schema: JsonObject) {
    if (JSON.stringify(schema).length > MOST_SCHEMA) throw refused('is larger than 32 KB');
    const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, code: { regExp: linear }, logger: false });
    addFormats(ajv);
    try {
      this.validate = ajv.compile({ ...schema });
    } catch (error) {
      throw refused(error instanceof Error ? error.message.slice(0, 200) : 'cannot be read');
    }
  }

  /** What is wrong with a value, in sentences; none where it fits. */
  faults(value: JsonValue): readonly string[] {
    if (this.validate(value)) return [];
    return (this.validate.errors ?? [])
      .slice(0, MOST_FAULTS)
      .map(({ instancePath, message }) => `${instancePath || 'value'} ${message ?? 'is not valid'}`);
  }
}

const refused = (why: string): Problem => new Problem('unprocessable_content', `The JSON Schema cannot be used: it ${why}.`);

/** The JSON object that a text is, a code fence around it or not; undefined where it is none. */
export function jsonIn(text: string): JsonValue | undefined {
  const [, fenced = text] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text) ?? [];
  try {
    return JSON.parse(fenced) as JsonValue;
  } catch {
    return undefined;
  }
}
