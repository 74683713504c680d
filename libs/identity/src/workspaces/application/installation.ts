import { Injectable } from '@nestjs/common';
import { Database, readAppliedSteps, sql } from '@atrium/platform/database';

export interface QueueDepth {
  readonly queue: string;
  /** Jobs that are due and not sent yet. */
  readonly waiting: number;
  /** Jobs in the queue, or running. */
  readonly sent: number;
  /** Jobs of workspaces at rest. */
  readonly parked: number;
  readonly oldest_seconds: number | null;
}

/** A part outside that is away, and the jobs of all workspaces that wait for it. */
export interface WaitedForPart {
  readonly part: string;
  readonly jobs: number;
  readonly since: Date;
}

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
  constructor(private readonly db: Database) {}

  readHealth(): Promise<InstallationHealth> {
    return this.db.acrossTenants(async (tx) => {
      const server = await tx.first<{ version: string }>(sql`SELECT current_setting('server_version') AS version`);
      const migrations = await readAppliedSteps(tx);
      const queues = await tx.query<QueueDepth & Record<string, unknown>>(
        sql`SELECT queue, waiting, sent, parked, oldest_seconds FROM outbox_depths()`,
      );
      const waiting = await tx.query<WaitedForPart & Record<string, unknown>>(sql`SELECT part, jobs, since FROM outbox_outages()`);
      return {
        versions: { api: API_VERSION, node: process.versions.node, postgresql: server?.version ?? '' },
        migrations,
        queues,
        waiting,
      };
    });
  }
}
