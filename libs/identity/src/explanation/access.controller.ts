import { Body as FromBody, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import { Returns } from '@atrium/platform/http';
import { AccessExplanationService, type AccessStep } from './access-explanation.service';
import { AccessExplanationView, AskAccess } from './access.dto';

@ApiTags('Roles')
@Controller('admin/access')
export class AccessController {
  constructor(private readonly access: AccessExplanationService) {}

  /**
   * Explains why a member has or lacks access to an operation or resource.
   *
   * Runs the same checks as a real request, in the same order: membership, status, second factor, address, licence, permission and the
   * access list of the resource. The steps end with the first check that refuses, and name the role, scope, licence or entry that
   * decided. A resource that you cannot read is named by its id.
   */
  @Post('explain')
  @Policy({ any: ['admin:roles', 'admin:audit'] })
  @Returns(AccessExplanationView, 'The explanation.')
  explain(@Caller() caller: Principal, @FromBody() body: AskAccess): Promise<{ allowed: boolean; steps: AccessStep[] }> {
    return this.access.explainAccess(caller, body);
  }
}
