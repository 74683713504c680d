import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { invalidField, type JsonObject } from '@atrium/platform/kernel';

/** What of an answer does not fit its schema; null: nothing. */
export type AnswerCheck = (answer: JsonObject) => string | null;

/**
 * The check by a JSON Schema 2020-12, or `validation_failed` on the field when it is none. A validator is made for each schema,
 * so that none is kept; patterns run in linear time.
 */
export function answerCheckOf(schema: JsonObject, field = 'schema'): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, logger: false, code: { regExp: Object.assign(linear, { code: 'undefined' }) } });
  addFormats(ajv);
  let validate: ValidateFunction;
  try {
    validate = ajv.compile({ ...schema });
  } catch {
    throw invalidField(field, 'must be a JSON Schema (2020-12) without references to other documents', 'schema');
  }
  return (answer) => (validate(answer) ? null : ajv.errorsText(validate.errors, { dataVar: 'answer', separator: '; ' }));
}

const linear = (pattern: string): { readonly test: (text: string) => boolean; readonly toString: () => string } => {
  const compiled = RE2JS.compile(pattern);
  // Its name is the key under which it is kept: without one, each would be taken for the first.
  return { test: (text) => compiled.matcher(text).find(), toString: () => `/${pattern}/` };
};
