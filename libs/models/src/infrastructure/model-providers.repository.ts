import { Injectable } from '@nestjs/common';
import { columnsOf, Database, requireScope, ResourceRepository, sql } from '@atrium/platform/database';
import { ModelProvider } from '../domain/model-provider';

/** A provider as clients see it. */
export type ProviderRow = Omit<ModelProvider, 'tenant_id' | 'row_version' | 'take' | 'mp_key_enc' | 'mp_key_id'> & {
  readonly mp_key_set: boolean;
};

/** An active provider, with its credential still sealed. */
export type ActiveProvider = Pick<ModelProvider, 'mp_name' | 'mp_type' | 'mp_base_url' | 'mp_models' | 'mp_key_enc'>;

const KEY_SET = sql`r.mp_key_id IS NOT NULL AS mp_key_set`;

/** Model providers of workspaces. */
@Injectable()
export class ModelProvidersRepository extends ResourceRepository<ModelProvider> {
  constructor(db: Database) {
    super(db, ModelProvider, 'model provider');
  }

  /** All of the workspace, newest first. */
  listProviders(): Promise<ProviderRow[]> {
    return this.db
      .current()
      .query(
        sql`SELECT ${columnsOf(ModelProvider)}, ${KEY_SET} FROM model_provider r WHERE r.tenant_id = ${requireScope().tenant_id} ORDER BY r.mp_created DESC, r.mp_id DESC`,
      );
  }

  /** How many there are; no other one is added until this unit of work ends. */
  async countForAddition(): Promise<number> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('model providers:' || ${tenant_id}::text, 0))`);
    const row = await tx.first<{ n: number }>(sql`SELECT count(*)::int AS n FROM model_provider r WHERE r.tenant_id = ${tenant_id}`);
    return row?.n ?? 0;
  }

  /** Keeps the provider of that name, if there is one, from being changed or removed until this unit of work ends. */
  async lockProvider(mp_name: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`SELECT 1 FROM model_provider r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.mp_name = ${mp_name} FOR SHARE OF r`,
      );
  }

  findProviderRow(mp_id: string): Promise<(ProviderRow & { row_version: number }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(ModelProvider)}, r.row_version, ${KEY_SET} FROM model_provider r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.mp_id = ${mp_id}`,
      );
  }

  /** Those that may be asked, oldest first. */
  findActiveProviders(): Promise<ActiveProvider[]> {
    return this.db.query(
      sql`SELECT r.mp_name, r.mp_type, r.mp_base_url, r.mp_models, r.mp_key_enc FROM model_provider r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.mp_active ORDER BY r.mp_created, r.mp_id`,
    );
  }

  async hasName(mp_name: string, except: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(
        sql`SELECT 1 FROM model_provider r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.mp_name = ${mp_name} AND r.mp_id <> ${except}`,
      );
    return row !== undefined;
  }
}
