import { Injectable } from '@nestjs/common';
import { systemPrincipal, type Principal } from '@atrium/platform/access';
import { requireScope } from '@atrium/platform/database';

/** In whose name rules look at files: the workspace itself, which sees all of its library. */
@Injectable()
export class RuleReader {
  current(): Principal {
    return systemPrincipal(requireScope().tenant_id);
  }
}
