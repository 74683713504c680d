import { MINUTE, Problem, SECOND } from '@atrium/platform/kernel';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Module } from './modules';
import { PermissionSet, type Permission } from './permissions';

/** Any authenticated member of the workspace. */
export const self = 'self';

export interface Demand {
  /** At least one of these. */
  readonly any?: readonly Permission[];
  /** Every one of these. */
  readonly all?: readonly Permission[];
  /** The module the workspace needs. */
  readonly license?: Module;
  /** No `X-Tenant-Id`: the credential alone names what is reached. */
  readonly tenantless?: boolean;
  /** The person must have proved who they are in the last quarter of an hour; keys are exempt. */
  readonly stepUp?: boolean;
  /** Which allowance the request counts against; else `read` for GET and `write` for all other methods. */
  readonly rate?: RateClass;
  /** What the access log keeps of bodies and parameters: all, their shape without values, or nothing; else all. */
  readonly log?: LogDepth;
  /**
   * What an API key needs besides, where what a member may do is more than a key should: `refused`, since only the person
   * decides about the person; or any one of these, where every member may do something with what is theirs.
   */
  readonly byKey?: 'refused' | readonly Permission[];
  /** Stays open to a session the workspace does not take as it was made, so that its person can see why and enrol a second factor. */
  readonly enrolling?: boolean;
}

export const RATE_CLASSES = ['read', 'write', 'ai', 'upload', 'search', 'admin-report', 'auth'] as const;
export type RateClass = (typeof RATE_CLASSES)[number];
export type LogDepth = 'full' | 'shape' | 'none';

/** How a route is treated besides who may call it. */
type Treatment = Pick<Demand, 'stepUp' | 'byKey' | 'rate' | 'log' | 'enrolling'>;

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
    throw new Error('A policy names permissions, or says `self`.');
  return applyDecorators(
    SetMetadata(POLICY, policy),
    ...(policy.byKey === 'refused' ? [] : [ApiSecurity('ApiKeyAuth')]),
    ApiSecurity('BearerAuth'),
    ApiExtension('x-permissions', policyExtension(policy)),
    ...(policy.license ? [ApiExtension('x-license', policy.license)] : []),
  );
}

/** Open to everybody; says why. */
export const Public = (why: string, treatment: Pick<Treatment, 'rate' | 'log'> = {}): MethodDecorator =>
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
 * For whoever runs the installation, by an operator token, on paths under `OPERATOR_PREFIX` alone. The document for
 * customers does not show such routes; `docs/routes.md` does.
 */
export const Operator = (treatment: Pick<Treatment, 'rate' | 'log'> = {}): MethodDecorator =>
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
  if (policy.kind === 'public') return `Open to everybody: ${policy.why ?? ''}`;
  if (policy.kind === 'operator') return 'Operators of the installation, by an operator token.';
  const parts = policy.kind === 'self' ? ['Any member of the workspace.'] : [];
  if (policy.any)
    parts.push(policy.any.length === 1 ? `Needs the permission \`${policy.any[0]}\`.` : `Needs any one of ${code(policy.any)}.`);
  if (policy.all)
    parts.push(policy.all.length === 1 ? `Needs the permission \`${policy.all[0]}\`.` : `Needs ${code(policy.all)} together.`);
  if (policy.byKey === 'refused') parts.push('The person signs in for it: API keys are refused.');
  else if (policy.byKey) parts.push(`An API key needs ${policy.byKey.length === 1 ? '' : 'any one of '}${code(policy.byKey)}.`);
  if (policy.stepUp) parts.push('Asks for a sign-in not older than 15 minutes.');
  if (policy.license) parts.push(`The workspace needs \`${policy.license}\`.`);
  return parts.join(' ');
}

const code = (permissions: readonly string[]): string => permissions.map((permission) => `\`${permission}\``).join(', ');

/** What a caller brings; `key_id` is null for somebody who is signed in. */
export interface Holdings {
  readonly permissions: PermissionSet;
  readonly modules: ReadonlySet<Module>;
  readonly key_id: string | null;
}

/** Throws what the caller lacks: first the module, then the permission, then what a key needs besides. */
export function demand(policy: RoutePolicy, { permissions, modules, key_id }: Holdings): void {
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

/** Why a key does not suffice where somebody who is signed in would, or null when it does. */
export function missingForKey({ byKey }: RoutePolicy, permissions: PermissionSet): Problem | null {
  if (byKey === undefined) return null;
  if (byKey === 'refused')
    return new Problem('permission_denied', 'Sign in for this: only the person decides about the person, an API key cannot.');
  return byKey.some((permission) => permissions.has(permission))
    ? null
    : new Problem('permission_denied', `For this an API key needs ${byKey.length === 1 ? '' : 'any one of '}${byKey.join(', ')}.`);
}

const RECENT_MS = 15 * MINUTE;

/** A session that was proved too long ago must be proved anew (RFC 9470); keys are exempt. */
export function demandRecentProof(
  policy: RoutePolicy,
  { key_id, auth_time }: { readonly key_id: string | null; readonly auth_time: Date | null },
  now: Date,
): void {
  if (!policy.stepUp || key_id !== null || (auth_time && now.getTime() - auth_time.getTime() <= RECENT_MS)) return;
  throw new Problem('unauthenticated', 'Sign in again: this needs a sign-in not older than 15 minutes.', {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication", max_age=${RECENT_MS / SECOND}` },
  });
}

export const licenseRequired = (module: Module): Problem => new Problem('license_required', `The workspace has no license for ${module}.`);

export const permissionDenied = (missing: readonly string[], mode: 'any' | 'all' = 'all'): Problem =>
  new Problem(
    'permission_denied',
    missing.length === 1
      ? `You need the permission ${missing[0]}.`
      : `You need ${mode === 'any' ? 'any one' : 'all'} of ${missing.join(', ')}.`,
  );
