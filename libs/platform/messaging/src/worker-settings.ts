import { SECOND } from '@atrium/platform/kernel';
import type { QueueAddress } from './open-queues';
import { OUTAGE_PACE, type OutagePace } from './outages';
import { RELAY_PACE, type RelayPace } from './outbox-relay';
import { QUEUE_TIMING, type QueueTiming } from './queue-backend';

/** How schedules are held. */
export interface SchedulePace {
  /** How long a claimed schedule is a worker's own; the schedules of a killed worker are free after that. Renewed after a third of it. */
  readonly leaseMs: number;
  /** After this time failed runs and unreachable databases are tried again. */
  readonly retryMs: number;
}

const SCHEDULE_PACE: SchedulePace = { leaseMs: 60 * SECOND, retryMs: 10 * SECOND };

/** How a worker process works; the defaults are those of production. */
export abstract class WorkerSettings {
  abstract readonly address: QueueAddress;
  abstract readonly concurrency: number;
  readonly timing: QueueTiming = QUEUE_TIMING;
  readonly pace: RelayPace = RELAY_PACE;
  readonly schedules: SchedulePace = SCHEDULE_PACE;
  readonly outages: OutagePace = OUTAGE_PACE;
  readonly graceMs: number = 20 * SECOND;
}
