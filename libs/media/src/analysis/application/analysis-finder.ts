import { Injectable } from '@nestjs/common';
import { ModelRefusal, VisionModel } from '@atrium/models';
import type { DescribedFile } from '@atrium/files';
import { Problem, isObject, type JsonValue } from '@atrium/platform/kernel';
import type { JobRun } from '@atrium/platform/messaging';
import { ObjectMissing, ObjectStore } from '@atrium/platform/storage';
import { buffer } from 'node:stream/consumers';
import { measureOf, readValue, valueAt, type AnalysisField } from '../domain/analysis-field';
import type { MediaAnalysisSchema } from '../domain/analysis-schema';
import type { FileAnalysis, Findings, MissingField, MissingReason } from '../domain/file-analysis';
import { PictureMeasures } from '../infrastructure/picture-measures';
import { AnalysisModel } from './analysis-model';

/** What an analysis has to know of the run it is made in. */
export type AnalysisRun = Pick<JobRun, 'signal' | 'waitsFor'>;

/** An analysis that has begun, and what it is made of. */
export type Begun = { readonly analysis: FileAnalysis; readonly schema: MediaAnalysisSchema; readonly file: DescribedFile };
type Picture = { readonly bytes: Buffer; readonly type: string } | null;

const EMPTY: Findings = { values: {}, confidence: {}, missing: [], error: null };

/**
 * Finds the values of an analysis: in the metadata, measured in the picture, seen by a model. What is known locally is kept
 * whatever the model does; a refusal of its provider is reported with the values, and an outage is waited for.
 */
@Injectable()
export class AnalysisFinder {
  constructor(
    private readonly store: ObjectStore,
    private readonly measures: PictureMeasures,
    private readonly model: AnalysisModel,
    private readonly vision: VisionModel,
  ) {}

  /** Outside of any unit of work: the picture is fetched and the model is asked. */
  async analyseFile(begun: Begun, run: AnalysisRun): Promise<Findings> {
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
    const measured = await this.measures.measurePicture(picture.bytes, isObject(system) ? system : {});
    return known(fields, (field) => {
      const measure = measureOf(field);
      return measure && measured[measure];
    });
  }

  private async seen({ analysis, schema, file }: Begun, picture: Picture, { signal, waitsFor }: AnalysisRun): Promise<Findings> {
    const fields = schema.mas_fields.filter(({ source }) => source === 'model');
    if (fields.length === 0) return EMPTY;
    if (!picture) return without(fields, 'no_picture');
    if (analysis.fa_answer === null && (await this.vision.findModelId()) === null) return without(fields, 'no_model');
    try {
      return { ...(await this.model.askModel({ analysis, schema, file, picture, signal })), error: null };
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
