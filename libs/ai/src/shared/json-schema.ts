import { invalidField, type JsonObject } from '@atrium/platform/kernel';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';

/** Patterns are matched in linear time: schemas, and what is checked by them, come from people and models. */
const linear = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    // Its name is the key under which it is kept: without one, each would be taken for the first.
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => `/${pattern}/` };
  },
  { code: 'undefined' },
);

/** A JSON Schema (2020-12) of an object as somebody enters it in a field; it refers to nothing outside of itself. */
export function checkedSchema(field: string, schema: JsonObject): JsonObject {
  if (schema.type !== 'object') throw invalidField(field, 'must describe an object (`"type": "object"`)', 'schema');
  try {
    // One instance a schema: its names ($id, $anchor) are known to no other.
    addFormats(new Ajv2020({ strict: false, code: { regExp: linear } })).compile(schema);
    return schema;
  } catch (error) {
    throw invalidField(field, `is no JSON Schema (2020-12): ${reasonOf(error)}`, 'schema');
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'it cannot be compiled').slice(0, 300);
