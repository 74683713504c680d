import { Effort, newId, SECOND } from '@atrium/platform/kernel';
import { SYSTEM_ACTOR, type Actor, type CallScope } from './call-scope';
import type { Settings } from '@atrium/platform/config';
import type { WatchdogOptions, WorkAtHand } from '@atrium/platform/observability';
import { currentFrame, nextEffort, runInFrame, type Doing, type Urgency } from './frame';

/** Runs work in a scope; `doing` names it where it begins. What begins within a request spends from its effort. */
export const runInScope = <T>(scope: CallScope, work: () => T, doing?: Doing): T => runWith(scope, nextEffort(), work, doing);

/** Runs work whose outcome nobody waits for any more when the signal is aborted: what of it waits in a line leaves it then. */
export const runUntil = <T>(ending: () => AbortSignal, work: () => T): T => runInFrame({ ending }, work);

/** A job, which has an effort for each of its steps. */
export const runAsJob = <T>(scope: CallScope, work: () => T, { doing, urgency = 'background' }: JobFacts = {}): T =>
  runInFrame({ urgency }, () => runWith(scope, Effort.ofStep(), work, doing));

/** Work that a person waits for, before it has a scope. */
export const asAwaited = <T>(work: () => T): T => runInFrame({ urgency: 'awaited' }, work);

/** What is known of a job besides its scope. */
interface JobFacts {
  readonly doing?: Doing;
  readonly urgency?: Urgency;
}

const runWith = <T>(scope: CallScope, effort: Effort, work: () => T, doing?: Doing): T =>
  runInFrame(doing ? { scope, effort, doing } : { scope, effort }, work);

/** The work whose code runs at this moment, for the watchdog; null outside of every request, job and schedule. */
export function workAtHand(): WorkAtHand | null {
  const { scope, doing } = currentFrame() ?? {};
  if (!scope && !doing) return null;
  const { kind, operation, id } = doing?.() ?? { kind: 'schedule' as const, operation: 'a schedule', id: '' };
  return { kind, operation, id, tenant_id: scope?.tenant_id ?? null, request_id: scope?.request_id ?? '' };
}

/**
 * Work of the service itself in one workspace: a schedule, the command line. It has the effort of a job, unless a request asks for it,
 * and does not end with that request.
 */
export const inWorkspace = <T>(tenant_id: string, work: () => T, actor: Actor = SYSTEM_ACTOR): T =>
  runInFrame(
    {
      scope: { tenant_id, actor, request_id: newId() },
      effort: currentFrame()?.effort ? nextEffort() : Effort.ofStep(),
      ending: undefined,
    },
    work,
  );

/** The request or command at hand, bound to the workspace it names itself: for operators, who belong to none. Who acts stays as it is. */
export function enterWorkspace<T>(tenant_id: string, work: () => T): T {
  const { actor, request_id, traceparent, address } = currentScope() ?? { actor: SYSTEM_ACTOR, request_id: newId() };
  return runInScope({ tenant_id, actor, request_id, traceparent, ...(address ? { address } : {}) }, work);
}

/** How the event loop of a host is watched. A database behind a pooler will do: a strike is one statement. */
export const watchdogOf = (
  service: string,
  { DATABASE_URL, WATCHDOG_SECONDS }: Pick<Settings, 'DATABASE_URL' | 'WATCHDOG_SECONDS'>,
): WatchdogOptions => ({
  service,
  databaseUrl: DATABASE_URL,
  reportMs: SECOND,
  endMs: WATCHDOG_SECONDS * SECOND,
  describe: workAtHand,
});

/** The scope of the running request or job, or undefined outside of one. */
export const currentScope = (): CallScope | undefined => currentFrame()?.scope;

/** The scope of the running request or job once it has a workspace; before, there is none to work in. */
export function requireScope(): CallScope & { tenant_id: string } {
  const scope = currentScope();
  if (!scope?.tenant_id) throw new Error('No workspace is bound: tenant rows are reached within a request or a job only.');
  return scope as CallScope & { tenant_id: string };
}
