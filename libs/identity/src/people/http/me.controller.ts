import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal, self } from '@atrium/platform/access';
import { ReturnsState } from '@atrium/platform/http';
import { type MeAnswer, MeService } from '../application/me.service';
import { MeView } from './me.dto';

@ApiTags('Me')
@Controller('me')
export class MeController {
  constructor(private readonly service: MeService) {}

  /**
   * Reads your own membership, roles, effective permissions and the workspace's modules.
   *
   * The ETag is the version of the membership, for `PATCH /me`.
   */
  @Get()
  @Named('getMe')
  @Policy(self, { enrolling: true })
  @ReturnsState(MeView, 'Your membership and permissions.')
  me(@Caller() caller: Principal): Promise<MeAnswer> {
    return this.service.get(caller);
  }
}
