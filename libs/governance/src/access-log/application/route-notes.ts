import { RoutePolicies, type PermissionSet, type RoutePolicy } from '@atrium/platform/access';
import { secretsOf } from '@atrium/platform/http';
import { Injectable } from '@nestjs/common';
import type { RouteNote, SeenRequest } from '../domain/seen-request';

const NO_SECRETS: ReadonlySet<string> = new Set();

interface KnownRoute {
  readonly operation: string;
  readonly policy: RoutePolicy | undefined;
  readonly secrets: ReadonlySet<string>;
}

/** What the access log notes of the route that answered: read once from the composed application, looked up when a row is built. */
@Injectable()
export class RouteNotes {
  private known: ReadonlyMap<string, KnownRoute> | undefined;

  constructor(private readonly policies: RoutePolicies) {}

  of({ method, route, code }: Pick<SeenRequest, 'method' | 'route' | 'code'>, held: PermissionSet | undefined): RouteNote {
    const found = route === undefined ? undefined : this.routes().get(`${method === 'HEAD' ? 'GET' : method} ${route}`);
    // What answered without one of our routes said nothing of its bodies: they are not kept.
    if (!found) return { operation: undefined, depth: route === undefined ? 'none' : 'shape', secrets: NO_SECRETS, permission: undefined };
    const { operation, policy, secrets } = found;
    return {
      operation,
      depth: policy?.log ?? 'shape',
      secrets,
      permission: policy && held && code !== 'license_required' ? passedBy(policy, held) : undefined,
    };
  }

  private routes(): ReadonlyMap<string, KnownRoute> {
    return (this.known ??= new Map(
      this.policies
        .routes()
        .map(({ method, path, operation, policy, body }) => [
          `${method} ${path}`,
          { operation, policy, secrets: body ? secretsOf(body) : NO_SECRETS },
        ]),
    ));
  }
}

/** The first permission held of those of which one is enough, or all of those that are needed together. */
function passedBy({ any, all, anySet, allSet }: RoutePolicy, held: PermissionSet): string | undefined {
  if (!held.hasAll(allSet) || (!anySet.isEmpty && !held.hasAny(anySet))) return undefined;
  const passed = [...(all ?? []), ...(any?.filter((permission) => held.has(permission)).slice(0, 1) ?? [])];
  return passed.length === 0 ? undefined : passed.join(' ');
}
