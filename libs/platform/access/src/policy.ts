import { Problem } from '@atrium/platform/kernel';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
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
}

/** What a route demands of its caller; decided by the guard, written into the OpenAPI document and `docs/routes.md`. */
export interface RoutePolicy extends Demand {
  readonly kind: 'permissions' | 'self' | 'public';
  /** Why a public route is public. */
  readonly why?: string;
  readonly anySet: PermissionSet;
  readonly allSet: PermissionSet;
}

export const POLICY = Symbol('policy');

/** Permissions, a module, or `self`; beside every handler, or the service does not start. */
export function Policy(demand: Demand | typeof self, more: Pick<Demand, 'license' | 'tenantless'> = {}): MethodDecorator {
  const stated: Demand = demand === self ? more : demand;
  const policy: RoutePolicy = {
    ...stated,
    kind: demand === self ? 'self' : 'permissions',
    anySet: PermissionSet.of(stated.any ?? []),
    allSet: PermissionSet.of(stated.all ?? []),
  };
  if (policy.kind === 'permissions' && policy.anySet.isEmpty && policy.allSet.isEmpty) throw new Error('A policy names permissions, or says `self`.');
  return applyDecorators(
    SetMetadata(POLICY, policy),
    ApiSecurity('ApiKeyAuth'),
    ApiSecurity('BearerAuth'),
    ApiExtension('x-permissions', policyExtension(policy)),
    ...(policy.license ? [ApiExtension('x-license', policy.license)] : []),
  );
}

/** Open to everybody; says why. */
export const Public = (why: string): MethodDecorator =>
  applyDecorators(
    SetMetadata(POLICY, { kind: 'public', why, tenantless: true, anySet: PermissionSet.NONE, allSet: PermissionSet.NONE } satisfies RoutePolicy),
    ApiExtension('x-permissions', { public: why }),
  );

const policyExtension = ({ any, all, kind }: RoutePolicy): object => (kind === 'self' ? { self: true } : { ...(any ? { any } : {}), ...(all ? { all } : {}) });

/** The policy as a sentence for people. */
export function describePolicy(policy: RoutePolicy): string {
  if (policy.kind === 'public') return `Open to everybody: ${policy.why ?? ''}`;
  const parts = policy.kind === 'self' ? ['Any member of the workspace.'] : [];
  if (policy.any) parts.push(policy.any.length === 1 ? `Needs the permission \`${policy.any[0]}\`.` : `Needs any one of ${code(policy.any)}.`);
  if (policy.all) parts.push(policy.all.length === 1 ? `Needs the permission \`${policy.all[0]}\`.` : `Needs ${code(policy.all)} together.`);
  if (policy.license) parts.push(`The workspace needs \`${policy.license}\`.`);
  return parts.join(' ');
}

const code = (permissions: readonly string[]): string => permissions.map((permission) => `\`${permission}\``).join(', ');

/** Throws what the caller lacks: first the module, then the permission. */
export function demand(policy: RoutePolicy, permissions: PermissionSet, modules: ReadonlySet<Module>): void {
  if (policy.license && !modules.has(policy.license)) throw licenseRequired(policy.license);
  if (!policy.allSet.isEmpty && !permissions.hasAll(policy.allSet)) throw permissionDenied(policy.allSet.without(permissions).list(), 'all');
  if (!policy.anySet.isEmpty && !permissions.hasAny(policy.anySet)) throw permissionDenied(policy.any ?? [], 'any');
}

export const licenseRequired = (module: Module): Problem => new Problem('license_required', `The workspace has no license for ${module}.`);

export const permissionDenied = (missing: readonly string[], mode: 'any' | 'all' = 'all'): Problem =>
  new Problem('permission_denied', missing.length === 1 ? `You need the permission ${missing[0]}.` : `You need ${mode === 'any' ? 'any one' : 'all'} of ${missing.join(', ')}.`);
