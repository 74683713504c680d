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
import { RelationType } from './relation-type';

/** A type as answers show it. */
export type RelationTypeRow = Omit<RelationType, 'tenant_id' | 'row_version' | 'define'> & { readonly row_version?: number };

/** The kinds of links of a workspace. */
@Injectable()
export class RelationTypesRepository extends ResourceRepository<RelationType> {
  constructor(db: Database) {
    super(db, RelationType, 'relation type');
  }

  listTypes(query: ListParameters): Promise<Page<RelationTypeRow>> {
    return listPage<RelationTypeRow>(this.db.current(), RelationType, query);
  }

  findTypeRow(id: string): Promise<RelationTypeRow | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(RelationType)}, r.row_version FROM document_relation_type r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rt_id = ${id}`,
      );
  }

  /** How many there are; nobody else adds one in the meantime. */
  async countLocked(): Promise<number> {
    const { tenant_id } = requireScope();
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`relation-types:${tenant_id}`}, 0))`);
    const row = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*) FROM document_relation_type WHERE tenant_id = ${tenant_id}`);
    return row?.count ?? 0;
  }

  /** The type stays as it is until the unit of work ends. */
  async lockTypeShared(id: string): Promise<Pick<RelationType, 'rt_id' | 'rt_symmetric'> | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT rt_id, rt_symmetric FROM document_relation_type WHERE tenant_id = ${requireScope().tenant_id} AND rt_id = ${id} FOR SHARE`,
      );
  }
}
