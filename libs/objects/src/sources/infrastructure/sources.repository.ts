import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
} from '@atrium/platform/database';
import { ObjectSource } from '../domain/object-source';

/** A source as it is read. */
export type SourceRow = Omit<
  ObjectSource,
  'tenant_id' | 'row_version' | 'osr_credentials' | 'osr_next' | 'osr_removed' | 'config' | 'mapping' | 'change' | 'plan' | 'ran' | 'remove'
> & {
  readonly osr_credentials_set: boolean;
  /** Of a source that is read by itself. */
  readonly row_version?: number;
};

const BESIDE = sql`r.osr_credentials IS NOT NULL AS osr_credentials_set`;

/** The sources of objects. */
@Injectable()
export class SourcesRepository extends ResourceRepository<ObjectSource> {
  constructor(db: Database) {
    super(db, ObjectSource, 'source');
  }

  listSources(query: ListParameters): Promise<Page<SourceRow>> {
    return listPage<SourceRow>(this.db.current(), ObjectSource, query, { where: sql`r.osr_removed IS NULL`, select: BESIDE });
  }

  findSourceRow(osr_id: string): Promise<SourceRow | undefined> {
    return this.db
      .current()
      .first<SourceRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(ObjectSource)}, r.row_version, ${BESIDE} FROM object_source r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.osr_id = ${osr_id} AND r.osr_removed IS NULL`,
      );
  }

  async countSources(): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM object_source r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.osr_removed IS NULL`,
      );
    return row?.count ?? 0;
  }

  /** Sources of all workspaces whose time has come. */
  findDueSources(most: number): Promise<readonly { readonly tenant_id: string; readonly osr_id: string }[]> {
    return this.db.acrossTenants((tx) => tx.query<{ tenant_id: string; osr_id: string }>('SELECT * FROM object_sources_due($1)', [most]));
  }
}
