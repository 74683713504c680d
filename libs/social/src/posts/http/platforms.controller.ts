import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Policy } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { Returns } from '@atrium/platform/http';
import { SocialPort } from '../../network/domain/social-port';
import { ListSocialPlatforms, SocialPlatformPage, SocialPlatformView } from './posts.dto';

/** What posts to each platform may be. */
@ApiTags('Social')
@Controller('social-platforms')
export class SocialPlatformsController {
  constructor(private readonly port: SocialPort) {}

  /** Lists the social platforms with their limits. */
  @Get()
  @Policy({ any: ['social:view'], license: 'module-social-post' })
  @Returns(SocialPlatformPage, 'The platforms.')
  async list(@Query() query: ListSocialPlatforms): Promise<Page<object>> {
    const { platform, ...limits } = this.port.limits;
    const row = { platform, configured: this.port.isConfigured, api_version: await this.port.readApiVersion(), ...limits };
    return pageOfRows(SocialPlatformView, [row], query, (one) => one.platform);
  }
}
