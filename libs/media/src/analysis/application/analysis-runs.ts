import { Injectable } from '@nestjs/common';
import { ModelRefusal, ModelUsage, VisionModel } from '@atrium/models';
import { DescribedFiles, HistoryWriter, type DescribedFile } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { Clock, Problem, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { Outbox, type JobRun } from '@atrium/platform/messaging';
import { ObjectMissing, ObjectStore } from '@atrium/platform/storage';
import { buffer } from 'node:stream/consumers';
import { measureOf, readValue, valueAt, type AnalysisField } from '../domain/analysis-field';
import type { MediaAnalysisSchema } from '../domain/analysis-schema';
import type { AnalysisState, FileAnalysis, Findings, MissingField, MissingReason } from '../domain/file-analysis';
import { AnalysisSchemasRepository } from '../infrastructure/analysis-schemas.repository';
import { FileAnalysesRepository } from '../infrastructure/file-analyses.repository';
import { PictureMeasures } from '../infrastructure/picture-measures';
import { AnalysisModel } from './analysis-model';
import { AnalysisTags } from './analysis-tags';
import { AnalysisWords } from './analysis-words';
import { WaitingAnalyses } from './waiting-analyses';

/** What an analysis has to know of the run it is made in. */
type AnalysisRun = Pick<JobRun, 'signal' | 'waitsFor'>;
type Begun = { readonly analysis: FileAnalysis; readonly schema: MediaAnalysisSchema; readonly file: DescribedFile };
type Picture = { readonly bytes: Buffer; readonly type: string } | null;

const EMPTY: Findings = { values: {}, confidence: {}, missing: [], error: null };

/**
 * Makes one analysis: what the metadata tell, what can be measured, what a model sees. It may be cut off anywhere and is
 * taken up again. What is known locally is kept whatever the model does; a refusal of its provider is told in the row, and an outage is waited for.
 */
@Injectable()
export class AnalysisRuns {
  constructor(
    private readonly db: Database,
    private readonly analyses: FileAnalysesRepository,
    private readonly schemas: AnalysisSchemasRepository,
    private readonly files: DescribedFiles,
    private readonly store: ObjectStore,
    private readonly measures: PictureMeasures,
    private readonly model: AnalysisModel,
    private readonly vision: VisionModel,
    private readonly usage: ModelUsage,
    private readonly words: AnalysisWords,
    private readonly tags: AnalysisTags,
    private readonly history: HistoryWriter,
    private readonly waiting: WaitingAnalyses,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** The state in which it ended; null when it is gone. */
  async run(fa_id: string, run: AnalysisRun): Promise<AnalysisState | null> {
    const begun = await this.begin(fa_id);
    if (!begun) return null;
    if ('ended' in begun) return begun.ended;
    const findings = await this.find(begun, run);
    const state = await this.finish(begun, findings);
    const { fa_hold, fa_job } = begun.analysis;
    if (fa_hold !== null && fa_job === null) await this.usage.release(fa_hold);
    return state;
  }

  private begin(fa_id: string): Promise<Begun | { readonly ended: AnalysisState } | null> {
    return this.db.write(async () => {
      const analysis = await this.analyses.lock(fa_id).catch(unlessAbsent);
      if (!analysis) return null;
      if (analysis.isFinished) return { ended: analysis.fa_status };
      const schema = await this.schemas.find(analysis.fa_schema);
      const file = (await this.files.of([analysis.fa_file], 'media')).get(analysis.fa_file);
      if (!schema) return this.giveUp(analysis, 'The schema was deleted before the analysis was made.');
      if (!file) return this.giveUp(analysis, 'The file is not in the library any more.');
      if (!file.is_ready) return this.giveUp(analysis, 'The file could not be read.');
      analysis.begin(file.file_version, schema.mas_version, this.clock);
      await this.analyses.save(analysis);
      return { analysis, schema, file };
    });
  }

  private async giveUp(analysis: FileAnalysis, reason: string): Promise<{ readonly ended: AnalysisState }> {
    analysis.fail(reason, this.clock);
    await this.analyses.save(analysis);
    return { ended: analysis.fa_status };
  }

  private async find(begun: Begun, run: AnalysisRun): Promise<Findings> {
    const { schema, file } = begun;
    const looks = schema.mas_fields.some(({ source }) => source !== 'metadata');
    const picture = looks ? await this.pictureOf(file) : null;
    const parts = [this.fromMetadata(schema, file), await this.measured(schema, file, picture), await this.seen(begun, picture, run)];
    return parts.reduce((all, { values, confidence, missing, error, lacksCredits = false }) => ({
      values: { ...all.values, ...values },
      confidence: { ...all.confidence, ...confidence },
      missing: [...all.missing, ...missing],
      error: all.error ?? error,
      lacksCredits: all.lacksCredits === true || lacksCredits,
    }));
  }

  private async pictureOf({ picture }: DescribedFile): Promise<Picture> {
    if (!picture) return null;
    try {
      return { bytes: await buffer(await this.store.get(picture.key)), type: picture.type };
    } catch (error) {
      if (error instanceof ObjectMissing) return null;
      throw error;
    }
  }

  private fromMetadata({ mas_fields }: MediaAnalysisSchema, { file_metadata }: DescribedFile): Findings {
    const fields = mas_fields.filter(({ source }) => source === 'metadata');
    return known(fields, (field) => inForm(field, valueAt(file_metadata, field.path ?? '')));
  }

  private async measured({ mas_fields }: MediaAnalysisSchema, { file_metadata }: DescribedFile, picture: Picture): Promise<Findings> {
    const fields = mas_fields.filter(({ source }) => source === 'technical');
    if (fields.length === 0) return EMPTY;
    if (!picture) return without(fields, 'no_picture');
    const system = file_metadata.system;
    const measured = await this.measures.measure(picture.bytes, isObject(system) ? system : {});
    return known(fields, (field) => {
      const measure = measureOf(field);
      return measure && measured[measure];
    });
  }

  private async seen({ analysis, schema, file }: Begun, picture: Picture, { signal, waitsFor }: AnalysisRun): Promise<Findings> {
    const fields = schema.mas_fields.filter(({ source }) => source === 'model');
    if (fields.length === 0) return EMPTY;
    if (!picture) return without(fields, 'no_picture');
    if (analysis.fa_answer === null && (await this.vision.available()) === null) return without(fields, 'no_model');
    try {
      return { ...(await this.model.ask({ analysis, schema, file, picture, signal })), error: null };
    } catch (error) {
      signal.throwIfAborted();
      if (waitsFor(error)) throw error;
      if (!(error instanceof Problem) || error.code === 'internal_error' || error.code === 'service_unavailable') throw error;
      return {
        ...without(fields, error instanceof ModelRefusal ? 'refused' : 'unavailable'),
        error: error.detail,
        lacksCredits: error.code === 'credits_exhausted',
      };
    }
  }

  /** What was found stands from now on, and with it what people had corrected; a run that was cancelled meanwhile leaves nothing. */
  private finish({ analysis: { fa_id, fa_file, fa_schema }, schema }: Begun, findings: Findings): Promise<AnalysisState | null> {
    return this.db.write(async () => {
      const analysis = await this.analyses.lock(fa_id).catch(unlessAbsent);
      if (!analysis || analysis.isFinished) return analysis?.fa_status ?? null;
      const before = await this.analyses.lockLive(fa_file, fa_schema, fa_id);
      analysis.finish(findings, schema.mas_fields, before, this.clock);
      const stands = analysis.fa_status !== 'failed' || !before || before.fa_status === 'failed' || before.fa_status === 'cancelled';
      if (before && stands) {
        before.fa_live = false;
        await this.analyses.save(before);
      }
      analysis.fa_live = stands;
      await this.analyses.save(analysis);
      if (analysis.fa_lacks_credits) await this.waiting.awaitCredits();
      await this.words.refresh(fa_file);
      if (analysis.fa_status !== 'failed') await this.tags.apply(fa_file, schema.mas_fields, analysis.fa_result);
      await this.history.add([{ file_id: fa_file, action: 'analyzed', details: { schema: schema.mas_name, status: analysis.fa_status } }]);
      this.outbox.emit({
        name: 'file.analyzed',
        subject_id: fa_file,
        payload: { fa_id, schema: schema.mas_name, status: analysis.fa_status },
      });
      return analysis.fa_status;
    });
  }
}

/** Values as their fields take them; what there is none of is absent, what does not fit is invalid. */
function known(fields: readonly AnalysisField[], find: (field: AnalysisField) => unknown): Findings {
  const values: Record<string, JsonValue> = {};
  const missing: MissingField[] = [];
  for (const field of fields) {
    const value = find(field);
    const read = value === undefined || value === null ? null : readValue(field, value);
    if (read && 'value' in read) values[field.name] = read.value;
    else missing.push({ field: field.name, reason: read ? 'invalid' : 'absent' });
  }
  return { values, confidence: Object.fromEntries(Object.keys(values).map((name) => [name, 1])), missing, error: null };
}

const without = (fields: readonly AnalysisField[], reason: MissingReason): Findings => ({
  ...EMPTY,
  missing: fields.map(({ name }) => ({ field: name, reason })),
});

/** Numbers of the metadata stand in texts where a text is asked for, and a text alone in a list of them. */
function inForm({ type }: AnalysisField, value: unknown): unknown {
  if ((type === 'string' || type === 'text') && typeof value === 'number') return String(value);
  return type.endsWith('[]') && typeof value === 'string' ? [value] : value;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unlessAbsent = (error: unknown): null => {
  if (error instanceof Problem && error.code === 'not_found') return null;
  throw error;
};
