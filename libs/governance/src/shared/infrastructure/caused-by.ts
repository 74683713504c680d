import { requireScope } from '@atrium/platform/database';

/** Who causes a change that a function of the database makes and reports in its events. */
export function causedBy(): string {
  const { actor, request_id, traceparent } = requireScope();
  return JSON.stringify({ actor, request: request_id, trace: traceparent ?? null });
}
