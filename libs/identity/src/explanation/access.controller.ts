import { Body as FromBody, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Policy } from '@atrium/platform/access';
import { Returns } from '@atrium/platform/http';
import { AccessExplanationService, type AccessStep } from './access-explanation.service';
import { AccessExplanationView, AskAccess } from './access.dto';

@ApiTags('Roles')
@Controller('admin/access')
export class AccessController {
  constructor(private readonly access: AccessExplanationService) {}

  /**
   * Explains why somebody may do something, or may not.
   *
   * The very functions that decide about a request are asked, in their order: membership, state, second factor, address,
   * licence, permission and the access list of the resource. The answer ends with the first that refuses and names the
   * role, scope, licence or entry that decided.
   */
  @Post('explain')
  @Policy({ any: ['admin:roles', 'admin:audit'] })
  @Returns(AccessExplanationView, 'The decisions.')
  explain(@FromBody() body: AskAccess): Promise<{ allowed: boolean; steps: AccessStep[] }> {
    return this.access.explain(body);
  }
}
