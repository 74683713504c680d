import type { Actor } from '@atrium/platform/database';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Module } from './modules';
import type { PermissionSet } from './permissions';

/**
 * Who calls, in which workspace, and what they may do there: what a handler receives. The guard renews it in place when
 * the first unit of work finds it out of date, so whatever is decided by it is decided within a unit of work.
 */
export interface Principal extends Actor {
  /** Empty on a route without a workspace that a session calls. */
  readonly tenant_id: string;
  readonly user_id: string;
  readonly session_id: string | null;
  readonly role_ids: readonly string[];
  readonly space_ids: readonly string[];
  readonly permissions: PermissionSet;
  readonly modules: ReadonlySet<Module>;
  /** When the caller last signed in; null for keys. */
  readonly auth_time: Date | null;
  readonly methods: readonly string[];
  readonly key_rate_limit: number | null;
  /** When the credential ends; absent where it does not, and for callers without one. */
  readonly expires_at?: Date | null;
}

/** The request as the guard leaves it. */
export interface PrincipalCarrier {
  principal?: Principal;
}

/** The caller of the running request: `@Caller() caller: Principal`. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<PrincipalCarrier>();
  if (!principal) throw new Error('A public route has no caller.');
  return principal;
});
