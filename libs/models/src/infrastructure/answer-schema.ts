import { invalidField, type JsonObject } from '@atrium/platform/kernel';
import { JsonSchema } from '../domain/json-schema';

/** What of an answer does not fit its schema; null: nothing. */
export type AnswerCheck = (answer: JsonObject) => string | null;

/** The check by a JSON Schema 2020-12, or `validation_failed` on the field when it is none. */
export function answerCheckOf(schema: JsonObject, field = 'schema'): AnswerCheck {
  const compiled = compiledAt(schema, field);
  return (answer) => compiled.faults(answer, 'answer').join('; ') || null;
}

function compiledAt(schema: JsonObject, field: string): JsonSchema {
  try {
    return new JsonSchema(schema);
  } catch {
    throw invalidField(field, 'must be a JSON Schema (2020-12) without references to other documents', 'schema');
  }
}
