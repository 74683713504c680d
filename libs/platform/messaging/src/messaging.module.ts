import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { HOUR, SECOND } from '@atrium/platform/kernel';
import { Metrics } from '@atrium/platform/observability';
import { DataSource } from 'typeorm';
import { directUrl, queueAddress } from './open-queues';
import { BackgroundJobs } from './background-jobs';
import { EventStreams } from './event-streams';
import { JobLedger } from './job-ledger';
import { JobRegistry } from './job-registry';
import { JobRunner } from './job-runner';
import { JobWatch } from './job-watch';
import { Outbox } from './outbox';
import { OutboxBell } from './outbox-bell';
import { OutboxGauges } from './outbox-gauges';
import { OutboxRows } from './outbox-rows';
import { outagePaceOf } from './outages';
import { paceOf } from './outbox-relay';
import { PostgresEventStreams } from './postgres-event-streams';
import { PostgresSignals } from './postgres-signals';
import { timingOf } from './queue-backend';
import { QueueRegistration } from './queue-registration';
import { RedisGauge } from './redis-gauge';
import { RedisEventStreams } from './redis-event-streams';
import { RedisSignals } from './redis-signals';
import { ScheduleHost } from './schedules';
import { Signals } from './signals';
import { BackgroundJobRows } from './tracked/background-job.rows';
import { JobDirectory } from './tracked/job-directory';
import { LostWork, LostWorkSchedule } from './tracked/lost-work';
import { LostWorkRows } from './tracked/lost-work.rows';
import { WorkEngine } from './tracked/work-engine';
import { WorkerHost } from './worker-host';
import { WorkerSettings } from './worker-settings';

/** What every process can do: write to the outbox, send signals, follow streams, show background jobs. */
const SPEAKING: Provider[] = [
  {
    provide: Signals,
    inject: [Settings, DataSource],
    useFactory: (settings: Settings, source: DataSource) =>
      settings.REDIS_URL ? new RedisSignals(settings.REDIS_URL) : new PostgresSignals(source, directUrl(settings)),
  },
  {
    provide: EventStreams,
    inject: [Settings, Database, Signals, { token: Metrics, optional: true }],
    useFactory: (settings: Settings, db: Database, signals: Signals, metrics?: Metrics) =>
      (settings.REDIS_URL ? new RedisEventStreams(settings.REDIS_URL, signals) : new PostgresEventStreams(db, signals)).countedBy(metrics),
  },
  OutboxBell,
  Outbox,
  JobDirectory,
  LostWork,
  LostWorkRows,
  WorkEngine,
  BackgroundJobRows,
  BackgroundJobs,
  RedisGauge,
];

/** What only a worker has. */
const WORKING: Provider[] = [
  JobRegistry,
  JobLedger,
  JobRunner,
  JobWatch,
  OutboxRows,
  OutboxGauges,
  QueueRegistration,
  WorkerHost,
  ScheduleHost,
  LostWorkSchedule,
  {
    provide: WorkerSettings,
    inject: [Settings],
    useFactory: (settings: Settings): WorkerSettings => new ConfiguredWorker(settings),
  },
];

/** The worker as the environment configures it. */
class ConfiguredWorker extends WorkerSettings {
  readonly address: WorkerSettings['address'];
  readonly concurrency: number;
  override readonly timing: WorkerSettings['timing'];
  override readonly pace: WorkerSettings['pace'];
  override readonly outages: WorkerSettings['outages'];

  constructor(settings: Settings) {
    super();
    this.address = queueAddress(settings);
    this.concurrency = settings.WORKER_CONCURRENCY;
    const leaseMs = settings.WORKER_LEASE_SECONDS * SECOND;
    this.timing = timingOf(leaseMs);
    this.pace = paceOf(leaseMs);
    this.outages = outagePaceOf(settings.WORKER_OUTAGE_PAUSE_SECONDS * SECOND, settings.WORKER_OUTAGE_HOURS * HOUR);
  }
}

/** Messaging of one process. The API only writes (it never loads the queue); a worker also relays the outbox and runs the jobs. */
@Global()
@Module({})
export class MessagingModule {
  static forApi(): DynamicModule {
    return {
      module: MessagingModule,
      providers: SPEAKING,
      exports: [Signals, EventStreams, Outbox, BackgroundJobs, JobDirectory, LostWork, WorkEngine],
    };
  }

  static forWorker(): DynamicModule {
    return {
      module: MessagingModule,
      imports: [DiscoveryModule],
      providers: [...SPEAKING, ...WORKING],
      exports: [Signals, EventStreams, Outbox, BackgroundJobs, JobDirectory, LostWork, WorkEngine],
    };
  }
}
