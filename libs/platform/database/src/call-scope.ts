import { newId } from '@atrium/platform/kernel';
import type { Sql } from 'sql-template-tag';
import { currentFrame, runInFrame } from './frame';

/** Who acts, as far as rows, events and logs need to know. */
export interface Actor {
  readonly kind: 'person' | 'service' | 'extension' | 'user_via_extension' | 'system' | 'operator';
  readonly user_id: string | null;
  readonly key_id: string | null;
  /** What to call them where no member stands behind: `operator:<name>`. */
  readonly name?: string;
}

/** Runs one statement on the connection at hand, outside of any workspace. */
export type PlainQuery = (text: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * A check that rides along with the message that opens a transaction: `expression` is one SQL expression, its text result is the caller's stamp. When it is not the expected one the database fails the transaction, so
 * that nothing of it counts; the gate renews what it knows of the caller and decides again, throwing when the answer is
 * now no.
 */
export interface EntryGate {
  readonly expression: Sql;
  /** The stamp under which the caller was admitted. */
  expected(): string;
  renew(query: PlainQuery): Promise<void>;
}

/**
 * One request or job: its workspace, its caller, its trace. Made at the edge without a workspace; the guard (or the
 * job runner) binds it once it knows.
 */
export interface CallScope {
  tenant_id: string | null;
  actor: Actor;
  readonly request_id: string;
  readonly traceparent?: string | undefined;
  /** The client's address, as far as the trusted proxies tell; asked for only where it is kept. */
  readonly address?: () => string | undefined;
  /** Whether what is asked for from here is part of work in bulk, which others of the workspace come before. */
  readonly inBulk?: boolean;
  gate?: EntryGate | undefined;
  /** Asked with the value of every unit of work that changed something; a statement it answers is committed with the change. */
  concluding?: ((value: unknown) => Sql | null) | undefined;
  /** Whether a transaction has passed the gate since the request began. */
  admitted?: boolean;
}

export const SYSTEM_ACTOR: Actor = { kind: 'system', user_id: null, key_id: null };

export const runInScope = <T>(scope: CallScope, work: () => T): T => runInFrame({ scope }, work);

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
