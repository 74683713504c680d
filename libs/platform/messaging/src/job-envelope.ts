import type { JsonObject } from '@atrium/platform/kernel';
import type { Actor, CallScope } from '@atrium/platform/database';

/** What travels through the queue: the payload, whose it is, who asked for it and on which trace. */
export interface JobEnvelope {
  readonly tenant_id: string;
  readonly job_id: string;
  readonly key: string;
  readonly version: number;
  /** Whether a background job row follows its state. */
  readonly tracked: boolean;
  /** Whether it is part of work in bulk; so is then all it asks for. */
  readonly bulk?: boolean;
  /** Runs that failed before it came into the queue. */
  readonly attempts?: number;
  readonly request_id: string;
  readonly traceparent: string | null;
  readonly actor: Actor;
  readonly payload: JsonObject;
}

/** The id under which the queue knows the job: that of its row, so that sending twice is sending once. */
export const queueIdOf = (envelope: Pick<JobEnvelope, 'tenant_id' | 'job_id'>): string => `${envelope.tenant_id}.${envelope.job_id}`;

export const scopeOf = (envelope: JobEnvelope, inBulk = envelope.bulk ?? false): CallScope => ({
  tenant_id: envelope.tenant_id,
  actor: envelope.actor,
  request_id: envelope.request_id,
  traceparent: envelope.traceparent ?? undefined,
  ...(inBulk ? { inBulk } : {}),
});
