import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, Ids, invalidField, invalidState, notFound } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { LibraryFiles } from '@atrium/files';
import { ModelUsage, VisionModel } from '@atrium/models';
import { noModel, type MediaAnalysisSchema } from '../domain/analysis-schema';
import { FileAnalysis } from '../domain/file-analysis';
import { AnalysisSchemasRepository } from '../infrastructure/analysis-schemas.repository';
import { FileAnalysesRepository, type AnalysisRow, type CurrentAnalyses } from '../infrastructure/file-analyses.repository';
import { analysis as analysing } from '../jobs/analysis.jobs';
import { IMAGE_PARAM } from './analysis-model';

/** A wish for an analysis of one file. */
export interface AnalysisWish {
  readonly fa_schema: string;
  readonly force?: boolean;
}

/** What came of it: a row that waits for a worker, or one that was there. */
export interface AnalysisTaken {
  readonly analysis: AnalysisRow;
  readonly started: boolean;
}

type FileInQuestion = { readonly file_id: string; readonly file_version: number; readonly file_kind: string };

/** Asks for analyses of files: by people, by a schema that analyses new files, by a file job. Of one file and schema at most one is under way. */
@Injectable()
export class AnalysisRequests {
  constructor(
    private readonly db: Database,
    private readonly analyses: FileAnalysesRepository,
    private readonly schemas: AnalysisSchemasRepository,
    private readonly library: LibraryFiles,
    private readonly vision: VisionModel,
    private readonly usage: ModelUsage,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Asks for an analysis; one that is done or under way is answered instead. */
  async requestAnalysis(caller: Principal, file_id: string, { fa_schema, force = false }: AnalysisWish): Promise<AnalysisTaken> {
    const model = await this.vision.findModelId();
    return this.db.write(async () => {
      const file = await this.fileOf(caller, file_id);
      const schema = await this.requireUsableSchema(fa_schema);
      if (!schema.isFor(file.file_kind))
        throw invalidField(
          'fa_schema',
          `is a schema for ${schema.mas_kinds.join(', ')}, and the kind of the file is ${file.file_kind}`,
          'kind',
        );
      if (model === null && schema.asksModelAlone) throw noModel();
      await this.analyses.lockRequest(file_id, fa_schema);
      const standing = await this.analyses.findCurrentAnalyses(file_id, fa_schema);
      if (standing.open) return { analysis: await this.joinAnalysis(caller, standing.open), started: true };
      if (!force && standing.live && isCurrent(standing.live, { file, schema, model })) return { analysis: standing.live, started: false };
      const fa_id = this.ids.next();
      const hold =
        model !== null && schema.asksModel
          ? await this.usage.reserveCredits({ param: IMAGE_PARAM, units: 1, model, user: caller.user_id }, `analysis:${fa_id}`)
          : null;
      await this.insert({ fa_id, file, schema, by: caller.user_id, hold: hold?.hold_id ?? null, standing });
      this.outbox.addJob(planJob(analysing, { fa_id }));
      return { analysis: await this.read(fa_id), started: true };
    });
  }

  /**
   * The same for a new file, by the schema itself: nobody asked, so nothing is refused aloud. `waited` is an analysis that
   * lacked credits: it waits no longer, and this one has its credits set aside, or is refused with `credits_exhausted`.
   */
  async requestNew(file: FileInQuestion, mas_id: string, waited: string | null = null): Promise<void> {
    const model = await this.vision.findModelId();
    await this.db.write(async () => {
      if (waited !== null) await this.analyses.endWait(waited);
      const schema = await this.schemas.findRow(mas_id);
      if (!schema?.mas_active || !schema.isFor(file.file_kind) || (model === null && schema.asksModelAlone)) return;
      await this.analyses.lockRequest(file.file_id, mas_id);
      const standing = await this.analyses.findCurrentAnalyses(file.file_id, mas_id);
      if (standing.open || (standing.live && isCurrent(standing.live, { file, schema, model }))) return;
      const fa_id = this.ids.next();
      const hold =
        waited !== null && model !== null && schema.asksModel
          ? await this.usage.reserveCredits({ param: IMAGE_PARAM, units: 1, model, user: null }, `analysis:${fa_id}`)
          : null;
      await this.insert({ fa_id, file, schema, by: null, hold: hold?.hold_id ?? null, standing });
      this.outbox.addJob(planJob(analysing, { fa_id }));
    });
  }

  /** One row of a file job, ready to be run; null when the file has what was asked for, or will have. */
  requestForJob(
    file: FileInQuestion,
    {
      schema,
      job: job_id,
      by,
      hold,
      onlyMissing,
      model,
    }: {
      readonly schema: MediaAnalysisSchema;
      readonly job: string;
      readonly by: string | null;
      readonly hold: string | null;
      readonly onlyMissing: boolean;
      readonly model: string | null;
    },
  ): Promise<string | null> {
    return this.db.write(async () => {
      await this.analyses.lockRequest(file.file_id, schema.mas_id);
      const own = await this.analyses.findAnalysisOfJob(file.file_id, schema.mas_id, job_id);
      if (own) return own.fa_status === 'queued' || own.fa_status === 'running' ? own.fa_id : null;
      const standing = await this.analyses.findCurrentAnalyses(file.file_id, schema.mas_id);
      if (standing.open) return null;
      if (onlyMissing && standing.live && isCurrent(standing.live, { file, schema, model })) return null;
      const fa_id = this.ids.next();
      await this.insert({ fa_id, file, schema, by, hold, standing, job: job_id });
      return fa_id;
    });
  }

  /** The active schema of an id in a body, or a fault of the request. */
  async requireUsableSchema(mas_id: string): Promise<MediaAnalysisSchema> {
    const schema = await this.schemas.findRow(mas_id);
    if (!schema) throw invalidField('fa_schema', 'must be an analysis schema of this workspace', 'reference');
    if (!schema.mas_active) throw invalidState('The analysis schema is inactive.');
    return schema;
  }

  /** An analysis under way that nobody requested is a job of the first member who requests it, whom it costs nothing; one of a file job stays part of that. */
  private async joinAnalysis({ user_id }: Principal, open: AnalysisRow): Promise<AnalysisRow> {
    if (open.fa_created_by !== null) return open;
    const analysis = await this.analyses.lock(open.fa_id);
    if (analysis.fa_joined_by !== null || analysis.fa_job !== null) return open;
    analysis.fa_joined_by = user_id;
    await this.analyses.save(analysis);
    return this.read(open.fa_id);
  }

  private async insert({
    fa_id,
    file,
    schema,
    by,
    hold,
    standing,
    job: fa_job = null,
  }: {
    readonly fa_id: string;
    readonly file: FileInQuestion;
    readonly schema: MediaAnalysisSchema;
    readonly by: string | null;
    readonly hold: string | null;
    readonly standing: CurrentAnalyses;
    readonly job?: string | null;
  }): Promise<void> {
    const now = this.clock.now();
    await this.analyses.insert(
      FileAnalysis.blank(
        {
          fa_id,
          fa_file: file.file_id,
          fa_version: file.file_version,
          fa_schema: schema.mas_id,
          fa_schema_version: schema.mas_version,
          fa_live: standing.live === null,
          fa_hold: hold,
          fa_job,
          fa_created_by: by,
        },
        now,
      ),
    );
  }

  private async read(fa_id: string): Promise<AnalysisRow> {
    const row = await this.analyses.findAnalysisRow(fa_id);
    if (!row) throw notFound('analysis');
    return row;
  }

  private async fileOf(caller: Principal, file_id: string): Promise<FileInQuestion> {
    const [file] = await this.library.findVisible(caller, 'media', [file_id]);
    if (!file) throw notFound('file');
    return file;
  }
}

/** Whether an analysis is of the file and the fields as they are now. One that a model was missing for is not, once there is one. */
function isCurrent(
  live: AnalysisRow,
  { file, schema, model }: { readonly file: FileInQuestion; readonly schema: MediaAnalysisSchema; readonly model: string | null },
): boolean {
  if (live.fa_version !== file.file_version || live.fa_schema_version !== schema.mas_version) return false;
  if (live.fa_status === 'completed') return true;
  return (
    live.fa_status === 'partial' &&
    !(model !== null && live.fa_missing.some(({ reason }) => reason === 'no_model' || reason === 'unavailable'))
  );
}
