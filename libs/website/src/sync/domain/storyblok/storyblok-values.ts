import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { MappedField } from '../cms-schema';
import { withoutUndefined } from '../form-config';

/** A value both ways; undefined where there is none, or none that fits. */
interface Conversion {
  readonly read: (value: JsonValue, field: MappedField) => JsonValue | undefined;
  readonly write: (value: JsonValue, old: JsonValue | undefined) => JsonValue;
}

const text = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);

const plain: Conversion = { read: text, write: (value) => value };
const same: Conversion = { read: (value) => (value === '' ? undefined : value), write: (value) => value };

const number: Conversion = {
  read(value) {
    const read = typeof value === 'string' && value.trim() !== '' && value.length <= 40 ? Number(value) : value;
    return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
  },
  write: (value) => (typeof value === 'number' ? String(value) : ''),
};

/** `2026-01-31 10:00` in UTC. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(?::(\d{2}))?)?/;
const datetime: Conversion = {
  read(value) {
    const [, day, minute = '00:00', second = '00'] = MOMENT.exec(text(value) ?? '') ?? [];
    const at = day === undefined ? NaN : Date.parse(`${day}T${minute}:${second}.000Z`);
    return Number.isNaN(at) ? undefined : new Date(at).toISOString();
  },
  write: (value) => (typeof value === 'string' ? value.slice(0, 16).replace('T', ' ') : ''),
};
const date: Conversion = {
  read: (value) => MOMENT.exec(text(value) ?? '')?.[1],
  write: (value) => (typeof value === 'string' ? `${value} 00:00` : ''),
};

const boolean: Conversion = {
  read: (value) => (typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined),
  write: (value) => value,
};

const texts: Conversion = {
  read: (value) => {
    const read = listOf(value).filter((one) => typeof one === 'string' && one !== '');
    return read.length > 0 ? read : undefined;
  },
  write: (value) => value,
};

/** The size of a picture is part of its address. */
const SIZE = /\/(\d{1,6})x(\d{1,6})\/[^/]+\/[^/]+$/;
const FOCUS = /^(\d{1,6})x(\d{1,6}):\d{1,6}x\d{1,6}$/;

function sizeOf(url: string): { readonly width: number; readonly height: number } | undefined {
  const [, width = '0', height = '0'] = SIZE.exec(url.slice(0, 2_000)) ?? [];
  return Number(width) > 0 && Number(height) > 0 ? { width: Number(width), height: Number(height) } : undefined;
}

function focusIn(value: JsonValue | undefined, url: string): JsonObject | undefined {
  const [, x, y] = FOCUS.exec(text(value) ?? '') ?? [];
  const size = sizeOf(url);
  if (x === undefined || y === undefined || !size) return undefined;
  return { x: Math.min(1, Number(x) / size.width), y: Math.min(1, Number(y) / size.height) };
}

function focusOf(focus: JsonValue | undefined, url: string): string {
  const [{ x, y }, size] = [objectOf(focus), sizeOf(url)];
  if (typeof x !== 'number' || typeof y !== 'number' || !size) return '';
  const [left, top] = [Math.round(x * size.width), Math.round(y * size.height)];
  return `${left}x${top}:${left + 1}x${top + 1}`;
}

const asset: Conversion = {
  read(value) {
    const { filename, alt, title, focus, id } = objectOf(value);
    const url = text(filename);
    if (url === undefined) return undefined;
    return withoutUndefined({
      url: url.startsWith('//') ? `https:${url}` : url,
      alt: text(alt),
      title: text(title),
      focus: focusIn(focus, url),
      source: typeof id === 'number' ? String(id) : undefined,
    });
  },
  write(value, old) {
    const { url, alt, title, focus, source } = objectOf(value);
    const before = objectOf(old);
    const isSame = before['filename'] === url || `https:${text(before['filename']) ?? ''}` === url;
    return {
      // What the CMS knows of another file would be wrong for this one.
      ...(isSame ? before : { fieldtype: 'asset' }),
      id: source === undefined ? (isSame ? (before['id'] ?? null) : null) : Number(source),
      filename: isSame ? (before['filename'] ?? '') : (url ?? ''),
      alt: alt ?? '',
      title: title ?? '',
      focus: focusOf(focus, text(url) ?? ''),
    };
  },
};

const KINDS: Readonly<Record<string, string>> = { story: 'page', url: 'url', email: 'email', asset: 'file' };

const link: Conversion = {
  read(value) {
    const given = objectOf(value);
    const kind = KINDS[text(given['linktype']) ?? ''];
    const extras = { anchor: text(given['anchor']), target: text(given['target']), title: text(given['title']) };
    if (kind === 'page') return text(given['id']) === undefined ? undefined : withoutUndefined({ kind, ref: given['id'], ...extras });
    if (kind === 'email')
      return text(given['email']) === undefined ? undefined : withoutUndefined({ kind, url: given['email'], ...extras });
    const url = text(given['url']) ?? text(given['cached_url']);
    if (kind === undefined || url === undefined) return undefined;
    return withoutUndefined({ kind: kind === 'file' ? 'url' : kind, url, ...extras });
  },
  write(value, old) {
    const { kind, ref, url, anchor, target, title } = objectOf(value);
    const before = objectOf(old);
    const extras = withoutUndefined({ anchor, target, title });
    const { anchor: _anchor, target: _target, title: _title, ...kept } = before;
    const head = { ...(before['linktype'] === linkType(kind) ? kept : {}), fieldtype: 'multilink', linktype: linkType(kind) };
    if (kind === 'page')
      return { ...head, id: ref ?? '', url: '', cached_url: before['id'] === ref ? (before['cached_url'] ?? '') : '', ...extras };
    if (kind === 'email') return { ...head, id: '', url: '', cached_url: '', email: text(url) ?? '', ...extras };
    const address = kind === 'anchor' ? `#${text(anchor) ?? ''}` : (url ?? '');
    return { ...head, id: '', url: address, cached_url: address, ...extras };
  },
};

const linkType = (kind: JsonValue | undefined): string => (kind === 'page' ? 'story' : kind === 'email' ? 'email' : 'url');

const cellText = (cell: JsonValue): string => {
  const { value } = objectOf(cell);
  return typeof value === 'string' ? value : '';
};

const table: Conversion = {
  read(value) {
    const { thead, tbody } = objectOf(value);
    const head = listOf(thead).map(cellText);
    const rows = listOf(tbody).map((row) => listOf(objectOf(row)['body']).map(cellText));
    const width = Math.max(head.length, ...rows.map((row) => row.length));
    if (width === 0) return undefined;
    const wide = (row: readonly string[]): string[] => [...row, ...Array<string>(width - row.length).fill('')];
    return { head: wide(head), rows: rows.map(wide) };
  },
  write(value, old) {
    const { head, rows } = objectOf(value);
    const before = objectOf(old);
    const cell = (given: JsonValue, seen: JsonValue | undefined): JsonValue => ({ ...objectOf(seen), value: given });
    return {
      fieldtype: 'table',
      thead: listOf(head).map((one, at) => cell(one, listOf(before['thead'])[at])),
      tbody: listOf(rows).map((row, at) => {
        const seen = objectOf(listOf(before['tbody'])[at]);
        return { ...seen, body: listOf(row).map((one, column) => cell(one, listOf(seen['body'])[column])) };
      }),
    };
  },
};

const assets: Conversion = {
  read(value, field) {
    const read = listOf(value).flatMap((one) => asset.read(one, field) ?? []);
    return read.length > 0 ? read : undefined;
  },
  write(value, old) {
    const before = listOf(old);
    return listOf(value).map((one) => {
      const { url } = objectOf(one);
      return asset.write(
        one,
        before.find((seen) => objectOf(seen)['filename'] === url),
      );
    });
  },
};

/** Values of a field as Storyblok stores them, and here; blocks and texts with blocks in them are turned by their page. */
export const STORYBLOK_VALUES: Readonly<Record<string, Conversion>> = {
  text: plain,
  long_text: plain,
  rich_text: plain,
  number,
  integer: number,
  datetime,
  date,
  boolean,
  select: plain,
  multi_select: texts,
  page: plain,
  pages: texts,
  asset,
  assets,
  link,
  table,
  foreign: same,
};
