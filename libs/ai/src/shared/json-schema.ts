import { JsonSchema } from '@atrium/models';
import { invalidField, type JsonObject } from '@atrium/platform/kernel';

/** A JSON Schema (2020-12) of an object as somebody enters it in a field; it refers to nothing outside of itself. */
export function checkedSchema(field: string, schema: JsonObject): JsonObject {
  if (schema.type !== 'object') throw invalidField(field, 'must describe an object (`"type": "object"`)', 'schema');
  try {
    new JsonSchema(schema);
    return schema;
  } catch (error) {
    throw invalidField(field, `is no JSON Schema (2020-12): ${reasonOf(error)}`, 'schema');
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'it cannot be compiled').slice(0, 300);
