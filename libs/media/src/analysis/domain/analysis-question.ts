import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { readValue, type AnalysisField } from './analysis-field';
import type { KeptAnswer, MissingField } from './file-analysis';

/** What the model receives of a file besides its picture. */
export interface QuestionedFile {
  readonly file_name: string;
  readonly file_summary: string | null;
}

/** What the model answered, field by field. */
export interface ReadAnswer {
  readonly values: JsonObject;
  readonly confidence: Readonly<Record<string, number>>;
  readonly missing: readonly MissingField[];
  /** What is wrong with it, for asking once more. */
  readonly faults: readonly string[];
}

const NOTHING: KeptAnswer = { values: {}, confidence: {} };

/** The question: what is to be found, the schema's own words, and what is known of the file, fenced off as data. */
export function questionOf(fields: readonly AnalysisField[], prompt: string | null, file: QuestionedFile): string {
  const wanted = fields.map(
    (field) =>
      `- ${field.name}${field.title ? ` (${field.title})` : ''}: ${describe(field)}${field.instruction ? ` ${field.instruction}` : ''}`,
  );
  return [
    'Describe the picture by these fields:',
    ...wanted,
    ...(prompt ? ['', prompt] : []),
    '',
    'In `confidence` say for each field how sure you are, from 0 to 1.',
    'What is known of the file, as data:',
    `<file>${JSON.stringify({ name: file.file_name, summary: file.file_summary }).replaceAll('<', '\\u003c')}</file>`,
  ].join('\n');
}

/** The same once more, with what was wrong. */
export const repairOf = (question: string, faults: readonly string[]): string =>
  `${question}\n\nAn earlier answer could not be used:\n${faults.map((fault) => `- ${fault}`).join('\n')}\nAnswer all fields again, exactly in the form of the schema.`;

/** The form of the answer as JSON Schema. */
export function answerSchemaOf(fields: readonly AnalysisField[]): JsonObject {
  const names = fields.map(({ name }) => name);
  return {
    type: 'object',
    properties: {
      values: {
        type: 'object',
        properties: Object.fromEntries(fields.map((field) => [field.name, formOf(field)])),
        required: names,
        additionalProperties: false,
      },
      confidence: {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { type: 'number' }])),
        required: names,
        additionalProperties: false,
      },
    },
    required: ['values', 'confidence'],
    additionalProperties: false,
  };
}

/** Reads an answer strictly: what was not asked for is dropped, what does not fit is missing. */
export function readAnswer(fields: readonly AnalysisField[], { values: given, confidence: sure }: KeptAnswer): ReadAnswer {
  const values: Record<string, JsonValue> = {};
  const confidence: Record<string, number> = {};
  const missing: MissingField[] = [];
  const faults: string[] = [];
  for (const field of fields) {
    const { name, required } = field;
    const value = given[name];
    const read = value === undefined || value === null ? null : readValue(field, value);
    if (read && 'value' in read) {
      values[name] = read.value;
      const certain = sure[name];
      if (typeof certain === 'number') confidence[name] = Math.min(1, Math.max(0, certain));
      continue;
    }
    missing.push({ field: name, reason: value === null && !required ? 'absent' : 'invalid' });
    if (value !== null || required) faults.push(`${name}: ${read ? read.fault : 'is missing'}`);
  }
  return { values, confidence, missing, faults };
}

/** What a model said as an answer that can be kept; prose is an empty one. */
export function keptAnswerOf(said: JsonObject | null): KeptAnswer {
  if (!said) return NOTHING;
  return { values: isObject(said.values) ? said.values : said, confidence: isObject(said.confidence) ? said.confidence : {} };
}

/** The fields that were good already stay; the others are taken from the later answer. */
export function mergedAnswer(fields: readonly AnalysisField[], first: KeptAnswer, later: KeptAnswer): KeptAnswer {
  const good = new Set(Object.keys(readAnswer(fields, first).values));
  const chosen = (name: string): KeptAnswer => (good.has(name) ? first : later);
  const part = (of: 'values' | 'confidence'): JsonObject =>
    Object.fromEntries(
      fields.flatMap(({ name }): [string, JsonValue][] => {
        const said = chosen(name)[of][name];
        return said === undefined ? [] : [[name, said]];
      }),
    );
  return { values: part('values'), confidence: part('confidence') };
}

function describe({ type, values, min, max }: AnalysisField): string {
  const bounds = [typeof min === 'number' ? `at least ${min}` : '', typeof max === 'number' ? `at most ${max}` : '']
    .filter((text) => text !== '')
    .join(', ');
  const choices = values && values.length > 0 ? `one of ${values.map((value) => JSON.stringify(value)).join(', ')}` : '';
  if (type === 'enum') return `${choices}.`;
  if (type === 'enum[]') return `a list, each ${choices}.`;
  if (type === 'string[]') return 'a list of short texts.';
  if (type === 'date') return 'a date as YYYY-MM-DD.';
  return `${type}${bounds ? `, ${bounds}` : ''}.`;
}

function formOf({ type, values }: AnalysisField): JsonObject {
  const choice: JsonObject = { type: 'string', enum: [...(values ?? [])] };
  const forms: Readonly<Record<AnalysisField['type'], JsonObject>> = {
    string: { type: ['string', 'null'] },
    text: { type: ['string', 'null'] },
    number: { type: ['number', 'null'] },
    integer: { type: ['integer', 'null'] },
    boolean: { type: ['boolean', 'null'] },
    date: { type: ['string', 'null'] },
    enum: { anyOf: [choice, { type: 'null' }] },
    'string[]': { type: ['array', 'null'], items: { type: 'string' } },
    'enum[]': { type: ['array', 'null'], items: choice },
  };
  return forms[type];
}
