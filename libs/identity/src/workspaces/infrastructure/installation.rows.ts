import { Injectable } from '@nestjs/common';
import { Database, sql } from '@atrium/platform/database';

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

/** An external service that is unavailable, and the jobs of all workspaces that wait for it. */
export interface WaitedForPart {
  readonly part: string;
  readonly jobs: number;
  readonly since: Date;
}

type Row<T> = T & Record<string, unknown>;

/** The installation as a whole, without a workspace. Within a unit of work. */
@Injectable()
export class InstallationRows {
  constructor(private readonly db: Database) {}

  async readServerVersion(): Promise<string> {
    const server = await this.db.current().first<{ version: string }>(sql`SELECT current_setting('server_version') AS version`);
    return server?.version ?? '';
  }

  listQueueDepths(): Promise<QueueDepth[]> {
    return this.db.current().query<Row<QueueDepth>>(sql`SELECT queue, waiting, sent, parked, oldest_seconds FROM outbox_depths()`);
  }

  listOutages(): Promise<WaitedForPart[]> {
    return this.db.current().query<Row<WaitedForPart>>(sql`SELECT part, jobs, since FROM outbox_outages()`);
  }
}
