import { Injectable } from '@nestjs/common';
import { MODULES, PermissionSet, type Principal } from '@atrium/platform/access';
import { requireScope } from '@atrium/platform/database';

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** In whose name rules look at files: the workspace itself, which sees all of its library. */
@Injectable()
export class RuleReader {
  current(): Principal {
    return {
      kind: 'system',
      tenant_id: requireScope().tenant_id,
      user_id: NOBODY,
      key_id: null,
      session_id: null,
      role_ids: [],
      space_ids: [],
      permissions: PermissionSet.ALL,
      modules: new Set(MODULES),
      auth_time: null,
      methods: [],
      key_rate_limit: null,
    };
  }
}
