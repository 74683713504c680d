import { Injectable } from '@nestjs/common';
import { ModelUsage } from '@atrium/models';
import { DescribedFiles, HistoryWriter } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { Clock, Problem } from '@atrium/platform/kernel';
import type { AnalysisState, FileAnalysis, Findings } from '../domain/file-analysis';
import { AnalysisSchemasRepository } from '../infrastructure/analysis-schemas.repository';
import { FileAnalysesRepository } from '../infrastructure/file-analyses.repository';
import { AnalysisFinder, type AnalysisRun, type Begun } from './analysis-finder';
import { CurrentAnalysisEffects } from './current-analysis-effects';
import { WaitingAnalyses } from './waiting-analyses';

/**
 * Makes one analysis: begins it, has its values found, and lets them stand for the file. It may be cut off anywhere and is
 * taken up again.
 */
@Injectable()
export class AnalysisRuns {
  constructor(
    private readonly db: Database,
    private readonly analyses: FileAnalysesRepository,
    private readonly schemas: AnalysisSchemasRepository,
    private readonly files: DescribedFiles,
    private readonly finder: AnalysisFinder,
    private readonly effects: CurrentAnalysisEffects,
    private readonly usage: ModelUsage,
    private readonly history: HistoryWriter,
    private readonly waiting: WaitingAnalyses,
    private readonly clock: Clock,
  ) {}

  /** The state in which it ended; null when it is gone. */
  async runAnalysis(fa_id: string, run: AnalysisRun): Promise<AnalysisState | null> {
    const begun = await this.begin(fa_id);
    if (!begun) return null;
    if ('ended' in begun) return begun.ended;
    const findings = await this.finder.analyseFile(begun, run);
    const state = await this.finish(begun, findings);
    const { fa_hold, fa_job } = begun.analysis;
    if (fa_hold !== null && fa_job === null) await this.usage.releaseHold(fa_hold);
    return state;
  }

  /** The queue has given the analysis up, and no run can say so. */
  giveUp(fa_id: string, reason: string): Promise<void> {
    return this.db.write(async () => {
      const analysis = await this.analyses.lock(fa_id).catch(unlessAbsent);
      if (analysis && !analysis.isFinished) await this.end(analysis, reason);
    });
  }

  private begin(fa_id: string): Promise<Begun | { readonly ended: AnalysisState } | null> {
    return this.db.write(async () => {
      const analysis = await this.analyses.lock(fa_id).catch(unlessAbsent);
      if (!analysis) return null;
      if (analysis.isFinished) return { ended: analysis.fa_status };
      const schema = await this.schemas.findRow(analysis.fa_schema);
      const file = (await this.files.describeFiles([analysis.fa_file], 'media')).get(analysis.fa_file);
      if (!schema) return this.end(analysis, 'The schema was deleted before the analysis began.');
      if (!file) return this.end(analysis, 'The file is no longer in the library.');
      if (!file.is_ready) return this.end(analysis, 'The file could not be read.');
      analysis.begin(file.file_version, schema.mas_version, this.clock);
      await this.analyses.save(analysis);
      return { analysis, schema, file };
    });
  }

  private async end(analysis: FileAnalysis, reason: string): Promise<{ readonly ended: AnalysisState }> {
    analysis.fail(reason, this.clock);
    await this.analyses.save(analysis);
    return { ended: analysis.fa_status };
  }

  /** The result is current from now on, with the corrections of people; a run that was cancelled in the meantime leaves nothing. */
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
      await this.effects.onChanged(analysis, schema);
      await this.history.addEntries([
        { file_id: fa_file, action: 'analyzed', details: { schema: schema.mas_name, status: analysis.fa_status } },
      ]);
      return analysis.fa_status;
    });
  }
}

const unlessAbsent = (error: unknown): null => {
  if (error instanceof Problem && error.code === 'not_found') return null;
  throw error;
};
