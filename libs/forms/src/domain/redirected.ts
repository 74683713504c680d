import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { isDeepStrictEqual } from 'node:util';
import type { CompiledForm } from './compiled-form';
import { ownValue, type Field, type ReferenceKind } from './field';
import { projectContent } from './visible-fields';

/** One thing in the place of another one. */
export interface Redirection {
  readonly kind: ReferenceKind;
  readonly from: string;
  readonly to: string;
}

/** The top-level values of stored content that refer to something, referring to another thing instead: what an update says. */
export function redirectedValues(form: CompiledForm, stored: JsonObject, redirection: Redirection): JsonObject {
  const { content } = projectContent(form, stored, { hidden: true, sensitive: true });
  const next = level(content, form.fields, redirection);
  return Object.fromEntries(Object.entries(next).filter(([key, value]) => !isDeepStrictEqual(value, ownValue(content, key))));
}

function level(content: JsonObject, fields: readonly Field[], redirection: Redirection): JsonObject {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  return Object.fromEntries(
    Object.entries(content).map(([key, value]) => {
      const field = byKey.get(key);
      return [key, field ? valueOf(value, field, redirection) : value];
    }),
  );
}

function valueOf(value: JsonValue, field: Field, redirection: Redirection): JsonValue {
  if (field.type.reference === redirection.kind) return referring(value, redirection);
  if (field.fields.length === 0) return value;
  if (isObject(value)) return level(value, field.fields, redirection);
  return Array.isArray(value)
    ? (value as readonly JsonValue[]).map((row) => (isObject(row) ? level(row, field.fields, redirection) : row))
    : value;
}

/** A list holds what it refers to once. */
function referring(value: JsonValue, { from, to }: Redirection): JsonValue {
  if (Array.isArray(value)) return [...new Set((value as readonly JsonValue[]).map((id) => (id === from ? to : id)))];
  return value === from ? to : value;
}
