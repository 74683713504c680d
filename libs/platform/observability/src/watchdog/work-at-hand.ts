/** What the running code works on, as the watchdog reports it and as strikes are written for it. */
export interface WorkAtHand {
  readonly kind: 'job' | 'request' | 'schedule';
  /** The name of a job or schedule; method and path of a request. */
  readonly operation: string;
  readonly tenant_id: string | null;
  readonly request_id: string;
  /** A job's id; of a request, the digest of its route and body. */
  readonly id: string;
}

const AT_HAND = Symbol.for('atrium.work-at-hand');
/** Asked by the watchdog through the debugger, while the code that blocks the event loop is paused. */
export const WORK_AT_HAND = `globalThis[Symbol.for('atrium.work-at-hand')]?.()`;

/** How the work is found out whose code runs at this moment; the answer is JSON, and null where it is nobody's. */
export function describeWorkWith(describe: () => WorkAtHand | null): void {
  Object.assign(globalThis, { [AT_HAND]: () => JSON.stringify(describe()) });
}
