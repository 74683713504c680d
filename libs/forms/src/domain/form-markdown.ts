import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { CompiledForm } from './compiled-form';
import { ownValue, type Field } from './field';
import { projectContent } from './visible-fields';

export interface MarkdownOptions {
  /** Names of what references point to; a reference without one is left out. */
  readonly names?: ReadonlyMap<string, string>;
}

/** Content as retrieval and agents read it: a line or a paragraph a field, a table a list; no sensitive and no hidden fields. */
export function formMarkdown(form: CompiledForm, stored: JsonObject, { names = new Map() }: MarkdownOptions = {}): string {
  const { content } = projectContent(form, stored, { sensitive: true });
  return blocks(form.fields, content, names).join('\n\n');
}

function blocks(fields: readonly Field[], content: JsonObject, names: ReadonlyMap<string, string>): string[] {
  const lines: string[] = [];
  const found: string[] = [];
  for (const field of fields.filter(({ sensitive }) => !sensitive)) {
    const value = ownValue(content, field.key);
    if (value === undefined) continue;
    if (field.type.takesFields) found.push(...nested(field, value, names));
    else if (field.type.markdown) found.push(...titled(field, field.type.markdown(value, field)));
    else if (isLong(field)) found.push(`**${field.label}**\n\n${field.type.text(value, field).trim()}`);
    else {
      const text = said(field, value, names);
      if (text !== '') lines.push(`${field.label}: ${oneLine(text)}`);
    }
  }
  return [...(lines.length > 0 ? [lines.join('\n')] : []), ...found];
}

const titled = ({ label }: Field, block: string): string[] => (block.trim() === '' ? [] : [`**${label}**\n\n${block.trim()}`]);

function nested(field: Field, value: JsonValue, names: ReadonlyMap<string, string>): string[] {
  if (isObject(value)) {
    const inner = blocks(field.fields, value, names);
    return inner.length === 0 ? [] : [`**${field.label}**`, ...inner];
  }
  const rows = Array.isArray(value) ? (value as readonly JsonValue[]).filter(isObject) : [];
  const columns = field.fields.filter(({ sensitive, hidden, type }) => !sensitive && !hidden && type.holds !== 'none');
  if (rows.length === 0 || columns.length === 0) return [];
  const cell = (row: JsonObject, column: Field): string => {
    const inner = ownValue(row, column.key);
    return inner === undefined
      ? ''
      : oneLine(column.type.takesFields ? nested(column, inner, names).join(' ') : said(column, inner, names)).replaceAll('|', '\\|');
  };
  const table = [
    columns.map(({ label }) => oneLine(label).replaceAll('|', '\\|')),
    columns.map(() => '---'),
    ...rows.map((row) => columns.map((column) => cell(row, column))),
  ];
  return [`**${field.label}**\n\n${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`];
}

const isLong = ({ type }: Field): boolean => type.name === 'long_text' || type.name === 'rich_text';
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function said(field: Field, value: JsonValue, names: ReadonlyMap<string, string>): string {
  if (!field.type.reference) return field.type.text(value, field);
  const ids = field.type.references?.(value) ?? [];
  return ids.flatMap((id) => names.get(id) ?? []).join(', ');
}
