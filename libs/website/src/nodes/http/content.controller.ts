import { Body as FromBody, Controller, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { ContentService, type ChangedContent } from '../application/content.service';
import type { NodeDetail } from '../application/node-reading';
import { VersionsService, type VersionDetail } from '../application/versions.service';
import type { KeptVersion } from '../domain/page-version';
import {
  ApplyContentOps,
  ChangedContentView,
  ListPageVersions,
  PageVersionDetailView,
  PageVersionPage,
  ReadVersion,
  ReplaceContent,
  RestoreVersion,
} from './content.dto';
import { NodeDetailView } from './nodes.dto';

/** The content of a page, and its versions. */
@ApiTags('Website content')
@Controller('sites/:id/nodes/:node_id')
export class ContentController {
  constructor(
    private readonly contents: ContentService,
    private readonly versions: VersionsService,
  ) {}

  /**
   * Replaces the content of a page in one locale.
   *
   * In the default locale, the content replaces all blocks; values that other locales have of removed blocks are
   * dropped and named in `node_issues`. In another locale, values of localized fields that differ from its fallback
   * become the values of the locale; a change of anything else is refused with an entry `not_localized`. Content may be
   * incomplete, never malformed. `If-Match` is compared with the ETag of the same locale.
   */
  @Put('content')
  @Named('replaceContent')
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page.')
  @Policy({ any: ['content:edit', 'site:edit'] })
  @HonoursIfMatch()
  @ReturnsState(NodeDetailView, 'The page.')
  @Problems('invalid_state', 'payload_too_large', 'precondition_failed')
  replace(
    @Caller() caller: Principal,
    @PathId() site_id: string,
    @PathId('node_id') node_id: string,
    @FromBody() body: ReplaceContent,
    @IfMatch() precondition?: Precondition,
  ): Promise<NodeDetail> {
    return this.contents.replace(caller, { site_id, node_id }, body, precondition);
  }

  /**
   * Changes blocks of a page.
   *
   * The changes are made in their order, all or none, by the `_uid` of blocks: changes of different blocks by several
   * people do not overwrite each other. An unknown `_uid` fails with 409 and names it. Outside the default locale,
   * `set` writes the value of the locale also where it equals the fallback, and `unset` removes it.
   */
  @Post('content/ops')
  @Named('applyContentOps')
  @HttpCode(200)
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page.')
  @Policy({ any: ['content:edit', 'site:edit'] })
  @HonoursIfMatch()
  @ReturnsState(ChangedContentView, 'The page, and the new blocks.')
  @Problems('invalid_move', 'invalid_state', 'payload_too_large', 'precondition_failed')
  applyOps(
    @Caller() caller: Principal,
    @PathId() site_id: string,
    @PathId('node_id') node_id: string,
    @FromBody() body: ApplyContentOps,
    @IfMatch() precondition?: Precondition,
  ): Promise<ChangedContent> {
    return this.contents.applyOps(caller, { site_id, node_id }, body, precondition);
  }

  /**
   * Lists the versions of a page.
   *
   * The newest come first. Saves of one person within ten minutes make one version. The last 200 versions are kept, and
   * all that were published.
   */
  @Get('versions')
  @Named('listPageVersions')
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page.')
  @Policy({ any: ['site:view', 'content:view'] })
  @Returns(PageVersionPage, 'A page of versions.')
  list(
    @Caller() caller: Principal,
    @PathId() site_id: string,
    @PathId('node_id') node_id: string,
    @Query() query: ListPageVersions,
  ): Promise<Page<KeptVersion>> {
    return this.versions.list(caller, { site_id, node_id }, query);
  }

  /**
   * Reads a version with its content in one locale.
   *
   * With `against`, the response says what changed from another state to this version: blocks are compared by their
   * `_uid`, texts by their words.
   */
  @Get('versions/:ver_id')
  @Named('readPageVersion')
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page.')
  @HasId('ver_id', 'Id of the version.')
  @Policy({ any: ['site:view', 'content:view'] })
  @Returns(PageVersionDetailView, 'The version.')
  @Problems('invalid_state')
  get(
    @Caller() caller: Principal,
    @PathId() site_id: string,
    @PathId('node_id') node_id: string,
    @PathId('ver_id') ver_id: string,
    @Query() query: ReadVersion,
  ): Promise<VersionDetail> {
    return this.versions.get(caller, { site_id, node_id, ver_id }, query);
  }

  /**
   * Makes the content of a version the draft again, as a new version.
   *
   * Name, content, metadata and tags are restored; slug, parent, template and menu stay as they are. With `locales`,
   * only these locales are restored. What is published does not change.
   */
  @Post('versions/:ver_id/restore')
  @Named('restorePageVersion')
  @HttpCode(200)
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page.')
  @HasId('ver_id', 'Id of the version.')
  @Policy({ all: ['content:edit'] })
  @HonoursIfMatch()
  @ReturnsState(NodeDetailView, 'The page.')
  @Problems('invalid_state', 'payload_too_large', 'precondition_failed')
  restore(
    @Caller() caller: Principal,
    @PathId() site_id: string,
    @PathId('node_id') node_id: string,
    @PathId('ver_id') ver_id: string,
    @FromBody() body: RestoreVersion,
    @IfMatch() precondition?: Precondition,
  ): Promise<NodeDetail> {
    return this.versions.restore(caller, { site_id, node_id, ver_id }, body, precondition);
  }
}
