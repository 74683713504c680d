import { Injectable } from '@nestjs/common';
import { SECOND } from '@atrium/platform/kernel';
import { GuardedSockets, OutboundRetries } from '@atrium/platform/outbound';
import type { ObjectSourcePort, SourcePage, SourceQuestion } from '../domain/source-port';
import type { SqlSourceConfig } from '../domain/sql-config';
import { SqlPages, type SqlAnswer } from '../domain/sql-pages';
import { SqlConnection } from './sql-connection';
import { sqlProblem } from './sql-faults';

/** Statements of a page that may take as long as the setting says. */
const SLOW_STATEMENTS = 2;
/** Rows of a page where only its beginning is shown. */
const ROWS_SHOWN = 10;
/** For the connection and everything else of a page. */
const SLACK_MS = 20 * SECOND;

type Asked = Pick<SourceQuestion, 'credentials' | 'signal'>;

/**
 * Rows of a PostgreSQL database. Each page has a connection and a transaction of its own: between pages, which can be far apart, the
 * customer's server holds neither a snapshot nor a place, and nothing that a query has set is left for the next page.
 */
@Injectable()
export class SqlSource implements ObjectSourcePort {
  readonly kind = 'sql';

  constructor(
    private readonly sockets: GuardedSockets,
    private readonly retries: OutboundRetries,
  ) {}

  async *readPages({ config, credentials, cursor, ...asked }: SourceQuestion): AsyncGenerator<SourcePage, void> {
    if (config.kind !== 'sql') throw new Error(`${config.kind} is read by another adapter.`);
    const pages = new SqlPages(asked.mostBytes === undefined ? config : { ...config, pageSize: Math.min(config.pageSize, ROWS_SHOWN) });
    for (let after = pages.placeOf(cursor), tried = asked.tried; ; tried = 0) {
      const page = await this.retries.askWithRetries({ ...asked, tried }, () =>
        this.page(config, pages, { after, credentials, signal: asked.signal }),
      );
      yield page;
      if (page.next === null) return;
      after = pages.placeOf(page.next);
    }
  }

  private async page(
    config: SqlSourceConfig,
    pages: SqlPages,
    { after, credentials, signal }: Asked & { readonly after: string | null },
  ): Promise<SourcePage> {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(SLOW_STATEMENTS * config.timeoutSeconds * SECOND + SLACK_MS)]);
    try {
      const connection = await SqlConnection.open(this.sockets, { config, credentials, signal: inTime });
      try {
        // Rows without a key come behind all pages; they are looked for once, before anything is written.
        if (after === null && (await connection.runStatement(pages.keyless)).rows.length > 0) throw pages.withoutKey();
        const answer = await connection.runStatement(pages.pageStatement(after));
        return pages.readPage(answer, after, await listsOf(connection, pages.ownTypes(answer)));
      } finally {
        connection.close();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw sqlProblem(error, { config, queryAt: pages.queryAt });
    }
  }
}

/** Which of these types are lists, and of what. */
async function listsOf(connection: SqlConnection, types: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (types.length === 0) return new Map();
  const { rows }: SqlAnswer = await connection.runStatement({
    text: `SELECT t.oid, t.typelem FROM pg_catalog.pg_type t WHERE t.oid = ANY ($1::oid[]) AND t.typcategory = 'A' AND t.typelem <> 0 AND t.typdelim = ','`,
    values: [`{${types.join(',')}}`],
  });
  return new Map(rows.map(([list, held]) => [Number(list), Number(held)]));
}
