import type { ValidateFunction } from 'ajv/dist/2020';
import { invalidField, type JsonObject } from '@atrium/platform/kernel';

/** What of an answer does not fit its schema; null: nothing. */
export type AnswerCheck = (answer: JsonObject) => string | null;

/**
 * The check by a JSON Schema 2020-12, or `validation_failed` on the field when it is none. A validator is made for each schema,
 * so that none is kept; patterns run in linear time.
 */
export async function answerCheckOf(schema: JsonObject, field = 'schema'): Promise<AnswerCheck> {
  const [{ default: Validator }, { default: addFormats }, { RE2JS }] = await Promise.all([
    import('ajv/dist/2020'),
    import('ajv-formats'),
    import('re2js'),
  ]);
  const linear = (pattern: string): { readonly test: (text: string) => boolean } => {
    const compiled = RE2JS.compile(pattern);
    return { test: (text) => compiled.matcher(text).find() };
  };
  const ajv = new Validator.default({
    strict: false,
    logger: false,
    code: { regExp: Object.assign(linear, { code: 'undefined' }) },
  });
  addFormats.default(ajv);
  let validate: ValidateFunction;
  try {
    validate = ajv.compile({ ...schema });
  } catch {
    throw invalidField(field, 'must be a JSON Schema (2020-12) without references to other documents', 'schema');
  }
  return (answer) => (validate(answer) ? null : ajv.errorsText(validate.errors, { dataVar: 'answer', separator: '; ' }));
}
