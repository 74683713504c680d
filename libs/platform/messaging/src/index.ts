export * from './background-jobs';
export { checkCron, nextSlot } from './cron-slots';
export { EventStreams } from './event-streams';
export type { Joined, StreamListener } from './shared-tail';
export {
  FROM_START,
  LONGEST_STREAM,
  STREAM_RETENTION_SECONDS,
  StreamFenced,
  type Fence,
  type StreamEvent,
  type StreamPage,
} from './stream-event';
export * from './job-definition';
export { Handles, JobPause, PermanentFailure, WhenGivenUp, type GivenUpJob, type JobResult, type JobRun } from './job-handling';
export { InvalidPayload, NoPayload } from './job-payload';
export { JobRegistry, JobsModule } from './job-registry';
export * from './messaging.module';
export { directUrl, openQueues, queueAddress, type QueueAddress } from './open-queues';
export { Outbox } from './outbox';
export { type RelayPace } from './outbox-relay';
export { OutboxRows, type OutboxRow } from './outbox-rows';
export { outageOf, outagePaceOf, pauseAfter, type OutagePace } from './outages';
export { waitsForOfKey } from './outbox-rows';
export { type Queues } from './queue-backend';
export { migrateQueue, QUEUE_SCHEMA } from './queue-schema';
export { LazyRedis, PROMPT } from './redis-connection';
export { Every, ScheduleHost, type ScheduledRun } from './schedules';
export { ShortLived } from './short-lived';
export { Signals, platformChannel, tenantChannel, type Channel, type SignalListener, type Unsubscribe } from './signals';
export { JobDirectory } from './tracked/job-directory';
export { type Job, type JobRows, type JobSource, type JobSubject } from './tracked/job-rows';
export { LostWork } from './tracked/lost-work';
export { reasonToStop, withoutRetry } from './tracked/reasons-to-stop';
export { SteppedRepository, type WorkStep } from './tracked/stepped.repository';
export { SteppedRuns } from './tracked/stepped-runs';
export { TrackedRepository, WorkEnded, type WorkAttempt, type WorkRows } from './tracked/tracked.repository';
export { TrackedRuns } from './tracked/tracked-runs';
export { WorkEngine, type WorkRights } from './tracked/work-engine';
export { WorkerHost } from './worker-host';
export { WorkerSettings } from './worker-settings';
