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
   * With who made it and how often it was viewed and used, never with its address or password.
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
   * Those that meet all conditions that are named, at least one; their makers are told by mail.
   */
  @Post('revoke')
  @Named('revokeIssuedShareLinks')
  @Policy({ all: ['admin:share-links'] })
  @Returns(RevokedShareLinks)
  revokeMany(@Caller() caller: Principal, @FromBody() body: RevokeShareLinks): Promise<{ revoked: number }> {
    return this.links.revokeMany(caller, body);
  }

  /** Reads an issued share link, without its address. */
  @Get(':id')
  @Named('getIssuedShareLink')
  @HasId()
  @Policy({ all: ['admin:share-links'] })
  @ReturnsResource(IssuedShareLinkView)
  one(@PathId() id: string): Promise<IssuedShareLink> {
    return this.links.one(id);
  }

  /**
   * Switches an issued share link off or on, or gives it another end.
   *
   * Its maker is told by mail. 409 when it was revoked.
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

  /** Revokes an issued share link, for good; its maker is told by mail. */
  @Delete(':id')
  @Named('revokeIssuedShareLink')
  @HasId()
  @Policy({ all: ['admin:share-links'] })
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  revoke(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.links.revoke(caller, id, precondition);
  }
}
