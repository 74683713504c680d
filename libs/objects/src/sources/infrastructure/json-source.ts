import { Injectable } from '@nestjs/common';
import { MINUTE, Problem, SECOND, type JsonValue } from '@atrium/platform/kernel';
import type { OutboundStream } from '@atrium/platform/outbound';
import { setTimeout as pause } from 'node:timers/promises';
import { PageTurns } from '../domain/page-turns';
import type { JsonSourceConfig } from '../domain/source-config';
import { authHeaders } from '../domain/source-credentials';
import type { ObjectSourcePort, SourcePage, SourceQuestion } from '../domain/source-port';
import { sourceRow, type SourceRow } from '../domain/source-row';
import { SourceHttp } from './source-http';

const MIB = 1024 * 1024;
const MOST_PAGE_BYTES = 20 * MIB;
const TIMEOUTS = { connect: 5 * SECOND, headers: 30 * SECOND, body: 30 * SECOND, total: 2 * MINUTE };

interface Answered {
  readonly url: string;
  readonly link: string | undefined;
  readonly body: JsonValue;
}

/** Pages of JSON over HTTP. A page is parsed in memory, so that it has a bound. */
@Injectable()
export class JsonSource implements ObjectSourcePort {
  readonly kind = 'http_json';

  constructor(private readonly http: SourceHttp) {}

  async *pages({ config, cursor: from, ...asked }: SourceQuestion): AsyncGenerator<SourcePage, void> {
    if (config.kind !== 'http_json') throw new Error(`${config.kind} is read by another adapter.`);
    const turns = new PageTurns(config);
    const beat = new Beat(config.rate);
    for (let cursor = from ?? turns.first, tried = asked.tried; ; tried = 0) {
      await beat.next(asked.signal);
      const { url, body } = turns.request(cursor);
      const answered = await this.http.ask(
        {
          url,
          method: config.method,
          headers: { accept: 'application/json', ...config.headers, ...authHeaders(config.auth, asked.credentials), ...contentType(body) },
          ...(body === null ? {} : { body }),
          maxBytes: MOST_PAGE_BYTES,
          timeouts: TIMEOUTS,
          signal: asked.signal,
          once: asked.once,
          tried,
          waiting: asked.waiting,
        },
        (answer) => parsed(answer, asked.mostBytes ?? MOST_PAGE_BYTES),
      );
      const rows = rowsOf(config, answered.body);
      const total = totalOf(config, answered.body);
      const next = turns.next(cursor, { ...answered, rows: rows.length, total });
      yield { cursor, rows, next, total };
      if (next === null) return;
      cursor = next;
    }
  }
}

const contentType = (body: string | null): Record<string, string> => (body === null ? {} : { 'content-type': 'application/json' });

async function parsed({ body, url, headers }: OutboundStream, mostBytes: number): Promise<Answered> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > mostBytes) throw tooLarge(mostBytes);
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString('utf8');
  try {
    return { url, link: headers['link'], body: JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as JsonValue };
  } catch {
    // It may have been cut off on its way, so that asking again can help.
    throw new Problem('upstream_failed', 'The source answers no JSON, or less than the whole of it.');
  }
}

const tooLarge = (bytes: number): Problem =>
  new Problem(
    'unprocessable_content',
    `A page of the source is larger than the ${bytes / MIB} MiB that a trial reads. Ask for fewer rows a page; a run reads pages of up to ${MOST_PAGE_BYTES / MIB} MiB.`,
  );

function rowsOf({ rows: path }: JsonSourceConfig, body: JsonValue): readonly SourceRow[] {
  const rows = path.read(body);
  if (!Array.isArray(rows))
    throw new Problem('unprocessable_content', `The answer of the source has no list at ${path.text}. Check osr_config.rows.`);
  return (rows as readonly JsonValue[]).map((value) => sourceRow(value));
}

function totalOf({ total: path }: JsonSourceConfig, body: JsonValue): number | null {
  const total = path?.read(body);
  return typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : null;
}

/** No more requests a second than a source allows. */
class Beat {
  private due = 0;

  constructor(private readonly rate: number | null) {}

  async next(signal: AbortSignal): Promise<void> {
    if (this.rate === null) return;
    const wait = this.due - performance.now();
    if (wait > 0) await pause(wait, undefined, { signal });
    this.due = performance.now() + SECOND / this.rate;
  }
}
