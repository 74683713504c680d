import type { Sql } from 'sql-template-tag';

/** Who acts, as far as rows, events and logs need to know. */
export interface Actor {
  readonly kind: 'person' | 'service' | 'extension' | 'user_via_extension' | 'system' | 'operator';
  readonly user_id: string | null;
  readonly key_id: string | null;
  /** The name to show where the caller is not a member: `operator:<name>`. */
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
  expectedStamp(): string;
  renewStamp(query: PlainQuery): Promise<void>;
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
  /** The client's address, as reported by the trusted proxies; read only where it is kept. */
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
