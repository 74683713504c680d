import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';
import type { AccessLogRow } from '../domain/access-log-row';
import { searchedText } from '../domain/searched-text';
import { WireRows } from './row-wire';

/** Columns of `access_log_line`. */
const COLUMNS = 30;

/** The table of the access log, across workspaces: it is written through a definer function alone. */
@Injectable()
export class AccessLogRows {
  private type: number | undefined;
  /** Unless a batch is being sent. */
  private spare: WireRows | undefined;

  constructor(private readonly db: Database) {}

  /** Writes the rows in one statement; those that are there already stay as they are. */
  async appendRows(rows: readonly AccessLogRow[]): Promise<void> {
    const wire = this.spare ?? new WireRows(COLUMNS);
    this.spare = undefined;
    try {
      const lines = linesOf(rows, wire, (this.type ??= await this.typeOfLines()));
      await this.db.queryAcrossTenants('SELECT access_log_write($1::access_log_line[])', [lines]);
    } catch (error) {
      // Another database may have taken the place of the one that was asked.
      this.type = undefined;
      throw error;
    } finally {
      this.spare = wire;
    }
  }

  private async typeOfLines(): Promise<number> {
    const [found] = await this.db.queryAcrossTenants<{ type: number }>("SELECT 'access_log_line'::regtype::oid::bigint AS type");
    if (!found) throw new Error('There is no type of lines of the access log.');
    return found.type;
  }
}

function linesOf(rows: readonly AccessLogRow[], wire: WireRows, type: number): Buffer {
  wire.begin(type, rows.length);
  for (const row of rows) wire.writeRow(() => putLine(wire, row));
  return wire.finish();
}

/** The columns of a row, in their order. */
function putLine(wire: WireRows, row: AccessLogRow): void {
  const [params, query, body] = [json(row.log_params), json(row.log_query), json(row.log_body)];
  const searched = searchedText(row.log_url, [query, params, body]);
  wire.uuid(row.tenant_id);
  wire.uuid(row.log_id);
  wire.moment(millisecondsOf(row.log_timestamp));
  wire.uuid(row.log_user);
  wire.uuid(row.log_key);
  wire.uuid(null);
  wire.uuid(row.log_session);
  wire.text(row.log_principal);
  wire.text(row.log_method);
  wire.text(row.log_url);
  wire.text(row.log_route);
  wire.text(row.log_operation);
  wire.json(params);
  wire.json(query);
  wire.json(body);
  wire.whole(row.log_status);
  wire.text(row.log_code);
  wire.real(row.log_duration_ms);
  wire.large(row.log_bytes_in);
  wire.large(row.log_bytes_out);
  wire.text(row.log_ip);
  wire.text(row.log_user_agent);
  wire.text(row.log_request_id);
  wire.text(row.log_trace_id);
  wire.text(row.log_idempotency_key);
  wire.flag(row.log_replayed);
  wire.text(row.log_permission);
  wire.flag(row.log_sampled);
  wire.text(searched?.text);
  wire.uuids(searched?.ids);
}

const json = (value: JsonValue | undefined): string | undefined => (value === undefined ? undefined : JSON.stringify(value));

/** Rows that waited in Redis come with what JSON makes of a moment. */
const millisecondsOf = (moment: Date | string): number => (typeof moment === 'string' ? Date.parse(moment) : moment.getTime());
