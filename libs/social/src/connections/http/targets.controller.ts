import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Policy } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { Returns } from '@atrium/platform/http';
import { SocialPort } from '../../network/domain/social-port';
import { ConnectionsService } from '../application/connections.service';
import { EnabledTargetPage, ListEnabledTargets } from './connections.dto';

/** As whom posts can be sent. */
@ApiTags('Social')
@Controller('social-targets')
export class SocialTargetsController {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly port: SocialPort,
  ) {}

  /**
   * Lists the enabled social targets with their limits.
   *
   * The most recently changed come first.
   */
  @Get()
  @Policy({ any: ['social:view'], license: 'module-social-post' })
  @Returns(EnabledTargetPage, 'A page of targets.')
  async list(@Query() query: ListEnabledTargets): Promise<Page<object>> {
    const { data, ...page } = await this.connections.listTargets(query);
    const { text_units } = this.port.limits;
    return { ...page, data: data.map((target) => ({ ...target, text_units, has_visibility: target.tgt_kind === 'person' })) };
  }
}
