import { Injectable, Optional } from '@nestjs/common';
import { Metrics } from '@atrium/platform/observability';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Database } from './database';

/** Reports to the metrics how many connections this process has, how much work waits for one, and what held one for too long. */
@Injectable()
export class PoolGauges {
  constructor(source: DataSource, database: Database, @Optional() metrics?: Metrics) {
    database.longUnits.addListener(({ operation, by }) =>
      by === 'locks' ? metrics?.locksFirst.inc({ operation }) : metrics?.longUnits.inc({ operation, by }),
    );
    metrics?.beforeScrape(() => {
      const { totalCount, idleCount, waitingCount } = (source.driver as typeof source.driver & { readonly master: Pool }).master;
      metrics.connections.set({ state: 'idle' }, idleCount);
      metrics.connections.set({ state: 'busy' }, totalCount - idleCount);
      metrics.acquiring.set(waitingCount + database.waiting);
      metrics.givingWay.set(database.givingWay);
    });
  }
}
