import type { TextForm } from '@atrium/platform/database';
import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import {
  choiceSetting,
  numberSetting,
  type Setting,
  SettingFault,
  SettingReader,
  textSetting,
  wholeSetting,
} from '@atrium/platform/settings';
import { pathSetting } from './path-setting';
import { RowPath } from './row-path';
import { sqlConfig, type SqlSourceConfig } from './sql-config';

export const SOURCE_KINDS = ['http_json', 'http_csv', 'sql'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];
const AUTH_KINDS = ['none', 'bearer', 'basic', 'header'] as const;
const PAGE_STYLES = ['none', 'page', 'offset', 'cursor', 'link'] as const;
const TABLE_FORMATS = ['csv', 'tsv', 'jsonl'] as const;

/** How a source knows who asks; the secret itself is a credential. */
export type SourceAuth = { readonly type: 'none' | 'bearer' | 'basic' | 'login' } | { readonly type: 'header'; readonly name: string };

/** How the pages of a source follow each other. */
export type Pagination =
  | { readonly style: 'none' }
  | { readonly style: 'link' }
  | { readonly style: 'page'; readonly param: string; readonly first: number; readonly size: PageSize | null; readonly in: Place }
  | { readonly style: 'offset'; readonly param: string; readonly size: PageSize | null; readonly in: Place }
  | { readonly style: 'cursor'; readonly param: string | null; readonly path: RowPath; readonly size: PageSize | null; readonly in: Place };

export interface PageSize {
  readonly param: string;
  readonly size: number;
}

type Place = 'query' | 'body';

interface Address {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: SourceAuth;
}

export interface JsonSourceConfig extends Address {
  readonly kind: 'http_json';
  readonly method: 'GET' | 'POST';
  readonly body: JsonValue | undefined;
  readonly rows: RowPath;
  readonly total: RowPath | null;
  readonly pagination: Pagination;
  /** Requests a second at most. */
  readonly rate: number | null;
}

export interface TableSourceConfig extends Address {
  readonly kind: 'http_csv';
  readonly format: (typeof TABLE_FORMATS)[number];
  readonly delimiter: string | null;
  readonly encoding: string | null;
}

export type SourceConfig = JsonSourceConfig | TableSourceConfig | SqlSourceConfig;

const WHOLE = RowPath.parse('$');
const LONGEST_URL = 2_048;
const MOST_HEADERS = 20;
const HEADER_NAME: TextForm = { pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, words: 'the name of a header' };
const HEADER_VALUE = /^[\t\x20-\x7e]{0,1000}$/;
/** They would show a secret to everyone who may see the source, or belong to the connection. */
const NOT_HERE =
  /^(?:authorization|proxy-authorization|cookie|x-api-key|host|content-length|connection|transfer-encoding|accept-encoding)$/i;
const PARAM: TextForm = { pattern: /^[\w.[\]-]{1,100}$/, words: 'a name of letters from a to z, digits and . _ - [ ]' };
const paramSetting = textSetting({ form: PARAM, filled: true });

/** The settings of a source of a kind, or `validation_failed` with one entry a fault. */
export const readConfig = (kind: SourceKind, value: JsonObject, at = 'osr_config'): SourceConfig =>
  SettingReader.read<SourceConfig>(value, at, READERS[kind]);

function jsonConfig(settings: SettingReader): JsonSourceConfig {
  const method = settings.defaulted('method', choiceSetting(['GET', 'POST']), 'GET');
  const body = settings.raw('body');
  if (body !== undefined && method === 'GET') settings.refuse('body', 'unknown_field', 'can be set only with the method POST');
  const pagination = settings.within('pagination', readPagination);
  const inBody = 'in' in pagination && pagination.in === 'body';
  if (inBody && (method === 'GET' || (body !== undefined && !isObject(body))))
    settings.refuse('pagination', 'format', 'can be sent in the body only with the method POST and an object as body');
  return {
    kind: 'http_json',
    ...address(settings),
    method,
    body,
    rows: settings.defaulted('rows', pathSetting, WHOLE),
    total: settings.optional('total', pathSetting) ?? null,
    pagination,
    rate: settings.nullable('rate', numberSetting({ min: 0.01, max: 100 })),
  };
}

const DELIMITER: TextForm = { pattern: /^[^"\r\n]$/, words: 'one character other than a quotation mark or a line break' };
const ENCODING: TextForm = { pattern: /^[\w.:-]+$/, words: 'the name of an encoding, such as windows-1252' };

const tableConfig = (settings: SettingReader): TableSourceConfig => ({
  kind: 'http_csv',
  ...address(settings),
  format: settings.defaulted('format', choiceSetting(TABLE_FORMATS), 'csv'),
  delimiter: settings.nullable('delimiter', textSetting({ max: 1, form: DELIMITER, filled: true })),
  encoding: settings.nullable('encoding', textSetting({ max: 40, form: ENCODING, filled: true })),
});

const address = (settings: SettingReader): Address => ({
  url: settings.required('url', urlSetting, ''),
  headers: readHeaders(settings),
  auth: settings.within('auth', readAuth),
});

const urlSetting: Setting<string> = (value) => {
  const url = textSetting({ max: LONGEST_URL, filled: true })(value);
  if (url instanceof SettingFault) return url;
  if (!/^https?:\/\//i.test(url)) return new SettingFault('format', 'must start with https://');
  return URL.canParse(url) ? url : new SettingFault('format', 'must be a URL');
};

function readHeaders(settings: SettingReader): Readonly<Record<string, string>> {
  const value = settings.raw('headers') ?? {};
  if (!isObject(value)) {
    settings.refuse('headers', 'type', 'must be an object of texts');
    return {};
  }
  const headers = Object.entries(value);
  if (headers.length > MOST_HEADERS) settings.refuse('headers', 'length', `must have at most ${MOST_HEADERS} entries`);
  for (const [name, header] of headers.slice(0, MOST_HEADERS)) {
    if (NOT_HERE.test(name))
      settings.refuse(`headers.${name}`, 'secret', 'cannot be set here; put secrets into osr_credentials and use the setting auth');
    else if (!HEADER_NAME.pattern.test(name)) settings.refuse(`headers.${name.slice(0, 100)}`, 'format', 'is not a header name');
    else if (typeof header !== 'string' || !HEADER_VALUE.test(header))
      settings.refuse(`headers.${name}`, 'format', 'must be text with printable characters only');
  }
  return Object.fromEntries(headers.flatMap(([name, header]) => (typeof header === 'string' ? [[name, header]] : [])));
}

function readAuth(settings: SettingReader): SourceAuth {
  const type = settings.defaulted('type', choiceSetting(AUTH_KINDS), 'none');
  return type === 'header'
    ? { type, name: settings.required('name', textSetting({ max: 100, form: HEADER_NAME, filled: true }), '') }
    : { type };
}

function readPagination(settings: SettingReader): Pagination {
  const style = settings.defaulted('style', choiceSetting(PAGE_STYLES), 'none');
  if (style === 'none' || style === 'link') return { style };
  const place = settings.defaulted('in', choiceSetting(['query', 'body']), 'query');
  const param = (usual: string): string => settings.defaulted('param', paramSetting, usual);
  if (style === 'page')
    return {
      style,
      param: param('page'),
      first: settings.defaulted('first', wholeSetting({ min: 0, max: 1 }), 1),
      size: readSize(settings),
      in: place,
    };
  if (style === 'offset') return { style, param: param('offset'), size: readSize(settings), in: place };
  const path = settings.required('path', pathSetting, WHOLE);
  return { style, param: settings.nullable('param', paramSetting), path, size: readSize(settings), in: place };
}

function readSize(settings: SettingReader): PageSize | null {
  const param = settings.nullable('size_param', paramSetting);
  const size = settings.defaulted('size', wholeSetting({ min: 1, max: 10_000 }), 100);
  return param === null ? null : { param, size };
}

const READERS: Readonly<Record<SourceKind, (settings: SettingReader) => SourceConfig>> = {
  http_json: jsonConfig,
  http_csv: tableConfig,
  sql: sqlConfig,
};

/** Where a source is asked, and how that place proves itself: credentials that were entered for one are not sent to another. */
export const placeOf = (config: SourceConfig): string =>
  config.kind === 'sql' ? JSON.stringify([config.host, config.port, config.tls, config.ca]) : new URL(config.url).origin;
