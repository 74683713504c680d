import { Injectable } from '@nestjs/common';
import { FormRows, Forms } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { Database, type ListParameters, type Page } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { sightOf } from '../../objects/application/object-answers';
import { RunsRepository, type RunRow } from '../infrastructure/runs.repository';
import { SourcesRepository, type SourceRow } from '../infrastructure/sources.repository';
import { SyncRowList, type SyncRowView } from '../infrastructure/sync-row-list';
import { SyncRuns } from './sync-runs';

export type { RunRow, SyncRowView };

/** The runs of a source, as clients see them. */
@Injectable()
export class RunsService {
  constructor(
    private readonly db: Database,
    private readonly sources: SourcesRepository,
    private readonly runs: RunsRepository,
    private readonly rows: SyncRowList,
    private readonly schemas: FormRows,
    private readonly forms: Forms,
    private readonly work: SyncRuns,
  ) {}

  list(osr_id: string, query: ListParameters): Promise<Page<RunRow>> {
    return this.db.read(async () => {
      await this.requireSource(osr_id);
      return this.runs.listRuns(osr_id, query);
    });
  }

  get(osr_id: string, job_id: string): Promise<RunRow> {
    return this.db.read(async () => {
      await this.requireSource(osr_id);
      return this.stored(osr_id, job_id);
    });
  }

  /** What became of its rows, as far as the caller may read their objects. */
  listRows(caller: Principal, osr_id: string, job_id: string, query: ListParameters): Promise<Page<SyncRowView>> {
    return this.db.read(async () => {
      const { osr_form } = await this.requireSource(osr_id);
      await this.stored(osr_id, job_id);
      const { compiled } = await this.schemas.openForm('object', osr_form);
      return this.rows.listRows(caller, job_id, query, this.forms.visibleFields(compiled, sightOf(caller)));
    });
  }

  /** What is done stays; the worker stops at its next step. */
  cancel(osr_id: string, job_id: string): Promise<RunRow> {
    return this.db.write(async () => {
      await this.requireSource(osr_id);
      await this.stored(osr_id, job_id);
      await this.work.cancelWork(job_id);
      return this.stored(osr_id, job_id);
    });
  }

  private async requireSource(osr_id: string): Promise<SourceRow> {
    const source = await this.sources.findSourceRow(osr_id);
    if (!source) throw notFound('source');
    return source;
  }

  private async stored(osr_id: string, job_id: string): Promise<RunRow> {
    const row = await this.runs.findRunRow(osr_id, job_id);
    if (!row) throw notFound('run');
    return row;
  }
}
