import { Injectable } from '@nestjs/common';
import { MINUTE, Problem, SECOND, type JsonObject } from '@atrium/platform/kernel';
import { Tabular, type Table, type TableRecord } from '@atrium/platform/tabular';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { TableSourceConfig } from '../domain/source-config';
import { authHeaders } from '../domain/source-credentials';
import type { ObjectSourcePort, SourcePage, SourceQuestion } from '../domain/source-port';
import { sourceRow, type SourceRow } from '../domain/source-row';
import { SourceHttp } from './source-http';

const MOST_BYTES = 200 * 1024 * 1024;
const TIMEOUTS = { connect: 5 * SECOND, headers: 30 * SECOND, body: MINUTE, total: 30 * MINUTE };
const ROWS_A_PAGE = 2_000;
const NEWLINE = 0x0a;
const ACCEPTS = { csv: 'text/csv, */*;q=0.5', tsv: 'text/tab-separated-values, */*;q=0.5', jsonl: 'application/jsonl, */*;q=0.5' };

interface Fetched {
  readonly table: Table;
  /** Of the bytes: another worker goes on behind a row only in the very same table. */
  readonly digest: string;
}

/** A table over HTTP: it is fetched whole to a temporary file and read from there row by row, so that a slow run holds no connection. */
@Injectable()
export class TableSource implements ObjectSourcePort {
  readonly kind = 'http_csv';

  constructor(private readonly http: SourceHttp) {}

  async *readPages({ config, cursor, ...asked }: SourceQuestion): AsyncGenerator<SourcePage, void> {
    if (config.kind !== 'http_csv') throw new Error(`${config.kind} is read by another adapter.`);
    const { table, digest } = await this.fetch(config, asked);
    try {
      yield* paged(table, { digest, after: cursor?.['digest'] === digest ? Number(cursor['row'] ?? 0) : 0 });
    } catch (error) {
      throw error instanceof Problem && error.code === 'validation_failed'
        ? new Problem('unprocessable_content', sentenceOf(error))
        : error;
    } finally {
      await table.close();
    }
  }

  private fetch(
    config: TableSourceConfig,
    { credentials, signal, once, tried, waiting, mostBytes = MOST_BYTES }: Omit<SourceQuestion, 'config' | 'cursor'>,
  ): Promise<Fetched> {
    return this.http.sendRequest(
      {
        url: config.url,
        headers: { accept: ACCEPTS[config.format], ...config.headers, ...authHeaders(config.auth, credentials) },
        maxBytes: MOST_BYTES,
        timeouts: TIMEOUTS,
        signal,
        once,
        tried,
        waiting,
      },
      async ({ body }) => {
        // It may break off before the file is open; its reader then gets the same problem.
        let broken: Error | undefined;
        body.on('error', (error: Error) => (broken = error));
        const hash = createHash('sha256');
        const hashed = Readable.from(
          (async function* () {
            try {
              for await (const piece of upTo(mostBytes, body as AsyncIterable<Buffer>)) {
                hash.update(piece);
                yield piece;
              }
            } catch (error) {
              throw broken ?? error;
            }
          })(),
          { objectMode: false },
        );
        const table = await Tabular.open(hashed, {
          format: config.format,
          delimiter: config.delimiter ?? undefined,
          encoding: config.encoding ?? undefined,
          limits: { maxBytes: MOST_BYTES },
          what: 'table of the source',
        });
        return { table, digest: hash.digest('base64url') };
      },
    );
  }
}

/** The bytes up to a limit, where the last line ends that is whole. */
async function* upTo(most: number, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let read = 0;
  for await (const piece of body) {
    const left = most - read;
    read += piece.length;
    if (piece.length > left) {
      yield piece.subarray(0, piece.subarray(0, left).lastIndexOf(NEWLINE) + 1);
      return;
    }
    yield piece;
  }
}

async function* paged(
  table: Table,
  { digest, after }: { readonly digest: string; readonly after: number },
): AsyncGenerator<SourcePage, void> {
  const cursorAt = (row: number): JsonObject => ({ row, digest });
  let begins = after;
  let ends = after;
  let rows: SourceRow[] = [];
  for await (const record of table.records()) {
    if (record.number <= after) continue;
    if (rows.length === ROWS_A_PAGE) {
      yield { cursor: cursorAt(begins), rows, next: cursorAt(ends), total: null };
      begins = ends;
      rows = [];
    }
    rows.push(rowOf(record));
    ends = record.number;
  }
  yield { cursor: cursorAt(begins), rows, next: null, total: null };
}

const rowOf = ({ number, values, fault }: TableRecord): SourceRow =>
  fault === undefined ? sourceRow(values, `Row ${number}`) : { value: null, fault: `Row ${number}: ${fault}` };

const sentenceOf = ({ errors, detail }: Problem): string => `The table cannot be read. ${errors?.[0]?.message ?? detail}`;
