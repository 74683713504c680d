import type { PlainQuery, Sql } from '@atrium/platform/database';
import type { Problem } from '@atrium/platform/kernel';
import type { Module } from './modules';
import type { PermissionSet } from './permissions';

/** What a request brought to prove who it is, already checked for form. */
export type Credential =
  | { readonly kind: 'key'; readonly public_id: string; readonly hash: string }
  | {
      readonly kind: 'session';
      readonly user_id: string;
      readonly session_id: string;
      readonly auth_time: Date;
      readonly methods: readonly string[];
      readonly until: Date;
    };

/** All that decides what a caller may do in one workspace, as of one stamp. */
export interface CallerFacts {
  /** Equals what `auth_enter` answers as long as nothing about the caller or the workspace's access has changed. */
  readonly stamp: string;
  readonly kind: 'person' | 'service' | 'extension';
  readonly tenant_id: string;
  readonly user_id: string;
  readonly key_id: string | null;
  readonly session_id: string | null;
  readonly role_ids: readonly string[];
  readonly space_ids: readonly string[];
  readonly permissions: PermissionSet;
  readonly licenses: readonly { readonly module: Module; readonly from: Date; readonly until: Date | null }[];
  /** When the credential itself ends. */
  readonly expires_at: Date | null;
  readonly auth_time: Date | null;
  readonly methods: readonly string[];
  /** Requests a minute that the key may make, where it has a limit of its own. */
  readonly key_rate_limit: number | null;
  /** Why this call is refused although the caller is a member; null when nothing is against it. Asked with every request. */
  readonly refusal: (call: CallTrace) => Problem | null;
}

/** How a call comes in. */
export interface CallTrace {
  /** The client's address, as reported by the trusted proxies. */
  readonly address: string | undefined;
  /** The route stays open to sessions that the workspace does not take as they were made. */
  readonly enrolling: boolean;
  readonly now: Date;
}

/** Someone who is signed in, before a workspace is named. */
export interface AccountFacts {
  readonly user_id: string;
  readonly session_id: string;
  readonly auth_time: Date;
  readonly methods: readonly string[];
}

/**
 * Port to the context that knows people, keys and roles. Answers the facts, or the problem why the caller is refused:
 * `unauthenticated`, or `tenant_forbidden` for unknown workspaces and non-members alike.
 */
export abstract class CallerDirectory {
  /** Facts by credential; `tenant_id` null for routes without a workspace (a key then names its own). */
  abstract loadCaller(credential: Credential, tenant_id: string | null, query?: PlainQuery): Promise<CallerFacts | Problem>;

  /** The person of a session, for routes without a workspace. Never cached. */
  abstract loadAccount(credential: Extract<Credential, { kind: 'session' }>): Promise<AccountFacts | Problem>;

  /** SQL expression whose text result is the current stamp of the caller. */
  abstract stampExpression(facts: CallerFacts): Sql;

  /** The credential in an API key, or null when its form or checksum is wrong (no database is asked). */
  abstract readKey(value: string): Credential | null;

  /** Called with every admitted request; may record the last use of a key, without delaying the request. */
  abstract recordUse(facts: CallerFacts): void;

  /** The public key that verifies access tokens signed with `kid`. */
  abstract findVerificationKey(kid: string): Promise<string | null>;
}

export const ACCESS_TOKEN = { issuer: 'atrium', audience: 'atrium', algorithm: 'ES256' } as const;
