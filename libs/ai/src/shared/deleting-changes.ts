import { permissionDenied, type Principal } from '@atrium/platform/access';

/** A change that sets the flag of a row to false deletes it: it needs what DELETE needs. */
export function assertMayDelete(caller: Principal, permission: 'agent:delete' | 'prompt:delete', active: boolean | undefined): void {
  if (active === false && !caller.permissions.has(permission)) throw permissionDenied([permission]);
}
