import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Problem, type JsonObject } from '@atrium/platform/kernel';
import { SyncRunsRepository } from '../infrastructure/sync-runs.repository';
import { SyncService, type RunAnswer } from './sync.service';

export interface SchemaOrder {
  readonly direction: 'schemas_pull' | 'schemas_push';
  readonly templateIds?: readonly string[];
}

/** Asks for exchanges of schemas, and shows what they changed where they are short. */
@Injectable()
export class SchemaSyncService {
  constructor(
    private readonly db: Database,
    private readonly sync: SyncService,
    private readonly runs: SyncRunsRepository,
  ) {}

  async exchange(
    caller: Principal,
    site_id: string,
    { direction, templateIds }: SchemaOrder,
  ): Promise<RunAnswer & { readonly result: JsonObject | null }> {
    const answer = await this.sync.movePages(caller, site_id, direction, templateIds ? { templateIds } : {});
    if (!answer.pages) return { ...answer, result: null };
    const { status, error, job_id } = answer.run;
    if (status === 'failed') throw new Problem('unprocessable_content', error ?? 'The schemas could not be exchanged.');
    const run = await this.db.read(() => this.runs.findRow(job_id));
    return { ...answer, result: run?.result ?? null };
  }
}
