import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type MethodsOf,
  type Page,
} from '@atrium/platform/database';
import type { Platform } from '../../network/domain/platforms';
import { SocialTarget, type ConnectionStatus } from '../domain/social-connection';

/** A target as it is read. */
export type TargetRow = Omit<SocialTarget, 'tenant_id' | 'row_version' | MethodsOf<SocialTarget>>;

/** A target with the connection that posts as it. */
export type ServedTarget = TargetRow & {
  readonly con_status: ConnectionStatus;
  readonly con_removed: Date | null;
  readonly con_scopes: readonly string[];
};

const mine = () => requireScope().tenant_id;

/** The authors that a workspace may post as. */
@Injectable()
export class TargetsRepository extends ResourceRepository<SocialTarget> {
  constructor(db: Database) {
    super(db, SocialTarget, 'target', 'beside');
  }

  listTargetsOf(con_ids: readonly string[]): Promise<TargetRow[]> {
    return this.db
      .current()
      .query(
        sql`SELECT ${columnsOf(SocialTarget)} FROM social_target r WHERE r.tenant_id = ${mine()} AND r.tgt_connection = ANY(${[...con_ids]}::uuid[]) ORDER BY r.tgt_kind DESC, r.tgt_name, r.tgt_id`,
      );
  }

  listEnabledTargets(query: ListParameters): Promise<Page<TargetRow & { readonly con_platform: Platform }>> {
    return listPage(this.db.current(), SocialTarget, query, {
      where: sql`r.tgt_enabled`,
      join: sql`JOIN social_connection c ON c.tenant_id = r.tenant_id AND c.con_id = r.tgt_connection AND c.con_removed IS NULL`,
      select: sql`c.con_platform`,
    });
  }

  findTargetRow(tgt_id: string): Promise<(TargetRow & { readonly row_version: number }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(SocialTarget)}, r.row_version FROM social_target r WHERE r.tenant_id = ${mine()} AND r.tgt_id = ${tgt_id}`,
      );
  }

  /** Targets by their ids, with what serves them. */
  async findServedTargets(ids: readonly string[]): Promise<ReadonlyMap<string, ServedTarget>> {
    const rows = await this.db.current().query<ServedTarget & Record<string, unknown>>(
      sql`SELECT ${columnsOf(SocialTarget)}, c.con_status, c.con_removed, c.con_scopes FROM social_target r
          JOIN social_connection c ON c.tenant_id = r.tenant_id AND c.con_id = r.tgt_connection
          WHERE r.tenant_id = ${mine()} AND r.tgt_id = ANY(${[...ids]}::uuid[])`,
    );
    return new Map(rows.map((row) => [row.tgt_id, row]));
  }

  /** Those among the external ids that are known, locked, and whether the connection that served each is gone. */
  async lockByExternal(
    external_ids: readonly string[],
  ): Promise<readonly { readonly target: SocialTarget; readonly isOrphaned: boolean }[]> {
    const rows = await this.db.current().query<{ tgt_id: string; orphaned: boolean }>(
      sql`SELECT t.tgt_id, c.con_removed IS NOT NULL AS orphaned FROM social_target t JOIN social_connection c ON c.tenant_id = t.tenant_id AND c.con_id = t.tgt_connection
          WHERE t.tenant_id = ${mine()} AND t.tgt_external_id = ANY(${[...external_ids]}::text[])`,
    );
    const orphaned = new Set(rows.filter((row) => row.orphaned).map(({ tgt_id }) => tgt_id));
    return (await this.lockMany(rows.map(({ tgt_id }) => tgt_id))).map((target) => ({ target, isOrphaned: orphaned.has(target.tgt_id) }));
  }

  async lockTargetsOf(con_id: string): Promise<SocialTarget[]> {
    const rows = await this.db
      .current()
      .query<{ tgt_id: string }>(sql`SELECT tgt_id FROM social_target WHERE tenant_id = ${mine()} AND tgt_connection = ${con_id}`);
    return this.lockMany(rows.map(({ tgt_id }) => tgt_id));
  }

  async forbidStats(tgt_id: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE social_target SET tgt_can = tgt_can || '{"read_stats": false}', row_version = row_version + 1 WHERE tenant_id = ${mine()} AND tgt_id = ${tgt_id}`,
      );
  }

  async readWorkspaceZone(): Promise<string> {
    const row = await this.db.current().first<{ ws_timezone: string }>(sql`SELECT ws_timezone FROM workspace WHERE tenant_id = ${mine()}`);
    return row?.ws_timezone ?? 'UTC';
  }
}
