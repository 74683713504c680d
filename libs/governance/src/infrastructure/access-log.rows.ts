import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';
import type { AccessLogRow } from '../domain/access-log-row';
import { searchedText, type SearchedText } from '../domain/searched-text';
import { arrayOf, arrayOfTexts } from './array-literals';

/** A row with its parts as JSON, each written once, and what of it is searched. */
interface Prepared {
  readonly row: AccessLogRow;
  readonly params: string | undefined;
  readonly query: string | undefined;
  readonly body: string | undefined;
  readonly searched: SearchedText | undefined;
}

type Column = readonly [type: string, literal: (rows: readonly Prepared[]) => string];

const plain = (type: string, of: (row: AccessLogRow) => string | number | boolean | undefined): Column => [type, (rows) => arrayOf(rows, ({ row }) => of(row))];
const text = (of: (prepared: Prepared) => string | undefined, type = 'text'): Column => [type, (rows) => arrayOfTexts(rows, of)];

/** In the order of `access_log_write`. Ids, numbers and flags need no quotes; everything else does. */
const COLUMNS: readonly Column[] = [
  plain('uuid', (row) => row.tenant_id),
  plain('uuid', (row) => row.log_id),
  text(({ row }) => timestamp(row.log_timestamp), 'timestamptz'),
  plain('uuid', (row) => row.log_user),
  plain('uuid', (row) => row.log_key),
  plain('uuid', () => undefined),
  plain('uuid', (row) => row.log_session),
  text(({ row }) => row.log_principal),
  text(({ row }) => row.log_method),
  text(({ row }) => row.log_url),
  text(({ row }) => row.log_route),
  text(({ row }) => row.log_operation),
  text(({ params }) => params, 'jsonb'),
  text(({ query }) => query, 'jsonb'),
  text(({ body }) => body, 'jsonb'),
  plain('integer', (row) => row.log_status),
  text(({ row }) => row.log_code),
  plain('double precision', (row) => row.log_duration_ms),
  plain('bigint', (row) => row.log_bytes_in),
  plain('bigint', (row) => row.log_bytes_out),
  text(({ row }) => row.log_ip),
  text(({ row }) => row.log_user_agent),
  text(({ row }) => row.log_request_id),
  text(({ row }) => row.log_trace_id),
  text(({ row }) => row.log_idempotency_key),
  plain('boolean', (row) => row.log_replayed),
  text(({ row }) => row.log_permission),
  plain('boolean', (row) => row.log_sampled),
  text(({ searched }) => searched?.text),
  text(({ searched }) => searched?.ids && `{${[...searched.ids].join(',')}}`),
];

const WRITE = `SELECT access_log_write(${COLUMNS.map(([type], i) => `$${i + 1}::${type}[]`).join(', ')})`;

/** The table of the access log, across workspaces: it is written through a definer function alone. */
@Injectable()
export class AccessLogRows {
  constructor(private readonly db: Database) {}

  /** Writes the rows in one statement, column by column; those that are there already stay as they are. */
  async append(rows: readonly AccessLogRow[]): Promise<void> {
    const prepared = rows.map(prepare);
    const values = COLUMNS.map(([, literal]) => literal(prepared));
    await this.db.acrossTenants((tx) => tx.query(WRITE, values));
  }
}

function prepare(row: AccessLogRow): Prepared {
  const [params, query, body] = [json(row.log_params), json(row.log_query), json(row.log_body)];
  return { row, params, query, body, searched: searchedText(row.log_url, [query, params, body]) };
}

const json = (value: JsonValue | undefined): string | undefined => (value === undefined ? undefined : JSON.stringify(value));

/** Rows that waited in Redis come with what JSON makes of a moment. */
const timestamp = (moment: Date | string): string => (typeof moment === 'string' ? moment : moment.toISOString());
