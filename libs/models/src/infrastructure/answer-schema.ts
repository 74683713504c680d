import { invalidField, Problem, TOO_COMPLEX, type JsonObject } from '@atrium/platform/kernel';
import { JsonSchema } from '../domain/json-schema';
import { TooComplexSchema } from '../domain/schema-document';

/** What of an answer does not fit its schema; null: nothing. */
export type AnswerCheck = (answer: JsonObject) => string | null;

/** The check by a JSON Schema 2020-12, or `validation_failed` on the field when it is none. */
export function answerCheckOf(schema: JsonObject, field = 'schema'): AnswerCheck {
  const compiled = jsonSchemaAt(field, schema);
  return (answer) => compiled.faults(answer, 'answer').join('; ') || null;
}

/** A JSON Schema (2020-12) that somebody entered in a field, or `validation_failed` on the field, with what is wrong. */
export function jsonSchemaAt(field: string, schema: JsonObject): JsonSchema {
  try {
    return JsonSchema.of(schema);
  } catch (error) {
    if (error instanceof Problem) throw error;
    const code = error instanceof TooComplexSchema ? TOO_COMPLEX : 'schema';
    throw invalidField(field, `is not a JSON Schema (2020-12) that can be used: ${reasonOf(error)}`, code);
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'it cannot be compiled').slice(0, 300);
