import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import type { CompiledForm } from './compiled-form';
import { ownValue, type Field } from './field';
import { isOpen } from './visible-fields';
import { applyMoves } from './moves';
import { valuesOf } from './stored-values';

/** The words of content by their weight in full text search: what it is called, what sums it up, and everything else that is text. */
export interface ContentWords {
  readonly title: string;
  readonly summary: string;
  readonly text: string;
}

const LONGEST_TITLE = 255;

/** The name of content by its title field; null where it has none. */
export function titleOf(form: CompiledForm, stored: JsonObject): string | null {
  const { title } = form;
  if (!title) return null;
  const value = ownValue(applyMoves(stored, form.moves), title.key);
  if (value === undefined || value === null || !title.type.fits(value)) return null;
  return nameText(title, value) || null;
}

/** Whether a name says what a field holds that not everybody sees: it was given by that field before the field was closed. */
export function repeatsClosed(form: CompiledForm, stored: JsonObject, name: string): boolean {
  const content = applyMoves(stored, form.moves);
  return form.fields
    .filter((field) => !isOpen(field) && field.type.holds === 'scalar')
    .some((field) => valuesOf(content, field).some((value) => nameText(field, value) === name));
}

const nameText = (field: Field, value: JsonValue): string =>
  field.type.text(value, field).replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE);

const searched = (field: Field, value: JsonValue): string =>
  field.type.words ? field.type.words(value, field) : field.type.text(value, field);

export function wordsOf(form: CompiledForm, stored: JsonObject): ContentWords {
  const content = applyMoves(stored, form.moves);
  const said = (fields: readonly Field[]): string =>
    fields.flatMap((field) => valuesOf(content, field).map((value) => searched(field, value))).join('\n');
  const open = (field: Field): boolean => isOpen(field) && !field.type.reference;
  const first = new Set<Field>([...(form.title ? [form.title] : []), ...form.summary]);
  return {
    title: form.title && open(form.title) ? said([form.title]) : '',
    summary: said(form.summary.filter((field) => open(field) && field !== form.title && field.type.takesFields !== true)),
    text: said(form.all.filter((field) => field.searchable && open(field) && !first.has(field))),
  };
}
