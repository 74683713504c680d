import { accessDenied, MINUTE, Problem, SECOND } from '@atrium/platform/kernel';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Module } from './modules';
import { PermissionSet, type Permission } from './permissions';

/** Any authenticated member of the workspace. */
export const self = 'self';

export interface Demand {
  /** At least one of these permissions. */
  readonly any?: readonly Permission[];
  /** All of these permissions. */
  readonly all?: readonly Permission[];
  /** The module the workspace needs. */
  readonly license?: Module;
  /** No `X-Tenant-Id`: the credential alone names what is reached. */
  readonly tenantless?: boolean;
  /** The person must have signed in within the last 15 minutes; keys are exempt. */
  readonly stepUp?: boolean;
  /** Which allowance the request counts against; else `read` for GET and `write` for all other methods. */
  readonly rate?: RateClass;
  /**
   * What the access log keeps of bodies and queries: their shape without values, unless the route says by name that it keeps all
   * (`full`: settings, whose values are the workspace's own rules) or nothing (`none`: keys and credentials).
   */
  readonly log?: LogDepth;
  /**
   * What an API key needs in addition: `refused` where only the person decides about the person, or any one of these where every
   * member may act on their own resources.
   */
  readonly byKey?: 'refused' | readonly Permission[];
  /** Bytes that a body may have, where it is not what its fields may have together (for a public route: 64 KB). */
  readonly body?: number;
  /** Stays open to a session that the workspace does not accept, so that its person can see why and enroll a second factor. */
  readonly enrolling?: boolean;
}

/** The bytes that a body of signing in may have: names, passwords and tokens of any length that they may have. */
export const SIGN_IN_BODY = 8 * 1024;

export const RATE_CLASSES = ['read', 'write', 'ai', 'upload', 'search', 'admin-report', 'auth'] as const;
export type RateClass = (typeof RATE_CLASSES)[number];
export type LogDepth = 'full' | 'shape' | 'none';

/** How a route is treated besides who may call it. */
type Treatment = Pick<Demand, 'stepUp' | 'byKey' | 'rate' | 'log' | 'body' | 'enrolling'>;

/** What a route demands of its caller; decided by the guard, written into the OpenAPI document and `docs/routes.md`. */
export interface RoutePolicy extends Demand {
  readonly kind: 'permissions' | 'self' | 'public' | 'operator';
  /** Why a public route is public. */
  readonly why?: string;
  readonly anySet: PermissionSet;
  readonly allSet: PermissionSet;
}

export const POLICY = Symbol('policy');

/** Permissions, a module, or `self`; beside every handler, or the service does not start. */
export function Policy(demand: Demand | typeof self, more: Pick<Demand, 'license' | 'tenantless'> & Treatment = {}): MethodDecorator {
  const stated: Demand = demand === self ? more : { ...demand, ...more };
  const policy: RoutePolicy = {
    ...stated,
    kind: demand === self ? 'self' : 'permissions',
    anySet: PermissionSet.of(stated.any ?? []),
    allSet: PermissionSet.of(stated.all ?? []),
  };
  if (policy.kind === 'permissions' && policy.anySet.isEmpty && policy.allSet.isEmpty)
    throw new Error('A policy names permissions or is `self`.');
  return applyDecorators(
    SetMetadata(POLICY, policy),
    ...(policy.byKey === 'refused' ? [] : [ApiSecurity('ApiKeyAuth')]),
    ApiSecurity('BearerAuth'),
    ApiExtension('x-permissions', policyExtension(policy)),
    ...(policy.license ? [ApiExtension('x-license', policy.license)] : []),
  );
}

/** No authentication; `why` completes the sentence "No authentication required: …". */
export const Public = (why: string, treatment: Pick<Treatment, 'rate' | 'log' | 'body'> = {}): MethodDecorator =>
  applyDecorators(
    SetMetadata(POLICY, {
      ...treatment,
      kind: 'public',
      why,
      tenantless: true,
      anySet: PermissionSet.NONE,
      allSet: PermissionSet.NONE,
    } satisfies RoutePolicy),
    ApiExtension('x-permissions', { public: why }),
  );

/**
 * For operators of the installation, with an operator token, on paths under `OPERATOR_PREFIX` alone. The document for
 * customers does not show such routes; `docs/routes.md` does.
 */
export const Operator = (treatment: Pick<Treatment, 'rate' | 'log' | 'body'> = {}): MethodDecorator =>
  applyDecorators(
    SetMetadata(POLICY, {
      ...treatment,
      kind: 'operator',
      tenantless: true,
      anySet: PermissionSet.NONE,
      allSet: PermissionSet.NONE,
    } satisfies RoutePolicy),
    ApiExcludeEndpoint(),
  );

const policyExtension = ({ any, all, kind, byKey }: RoutePolicy): object => ({
  ...(kind === 'self' ? { self: true } : { ...(any ? { any } : {}), ...(all ? { all } : {}) }),
  ...(byKey ? { by_key: byKey } : {}),
});

/** The policy as a sentence for people. */
export function describePolicy(policy: RoutePolicy): string {
  if (policy.kind === 'public') return `No authentication required: ${policy.why ?? ''}`;
  if (policy.kind === 'operator') return 'Requires an operator token.';
  const parts = policy.kind === 'self' ? ['Open to any member of the workspace.'] : [];
  if (policy.any)
    parts.push(
      policy.any.length === 1
        ? `Requires the permission \`${policy.any[0]}\`.`
        : `Requires any one of the permissions ${code(policy.any)}.`,
    );
  if (policy.all)
    parts.push(
      policy.all.length === 1 ? `Requires the permission \`${policy.all[0]}\`.` : `Requires all of the permissions ${code(policy.all)}.`,
    );
  if (policy.byKey === 'refused') parts.push('Cannot be called with an API key: the person must be signed in.');
  else if (policy.byKey) parts.push(`An API key requires ${policy.byKey.length === 1 ? '' : 'any one of '}${code(policy.byKey)}.`);
  if (policy.stepUp) parts.push('Requires a sign-in within the last 15 minutes.');
  if (policy.license) parts.push(`Requires the module \`${policy.license}\` in the workspace.`);
  return parts.join(' ');
}

const code = (permissions: readonly string[]): string => permissions.map((permission) => `\`${permission}\``).join(', ');

/** The rights of a caller; `key_id` is null for someone who is signed in. */
export interface Holdings {
  readonly permissions: PermissionSet;
  readonly modules: ReadonlySet<Module>;
  readonly key_id: string | null;
}

/** Throws what is missing: first the module, then the permission, then what a key needs in addition. */
export function assertHoldings(policy: RoutePolicy, { permissions, modules, key_id }: Holdings): void {
  const refusal =
    missingLicense(policy, modules) ??
    missingPermission(policy, permissions) ??
    (key_id === null ? null : missingForKey(policy, permissions));
  if (refusal) throw refusal;
}

/** Why the workspace's licences do not suffice, or null when they do. */
export const missingLicense = ({ license }: RoutePolicy, modules: ReadonlySet<Module>): Problem | null =>
  license && !modules.has(license) ? licenseRequired(license) : null;

/** Why the permissions do not suffice, or null when they do. */
export function missingPermission(policy: RoutePolicy, permissions: PermissionSet): Problem | null {
  if (!policy.allSet.isEmpty && !permissions.hasAll(policy.allSet))
    return permissionDenied(policy.allSet.without(permissions).list(), 'all');
  if (!policy.anySet.isEmpty && !permissions.hasAny(policy.anySet)) return permissionDenied(policy.any ?? [], 'any');
  return null;
}

/** Why a key does not suffice where a signed-in person would, or null when it does. */
export function missingForKey({ byKey }: RoutePolicy, permissions: PermissionSet): Problem | null {
  if (byKey === undefined) return null;
  if (byKey === 'refused') return accessDenied('This operation cannot be called with an API key. Sign in and try again.');
  return byKey.some((permission) => permissions.has(permission))
    ? null
    : accessDenied(
        `An API key needs ${byKey.length === 1 ? 'the permission ' : 'any one of the permissions '}${byKey.join(', ')} for this operation. Use another key, or sign in.`,
      );
}

const RECENT_MS = 15 * MINUTE;

/** A session whose sign-in is too old must sign in again (RFC 9470); keys are exempt. */
export function assertRecentProof(
  policy: RoutePolicy,
  { key_id, auth_time }: { readonly key_id: string | null; readonly auth_time: Date | null },
  now: Date,
): void {
  if (!policy.stepUp || key_id !== null || (auth_time && now.getTime() - auth_time.getTime() <= RECENT_MS)) return;
  throw new Problem('unauthenticated', 'Sign in again: this operation requires a sign-in within the last 15 minutes.', {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication", max_age=${RECENT_MS / SECOND}` },
  });
}

export const licenseRequired = (module: Module): Problem =>
  new Problem('license_required', `The workspace is not licensed for ${module}. Ask the operator of the installation to add the module.`);

export const permissionDenied = (missing: readonly string[], mode: 'any' | 'all' = 'all'): Problem =>
  new Problem(
    'permission_denied',
    missing.length === 1
      ? `You need the permission ${missing[0]}. Ask an administrator of the workspace for it.`
      : `You need ${mode === 'any' ? 'any one' : 'all'} of the permissions ${missing.join(', ')}. Ask an administrator of the workspace for ${mode === 'any' ? 'one of them' : 'them'}.`,
  );
