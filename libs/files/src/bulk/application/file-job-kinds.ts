import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { JsonObject, Outage } from '@atrium/platform/kernel';
import type { FileJobBatch } from '../domain/file-job';
import type { FileJobDefinition } from './file-job-definition';

/** One batch that is to be done. */
export interface FileJobStep {
  readonly job_id: string;
  /** As the job was asked for. */
  readonly params: JsonObject;
  /** Where the batch before ended; null for the first. */
  readonly checkpoint: string | null;
  /** The caller who started the job, with their current rights; of jobs of the platform itself, a caller who may do everything. */
  readonly caller: Principal;
  /** Aborted when the worker shuts down or the job went to another one: stop then, the batch is done again. */
  readonly signal: AbortSignal;
  /** The outage for which the job would wait if the step threw this, and then do the batch again; null where it would not wait. */
  waitsFor(error: unknown): Outage | null;
  /** Keeps the job with this worker through a long batch. */
  heartbeat(): Promise<void>;
}

/**
 * What one kind of file job does. `runStep` does one batch of at most 200 files and answers where the next one begins; the
 * counts it answers are those of this batch. It is done again when a worker is lost within it, so it must be repeatable.
 * A `Problem` thrown by it ends the job as failed with its sentence; any other error is tried again.
 */
export interface FileJobKind {
  readonly kind: FileJobDefinition;
  /** The step does nothing but talk to the database: it is one unit of work with the place where it ends, so that what it counts counts once. */
  readonly whole?: boolean;
  runStep(step: FileJobStep): Promise<FileJobBatch>;
}

/** The kinds of file jobs known to this process; each context registers its own at start, in whatever hosts run them. */
@Injectable()
export class FileJobKinds {
  private readonly kinds = new Map<string, FileJobKind>();

  register(kind: FileJobKind): void {
    const { name } = kind.kind;
    if (this.kinds.has(name)) throw new Error(`Two contexts want to do the file jobs of kind ${name}.`);
    this.kinds.set(name, kind);
  }

  findKind(kind: string): FileJobKind | undefined {
    return this.kinds.get(kind);
  }
}
