import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENT = join(__dirname, '../../docs/openapi.json');
const BASE = '/api/v1';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** What pages a list, and asks about no row. */
const PAGING: ReadonlySet<string> = new Set(['cursor', 'limit', 'offset', 'sort', 'limit_extended']);

export type Method = (typeof METHODS)[number];

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: { readonly type?: string; readonly format?: string; readonly enum?: readonly string[] };
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly example?: object }>> };
  readonly responses: Readonly<Record<string, { readonly content?: object; readonly headers?: object }>>;
}

/** An operation, as the OpenAPI document names it. */
export interface Operation {
  /** `GET /albums/{id}`. */
  readonly name: string;
  readonly method: Method;
  /** Below `/api/v1`. */
  readonly path: string;
  /** Parameters that a list may be filtered and sorted by. */
  readonly filters: readonly string[];
  /** Those of them that take any text. */
  readonly texts: readonly string[];
  /** Those of them that take ids. */
  readonly idFilters: readonly string[];
  /** Those of them that take conditions on fields of content: `obj_content[status]=open`. */
  readonly contentFilters: readonly string[];
  /** The orders that a list has. */
  readonly orders: readonly string[];
  readonly hasCursor: boolean;
  /** The body that the document gives as an example. */
  readonly example: object | undefined;
  readonly isStream: boolean;
}

/** All operations of the document: an operation that somebody adds is among them from its first day. */
export function allOperations(): readonly Operation[] {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, Described>>>>>;
  };
  return Object.entries(paths).flatMap(([full, item]) =>
    METHODS.flatMap((method) => {
      const described = item[method];
      return described ? [operationOf(method, full.slice(BASE.length), described)] : [];
    }),
  );
}

function operationOf(method: Method, path: string, { parameters = [], requestBody, responses }: Described): Operation {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const asked = query.filter(({ name }) => !PAGING.has(name));
  const isText = ({ schema }: Parameter): boolean => schema?.type === 'string' && schema.format === undefined && schema.enum === undefined;
  return {
    name: `${method.toUpperCase()} ${path}`,
    method,
    path,
    filters: asked.map(({ name }) => name),
    texts: asked.filter(isText).map(({ name }) => name),
    idFilters: asked.filter(({ schema }) => schema?.format === 'uuid').map(({ name }) => name),
    contentFilters: asked.filter(({ schema }) => schema?.type === 'object').map(({ name }) => name),
    orders: query.filter(({ name }) => name === 'sort').flatMap(({ description = '' }) => ordersIn(description)),
    hasCursor: query.some(({ name }) => name === 'cursor'),
    example: requestBody?.content?.['application/json']?.example,
    isStream: Object.values(responses).some(({ content }) => content !== undefined && 'text/event-stream' in content),
  };
}

/** The names in "Sort by `album_name` or `album_created`. A leading `-` sorts in descending order." */
const ordersIn = (description: string): readonly string[] =>
  [...description.matchAll(/`-?([a-z][a-z0-9_]*)`/g)].flatMap(([, name]) => name ?? []);
