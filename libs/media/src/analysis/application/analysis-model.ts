import { Injectable } from '@nestjs/common';
import { ModelUsage, VisionModel, type VisionAnswer } from '@atrium/models';
import type { DescribedFile } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import type { AnalysisField } from '../domain/analysis-field';
import { answerSchemaOf, keptAnswerOf, mergedAnswer, questionOf, readAnswer, repairOf, type ReadAnswer } from '../domain/analysis-question';
import type { MediaAnalysisSchema } from '../domain/analysis-schema';
import type { FileAnalysis, KeptAnswer } from '../domain/file-analysis';
import { FileAnalysesRepository } from '../infrastructure/file-analyses.repository';

/** The cost of analysing one picture. */
export const IMAGE_PARAM = 'media.analysis_images';

/** Calls that one analysis may cost: the question, and once more with what was wrong. */
const MOST_CALLS = 2;

/** What a model is asked about. */
export interface AnalysisQuestion {
  readonly analysis: Pick<FileAnalysis, 'fa_id' | 'fa_file' | 'fa_created_by' | 'fa_calls' | 'fa_answer' | 'fa_hold'>;
  readonly schema: MediaAnalysisSchema;
  readonly file: DescribedFile;
  readonly picture: { readonly bytes: Buffer; readonly type: string };
  readonly signal: AbortSignal;
}

/**
 * Asks the model about a picture. Each call is charged and its answer kept in one unit of work, under a name that is the
 * same in every attempt: a worker that takes over neither asks nor pays again for what was answered.
 */
@Injectable()
export class AnalysisModel {
  constructor(
    private readonly db: Database,
    private readonly analyses: FileAnalysesRepository,
    private readonly vision: VisionModel,
    private readonly usage: ModelUsage,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** The answer, read field by field; or the problem of the provider. */
  async askModel(sitting: AnalysisQuestion): Promise<ReadAnswer> {
    const fields = sitting.schema.mas_fields.filter(({ source }) => source === 'model');
    const question = questionOf(fields, sitting.schema.mas_prompt, sitting.file);
    let kept = sitting.analysis.fa_answer;
    let calls = sitting.analysis.fa_calls;
    if (kept === null) kept = await this.call(sitting, fields, { question, number: ++calls, before: null });
    const first = readAnswer(fields, kept);
    if (first.faults.length === 0 || calls >= MOST_CALLS) return first;
    return readAnswer(
      fields,
      await this.call(sitting, fields, { question: repairOf(question, first.faults), number: calls + 1, before: kept }),
    );
  }

  private async call(
    sitting: AnalysisQuestion,
    fields: readonly AnalysisField[],
    { question, number, before }: { readonly question: string; readonly number: number; readonly before: KeptAnswer | null },
  ): Promise<KeptAnswer> {
    const { picture, signal } = sitting;
    const own = await this.setAside(sitting, number);
    try {
      const answer = await this.vision.describeImages({
        images: [picture],
        prompt: question,
        schema: answerSchemaOf(fields),
        signal,
        onCutOff: ({ model }) => this.db.write(async () => this.charge(sitting, { model, call: `cut-off:${this.ids.next()}`, own })),
      });
      const said = keptAnswerOf(answer.fields);
      const kept = before ? mergedAnswer(fields, before, said) : said;
      await this.keep(sitting, answer, { kept, number, own });
      return kept;
    } finally {
      if (own !== null) await this.usage.releaseHold(own);
    }
  }

  /** Credits of an analysis for which nobody has set any aside, such as one that a schema makes by itself. */
  private async setAside({ analysis: { fa_id, fa_created_by, fa_hold } }: AnalysisQuestion, number: number): Promise<string | null> {
    const model = fa_hold === null ? await this.vision.findModelId() : null;
    if (model === null) return null;
    return (await this.usage.reserveCredits({ param: IMAGE_PARAM, units: 1, model, user: fa_created_by }, `analysis:${fa_id}:${number}`))
      .hold_id;
  }

  private async keep(
    sitting: AnalysisQuestion,
    { model }: VisionAnswer,
    { kept, number, own }: { readonly kept: KeptAnswer; readonly number: number; readonly own: string | null },
  ): Promise<void> {
    const credits = await this.usage.estimateCredits({ param: IMAGE_PARAM, units: 1, model });
    await this.db.write(async () => {
      const analysis = await this.analyses.lock(sitting.analysis.fa_id);
      if (analysis.fa_calls >= number) return;
      analysis.called({ answer: kept, model, credits }, this.clock);
      await this.analyses.save(analysis);
      this.charge(sitting, { model, call: String(number), own });
    });
  }

  /** One picture that a model read, under the name of the call; one that was cut off has a name of its own, for it is asked again. */
  private charge(
    { analysis: { fa_id, fa_file, fa_created_by, fa_hold } }: AnalysisQuestion,
    { model, call, own }: { readonly model: string; readonly call: string; readonly own: string | null },
  ): void {
    this.usage.chargeCall({
      param: IMAGE_PARAM,
      units: 1,
      model,
      user: fa_created_by,
      call: `analysis:${fa_id}:${call}`,
      ref: { file_id: fa_file },
      hold: fa_hold ?? own,
    });
  }
}
