import { Injectable } from '@nestjs/common';
import { Database, readAppliedSteps } from '@atrium/platform/database';
import { InstallationRows, type QueueDepth, type WaitedForPart } from '../infrastructure/installation.rows';

export interface InstallationHealth {
  readonly versions: { readonly api: string; readonly node: string; readonly postgresql: string };
  readonly migrations: { readonly applied: number; readonly latest: string | null };
  readonly queues: readonly QueueDepth[];
  readonly waiting: readonly WaitedForPart[];
}

const API_VERSION = '1.0.0';

/** The installation as its operator sees it. */
@Injectable()
export class Installation {
  constructor(
    private readonly db: Database,
    private readonly rows: InstallationRows,
  ) {}

  readHealth(): Promise<InstallationHealth> {
    return this.db.acrossTenants(async (tx) => {
      const postgresql = await this.rows.readServerVersion();
      const migrations = await readAppliedSteps(tx);
      const queues = await this.rows.listQueueDepths();
      const waiting = await this.rows.listOutages();
      return {
        versions: { api: API_VERSION, node: process.versions.node, postgresql },
        migrations,
        queues,
        waiting,
      };
    });
  }
}
