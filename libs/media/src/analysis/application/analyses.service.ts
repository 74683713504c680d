import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type ListParameters, type Page, type Precondition, type Sql } from '@atrium/platform/database';
import { Clock, invalidState, notFound, type JsonObject } from '@atrium/platform/kernel';
import { FileEdits, FileStatuses, LibraryFiles } from '@atrium/files';
import { ModelUsage } from '@atrium/models';
import { AnalysisSchemasRepository } from '../infrastructure/analysis-schemas.repository';
import type { FileAnalysis } from '../domain/file-analysis';
import { FileAnalysesRepository, type AnalysisRow } from '../infrastructure/file-analyses.repository';
import { CurrentAnalysisEffects } from './current-analysis-effects';

export type { AnalysisRow };

/** What was found out about files: read, corrected and deleted. Files that the caller may not see have no analyses. */
@Injectable()
export class Analyses {
  constructor(
    private readonly db: Database,
    private readonly analyses: FileAnalysesRepository,
    private readonly schemas: AnalysisSchemasRepository,
    private readonly library: LibraryFiles,
    private readonly edits: FileEdits,
    private readonly statuses: FileStatuses,
    private readonly usage: ModelUsage,
    private readonly effects: CurrentAnalysisEffects,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, query: ListParameters): Promise<Page<AnalysisRow>> {
    return this.db.read(() => this.analyses.listAnalyses(query, this.visibleCondition(caller)));
  }

  /** The current analyses of a file, and those in progress. */
  listAnalysesOfFile(caller: Principal, file_id: string, query: ListParameters): Promise<Page<AnalysisRow>> {
    return this.db.read(async () => {
      await this.assertFile(caller, file_id);
      return this.analyses.listAnalyses(query, sql`r.fa_file = ${file_id} AND (r.fa_live OR r.fa_status IN ('queued', 'running'))`);
    });
  }

  get(caller: Principal, fa_id: string): Promise<AnalysisRow & { row_version: number }> {
    return this.db.read(() => this.read(caller, fa_id));
  }

  /** What people say instead: checked, kept and listed; a later run keeps it. */
  correctAnalysis(caller: Principal, fa_id: string, corrections: JsonObject, precondition?: Precondition): Promise<AnalysisRow> {
    return this.db.write(async () => {
      await this.read(caller, fa_id);
      const analysis = await this.analyses.lock(fa_id, precondition);
      if (!analysis.fa_live) throw invalidState('There is a newer analysis. Correct that one.');
      const file = await this.edits.lockLiveFile(caller, analysis.fa_file, 'edit');
      await this.statuses.assertEditable(file);
      const schema = await this.schemas.findRow(analysis.fa_schema);
      if (!schema) throw invalidState('The schema was deleted; its results cannot be changed.');
      analysis.correct(corrections, schema.mas_fields, this.clock);
      await this.analyses.save(analysis);
      await this.effects.onChanged(analysis, schema);
      return this.read(caller, fa_id);
    });
  }

  /** Cancels an analysis in progress; a finished one is deleted, and the newest before it becomes current again. */
  remove(caller: Principal, fa_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      await this.read(caller, fa_id);
      const analysis = await this.analyses.lock(fa_id, precondition);
      if (!analysis.isFinished) return this.endAnalysis(analysis);
      await this.analyses.remove(analysis);
      if (!analysis.fa_live) return;
      const successor = await this.analyses.lockSuccessor(analysis.fa_file, analysis.fa_schema, fa_id);
      if (successor) {
        successor.fa_live = true;
        await this.analyses.save(successor);
      }
      await this.effects.onDeleted(analysis.fa_file, successor?.fa_id ?? null);
    });
  }

  /** Cancels an analysis that has not finished, within the unit of work of who may do so. */
  async cancelAnalysis(fa_id: string): Promise<void> {
    await this.endAnalysis(await this.analyses.lock(fa_id));
  }

  private async endAnalysis(analysis: FileAnalysis): Promise<void> {
    analysis.cancel(this.clock);
    await this.analyses.save(analysis);
    if (analysis.fa_hold !== null && analysis.fa_job === null) await this.usage.releaseHold(analysis.fa_hold);
  }

  private async read(caller: Principal, fa_id: string): Promise<AnalysisRow & { row_version: number }> {
    const row = await this.analyses.findAnalysisRow(fa_id);
    if (!row || (await this.library.findVisible(caller, 'media', [row.fa_file])).length === 0) throw notFound('analysis');
    return row;
  }

  private async assertFile(caller: Principal, file_id: string): Promise<void> {
    if ((await this.library.findVisible(caller, 'media', [file_id])).length === 0) throw notFound('file');
  }

  /** A condition on analyses `r`: of files that the caller sees in the library. */
  visibleCondition(caller: Principal): Sql {
    return sql`EXISTS (SELECT FROM file f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = r.fa_file AND f.repo_type = 'media' AND f.file_deleted IS NULL
      AND (f.file_processing <> 'quarantined' OR ${caller.permissions.has('media:edit')}::boolean))`;
  }
}
