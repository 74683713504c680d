import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import type { CompiledForm } from './compiled-form';
import { pathOf } from './faults';
import { isObject, own, type Field } from './field';
import { moved } from './moves';

/** The placeholder of a sensitive value for readers who may not see it. */
export const MASK = '•••';

/** A stored value that its field cannot show. */
export interface ContentIssue {
  readonly field: string;
  readonly code: string;
}

export interface ProjectionOptions {
  /** With the fields that reads leave out. */
  readonly hidden?: boolean;
  /** With the values of sensitive fields. */
  readonly sensitive?: boolean;
  /** These fields of the top level alone. */
  readonly only?: ReadonlySet<string>;
}

export interface ShownContent {
  readonly content: JsonObject;
  readonly issues: readonly ContentIssue[];
}

/** Stored content as the form shows it by now: its fields alone, in its order; what no longer fits is left out and named. */
export function project(form: CompiledForm, stored: JsonObject, options: ProjectionOptions = {}): ShownContent {
  const issues: ContentIssue[] = [];
  const { only } = options;
  const fields = only ? form.fields.filter(({ key }) => only.has(key)) : form.fields;
  return { content: shownLevel(moved(stored, form.moves), fields, { path: '', options, issues }), issues };
}

interface Showing {
  readonly path: string;
  readonly options: ProjectionOptions;
  readonly issues: ContentIssue[];
}

function shownLevel(
  content: JsonObject,
  fields: readonly Field[],
  showing: Showing,
  beside: readonly [string, JsonValue][] = [],
): JsonObject {
  const entries: [string, JsonValue][] = [...beside];
  for (const field of fields) {
    const value = own(content, field.key);
    if (value === undefined || value === null || (field.hidden && !showing.options.hidden) || field.type.holds === 'none') continue;
    const path = pathOf(showing.path, field.key);
    if (!field.type.fits(value)) showing.issues.push({ field: path, code: 'type' });
    else entries.push([field.key, field.sensitive && !showing.options.sensitive ? MASK : shownValue(value, field, { ...showing, path })]);
  }
  return Object.fromEntries(entries);
}

function shownValue(value: JsonValue, field: Field, showing: Showing): JsonValue {
  if (field.fields.length === 0) return value;
  if (isObject(value)) return shownLevel(value, field.fields, showing);
  if (!Array.isArray(value)) return value;
  return (value as readonly JsonValue[]).filter(isObject).map((row, at) => {
    const id = own(row, '_id');
    return shownLevel(row, field.fields, { ...showing, path: pathOf(showing.path, at) }, id === undefined ? [] : [['_id', id]]);
  });
}
