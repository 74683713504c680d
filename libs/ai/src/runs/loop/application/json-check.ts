import { JsonSchema, jsonOf } from '@atrium/models';
import { Problem, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { storableJson, storableStart } from '../../records/domain/storable';

/** Largest JSON Schema, in characters. */
const MOST_SCHEMA = 32 * 1024;

/** Checks values against a JSON Schema 2020-12, for inputs of tools and answers with a schema. */
export class JsonCheck {
  private readonly schema: JsonSchema;

  /** Throws `unprocessable_content` where it is no schema. */
  constructor(schema: JsonObject) {
    if (JSON.stringify(schema).length > MOST_SCHEMA) throw refused('it is larger than 32 KB');
    try {
      this.schema = JsonSchema.of(schema);
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw refused(error instanceof Error ? storableStart(error.message, 300) : 'it cannot be read');
    }
  }

  /** What is wrong with a value, in sentences; none where it fits. */
  findFaults(value: JsonValue): readonly string[] {
    return this.schema.faults(value);
  }
}

const refused = (why: string): Problem => new Problem('unprocessable_content', `The JSON Schema cannot be used: ${why}.`);

/** The JSON that a text is, a code fence around it or not, as it can be stored; undefined where it is none. */
export function jsonIn(text: string): JsonValue | undefined {
  const value = jsonOf(text);
  try {
    return value === undefined ? undefined : storableJson(value);
  } catch {
    // Nested too deeply.
    return undefined;
  }
}
