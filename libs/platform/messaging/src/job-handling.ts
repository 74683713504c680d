import 'reflect-metadata';
import type { JsonObject, Outage } from '@atrium/platform/kernel';
import type { JobDefinition } from './job-definition';

/** One run of one job, as its handler sees it. */
export interface JobRun {
  /** The job's id, the same in every attempt; of a background job, the one its customer polls. */
  readonly job_id: string;
  /** 1 for the first run. */
  readonly attempt: number;
  readonly lastAttempt: boolean;
  /** Aborted when the worker shuts down, the time is up or the job was given to another worker. A job that stops then is run again. */
  readonly signal: AbortSignal;
  /** Keeps the job with this worker through long computation; throws when another worker has it. */
  heartbeat(): Promise<void>;
  /** False when a run of the same job may have begun before, and may still be at work. */
  readonly isFirst: boolean;
  /** The outage for which the job would wait if the handler threw this; null where it would not wait. */
  waitsFor(error: unknown): Outage | null;
  /** Whether this error, thrown by the handler, would end the job for good. Never while the run is being stopped or another worker has the job: another run follows then. */
  givesUpOn(error: unknown): Promise<boolean>;
  /** Records how far a background job is. */
  reportProgress(done: number, total: number, failed?: number): Promise<void>;
  /** Whether the customer has cancelled it; asked at checkpoints. */
  isCancelled(): Promise<boolean>;
}

/** What a handler returns becomes the result of a background job. */
export type JobResult = JsonObject | void;

/** Thrown by a handler when no further attempt can help; the message is shown to the customer. */
export class PermanentFailure extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'PermanentFailure';
  }
}

/** Thrown by a handler that has nothing to do for a while: its slot is free until then, and the job runs again without an attempt being counted. */
export class JobPause extends Error {
  constructor(readonly pauseMs: number) {
    super('The job goes on after a pause.');
    this.name = 'JobPause';
  }
}

/** A method that does the work of one definition. */
export interface HandlerMark {
  readonly definition: JobDefinition<object>;
  readonly method: string | symbol;
}

/** A job that its queue has given up: no run of it has come to an end. */
export interface GivenUpJob {
  readonly job_id: string;
  /** For people. */
  readonly reason: string;
}

const MARKS = Symbol('atrium:job-handlers');
const GIVING_UP = Symbol('atrium:job-given-up');

/** Marks the one method of a worker provider that runs the jobs of a definition. */
export const Handles =
  <P extends object>(definition: JobDefinition<P>) =>
  <M extends (payload: P, run: JobRun) => Promise<JobResult>>(
    target: object,
    method: string | symbol,
    _descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    Reflect.defineMetadata(MARKS, [...marksOf(target), { definition, method }], target);
  };

/** The marks of a provider instance or prototype. */
export const marksOf = (target: object): readonly HandlerMark[] =>
  (Reflect.getMetadata(MARKS, target) as readonly HandlerMark[] | undefined) ?? [];

/**
 * Marks the method of a worker provider that ends what its context shows of a job, once the queue has given it up without a run that
 * could: its workers were lost for too long, or it has blocked them twice. It may run more than once.
 */
export const WhenGivenUp =
  <P extends object>(definition: JobDefinition<P>) =>
  <M extends (payload: P, job: GivenUpJob) => Promise<unknown>>(
    target: object,
    method: string | symbol,
    _descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    Reflect.defineMetadata(GIVING_UP, [...endingsOf(target), { definition, method }], target);
  };

/** The marks of a provider instance or prototype. */
export const endingsOf = (target: object): readonly HandlerMark[] =>
  (Reflect.getMetadata(GIVING_UP, target) as readonly HandlerMark[] | undefined) ?? [];
