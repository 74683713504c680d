import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, join, requireScope, sql, type Sql } from '@atrium/platform/database';
import { Ids, invalidField, type JsonObject } from '@atrium/platform/kernel';
import {
  DescribedFiles,
  FileJobKinds,
  FileJobs,
  LibraryFiles,
  SavedSearches,
  SearchLanguage,
  type FileJobBatch,
  type FileJobError,
  type FileJobRow,
  type FileJobStep,
} from '@atrium/files';
import { ModelUsage, VisionModel } from '@atrium/models';
import type { MediaAnalysisSchema } from '../domain/analysis-schema';
import { Analyses, noModel } from './analyses.service';
import { IMAGE_PARAM } from './analysis-model';
import { AnalysisRuns } from './analysis-runs';

/** Which files are to be analysed. */
export interface BulkWish {
  readonly schema_id: string;
  readonly file_ids?: readonly string[];
  readonly saved_search?: string;
  readonly only_missing?: boolean;
}

export type AnalysisJob = FileJobRow & { readonly credits_estimate: number };

const KIND = 'media.analyze';
const FILES_AT_ONCE = 24;
const LANES = 4;

/**
 * Analyses of many files in the background. Credits for all of them are set aside before it starts; a batch that lost its
 * worker is done again, and what was done in it is found done.
 */
@Injectable()
export class BulkAnalyses implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly analyses: Analyses,
    private readonly runs: AnalysisRuns,
    private readonly library: LibraryFiles,
    private readonly files: DescribedFiles,
    private readonly language: SearchLanguage,
    private readonly searches: SavedSearches,
    private readonly vision: VisionModel,
    private readonly usage: ModelUsage,
    private readonly kinds: FileJobKinds,
    private readonly jobs: FileJobs,
    private readonly ids: Ids,
  ) {}

  onModuleInit(): void {
    this.kinds.register({ kind: KIND, step: (step) => this.step(step) });
  }

  async start(caller: Principal, { schema_id, file_ids, saved_search, only_missing = false }: BulkWish): Promise<AnalysisJob> {
    if ((file_ids === undefined) === (saved_search === undefined))
      throw invalidField(file_ids === undefined ? 'file_ids' : 'saved_search', 'name either file_ids or saved_search', 'one_of');
    const model = await this.vision.available();
    return this.db.write(async () => {
      const schema = await this.analyses.usableSchema(schema_id);
      if (model === null && schema.asksModelAlone) throw noModel();
      const total = await this.count(await this.chosen(caller, { file_ids, saved_search }, 'saved_search'), {
        schema,
        onlyMissing: only_missing,
      });
      const asks = model !== null && schema.asksModel && total > 0;
      const credits_estimate = asks ? await this.usage.estimate({ param: IMAGE_PARAM, units: total, model }) : 0;
      const hold = asks
        ? await this.usage.reserve({ param: IMAGE_PARAM, units: total, model, user: caller.user_id }, `analyze:${this.ids.next()}`)
        : null;
      const which: JsonObject =
        file_ids === undefined
          ? { saved_search: saved_search ?? null }
          : { file_ids: [...new Set(file_ids.map((id) => id.toLowerCase()))] };
      const job = await this.jobs.start(caller, {
        kind: KIND,
        params: { schema_id, ...which, only_missing, hold: hold?.hold_id ?? null },
        total,
      });
      return { ...job, credits_estimate };
    });
  }

  /** The checkpoint is the last file that was dealt with, in the order of ids. */
  private async step(step: FileJobStep): Promise<FileJobBatch> {
    const { caller, params, checkpoint } = step;
    const model = await this.vision.available();
    const hold = typeof params.hold === 'string' && (await this.usage.extend(params.hold)) ? params.hold : null;
    const { schema, files } = await this.db.read(async () => {
      const wanted = {
        file_ids: params.file_ids as readonly string[] | undefined,
        saved_search: params.saved_search as string | undefined,
      };
      return {
        schema: await this.analyses.usableSchema(params.schema_id as string),
        files: await this.some(await this.chosen(caller, wanted, 'saved_search'), checkpoint),
      };
    });
    const errors: FileJobError[] = [];
    const waiting = [...files];
    const lane = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        step.signal.throwIfAborted();
        const code = await this.analyse(id, step, { schema, hold, model });
        if (code !== null) errors.push({ file_id: id, code });
        await step.heartbeat();
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const last = files.length === FILES_AT_ONCE ? (files.at(-1) ?? null) : null;
    if (last === null && hold !== null) await this.usage.release(hold);
    const absent = checkpoint === null ? await this.absent(caller, params) : [];
    return { checkpoint: last, done: files.length - errors.length, failed: errors.length + absent.length, errors: [...errors, ...absent] };
  }

  /** Null when the file has what was asked for; else why not. */
  private async analyse(
    file_id: string,
    step: FileJobStep,
    { schema, hold, model }: { readonly schema: MediaAnalysisSchema; readonly hold: string | null; readonly model: string | null },
  ): Promise<string | null> {
    const { job_id, caller, params } = step;
    const file = (await this.files.of([file_id], 'media')).get(file_id);
    if (!file) return 'not_found';
    if (!schema.isFor(file.file_kind)) return 'unprocessable_content';
    const fa_id = await this.analyses.forJob(file, {
      schema,
      job: job_id,
      by: caller.user_id,
      hold,
      onlyMissing: params.only_missing === true,
      model,
    });
    if (fa_id === null) return null;
    return (await this.runs.run(fa_id, step)) === 'failed' ? 'upstream_failed' : null;
  }

  /** Library files of the caller that were named or found, as a condition on `r`. */
  private async chosen(
    caller: Principal,
    { file_ids, saved_search }: { readonly file_ids: readonly string[] | undefined; readonly saved_search: string | undefined },
    path: string,
  ): Promise<Sql> {
    const visible = this.library.visible(caller, 'media');
    if (saved_search === undefined) return sql`${visible} AND r.file_id = ANY(${[...(file_ids ?? [])]}::uuid[])`;
    const query =
      (await this.searches.scopeOf(saved_search)) === 'media'
        ? (await this.searches.queriesOf([saved_search])).get(saved_search.toLowerCase())
        : undefined;
    if (!query) throw invalidField(path, 'is no saved search of the media library', 'reference');
    const { where } = await this.language.compile({ scope: 'media', query, reader: caller });
    return join([visible, sql`(${where})`], ' AND ');
  }

  private async count(
    chosen: Sql,
    { schema, onlyMissing }: { readonly schema: MediaAnalysisSchema; readonly onlyMissing: boolean },
  ): Promise<number> {
    const fitting = schema.mas_kinds.length === 0 ? sql`true` : sql`r.file_kind = ANY(${[...schema.mas_kinds]}::text[])`;
    const missing = onlyMissing
      ? sql`NOT EXISTS (SELECT FROM file_analysis a WHERE a.tenant_id = r.tenant_id AND a.fa_file = r.file_id AND a.fa_schema = ${schema.mas_id} AND a.fa_live AND a.fa_status IN ('completed', 'partial') AND a.fa_version = r.file_version AND a.fa_schema_version = ${schema.mas_version})`
      : sql`true`;
    const row = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*) FROM file r WHERE ${chosen} AND ${fitting} AND ${missing}`);
    return Number(row?.count ?? 0);
  }

  private async some(chosen: Sql, checkpoint: string | null): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ file_id: string }>(
        sql`SELECT r.file_id FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND ${chosen} AND (${checkpoint}::uuid IS NULL OR r.file_id > ${checkpoint}::uuid) ORDER BY r.file_id LIMIT ${FILES_AT_ONCE}`,
      );
    return rows.map(({ file_id }) => file_id);
  }

  /** Named ids that are no library files of the caller: told once, with the first batch. */
  private async absent(caller: Principal, { file_ids }: JsonObject): Promise<FileJobError[]> {
    if (!Array.isArray(file_ids)) return [];
    const named = file_ids as readonly string[];
    const there = await this.db.read(() => this.library.among(caller, 'media', named));
    const known = new Set(there.map(({ file_id }) => file_id));
    return named.filter((id) => !known.has(id)).map((file_id) => ({ file_id, code: 'not_found' }));
  }
}
