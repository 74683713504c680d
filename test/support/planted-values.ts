import { isId } from '@atrium/platform/kernel';
import type { Client } from '@atrium/platform/testing';
import { allOperations, type Operation } from './operations';

/** Values that were planted nowhere: what a filter answers to them is what it has to answer to planted ones of their shape. */
export const STRANGE = { word: 'qqnowhereqq', id: '0190163d-8694-739b-aea5-966c26f8adff' } as const;

/** A place where a planted value showed. */
export interface Sighting {
  readonly request: string;
  readonly where: 'body' | 'headers' | 'cursor' | 'answer' | 'link';
  readonly value: string;
}

/** What somebody is not to see, and the paths of what they may read. */
export interface Plants {
  readonly client: Client;
  /** Values that are stored and closed to the client. */
  readonly planted: readonly string[];
  /** For the path of an operation the paths to ask, its parameters filled in; an operation that is forgotten fails the walk. */
  readonly pathsOf: (operation: string) => readonly string[];
}

/** The operations of the document that read, below the prefixes. */
export const readOperations = (prefixes: readonly string[]): readonly Operation[] =>
  allOperations().filter(
    ({ method, path }) => method === 'get' && prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
  );

/**
 * Asks every operation for everything that the client may read, in every order and by every filter, and answers where a planted
 * value showed: in a body, an error, a header, a decoded cursor, or as another answer to a filter than a strange value gets.
 */
export async function sightings({ client, planted, pathsOf }: Plants, operations: readonly Operation[]): Promise<readonly Sighting[]> {
  const found: Sighting[] = [];
  for (const operation of operations)
    for (const path of pathsOf(operation.path)) {
      const ask = async (query: string): Promise<string> => {
        const request = query === '' ? path : withQuery(path, query);
        const answer = await client.get(request);
        found.push(...seenIn(request, answer, planted));
        const body = answer.body as { readonly data?: readonly unknown[] };
        return `${answer.status} ${body.data?.length ?? ''}`;
      };
      await ask('');
      // Whatever can be asked by may be an order too; what is none answers 400.
      for (const order of operation.filters.flatMap((name) => [name, `-${name}`])) await ask(`limit=1&sort=${order}`);
      for (const name of operation.texts) {
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
  const asked = decodeURIComponent(request.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  return planted
    .filter((value) => !asked.includes(value))
    .flatMap((value) =>
      (['body', 'headers', 'cursor'] as const).filter((where) => places[where].includes(value)).map((where) => ({ request, where, value })),
    );
}

export const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;
