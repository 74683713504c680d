import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  raw,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { StorageProvider } from '../domain/storage-provider';
import { storedNow } from './storage.rows';

export type ProviderRow = Omit<
  StorageProvider,
  'assertOwn' | 'verified' | 'becomeDefault' | 'assertRemovable' | 'sto_credential' | 'tenant_id' | 'row_version'
>;
export type ProviderDetail = ProviderRow & { readonly row_version: number };

const HELD_THERE = (): Sql => sql`
  LEFT JOIN LATERAL (SELECT sum(con_bytes)::bigint AS bytes, sum(con_objects)::bigint AS objects FROM ${storedNow()} held WHERE held.con_provider = r.sto_id) h ON true`;

/** Providers with the amounts they store. The platform's own row does not show its location: that concerns the operator only. */
@Injectable()
export class StorageProvidersRepository extends ResourceRepository<StorageProvider> {
  constructor(db: Database) {
    super(db, StorageProvider, 'storage provider');
  }

  listProviders(query: ListParameters, platformKind: string): Promise<Page<ProviderRow>> {
    return listPage<ProviderRow>(this.db.current(), StorageProvider, query, { select: shown(platformKind), join: HELD_THERE() });
  }

  findProviderDetail(sto_id: string, platformKind: string): Promise<ProviderDetail | undefined> {
    return this.db.current().first<ProviderDetail & { [column: string]: unknown }>(sql`
      SELECT ${columnsOf(StorageProvider)}, r.row_version, ${shown(platformKind)} FROM storage_provider r ${HELD_THERE()} WHERE r.tenant_id = ${requireScope().tenant_id} AND r.sto_id = ${sto_id}`);
  }

  /** Every workspace has the platform's own, as its default as long as it has chosen no other. */
  async ensurePlatform(): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`
      INSERT INTO storage_provider (tenant_id, sto_id, sto_name, sto_managed_by, sto_default, sto_status) VALUES (${tenant_id}, ${tenant_id}, 'Platform storage', 'platform', true, 'ok') ON CONFLICT DO NOTHING`);
  }

  /** How many there are, and whether another one has the name. Nobody else adds one until the unit of work ends. */
  async summarizeSiblings({ sto_id, sto_name }: StorageProvider): Promise<{ readonly count: number; readonly twin: boolean }> {
    const { tenant_id } = requireScope();
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`storage-providers:${tenant_id}`}, 0))`);
    const row = await this.db.current().first<{ count: number; twin: boolean }>(sql`
      SELECT count(*) AS count, coalesce(bool_or(sto_id <> ${sto_id}::uuid AND folded(sto_name) = folded(${sto_name})), false) AS twin FROM storage_provider WHERE tenant_id = ${tenant_id}`);
    return row ?? { count: 0, twin: false };
  }

  async hasObjects(sto_id: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first<{ objects: number }>(
        sql`SELECT coalesce(sum(con_objects), 0)::bigint AS objects FROM ${storedNow()} held WHERE con_provider = ${sto_id}::uuid`,
      );
    return (row?.objects ?? 0) !== 0;
  }

  async findDefaultId(): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ sto_id: string }>(sql`SELECT sto_id FROM storage_provider WHERE tenant_id = ${requireScope().tenant_id} AND sto_default`);
    return row?.sto_id ?? null;
  }

  /** The default, if the workspace brought it. */
  async findOwnDefaultProvider(): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ sto_id: string }>(
        sql`SELECT sto_id FROM storage_provider WHERE tenant_id = ${requireScope().tenant_id} AND sto_default AND sto_managed_by = 'workspace'`,
      );
    return row?.sto_id ?? null;
  }

  /** Ids of all that the workspace brought. */
  async findOwnProviders(): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ sto_id: string }>(
        sql`SELECT sto_id FROM storage_provider WHERE tenant_id = ${requireScope().tenant_id} AND sto_managed_by = 'workspace'`,
      );
    return rows.map(({ sto_id }) => sto_id);
  }

  /** The one that is the default now, which is it no more. */
  async dropDefault(): Promise<string | null> {
    const row = await this.db.current().first<{ sto_id: string }>(sql`
      UPDATE storage_provider SET sto_default = false, row_version = row_version + 1, sto_updated = now() WHERE tenant_id = ${requireScope().tenant_id} AND sto_default RETURNING sto_id`);
    return row?.sto_id ?? null;
  }

  async findProviderNames(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.db
      .current()
      .query<{ sto_id: string; sto_name: string }>(
        sql`SELECT sto_id, sto_name FROM storage_provider WHERE tenant_id = ${requireScope().tenant_id}`,
      );
    return new Map(rows.map(({ sto_id, sto_name }) => [sto_id, sto_name]));
  }
}

const shown = (platformKind: string): Sql => sql`
  CASE WHEN r.sto_managed_by = 'platform' THEN ${platformKind}::text ELSE r.sto_kind END AS ${raw('sto_kind')}, coalesce(h.bytes, 0) AS sto_bytes, coalesce(h.objects, 0) AS sto_objects`;
