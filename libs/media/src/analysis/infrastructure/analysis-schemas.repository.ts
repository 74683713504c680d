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
import { MediaAnalysisSchema } from '../domain/analysis-schema';

/** A schema as clients see it. */
export type SchemaRow = Omit<MediaAnalysisSchema, 'tenant_id' | 'row_version' | 'take' | 'isFor' | 'asksModel' | 'asksModelAlone'>;

/** Schemas of analyses. */
@Injectable()
export class AnalysisSchemasRepository extends ResourceRepository<MediaAnalysisSchema> {
  constructor(db: Database) {
    super(db, MediaAnalysisSchema, 'analysis schema');
  }

  listSchemas(query: ListParameters): Promise<Page<SchemaRow>> {
    return listPage<SchemaRow>(this.db.current(), MediaAnalysisSchema, query, { select: sql`r.mas_fields` });
  }

  findSchemaRow(mas_id: string): Promise<(SchemaRow & { row_version: number }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(MediaAnalysisSchema)}, r.mas_fields, r.row_version FROM media_analysis_schema r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.mas_id = ${mas_id}`,
      );
  }

  async hasName(mas_name: string, except: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(
        sql`SELECT 1 FROM media_analysis_schema r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.mas_name = ${mas_name} AND r.mas_id <> ${except}`,
      );
    return row !== undefined;
  }

  async countSchemas(): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*) FROM media_analysis_schema r WHERE r.tenant_id = ${requireScope().tenant_id}`);
    return Number(row?.count ?? 0);
  }

  /** The schema of a name, as searches ask for it. */
  findByName(mas_name: string): Promise<Pick<SchemaRow, 'mas_id' | 'mas_fields'> | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT r.mas_id, r.mas_fields FROM media_analysis_schema r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.mas_name = ${mas_name}`,
      );
  }

  /** Ids and kinds of the schemas by which new files are analysed. */
  findAutomatic(): Promise<{ readonly mas_id: string; readonly mas_kinds: readonly string[] }[]> {
    return this.db
      .current()
      .query(
        sql`SELECT r.mas_id, r.mas_kinds FROM media_analysis_schema r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.mas_auto AND r.mas_active ORDER BY r.mas_id`,
      );
  }
}
