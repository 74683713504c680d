import { Injectable } from '@nestjs/common';
import {
  Database,
  decodeCursor,
  encodeCursor,
  literalPattern,
  requireScope,
  sql,
  type Page,
  type UnitOfWork,
} from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { WorkspaceStatus } from '../domain/workspace-life';

/** A workspace as it is stored, as far as operators see it. */
export interface OperatedWorkspace {
  readonly ws_id: string;
  readonly row_version: number;
  readonly ws_name: string;
  readonly ws_slug: string;
  readonly ws_status: WorkspaceStatus;
  readonly ws_status_reason: string | null;
  readonly ws_locale: string;
  readonly ws_timezone: string;
  readonly ws_contact_email: string | null;
  readonly ws_metadata: JsonObject;
  readonly ws_seat_limit: number | null;
  readonly ws_external_id: string | null;
  readonly ws_delete_after: string | null;
  readonly ws_created: string;
  readonly ws_updated: string;
}

export interface WorkspaceFilters {
  readonly ws_name?: string | undefined;
  readonly ws_slug?: string | undefined;
  readonly ws_status?: string | undefined;
  readonly ws_external_id?: string | undefined;
}

/** People and modules of one workspace. */
export interface SeatCounts {
  readonly ws_id: string;
  readonly users: number;
  readonly seats: number;
  readonly modules: readonly string[];
}

export interface PurgeProgress {
  readonly ws_purge: Readonly<Record<string, { readonly done: number; readonly total: number }>>;
  readonly deleted_at: string | null;
  readonly counts: Readonly<Record<string, number>> | null;
}

/** What a sweep of all workspaces leaves to do. */
export interface SweptIdentity {
  /** Deleted workspaces whose grace is over and that no job purges. */
  readonly overdue: readonly string[];
  /** Workspaces purged of late. */
  readonly buried: readonly string[];
}

const COLUMNS = sql`ws_id, row_version, ws_name, ws_slug, ws_status, ws_status_reason, ws_locale, ws_timezone, ws_contact_email, ws_metadata, ws_seat_limit, ws_external_id, ws_delete_after, ws_created, ws_updated`;
const ORDER = '-ws_created';
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

type Row<T> = T & Record<string, unknown>;

/** Workspaces as operators reach them: all of them through the listed functions, one of them within itself. */
@Injectable()
export class WorkspaceLifeRows {
  constructor(private readonly db: Database) {}

  /** The workspace at hand; locked where it is to be changed. */
  findCurrentWorkspace({ lock = false } = {}): Promise<OperatedWorkspace | undefined> {
    return this.db
      .current()
      .first<Row<OperatedWorkspace>>(
        sql`SELECT ${COLUMNS} FROM workspace WHERE tenant_id = ${requireScope().tenant_id} ${lock ? sql`FOR UPDATE` : sql``}`,
      );
  }

  /** Makes a workspace with its roles, its licences and its owner, whose id it returns. */
  async insertWorkspace(spec: object): Promise<{ readonly user_id: string } | undefined> {
    const row = await this.db.current().first<{ made: { user_id: string } }>('SELECT ws_provision($1) AS made', [JSON.stringify(spec)]);
    return row?.made;
  }

  async listWorkspaces(
    { ws_name, ...filters }: WorkspaceFilters,
    { cursor, limit }: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
  ): Promise<Page<OperatedWorkspace>> {
    const size = Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT);
    const after = decodeCursor(cursor, ORDER);
    const wanted = JSON.stringify({ ...filters, ...(ws_name === undefined ? {} : { ws_name: `%${literalPattern(ws_name)}%` }) });
    const rows = await this.db.acrossTenants((tx) =>
      tx.query<Row<OperatedWorkspace>>(
        sql`SELECT ${COLUMNS} FROM ws_page(${wanted}::jsonb, ${after?.key ?? null}::timestamptz, ${after?.id ?? null}::uuid, ${size + 1})`,
      ),
    );
    const has_more = rows.length > size;
    const data = rows.slice(0, size);
    const last = data.at(-1);
    return { data, has_more, next_cursor: has_more && last ? encodeCursor({ sort: ORDER, key: last.ws_created, id: last.ws_id }) : null };
  }

  async findWorkspaceCounts(tx: UnitOfWork, ws_ids: readonly string[]): Promise<ReadonlyMap<string, SeatCounts>> {
    const rows = await tx.query<Row<SeatCounts>>(sql`SELECT ws_id, users, seats, modules FROM ws_user_counts(${[...ws_ids]}::uuid[])`);
    return new Map(rows.map((row) => [row.ws_id, row]));
  }

  async findByExternalId(external_id: string): Promise<string | null> {
    const row = await this.db.acrossTenants((tx) =>
      tx.first<{ ws_id: string | null }>(sql`SELECT ws_find_external(${external_id}) AS ws_id`),
    );
    return row?.ws_id ?? null;
  }

  /** Moves the workspace at hand; with `grace_days` it is deleted so many days from now. When it is purged then. */
  async changeStatus(status: WorkspaceStatus, reason: string | null, grace_days: number | null = null): Promise<string | null> {
    const row = await this.db.current().first<{ ws_delete_after: string | null }>(
      sql`UPDATE workspace SET ws_status = ${status}, ws_status_reason = ${reason}, ws_delete_after = now() + ${grace_days}::integer * interval '1 day', ws_updated = now(), row_version = row_version + 1
          WHERE tenant_id = ${requireScope().tenant_id} RETURNING ws_delete_after`,
    );
    return row?.ws_delete_after ?? null;
  }

  /** Whether the grace of the workspace at hand is over, by the clock of the database. */
  async isOverdue(): Promise<boolean> {
    return (
      (await this.db
        .current()
        .first(sql`SELECT 1 FROM workspace WHERE tenant_id = ${requireScope().tenant_id} AND ws_delete_after <= clock_timestamp()`)) !==
      undefined
    );
  }

  async updateWorkspace(
    facts: Partial<Pick<OperatedWorkspace, 'ws_name' | 'ws_slug' | 'ws_seat_limit' | 'ws_external_id' | 'ws_metadata'>>,
  ): Promise<void> {
    await this.db.current().execute(
      sql`UPDATE workspace w SET ws_name = f.ws_name, ws_slug = f.ws_slug, ws_seat_limit = f.ws_seat_limit, ws_external_id = f.ws_external_id, ws_metadata = f.ws_metadata, ws_updated = now(), row_version = w.row_version + 1
          FROM workspace o, jsonb_populate_record(o, ${JSON.stringify(facts)}::jsonb) f
          WHERE w.tenant_id = ${requireScope().tenant_id} AND o.tenant_id = w.tenant_id`,
    );
  }

  /** Ends what has expired and announces what is about to, in all workspaces. */
  async sweepExpired(now: Date): Promise<SweptIdentity | undefined> {
    const row = await this.db.acrossTenants((tx) => tx.first<{ due: SweptIdentity }>('SELECT auth_sweep($1) AS due', [now]));
    return row?.due;
  }

  async findPurgeProgress(ws_id: string): Promise<PurgeProgress | undefined> {
    return this.db.acrossTenants((tx) =>
      tx.first<Row<PurgeProgress>>(sql`SELECT ws_purge, deleted_at, counts FROM ws_tombstone(${ws_id}::uuid)`),
    );
  }

  async beginPurge(ws_id: string): Promise<boolean> {
    return (
      (await this.db.acrossTenants((tx) => tx.first<{ begun: boolean }>(sql`SELECT ws_purge_begin(${ws_id}::uuid) AS begun`)))?.begun ??
      false
    );
  }

  /** Removes rows of one table, at most so many; how many went. */
  async purgeRows(ws_id: string, table: string, most: number): Promise<number> {
    return (
      (
        await this.db.acrossTenants((tx) =>
          tx.first<{ gone: number }>(sql`SELECT ws_purge_step(${ws_id}::uuid, ${table}, ${most}::integer) AS gone`),
        )
      )?.gone ?? 0
    );
  }

  async notePurge(ws_id: string, step: string, more: number, left: number): Promise<void> {
    await this.db.acrossTenants((tx) => tx.execute(sql`SELECT ws_purge_note(${ws_id}::uuid, ${step}, ${more}::bigint, ${left}::bigint)`));
  }

  async endPurge(ws_id: string): Promise<void> {
    await this.db.acrossTenants((tx) => tx.execute(sql`SELECT ws_purge_end(${ws_id}::uuid)`));
  }
}
