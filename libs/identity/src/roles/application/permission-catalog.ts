import { Injectable } from '@nestjs/common';
import {
  AREAS,
  CATALOG,
  isPermission,
  missingPermission,
  PERMISSION_TEXTS,
  RoutePolicies,
  type Area,
  type Permission,
  type PermissionSet,
  type RouteDeclaration,
  type RoutePolicy,
} from '@atrium/platform/access';

export interface PermissionLine {
  readonly perm: Permission;
  readonly perm_area: string;
  readonly perm_action: string;
  readonly perm_description: string;
  readonly perm_operations: readonly string[];
}

/** An operation that asks for permissions. */
export type GuardedOperation = RouteDeclaration & { readonly policy: RoutePolicy };

/** The closed catalog of permissions and the operations that ask for them, read from the route table itself. */
@Injectable()
export class PermissionCatalog {
  private read: readonly GuardedOperation[] | undefined;

  constructor(private readonly routes: RoutePolicies) {}

  /** All of them, by name. */
  listPermissions(): PermissionLine[] {
    return AREAS.flatMap((area) => CATALOG[area].map((action) => this.line(area, action))).sort((a, b) => (a.perm < b.perm ? -1 : 1));
  }

  describePermissions(permissions: readonly Permission[]): PermissionLine[] {
    const wanted = new Set<string>(permissions);
    return this.listPermissions().filter(({ perm }) => wanted.has(perm));
  }

  /** The operations of workspaces, those for every member left in: they are what a caller may ask for. */
  listOperations(): readonly GuardedOperation[] {
    return (this.read ??= this.routes
      .listRoutes()
      .filter((route): route is GuardedOperation => route.policy?.kind === 'permissions' || route.policy?.kind === 'self'));
  }

  findOperation(operation: string): GuardedOperation | undefined {
    return this.listOperations().find((route) => route.operation === operation);
  }

  /** Operations that somebody with these permissions may call, whatever the workspace is licensed for. */
  openTo(permissions: PermissionSet): Set<string> {
    return new Set(
      this.listOperations()
        .filter(({ policy }) => missingPermission(policy, permissions) === null)
        .map(({ operation }) => operation),
    );
  }

  private line(area: Area, action: string): PermissionLine {
    const perm = `${area}:${action}`;
    if (!isPermission(perm)) throw new Error(`${perm} is not in the catalog.`);
    const texts: Readonly<Record<string, string>> = PERMISSION_TEXTS[area];
    const asking = this.listOperations().filter(({ policy }) => policy.any?.includes(perm) || policy.all?.includes(perm));
    return {
      perm,
      perm_area: area,
      perm_action: action,
      perm_description: texts[action] ?? '',
      perm_operations: asking.map(({ operation }) => operation),
    };
  }
}
