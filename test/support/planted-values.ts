import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '@atrium/platform/kernel';
import type { Client } from '@atrium/platform/testing';

const DOCUMENT = join(__dirname, '../../docs/openapi.json');
const BASE = '/api/v1';
/** Values that were planted nowhere: what a filter answers to them is what it has to answer to planted ones of their shape. */
const STRANGE = { word: 'qqnowhereqq', id: '0190163d-8694-739b-aea5-966c26f8adff' } as const;
const PAGING: ReadonlySet<string> = new Set(['cursor', 'limit', 'offset', 'sort', 'limit_extended']);

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: { readonly type?: string; readonly format?: string; readonly enum?: readonly string[] };
}

/** An operation that reads, as the document names it. */
export interface ReadOperation {
  readonly path: string;
  readonly query: readonly Parameter[];
}

/** A place where a planted value showed. */
export interface Sighting {
  readonly request: string;
  readonly where: 'body' | 'headers' | 'cursor' | 'answer';
  readonly value: string;
}

/** What somebody is not to see, and the paths of what they may read. */
export interface Walk {
  readonly client: Client;
  /** Values that are stored and closed to the client. */
  readonly planted: readonly string[];
  /** For the path of an operation the paths to ask, its parameters filled in; an operation that is forgotten fails the walk. */
  readonly pathsOf: (operation: string) => readonly string[];
}

/** The operations of the document that read, below the prefixes. */
export function readOperations(prefixes: readonly string[]): readonly ReadOperation[] {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>;
  };
  return Object.entries(paths).flatMap(([full, { get }]) => {
    const path = full.slice(BASE.length);
    if (!get || !prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))) return [];
    return [{ path, query: (get.parameters ?? []).filter((parameter) => parameter.in === 'query') }];
  });
}

/**
 * Asks every operation for everything that the client may read, in every order and by every filter, and answers where a planted
 * value showed: in a body, an error, a header, a decoded cursor, or as another answer to a filter than a strange value gets.
 */
export async function sightings({ client, planted, pathsOf }: Walk, operations: readonly ReadOperation[]): Promise<readonly Sighting[]> {
  const found: Sighting[] = [];
  for (const operation of operations)
    for (const path of pathsOf(operation.path)) {
      const ask = async (query: string): Promise<string> => {
        const request = `${path}${query === '' ? '' : `${path.includes('?') ? '&' : '?'}${query}`}`;
        const answer = await client.get(request);
        found.push(...seenIn(request, answer, planted));
        const body = answer.body as { readonly data?: readonly unknown[] };
        return `${answer.status} ${body.data?.length ?? ''}`;
      };
      await ask('');
      for (const order of ordersOf(operation)) await ask(`limit=1&sort=${order}`);
      for (const { name } of operation.query.filter(isText)) {
        const strange = { word: await ask(`${name}=${STRANGE.word}`), id: await ask(`${name}=${STRANGE.id}`) };
        for (const value of planted)
          if ((await ask(`${name}=${encodeURIComponent(value)}`)) !== strange[isId(value) ? 'id' : 'word'])
            found.push({ request: `${path} ${name}`, where: 'answer', value });
      }
    }
  return found;
}

/** Where an answer shows planted values; what it merely says back of the question is the client's own. */
export function seenIn(
  request: string,
  { text, headers, body }: { readonly text: string; readonly headers: object; readonly body: unknown },
  planted: readonly string[],
): readonly Sighting[] {
  const cursor = (body as { readonly next_cursor?: string | null } | undefined)?.next_cursor ?? '';
  const places = { body: text, headers: JSON.stringify(headers), cursor: Buffer.from(cursor, 'base64url').toString('utf8') } as const;
  const asked = decodeURIComponent(request);
  return planted
    .filter((value) => !asked.includes(value))
    .flatMap((value) =>
      (['body', 'headers', 'cursor'] as const).filter((where) => places[where].includes(value)).map((where) => ({ request, where, value })),
    );
}

/** Whatever can be asked by may be an order too; what is none answers 400. */
const ordersOf = ({ query }: ReadOperation): readonly string[] => query.flatMap(({ name }) => (PAGING.has(name) ? [] : [name, `-${name}`]));

const isText = ({ name, schema }: Parameter): boolean =>
  !PAGING.has(name) && schema?.type === 'string' && schema.format === undefined && schema.enum === undefined;
