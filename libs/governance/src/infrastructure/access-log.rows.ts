import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';
import type { AccessLogRow } from '../domain/access-log-row';
import { searchedText } from '../domain/searched-text';

const SPECIAL = /["\\]/;
const SPECIALS = /["\\]/g;

/** The table of the access log, across workspaces: it is written through a definer function alone. */
@Injectable()
export class AccessLogRows {
  constructor(private readonly db: Database) {}

  /** Writes the rows in one statement; those that are there already stay as they are. */
  async append(rows: readonly AccessLogRow[]): Promise<void> {
    const lines = `{${rows.map(lineOf).join(',')}}`;
    await this.db.acrossTenants((tx) => tx.query('SELECT access_log_write($1::access_log_line[])', [lines]));
  }
}

/** A row as an element of an array of `access_log_line`. Ids, numbers and flags need no quotes; everything else does. */
function lineOf(row: AccessLogRow): string {
  const [params, query, body] = [json(row.log_params), json(row.log_query), json(row.log_body)];
  const searched = searchedText(row.log_url, [query, params, body]);
  return (
    `"(${row.tenant_id},${row.log_id},${timestamp(row.log_timestamp)},${row.log_user ?? ''},${row.log_key ?? ''},,${row.log_session ?? ''},` +
    `${row.log_principal},${quoted(row.log_method)},${quoted(row.log_url)},${quoted(row.log_route)},${quoted(row.log_operation)},` +
    `${quoted(params)},${quoted(query)},${quoted(body)},${row.log_status},${quoted(row.log_code)},${row.log_duration_ms},${row.log_bytes_in ?? ''},${row.log_bytes_out ?? ''},` +
    `${quoted(row.log_ip)},${quoted(row.log_user_agent)},${quoted(row.log_request_id)},${quoted(row.log_trace_id)},${quoted(row.log_idempotency_key)},` +
    `${row.log_replayed},${quoted(row.log_permission)},${row.log_sampled},${quoted(searched?.text)},${quoted(searched?.ids && `{${[...searched.ids].join(',')}}`)})"`
  );
}

const json = (value: JsonValue | undefined): string | undefined => (value === undefined ? undefined : JSON.stringify(value));

/** Rows that waited in Redis come with what JSON makes of a moment. */
const timestamp = (moment: Date | string): string => (typeof moment === 'string' ? moment : moment.toISOString());

/** A text as a field of a row within an array: quoted for both. Nothing at all is null. */
function quoted(text: string | null | undefined): string {
  if (text === undefined || text === null) return '';
  return `\\"${SPECIAL.test(text) ? text.replace(SPECIALS, (sign) => (sign === '"' ? '\\"\\"' : '\\\\\\\\')) : text}\\"`;
}
