import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Compute, defineTask } from '@atrium/platform/compute';
import { MINUTE, Problem, rowsOfPieces, SECOND, type JsonValue } from '@atrium/platform/kernel';
import type { OutboundStream } from '@atrium/platform/outbound';
import { PageTurns } from '../domain/page-turns';
import type { JsonSourceConfig } from '../domain/source-config';
import { authHeaders } from '../domain/source-credentials';
import type { ObjectSourcePort, SourcePage, SourceQuestion } from '../domain/source-port';
import type { SourceRow } from '../domain/source-row';
import { readSourcePage, type ReadSourcePage } from './read-source-page';
import { SourceHttp } from './source-http';

const MIB = 1024 * 1024;
const MOST_PAGE_BYTES = 20 * MIB;
const TIMEOUTS = { connect: 5 * SECOND, headers: 30 * SECOND, body: 30 * SECOND, total: 2 * MINUTE };

const READ_PAGE = defineTask<typeof import('./source-page.task')>(join(__dirname, 'source-page.task'), { what: 'page of the source' });
/** As many bytes as take less to parse than to send to a process. */
const SHORT = 32 * 1024;

/** Pages of JSON over HTTP. A page is parsed in memory, so that it has a bound, and a long one in a bounded process. */
@Injectable()
export class JsonSource implements ObjectSourcePort {
  readonly kind = 'http_json';

  constructor(
    private readonly http: SourceHttp,
    private readonly compute: Compute,
  ) {}

  async *readPages({ config, cursor: from, ...asked }: SourceQuestion): AsyncGenerator<SourcePage, void> {
    if (config.kind !== 'http_json') throw new Error(`${config.kind} is read by another adapter.`);
    const turns = new PageTurns(config);
    const beat = new Beat(config.rate);
    for (let cursor = from ?? turns.first, tried = asked.tried; ; tried = 0) {
      await beat.awaitBeat(asked.signal);
      const { url, body } = turns.requestOf(cursor);
      const {
        url: answeredAt,
        link,
        page,
      } = await this.http.sendRequest(
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
        async (answer) => {
          const bytes = await bytesOf(answer, asked.mostBytes ?? MOST_PAGE_BYTES);
          const page = await this.read({ bytes, type: answer.headers['content-type'] ?? '' }, config, asked.signal);
          return { url: answer.url, link: answer.headers['link'], page };
        },
      );
      const rows = await rowsOfPieces<SourceRow>(page.pieces);
      const total = countIn(page.total);
      const next = turns.nextCursor(cursor, { url: answeredAt, link, next: page.next, rows: rows.length, total });
      yield { cursor, rows, next, total };
      if (next === null) return;
      cursor = next;
    }
  }

  private async read(
    { bytes, type }: { readonly bytes: Buffer; readonly type: string },
    { rows, total, pagination }: JsonSourceConfig,
    signal: AbortSignal,
  ): Promise<ReadSourcePage> {
    const next = pagination.style === 'cursor' ? pagination.path.text : null;
    const page = { bytes, type, rows: rows.text, total: total?.text ?? null, next };
    return bytes.length <= SHORT ? readSourcePage(page) : this.compute.runTask(READ_PAGE, page, { signal });
  }
}

const contentType = (body: string | null): Record<string, string> => (body === null ? {} : { 'content-type': 'application/json' });

async function bytesOf({ body }: OutboundStream, mostBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > mostBytes) throw tooLarge(mostBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const tooLarge = (bytes: number): Problem =>
  new Problem(
    'unprocessable_content',
    `A page of the source is larger than the ${bytes / MIB} MiB that a test reads. Request fewer rows per page; a run reads pages of up to ${MOST_PAGE_BYTES / MIB} MiB.`,
  );

const countIn = (total: JsonValue | undefined): number | null =>
  typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : null;

/** No more requests a second than a source allows. */
class Beat {
  private due = 0;

  constructor(private readonly rate: number | null) {}

  async awaitBeat(signal: AbortSignal): Promise<void> {
    if (this.rate === null) return;
    const wait = this.due - performance.now();
    if (wait > 0) await pause(wait, undefined, { signal });
    this.due = performance.now() + SECOND / this.rate;
  }
}
