import { isId } from '@atrium/platform/kernel';
import { readZip, type Client } from '@atrium/platform/testing';
import type { Operation } from './operations';
import { seenIn, STRANGE, withQuery, type Sighting } from './planted-values';

/** How long a stream is read that shows nothing. */
const STREAM_MS = 1_500;
const AT_ONCE = 6;

/** What one request is: its path is filled, its query and its body are there. */
export interface Question {
  readonly operation: Operation;
  readonly path: string;
  readonly body?: object;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the bytes say, where they are JSON. */
  readonly body: unknown;
}

/** What filters are tried with. */
export interface Sought {
  /** Words that are closed, one of each kind: for filters that are no field of the rows. */
  readonly words: readonly string[];
  /** Ids that are closed, one of each kind. */
  readonly ids: readonly string[];
  /** Fields of content that are closed, and what is in them. */
  readonly content: Readonly<Record<string, string>>;
  /** Filters that are not asked. */
  readonly without: ReadonlySet<string>;
}

/** Somebody who reads everything that the API answers, and what of the planted values shows. */
export class Walk {
  readonly sightings: Sighting[] = [];
  /** The questions that were answered with 2xx. */
  readonly answered: Question[] = [];
  /** What each operation has answered. */
  readonly statuses = new Map<string, Set<number>>();
  private readonly links = new Set<string>();

  constructor(
    private readonly origin: string,
    private readonly clientFor: (path: string) => Client,
    private readonly planted: readonly string[],
  ) {}

  /** The planted values that showed. */
  get seen(): ReadonlySet<string> {
    return new Set(this.sightings.map(({ value }) => value));
  }

  /** Asks every question; a list also by its first row alone, so that a cursor goes with it. */
  async ask(questions: readonly Question[]): Promise<void> {
    await side(questions, async (question) => {
      const { operation, path } = question;
      const { status } = await this.put(question);
      if (status < 300) this.answered.push(question);
      if (status < 300 && operation.hasCursor) await this.put({ operation, path: withQuery(path, 'limit=1') });
    });
  }

  /** Asks the lists in every order that they have. */
  async sort(lists: readonly Question[]): Promise<void> {
    await side(lists, async ({ operation, path }) => {
      for (const order of operation.orders) await this.put({ operation, path: withQuery(path, `limit=1&sort=${order}`) });
    });
  }

  /**
   * Asks every filter of the lists for what somebody who reads everything finds there: another answer than a strange value gets
   * says that it is there. A filter that is no field of the rows is asked for words and ids of all kinds.
   */
  async filter(lists: readonly Question[], whole: Walk, { words, ids, content, without }: Sought): Promise<void> {
    const all = this.planted.filter((value) => !isId(value));
    await side(lists, async ({ operation, path }) => {
      const rows = rowsOf(await whole.send(operation, path, undefined));
      const own = (name: string): readonly string[] => rows.flatMap((row) => (name in row ? [JSON.stringify(row[name])] : []));
      const within = (texts: readonly string[], values: readonly string[]): readonly string[] =>
        values.filter((value) => texts.some((text) => text.includes(value)));
      const tried = (name: string, values: readonly string[], others: readonly string[]): readonly string[] => {
        const texts = own(name);
        return texts.length === 0 ? others : within(texts, values);
      };
      const differs = async (name: string, values: readonly string[], strange: string): Promise<void> => {
        const asked = values.filter((value) => !path.includes(value));
        if (asked.length === 0) return;
        const usual = await this.found(operation, path, name, strange);
        for (const value of asked) {
          const answer = await this.found(operation, path, name, value);
          // What does not fit the parameter is refused for that.
          if (answer !== usual && !answer.startsWith('400'))
            this.sightings.push({ request: `${operation.name}: ${path} by ${name}`, where: 'answer', value });
        }
      };
      for (const name of operation.texts.filter((one) => !without.has(one))) {
        await differs(name, tried(name, all, words), STRANGE.word);
        await differs(name, tried(name, ids, []), STRANGE.id);
      }
      for (const name of operation.idFilters) await differs(name, tried(name, ids, ids), STRANGE.id);
      for (const name of operation.contentFilters)
        for (const [field, value] of Object.entries(content)) {
          await differs(`${name}[${field}]`, [value], STRANGE.word);
          await this.put({ operation, path: withQuery(path, `limit=1&sort=${name}_${field}`) });
        }
    });
  }

  /** One request; what its answer shows is noted, and so is what the links in it lead to. */
  async put({ operation, path, body }: Question): Promise<Answer> {
    const answer = await this.send(operation, path, body);
    const request = `${operation.name}: ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;
    this.statuses.set(operation.name, (this.statuses.get(operation.name) ?? new Set()).add(answer.status));
    this.sightings.push(...seenIn(request, answer, this.planted));
    for (const link of linksIn(answer.body, this.origin)) {
      if (this.links.has(link)) continue;
      this.links.add(link);
      const text = textOf(Buffer.from(await (await fetch(link)).arrayBuffer()));
      for (const value of this.planted)
        if (text.includes(value) && !link.includes(value)) this.sightings.push({ request: `${request} → ${link}`, where: 'link', value });
    }
    return answer;
  }

  /** How much a filter finds, and how it is refused. */
  private async found(operation: Operation, path: string, name: string, value: string): Promise<string> {
    const answer = await this.put({ operation, path: withQuery(path, `${name}=${encodeURIComponent(value)}`) });
    const { code } = (answer.body ?? {}) as { readonly code?: string };
    return `${answer.status} ${code ?? ''} ${rowsOf(answer).length}`;
  }

  private async send({ method, isStream }: Operation, path: string, body: object | undefined): Promise<Answer> {
    const leaving = new AbortController();
    const response = await fetch(`${this.origin}/api/v1${path}`, {
      method: method.toUpperCase(),
      headers: { ...this.clientFor(path).headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: leaving.signal,
    });
    const read = isStream && response.status === 200 ? this.listen(response, leaving) : response.arrayBuffer();
    const bytes = Buffer.from((await read) as ArrayBuffer);
    return { status: response.status, text: textOf(bytes), headers: Object.fromEntries(response.headers), body: jsonOf(bytes) };
  }

  /** What a stream says until it has shown a planted value; it is left then, or when it has shown none for a while. */
  private async listen({ body }: Response, leaving: AbortController): Promise<Buffer> {
    const heard: Buffer[] = [];
    const late = setTimeout(() => leaving.abort(), STREAM_MS);
    try {
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        heard.push(Buffer.from(chunk));
        if (this.planted.some((value) => Buffer.concat(heard).includes(value))) break;
      }
    } catch {
      // Left.
    }
    clearTimeout(late);
    leaving.abort();
    return Buffer.concat(heard);
  }
}

const rowsOf = ({ body }: Answer): readonly Readonly<Record<string, unknown>>[] => {
  const { data } = (body ?? {}) as { readonly data?: unknown };
  return Array.isArray(data) ? (data as Record<string, unknown>[]) : [];
};

/** The text of bytes: that of all entries where they are an archive. */
function textOf(bytes: Buffer): string {
  if (bytes.subarray(0, 4).toString('latin1') !== 'PK\u0003\u0004') return bytes.toString('utf8');
  return readZip(bytes)
    .entries.map((entry) => `${entry.name}\n${entry.bytes.toString('utf8')}`)
    .join('\n');
}

/** Addresses on the same host that lead to bytes: downloads, reports, previews. */
function* linksIn(value: unknown, origin: string): Generator<string> {
  if (typeof value === 'string' && value.startsWith(`${origin}/`) && !value.startsWith(`${origin}/api/`) && !value.includes(' '))
    yield value;
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* linksIn(part, origin);
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Works on some of the values at once. */
export async function side<T>(values: readonly T[], work: (value: T) => Promise<void>): Promise<void> {
  const left = [...values];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
    }),
  );
}
