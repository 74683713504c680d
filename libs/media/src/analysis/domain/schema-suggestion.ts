import type { JsonObject } from '@atrium/platform/kernel';
import { faultsOf, FIELD_TYPES, type AnalysisField, type FieldType } from './analysis-field';

const MOST_SUGGESTED = 20;

/** The question for fields that fit a description and some files. */
export const suggestionQuestion = (description: string): string =>
  [
    'Propose the fields of a form by which pictures like these are described, for the purpose described in the data below.',
    `At most ${MOST_SUGGESTED} fields. A name is small letters, digits and _, a letter first. A type is one of ${FIELD_TYPES.join(', ')}; enum and enum[] name their values.`,
    'An instruction says in one sentence how the field is filled.',
    `<file>${JSON.stringify({ purpose: description }).replaceAll('<', '\\u003c')}</file>`,
  ].join('\n');

export const SUGGESTION_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    fields: {
      type: 'array',
      maxItems: MOST_SUGGESTED,
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          title: { type: 'string' },
          type: { type: 'string', enum: [...FIELD_TYPES] },
          values: { type: 'array', items: { type: 'string' } },
          instruction: { type: 'string' },
        },
        required: ['name', 'title', 'type', 'values', 'instruction'],
        additionalProperties: false,
      },
    },
  },
  required: ['fields'],
  additionalProperties: false,
};

/** The proposed fields that a schema would take; the others are left out. */
export function readSuggestion(said: JsonObject | null): AnalysisField[] {
  const proposed = Array.isArray(said?.fields) ? (said.fields as readonly unknown[]) : [];
  const fields: AnalysisField[] = [];
  for (const each of proposed.slice(0, MOST_SUGGESTED)) {
    const field = fieldOf(each);
    if (field && faultsOf([...fields, field]).length === 0) fields.push(field);
  }
  return fields;
}

function fieldOf(given: unknown): AnalysisField | null {
  if (typeof given !== 'object' || given === null) return null;
  const { name, title, type, values, instruction } = given as Record<string, unknown>;
  if (typeof name !== 'string' || !FIELD_TYPES.some((known) => known === type)) return null;
  const chosen = type === 'enum' || type === 'enum[]';
  return {
    name,
    ...(typeof title === 'string' && title.trim() !== '' ? { title: title.trim().slice(0, 255) } : {}),
    type: type as FieldType,
    ...(chosen && Array.isArray(values)
      ? { values: [...new Set(values.filter((value): value is string => typeof value === 'string').map((value) => value.trim()))] }
      : {}),
    ...(typeof instruction === 'string' && instruction.trim() !== '' ? { instruction: instruction.trim().slice(0, 1_000) } : {}),
    source: 'model',
  };
}
