import { SYSTEM_ACTOR } from '@atrium/platform/database';
import { NIL_ID } from '@atrium/platform/kernel';
import { MODULES, type Module } from './modules';
import { PermissionSet } from './permissions';
import type { Principal } from './principal';

interface Held {
  readonly permissions?: PermissionSet;
  readonly modules?: ReadonlySet<Module>;
}

/** The service itself as a caller, for work that no member asked for: it may do everything unless limited, and owns nothing. */
export const systemPrincipal = (
  tenant_id: string,
  { permissions = PermissionSet.ALL, modules = new Set(MODULES) }: Held = {},
): Principal => ({
  ...SYSTEM_ACTOR,
  tenant_id,
  user_id: NIL_ID,
  session_id: null,
  role_ids: [],
  space_ids: [],
  permissions,
  modules,
  auth_time: null,
  methods: [],
  key_rate_limit: null,
});
