import { Injectable, type OnModuleInit } from '@nestjs/common';
import { inWorkspace } from '@atrium/platform/database';
import { WorkspacePurgers, type PurgedBatch } from '@atrium/identity';
import { publicFolder } from '../domain/public-object';
import { PublicStore } from '../infrastructure/public-store';

/** Public copies and the rules for them go with their workspace, bytes before rows. */
@Injectable()
export class WorkspacePublications implements OnModuleInit {
  constructor(
    private readonly purgers: WorkspacePurgers,
    private readonly store: PublicStore,
  ) {}

  onModuleInit(): void {
    this.purgers.register({
      context: 'publications',
      order: 60,
      tables: [
        'edge_sync',
        'publication_stat',
        'publication_history',
        'publication_restriction',
        'publication',
        'distribution_restriction',
      ],
      beyond: { what: 'published copies', purge: (tenant_id, batch) => inWorkspace(tenant_id, () => this.purge(tenant_id, batch)) },
    });
  }

  private async purge(tenant_id: string, batch: number): Promise<PurgedBatch> {
    const keys: string[] = [];
    for await (const key of this.store.list(publicFolder(tenant_id))) if (keys.push(key) > batch) break;
    const now = keys.slice(0, batch);
    await this.store.delete(now);
    return { removed: now.length, left: keys.length - now.length };
  }
}
