import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Ids, invalidField, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import {
  defineFileJob,
  DescribedFiles,
  FileJobKinds,
  FileJobs,
  type FileJobBatch,
  type FileJobError,
  type FileJobRow,
  type FileJobStep,
} from '@atrium/files';
import { ModelUsage, VisionModel } from '@atrium/models';
import { noModel, type MediaAnalysisSchema } from '../domain/analysis-schema';
import { IMAGE_PARAM } from './analysis-model';
import { AnalysisRequests } from './analysis-requests';
import { AnalysisRuns } from './analysis-runs';
import { AnalysisSelection } from '../infrastructure/analysis-selection';

/** Which files are to be analysed. */
export interface BulkWish {
  readonly fa_schema: string;
  readonly file_ids?: readonly string[];
  readonly saved_search?: string;
  readonly only_missing?: boolean;
}

export type AnalysisJob = FileJobRow & { readonly credits_estimate: number };

const KIND = defineFileJob('media.analyze', { seenWith: ['media:edit'], rights: () => ({ permission: 'media:edit' }) });
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
    private readonly requests: AnalysisRequests,
    private readonly runs: AnalysisRuns,
    private readonly selection: AnalysisSelection,
    private readonly files: DescribedFiles,
    private readonly vision: VisionModel,
    private readonly usage: ModelUsage,
    private readonly kinds: FileJobKinds,
    private readonly jobs: FileJobs,
    private readonly ids: Ids,
  ) {}

  onModuleInit(): void {
    this.kinds.register({ kind: KIND, runStep: (step) => this.step(step) });
  }

  async startBulk(caller: Principal, { fa_schema, file_ids, saved_search, only_missing = false }: BulkWish): Promise<AnalysisJob> {
    if ((file_ids === undefined) === (saved_search === undefined))
      throw invalidField(file_ids === undefined ? 'file_ids' : 'saved_search', 'requires either file_ids or saved_search', 'one_of');
    const model = await this.vision.findModelId();
    return this.db.write(async () => {
      const schema = await this.requests.requireUsableSchema(fa_schema);
      if (model === null && schema.asksModelAlone) throw noModel();
      const total = await this.selection.countFiles(await this.selection.selectFiles(caller, { file_ids, saved_search }), {
        schema,
        onlyMissing: only_missing,
      });
      const asks = model !== null && schema.asksModel && total > 0;
      const credits_estimate = asks ? await this.usage.estimateCredits({ param: IMAGE_PARAM, units: total, model }) : 0;
      const hold = asks
        ? await this.usage.reserveCredits({ param: IMAGE_PARAM, units: total, model, user: caller.user_id }, `analyze:${this.ids.next()}`)
        : null;
      const which: JsonObject =
        file_ids === undefined
          ? { saved_search: saved_search ?? null }
          : { file_ids: [...new Set(file_ids.map((id) => id.toLowerCase()))] };
      const job = await this.jobs.startJob(caller, {
        kind: KIND,
        params: { schema_id: fa_schema, ...which, only_missing, hold: hold?.hold_id ?? null },
        total,
      });
      return { ...job, credits_estimate };
    });
  }

  /** The checkpoint is the last file that was processed, in the order of ids. */
  private async step(step: FileJobStep): Promise<FileJobBatch> {
    const { caller, params, checkpoint } = step;
    const model = await this.vision.findModelId();
    const hold = typeof params.hold === 'string' && (await this.usage.extendHold(params.hold)) ? params.hold : null;
    const { schema, files } = await this.db.read(async () => {
      const wanted = {
        file_ids: params.file_ids as readonly string[] | undefined,
        saved_search: params.saved_search as string | undefined,
      };
      return {
        schema: await this.requests.requireUsableSchema(params.schema_id as string),
        files: await this.selection.findNextFiles(checkpoint, FILES_AT_ONCE, await this.selection.selectFiles(caller, wanted)),
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
    if (last === null && hold !== null) await this.usage.releaseHold(hold);
    const absent = checkpoint === null ? await this.absent(caller, params.file_ids) : [];
    return { checkpoint: last, done: files.length - errors.length, failed: errors.length + absent.length, errors: [...errors, ...absent] };
  }

  /** Null when the file has what was asked for; else why not. */
  private async analyse(
    file_id: string,
    step: FileJobStep,
    { schema, hold, model }: { readonly schema: MediaAnalysisSchema; readonly hold: string | null; readonly model: string | null },
  ): Promise<string | null> {
    const { job_id, caller, params } = step;
    const file = (await this.files.describeFiles([file_id], 'media')).get(file_id);
    if (!file) return 'not_found';
    if (!schema.isFor(file.file_kind)) return 'unprocessable_content';
    const fa_id = await this.requests.requestForJob(file, {
      schema,
      job: job_id,
      by: caller.user_id,
      hold,
      onlyMissing: params.only_missing === true,
      model,
    });
    if (fa_id === null) return null;
    return (await this.runs.runAnalysis(fa_id, step)) === 'failed' ? 'upstream_failed' : null;
  }

  /** Named ids that are no library files of the caller: reported once, with the first batch. */
  private async absent(caller: Principal, file_ids: JsonValue | undefined): Promise<FileJobError[]> {
    if (!Array.isArray(file_ids)) return [];
    const absent = await this.db.read(() => this.selection.findAbsent(caller, file_ids as readonly string[]));
    return absent.map((file_id) => ({ file_id, code: 'not_found' }));
  }
}
