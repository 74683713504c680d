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
  type Sql,
} from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { FileAnalysis, type MissingField } from '../domain/file-analysis';

/** An analysis as clients see it. */
export type AnalysisRow = Pick<
  FileAnalysis,
  | 'fa_id'
  | 'fa_file'
  | 'fa_version'
  | 'fa_schema'
  | 'fa_schema_version'
  | 'fa_status'
  | 'fa_live'
  | 'fa_result'
  | 'fa_confidence'
  | 'fa_edited'
  | 'fa_machine'
  | 'fa_model'
  | 'fa_credits'
  | 'fa_error'
  | 'fa_created'
  | 'fa_updated'
  | 'fa_created_by'
> & { readonly fa_missing: readonly MissingField[] };

/** Which analyses stand between a wish for one and its row. */
export interface CurrentAnalyses {
  readonly live: AnalysisRow | null;
  readonly open: AnalysisRow | null;
}

/** A current analysis of a file. */
export interface LatestAnalysis {
  readonly fa_id: string;
  readonly fa_schema: string;
  /** Null when the schema is gone. */
  readonly mas_name: string | null;
  readonly fa_status: string;
  readonly fa_result: JsonObject;
  readonly fa_updated: string;
}

const OPEN = sql`r.fa_status IN ('queued', 'running')`;

/** What was found out about files. */
@Injectable()
export class FileAnalysesRepository extends ResourceRepository<FileAnalysis> {
  constructor(db: Database) {
    super(db, FileAnalysis, 'analysis');
  }

  listAnalyses(query: ListParameters, where: Sql): Promise<Page<AnalysisRow>> {
    return listPage<AnalysisRow>(this.db.current(), FileAnalysis, query, { select: sql`r.fa_missing`, where });
  }

  findAnalysisRow(fa_id: string): Promise<(AnalysisRow & { row_version: number }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(FileAnalysis)}, r.fa_missing, r.row_version FROM file_analysis r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.fa_id = ${fa_id}`,
      );
  }

  /** One wish at a time for a file and a schema. */
  async lockRequest(file: string, schema: string): Promise<void> {
    await this.db
      .current()
      .query(
        sql`SELECT pg_advisory_xact_lock(hashtextextended('analysis:' || ${requireScope().tenant_id}::text || ${file}::text || ${schema}::text, 0))`,
      );
  }

  async findCurrentAnalyses(file: string, schema: string): Promise<CurrentAnalyses> {
    const rows = await this.db
      .current()
      .query<AnalysisRow>(
        sql`SELECT ${columnsOf(FileAnalysis)}, r.fa_missing FROM file_analysis r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.fa_file = ${file} AND r.fa_schema = ${schema} AND (r.fa_live OR ${OPEN})`,
      );
    return {
      live: rows.find(({ fa_live }) => fa_live) ?? null,
      open: rows.find(({ fa_status }) => fa_status === 'queued' || fa_status === 'running') ?? null,
    };
  }

  /** The analysis that one file job made of a file, if it came to that. */
  findAnalysisOfJob(file: string, schema: string, job: string): Promise<Pick<FileAnalysis, 'fa_id' | 'fa_status'> | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT r.fa_id, r.fa_status FROM file_analysis r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.fa_file = ${file} AND r.fa_schema = ${schema} AND r.fa_job = ${job} ORDER BY r.fa_created DESC LIMIT 1`,
      );
  }

  /** The current one of a file and a schema, locked; null when there is none besides. */
  async lockLive(file: string, schema: string, except: string): Promise<FileAnalysis | null> {
    const row = await this.db
      .current()
      .first<{ fa_id: string }>(
        sql`SELECT r.fa_id FROM file_analysis r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.fa_file = ${file} AND r.fa_schema = ${schema} AND r.fa_live AND r.fa_id <> ${except} FOR UPDATE`,
      );
    return row ? this.lock(row.fa_id) : null;
  }

  /** The newest of the history that may be current again when the current one is deleted. */
  async lockSuccessor(file: string, schema: string, except: string): Promise<FileAnalysis | null> {
    const row = await this.db.current().first<{ fa_id: string }>(
      sql`SELECT r.fa_id FROM file_analysis r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.fa_file = ${file} AND r.fa_schema = ${schema} AND r.fa_status IN ('completed', 'partial') AND r.fa_id <> ${except}
          ORDER BY r.fa_created DESC, r.fa_id DESC LIMIT 1 FOR UPDATE`,
    );
    return row ? this.lock(row.fa_id) : null;
  }

  /** Some of those that wait for credits, behind an id. */
  findWaiting(after: string | null, most: number): Promise<Pick<FileAnalysis, 'fa_id' | 'fa_file' | 'fa_schema'>[]> {
    return this.db.current().query(sql`
      SELECT r.fa_id, r.fa_file, r.fa_schema FROM file_analysis r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.fa_lacks_credits AND (${after}::uuid IS NULL OR r.fa_id > ${after}::uuid) ORDER BY r.fa_id LIMIT ${most}`);
  }

  async endWait(fa_id: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE file_analysis SET fa_lacks_credits = false WHERE tenant_id = ${requireScope().tenant_id} AND fa_id = ${fa_id} AND fa_lacks_credits`,
      );
  }

  /** The current analyses of a file with the names of their schemas, the newest first. */
  findLatest(file: string): Promise<LatestAnalysis[]> {
    return this.db.current().query<LatestAnalysis & Record<string, unknown>>(
      sql`SELECT a.fa_id, a.fa_schema, s.mas_name, a.fa_status, a.fa_result, a.fa_updated
          FROM file_analysis a LEFT JOIN media_analysis_schema s ON s.tenant_id = a.tenant_id AND s.mas_id = a.fa_schema
          WHERE a.tenant_id = ${requireScope().tenant_id} AND a.fa_file = ${file}::uuid AND a.fa_live ORDER BY a.fa_updated DESC, a.fa_id`,
    );
  }

  /** The current analyses of a file, of all schemas. */
  findResults(file: string): Promise<{ readonly fa_result: JsonObject }[]> {
    return this.db
      .current()
      .query(
        sql`SELECT r.fa_result FROM file_analysis r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.fa_file = ${file} AND r.fa_live ORDER BY r.fa_schema`,
      );
  }
}
