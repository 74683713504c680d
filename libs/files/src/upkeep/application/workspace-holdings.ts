import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { WorkspaceStores } from '@atrium/governance';
import { inWorkspace } from '@atrium/platform/database';
import { ObjectStore } from '@atrium/platform/storage';
import { AllWorkspacesRows } from '../infrastructure/all-workspaces.rows';
import { WorkspaceCounters, WorkspacePurgers, type PurgedBatch } from '@atrium/identity';

const MOST_PASSES = 5;

const prefixOf = (tenant_id: string, provider: string | null): string => `${provider === null ? '' : `p/${provider}/`}t/${tenant_id}/`;

/** What this context holds of a workspace: how much it is, and how it goes when the workspace does, bytes before rows. */
@Injectable()
export class WorkspaceHoldings implements OnModuleInit {
  private readonly log = new Logger(WorkspaceHoldings.name);

  constructor(
    private readonly counters: WorkspaceCounters,
    private readonly purgers: WorkspacePurgers,
    private readonly store: ObjectStore,
    private readonly stores: WorkspaceStores,
    private readonly rows: AllWorkspacesRows,
  ) {}

  onModuleInit(): void {
    this.counters.register({
      counts: ['files', 'bytes'],
      countPerWorkspace: async (_, ws_ids) => {
        const rows = await this.rows.countHoldings(ws_ids);
        return new Map(rows.map(({ ws_id, files, bytes }) => [ws_id, { files, bytes }]));
      },
    });
    this.purgers.register({
      context: 'files',
      order: 200,
      tables: [
        'file_job',
        'file_pin',
        'download_job',
        'upload',
        'file_history',
        'file_pref',
        'file_search_text',
        'file_phash_band',
        'file_version',
        'file',
        'file_blob',
        'file_day_delta',
        'file_day',
        'file_word_delta',
        'file_word',
        'saved_search',
      ],
      beyond: { what: 'objects', purge: (tenant_id, batch) => inWorkspace(tenant_id, () => this.purge(tenant_id, batch)) },
    });
  }

  /** Uploads that were begun and never ended go first: what they hold is not listed as an object. A bucket that nobody can enter any more keeps no workspace alive. */
  private async purge(tenant_id: string, batch: number): Promise<PurgedBatch> {
    for (const provider of await this.stores.listOwnProviders()) {
      const there = await this.purgeAt(prefixOf(tenant_id, provider), batch).catch((error: unknown) => {
        this.log.warn({ msg: 'objects in a bucket that a deleted workspace brought are left there', tenant_id, provider, err: error });
        return null;
      });
      if (there && there.left > 0) return there;
    }
    return this.purgeAt(prefixOf(tenant_id, null), batch);
  }

  private async purgeAt(prefix: string, batch: number): Promise<PurgedBatch> {
    const aborted = await this.abortUploads(prefix);
    const keys: string[] = [];
    for await (const { key } of this.store.list(prefix)) if (keys.push(key) > batch) break;
    const now = keys.slice(0, batch);
    await this.store.delete(now);
    return { removed: aborted + now.length, left: keys.length - now.length };
  }

  /** Asks again until none is listed: a listing of several pages may pass some over. */
  private async abortUploads(prefix: string): Promise<number> {
    let aborted = 0;
    for (let pass = 0, found = 1; found > 0 && pass < MOST_PASSES; pass++) {
      found = 0;
      for await (const { key, uploadId } of this.store.openUploads(prefix)) {
        await this.store.abort(key, uploadId);
        found += 1;
      }
      aborted += found;
    }
    return aborted;
  }
}
