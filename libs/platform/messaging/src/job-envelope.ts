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
  readonly request_id: string;
  readonly traceparent: string | null;
  readonly actor: Actor;
  readonly payload: JsonObject;
}

/** The id under which the queue knows the job: equal for equal work, so that sending twice is sending once. */
export const queueIdOf = (envelope: Pick<JobEnvelope, 'tenant_id' | 'key'>): string => `${envelope.tenant_id}.${encodeURIComponent(envelope.key)}`;

export const scopeOf = (envelope: JobEnvelope): CallScope => ({
  tenant_id: envelope.tenant_id,
  actor: envelope.actor,
  request_id: envelope.request_id,
  traceparent: envelope.traceparent ?? undefined,
});
