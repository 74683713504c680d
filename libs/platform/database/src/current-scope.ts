import { Effort, newId } from '@atrium/platform/kernel';
import { SYSTEM_ACTOR, type Actor, type CallScope } from './call-scope';
import { currentFrame, nextEffort, runInFrame } from './frame';

/** What begins within a request spends from its effort. */
export const runInScope = <T>(scope: CallScope, work: () => T): T => runInFrame({ scope, effort: nextEffort() }, work);

/** A job, which has an effort for each of its steps. */
export const runAsJob = <T>(scope: CallScope, work: () => T): T => runInFrame({ scope, effort: Effort.ofStep() }, work);

/** Work of the service itself in one workspace: a schedule, the command line. */
export const inWorkspace = <T>(tenant_id: string, work: () => T, actor: Actor = SYSTEM_ACTOR): T =>
  runInScope({ tenant_id, actor, request_id: newId() }, work);

/** The request or command at hand, bound to the workspace it names itself: for operators, who belong to none. Who acts stays as it is. */
export function enterWorkspace<T>(tenant_id: string, work: () => T): T {
  const { actor, request_id, traceparent, address } = currentScope() ?? { actor: SYSTEM_ACTOR, request_id: newId() };
  return runInScope({ tenant_id, actor, request_id, traceparent, ...(address ? { address } : {}) }, work);
}

/** The scope of the running request or job, or undefined outside of one. */
export const currentScope = (): CallScope | undefined => currentFrame()?.scope;

/** The scope of the running request or job once it has a workspace; before, there is none to work in. */
export function requireScope(): CallScope & { tenant_id: string } {
  const scope = currentScope();
  if (!scope?.tenant_id) throw new Error('No workspace is bound: tenant rows are reached within a request or a job only.');
  return scope as CallScope & { tenant_id: string };
}
