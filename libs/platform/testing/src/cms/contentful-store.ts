import { randomBytes } from 'node:crypto';
import { isRecord, type Json, type JsonRecord } from './loopback-cms';

/** Values by field and locale. */
export type LocalizedFields = Readonly<Record<string, Readonly<Record<string, Json>>>>;

export interface ContentfulRow {
  readonly id: string;
  readonly createdAt: string;
  /** Of entries alone. */
  readonly contentType: string | null;
  fields: LocalizedFields;
  version: number;
  updatedAt: string;
  publishedVersion: number | null;
  publishedAt: string | null;
  firstPublishedAt: string | null;
  archivedVersion: number | null;
  /** Locales that are live, each with the version that went live, where locales are published apart. */
  readonly locales: Map<string, number>;
  /** What is live. */
  live: LocalizedFields | null;
}

export interface ContentTypeField {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly required?: boolean;
  readonly localized?: boolean;
  readonly linkType?: string;
  readonly items?: { readonly type: string; readonly linkType?: string; readonly validations?: readonly JsonRecord[] };
  readonly validations?: readonly JsonRecord[];
  readonly disabled?: boolean;
  readonly omitted?: boolean;
}

export interface ContentType {
  readonly id: string;
  name: string;
  description: string | null;
  displayField: string | null;
  fields: readonly ContentTypeField[];
  version: number;
  publishedVersion: number | null;
  createdAt: string;
  updatedAt: string;
}

/** Entries or assets of an environment, with the version that every change raises. */
export class ContentfulRows {
  readonly rows = new Map<string, ContentfulRow>();

  constructor(
    private readonly now: () => string,
    private readonly type: 'Entry' | 'Asset',
    private readonly publishesLocales: () => boolean,
  ) {}

  add(fields: LocalizedFields, contentType: string | null, id = randomBytes(11).toString('hex')): ContentfulRow {
    const now = this.now();
    const row: ContentfulRow = {
      id,
      contentType,
      fields,
      createdAt: now,
      updatedAt: now,
      version: 1,
      publishedVersion: null,
      publishedAt: null,
      firstPublishedAt: null,
      archivedVersion: null,
      locales: new Map(),
      live: null,
    };
    this.rows.set(id, row);
    return row;
  }

  /** A change by anyone: a client, or a person at the CMS. */
  change(row: ContentfulRow, fields: LocalizedFields): void {
    Object.assign(row, { fields, version: row.version + 1, updatedAt: this.now() });
  }

  publish(row: ContentfulRow, locales: readonly string[] | null, all: readonly string[]): void {
    const now = this.now();
    for (const locale of locales ?? all) row.locales.set(locale, row.version);
    Object.assign(row, {
      publishedVersion: row.version,
      version: row.version + 1,
      publishedAt: now,
      firstPublishedAt: row.firstPublishedAt ?? now,
      live: row.fields,
    });
  }

  unpublish(row: ContentfulRow, locales: readonly string[] | null): void {
    for (const locale of locales ?? [...row.locales.keys()]) row.locales.delete(locale);
    row.version += 1;
    row.updatedAt = this.now();
    if (row.locales.size > 0) row.publishedVersion = row.version - 1;
    else Object.assign(row, { publishedVersion: null, publishedAt: null, live: null });
  }

  archive(row: ContentfulRow, to: boolean): void {
    Object.assign(row, { archivedVersion: to ? row.version : null, version: row.version + 1, updatedAt: this.now() });
  }

  shown(row: ContentfulRow, space: string, environment: string): JsonRecord {
    const link = (linkType: string, id: string): JsonRecord => ({ sys: { type: 'Link', linkType, id } });
    const { id, contentType, fields, version, createdAt, updatedAt, publishedVersion, publishedAt, firstPublishedAt, archivedVersion } =
      row;
    return {
      metadata: { tags: [], concepts: [] },
      sys: {
        space: link('Space', space),
        environment: link('Environment', environment),
        id,
        type: this.type,
        createdAt,
        updatedAt,
        version,
        ...(contentType === null ? {} : { contentType: link('ContentType', contentType) }),
        ...(publishedVersion === null ? {} : { publishedVersion, publishedAt, firstPublishedAt, publishedCounter: 1 }),
        ...(archivedVersion === null ? {} : { archivedVersion, archivedAt: updatedAt }),
        ...(this.publishesLocales() ? { fieldStatus: { '*': this.statusOf(row) } } : {}),
      },
      fields,
    };
  }

  private statusOf({ locales, version, fields, live }: ContentfulRow): Record<string, string> {
    const all = new Set([...locales.keys(), ...Object.values(fields).flatMap((values) => Object.keys(values))]);
    return Object.fromEntries(
      [...all].map((locale) => {
        const published = locales.get(locale);
        if (published === undefined) return [locale, 'draft'];
        return [locale, published === version - 1 || sameIn(locale, fields, live) ? 'published' : 'changed'];
      }),
    );
  }
}

const sameIn = (locale: string, left: LocalizedFields, right: LocalizedFields | null): boolean => {
  const of = (fields: LocalizedFields | null): string =>
    JSON.stringify(Object.entries(fields ?? {}).flatMap(([key, values]) => (locale in values ? [[key, values[locale]]] : [])));
  return of(left) === of(right);
};

/** Links to entries or assets, wherever they are in a value. */
export function* linksIn(value: Json | undefined): Generator<{ readonly linkType: string; readonly id: string }> {
  if (Array.isArray(value)) for (const inner of value as readonly Json[]) yield* linksIn(inner);
  if (!isRecord(value)) return;
  const sys = value['sys'];
  if (isRecord(sys) && sys['type'] === 'Link' && typeof sys['linkType'] === 'string' && typeof sys['id'] === 'string')
    yield { linkType: sys['linkType'], id: sys['id'] };
  else for (const inner of Object.values(value)) yield* linksIn(inner);
}

const isText = (value: Json): boolean => typeof value === 'string';
const isLink = (value: Json, linkType: string | undefined): boolean =>
  [...linksIn(value)].length === 1 && [...linksIn(value)][0]?.linkType === linkType;
const TYPES: Readonly<Record<string, (value: Json, field: ContentTypeField) => boolean>> = {
  Symbol: (value) => typeof value === 'string' && value.length <= 256,
  Text: (value) => typeof value === 'string' && value.length <= 50_000,
  RichText: (value) => isRecord(value) && value['nodeType'] === 'document',
  Integer: (value) => Number.isInteger(value),
  Number: (value) => typeof value === 'number',
  Boolean: (value) => typeof value === 'boolean',
  Date: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  Location: (value) => isRecord(value) && typeof value['lat'] === 'number' && typeof value['lon'] === 'number',
  Object: (value) => isRecord(value) || Array.isArray(value),
  Link: (value, { linkType }) => isLink(value, linkType),
  Array: (value, { items }) =>
    Array.isArray(value) &&
    (value as readonly Json[]).every((one) => (items?.type === 'Symbol' ? isText(one) : isLink(one, items?.linkType))),
};

/** What is wrong with the fields of an entry: unknown fields, locales and types at once, the rest when it is published. */
export function faultsOf(
  type: ContentType,
  fields: LocalizedFields,
  {
    locales,
    isPublished,
  }: { readonly locales: readonly { readonly code: string; readonly default: boolean }[]; readonly isPublished: boolean },
): JsonRecord[] {
  const faults: JsonRecord[] = [];
  for (const [key, values] of Object.entries(fields)) {
    const field = type.fields.find(({ id }) => id === key);
    if (!field || field.omitted) {
      faults.push({ name: 'unknown', path: ['fields', key], details: `Field ${key} does not exist` });
      continue;
    }
    for (const [locale, value] of Object.entries(values)) {
      const known = locales.find(({ code }) => code === locale);
      if (!known) faults.push({ name: 'unknown', path: ['fields', key, locale], details: `Locale ${locale} does not exist` });
      else if (!field.localized && !known.default)
        faults.push({ name: 'unexpected', path: ['fields', key, locale], details: 'The field is not localized' });
      else if (value !== null && !TYPES[field.type]?.(value, field))
        faults.push({ name: 'type', type: field.type, path: ['fields', key, locale], value });
      else if (isPublished) faults.push(...validationFaults(field, value, ['fields', key, locale]));
    }
  }
  const home = locales.find((locale) => locale.default)?.code ?? '';
  for (const { id, required } of type.fields)
    if (isPublished && required && isBlank(fields[id]?.[home]))
      faults.push({ name: 'required', path: ['fields', id, home], details: `The property "${id}" is required here` });
  return faults;
}

const isBlank = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function validationFaults(field: ContentTypeField, value: Json, path: readonly string[]): JsonRecord[] {
  return (field.validations ?? []).flatMap((rule) => {
    const { size, range } = rule;
    const among = rule['in'];
    if (Array.isArray(among) && !among.includes(value)) return [{ name: 'in', path, value }];
    const length = typeof value === 'string' || Array.isArray(value) ? value.length : null;
    if (isRecord(size) && length !== null && (length < Number(size['min'] ?? 0) || length > Number(size['max'] ?? Infinity)))
      return [{ name: 'size', path }];
    if (
      isRecord(range) &&
      typeof value === 'number' &&
      (value < Number(range['min'] ?? -Infinity) || value > Number(range['max'] ?? Infinity))
    )
      return [{ name: 'range', path }];
    return [];
  });
}
