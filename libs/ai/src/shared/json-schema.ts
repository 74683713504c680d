import { jsonSchemaAt } from '@atrium/models';
import { invalidField, type JsonObject } from '@atrium/platform/kernel';

/** A JSON Schema (2020-12) of an object as somebody enters it in a field; it refers to nothing outside of itself. */
export function checkedSchema(field: string, schema: JsonObject): JsonObject {
  if (schema.type !== 'object') throw invalidField(field, 'must describe an object (`"type": "object"`)', 'schema');
  jsonSchemaAt(field, schema);
  return schema;
}
