import { RoutePolicies, type PermissionSet, type RoutePolicy } from '@atrium/platform/access';
import { Injectable } from '@nestjs/common';
import type { RouteNote, SeenRequest } from '../domain/seen-request';

interface KnownRoute {
  readonly operation: string;
  readonly policy: RoutePolicy | undefined;
}

/** What the access log notes of the route that answered: read once from the composed application, looked up when a row is built. */
@Injectable()
export class RouteNotes {
  /** By pattern, then by method. */
  private known: ReadonlyMap<string, ReadonlyMap<string, KnownRoute>> | undefined;
  /** What let a caller with these permissions pass, which is the same for every request until they change. */
  private readonly passed = new WeakMap<PermissionSet, Map<RoutePolicy, string | undefined>>();

  constructor(private readonly policies: RoutePolicies) {}

  of({ method, route, code }: Pick<SeenRequest, 'method' | 'route' | 'code'>, held: PermissionSet | undefined): RouteNote {
    const found = route === undefined ? undefined : this.routes().get(route)?.get(method === 'HEAD' ? 'GET' : method);
    // What answered without one of our routes said nothing of its bodies: they are not kept.
    if (!found) return { operation: undefined, depth: route === undefined ? 'none' : 'full', permission: undefined };
    const { operation, policy } = found;
    return { operation, depth: policy?.log ?? 'full', permission: policy && held && code !== 'license_required' ? this.passedBy(policy, held) : undefined };
  }

  private passedBy(policy: RoutePolicy, held: PermissionSet): string | undefined {
    let known = this.passed.get(held);
    if (!known) this.passed.set(held, (known = new Map<RoutePolicy, string | undefined>()));
    const permission = known.get(policy);
    if (permission !== undefined || known.has(policy)) return permission;
    const found = passedBy(policy, held);
    known.set(policy, found);
    return found;
  }

  private routes(): ReadonlyMap<string, ReadonlyMap<string, KnownRoute>> {
    return (this.known ??= this.read());
  }

  private read(): ReadonlyMap<string, ReadonlyMap<string, KnownRoute>> {
    const known = new Map<string, Map<string, KnownRoute>>();
    for (const { method, path, operation, policy } of this.policies.routes()) {
      const methods = known.get(path) ?? new Map<string, KnownRoute>();
      known.set(path, methods.set(method, { operation, policy }));
    }
    return known;
  }
}

/** The first permission held of those of which one is enough, or all of those that are needed together. */
function passedBy({ any, all, anySet, allSet }: RoutePolicy, held: PermissionSet): string | undefined {
  if (!held.hasAll(allSet) || (!anySet.isEmpty && !held.hasAny(anySet))) return undefined;
  const one = any?.find((permission) => held.has(permission));
  if (!all || all.length === 0) return one;
  return one === undefined ? all.join(' ') : [...all, one].join(' ');
}
