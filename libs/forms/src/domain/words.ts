import type { JsonObject } from '@atrium/platform/kernel';
import type { CompiledForm } from './compiled-form';
import { own, type Field } from './field';
import { moved } from './moves';
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
  const value = own(moved(stored, form.moves), title.key);
  if (value === undefined || value === null || !title.type.fits(value)) return null;
  return title.type.text(value, title).replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE) || null;
}

export function wordsOf(form: CompiledForm, stored: JsonObject): ContentWords {
  const content = moved(stored, form.moves);
  const said = (fields: readonly Field[]): string =>
    fields.flatMap((field) => valuesOf(content, field).map((value) => field.type.text(value, field))).join('\n');
  const open = (field: Field): boolean => !field.sensitive && !field.hidden && !field.type.reference;
  const first = new Set<Field>([...(form.title ? [form.title] : []), ...form.summary]);
  return {
    title: form.title && open(form.title) ? said([form.title]) : '',
    summary: said(form.summary.filter((field) => open(field) && field !== form.title && field.type.takesFields !== true)),
    text: said(form.all.filter((field) => field.searchable && open(field) && !first.has(field))),
  };
}
