import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { IssuedShareLinks } from '../application/issued-share-links.service';
import type { IssuedShareLink } from '../application/share-answers';
import {
  ChangeIssuedShareLink,
  IssuedShareLinkPage,
  IssuedShareLinkView,
  ListIssuedShareLinks,
  RevokedShareLinks,
  RevokeShareLinks,
} from './share-links.dto';

@ApiTags('Issued share links')
@Controller('admin/share-links')
export class IssuedShareLinksController {
  constructor(private readonly links: IssuedShareLinks) {}

  /**
   * Lists every share link of the workspace.
   *
   * Includes creators and usage, but no URLs or passwords.
   */
  @Get()
  @Named('listIssuedShareLinks')
  @Policy({ all: ['admin:share-links'] })
  @Returns(IssuedShareLinkPage)
  list(@Query() query: ListIssuedShareLinks): Promise<Page<IssuedShareLink>> {
    return this.links.list(query);
  }

  /**
   * Revokes share links in bulk.
   *
   * Revokes the links that meet all given conditions; at least one is required. The creators of the links are notified by mail.
   */
  @Post('revoke')
  @Named('revokeIssuedShareLinks')
  @Policy({ all: ['admin:share-links'] })
  @Returns(RevokedShareLinks)
  revokeMany(@Caller() caller: Principal, @FromBody() body: RevokeShareLinks): Promise<{ revoked: number }> {
    return this.links.revokeMany(caller, body);
  }

  /** Reads an issued share link, without its URL. */
  @Get(':id')
  @Named('getIssuedShareLink')
  @HasId()
  @Policy({ all: ['admin:share-links'] })
  @ReturnsResource(IssuedShareLinkView)
  get(@PathId() id: string): Promise<IssuedShareLink> {
    return this.links.get(id);
  }

  /**
   * Enables or disables an issued share link, or changes its expiry.
   *
   * The creator of the link is notified by mail. 409 if the link has been revoked.
   */
  @Patch(':id')
  @Named('updateIssuedShareLink')
  @HasId()
  @Policy({ all: ['admin:share-links'] })
  @HonoursIfMatch()
  @ReturnsResource(IssuedShareLinkView)
  @Problems('invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeIssuedShareLink,
    @IfMatch() precondition?: Precondition,
  ): Promise<IssuedShareLink> {
    return this.links.change(caller, id, body, precondition);
  }

  /** Revokes an issued share link permanently and notifies its creator by mail. */
  @Delete(':id')
  @Named('revokeIssuedShareLink')
  @HasId()
  @Policy({ all: ['admin:share-links'] })
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('precondition_failed')
  revoke(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.links.revoke(caller, id, precondition);
  }
}
