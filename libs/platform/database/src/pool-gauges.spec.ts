import { Logger } from '@nestjs/common';
import { Metrics } from '@atrium/platform/observability';
import type { DataSource } from 'typeorm';
import type { Database } from './database';
import { runInFrame } from './frame';
import { LongUnits } from './long-units';
import { PoolGauges } from './pool-gauges';
import type { UnitOfWork } from './unit-of-work';

describe('the metrics of the database', () => {
  let warn: jest.SpyInstance;
  beforeEach(() => (warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation()));
  afterEach(() => warn.mockRestore());

  it('count units of work that took their locks first apart from those that were long, and show who waits for a connection', async () => {
    const longUnits = new LongUnits();
    const metrics = new Metrics();
    const master = { totalCount: 5, idleCount: 2, waitingCount: 3 };
    new PoolGauges(
      { driver: { master } } as unknown as DataSource,
      { longUnits, waiting: 4, givingWay: 2 } as unknown as Database,
      metrics,
    );
    const ended = (operation: string, unit: Partial<UnitOfWork>): void =>
      runInFrame({ doing: () => ({ kind: 'job', operation, id: operation }) }, () =>
        longUnits.checkUnit({ statements: 1, ...unit } as UnitOfWork, performance.now()),
      );
    ended('objects.import', { locksFirst: true });
    ended('objects.import', { locksFirst: true, reason: 'all rows of the file or none' });
    ended('objects.fork', { statements: 201 });
    ended('objects.sync', { statements: 200 });
    const text = await metrics.renderMetrics();
    expect(text.split('\n').filter((line) => /^atrium_database_(?:locks_first|long_units)_total/.test(line))).toEqual([
      'atrium_database_long_units_total{operation="objects.fork",by="statements"} 1',
      'atrium_database_locks_first_total{operation="objects.import"} 2',
    ]);
    expect(text).toContain('{state="idle"} 2');
    expect(text).toContain('{state="busy"} 3');
    expect((await metrics.acquiring.get()).values).toMatchObject([{ value: 7 }]);
    expect((await metrics.givingWay.get()).values).toMatchObject([{ value: 2 }]);
  });
});
