import { Injectable, Optional } from '@nestjs/common';
import { Metrics } from '@atrium/platform/observability';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Database } from './database';

/** Reports to the metrics how many connections this process has, and how much work waits for one. */
@Injectable()
export class PoolGauges {
  constructor(source: DataSource, database: Database, @Optional() metrics?: Metrics) {
    metrics?.beforeScrape(() => {
      const { totalCount, idleCount, waitingCount } = (source.driver as unknown as { master: Pool }).master;
      metrics.connections.set({ state: 'idle' }, idleCount);
      metrics.connections.set({ state: 'busy' }, totalCount - idleCount);
      metrics.acquiring.set(waitingCount + database.waiting);
    });
  }
}
