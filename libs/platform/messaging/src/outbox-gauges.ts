import { Injectable, Optional } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Metrics, ProbeListener } from '@atrium/platform/observability';
import { OutboxRows } from './outbox-rows';

/** Reports what waits, in the outbox and in the contexts, to the metrics, and whether a worker reaches it to the readiness check. */
@Injectable()
export class OutboxGauges {
  constructor(rows: OutboxRows, db: Database, @Optional() metrics?: Metrics, @Optional() probes?: ProbeListener) {
    probes?.readyWhen(() =>
      db
        .acrossTenants((tx) => tx.query('SELECT 1'))
        .then(
          () => undefined,
          () => Promise.reject(new Error('The database does not respond.')),
        ),
    );
    metrics?.beforeScrape(async () => {
      const waiting = await rows.countWaiting();
      metrics.jobsWaiting.reset();
      for (const { queue, jobs } of waiting) if (queue !== null) metrics.jobsWaiting.set({ job: queue }, jobs);
      await this.backlog(rows, metrics);
      metrics.outboxAge.set(Math.max(0, ...waiting.map(({ oldest_seconds }) => oldest_seconds)));
    });
  }

  private async backlog(rows: OutboxRows, metrics: Metrics): Promise<void> {
    const [backlog, schedules] = await Promise.all([rows.countBacklog(), rows.listSchedules()]);
    metrics.backlog.reset();
    metrics.backlogAge.reset();
    for (const { work, many, oldest_seconds } of backlog) {
      metrics.backlog.set({ work }, many);
      metrics.backlogAge.set({ work }, oldest_seconds);
    }
    for (const { name: schedule, overdue_seconds, has_failed } of schedules) {
      metrics.scheduleOverdue.set({ schedule }, overdue_seconds);
      metrics.scheduleFailed.set({ schedule }, has_failed ? 1 : 0);
    }
  }
}
