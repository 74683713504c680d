import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Settings, loadSettings } from '@atrium/platform/config';
import { createDataSource, Database, runInScope, SYSTEM_ACTOR, type CallScope } from '@atrium/platform/database';
import { Clock, newId, SystemClock } from '@atrium/platform/kernel';
import { MessagingModule, WorkerSettings, type QueueAddress, type RelayPace } from '@atrium/platform/messaging';
import { DataSource } from 'typeorm';
import { Shop, ShopJobs } from './shop';

/** The rest of the platform, as much as messaging needs. */
@Global()
@Module({})
class Ground {
  static at(address: QueueAddress): DynamicModule {
    const settings: Settings = {
      ...loadSettings({
        DATABASE_URL: address.databaseUrl,
        REDIS_URL: address.redisUrl,
        MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      }),
    };
    return {
      module: Ground,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: Clock, useClass: SystemClock },
        {
          provide: DataSource,
          useFactory: () =>
            createDataSource({ url: address.databaseUrl, pool: 8, acquireTimeoutMs: 5_000, applicationName: 'contract' }, []).initialize(),
        },
        {
          provide: Database,
          inject: [DataSource],
          useFactory: (source: DataSource) => new Database(source, { prepared: true, pool: 20, acquireTimeoutMs: 5_000 }),
        },
      ],
      exports: [Settings, Clock, DataSource, Database],
    };
  }
}

/** A worker with clocks that fit a test. */
class BriskWorker extends WorkerSettings {
  readonly concurrency = 4;
  override readonly timing = { lockMs: 1_500, stalledCheckMs: 500 };
  override readonly pace: RelayPace;
  override readonly schedules = { leaseMs: 900, retryMs: 200 };
  override readonly outages = { firstMs: 300, longestMs: 600, boundMs: 3_000 };
  override readonly graceMs = 1_000;

  constructor(
    readonly address: QueueAddress,
    pace: Partial<RelayPace> = {},
  ) {
    super();
    this.pace = { batch: 50, leaseMs: 1_000, pollMs: 100, lostAfterMs: 600, ...pace };
  }
}

/** A process that only keeps the schedules of its providers. */
export async function startKeeper(address: QueueAddress, keeper: Type): Promise<TestingModule> {
  const app = await Test.createTestingModule({ imports: [Ground.at(address), MessagingModule.forWorker()], providers: [keeper] })
    .overrideProvider(WorkerSettings)
    .useValue(new BriskWorker(address))
    .compile();
  return app.init();
}

/** A process as the API is one. */
export async function startApi(address: QueueAddress): Promise<TestingModule> {
  const app = await Test.createTestingModule({ imports: [Ground.at(address), MessagingModule.forApi()] }).compile();
  return app.init();
}

/** A process as the worker is one. */
export async function startWorker(address: QueueAddress, pace: Partial<RelayPace> = {}): Promise<TestingModule> {
  const app = await Test.createTestingModule({ imports: [Ground.at(address), MessagingModule.forWorker(), ShopJobs], providers: [Shop] })
    .overrideProvider(WorkerSettings)
    .useValue(new BriskWorker(address, pace))
    .compile();
  return app.init();
}

export const scopeOfNewTenant = (): CallScope => ({
  tenant_id: newId(),
  actor: { ...SYSTEM_ACTOR, kind: 'person', user_id: newId() },
  request_id: `req-${newId()}`,
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
});

export const inScope = <T>(scope: CallScope, work: () => Promise<T>): Promise<T> => runInScope(scope, work);

/** Polls until the condition holds; fails with what was seen last when the time is up. */
export async function until<T>(what: string, look: () => Promise<T> | T, holds: (seen: T) => boolean, withinMs = 15_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`Not in time: ${what}; seen last: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
