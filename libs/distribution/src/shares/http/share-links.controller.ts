import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, type Permission, Policy, type Principal, self } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import {
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  PathId,
  Problems,
  Returns,
  ReturnsResource,
  Takes,
  AnswersSecret,
} from '@atrium/platform/http';
import { ShareActivity } from '../application/share-activity.service';
import type { OwnShareLink } from '../application/share-answers';
import { ShareIncoming, type Reviewed } from '../application/share-incoming.service';
import { ShareLinks } from '../application/share-links.service';
import {
  ChangeShareLink,
  CreateShareLink,
  IncomingFilePage,
  ListIncomingFiles,
  ListShareEvents,
  ListShareLinks,
  QrQuery,
  QrView,
  ReviewedView,
  ReviewIncomingFiles,
  SendShareLink,
  ShareEventPage,
  ShareLinkPage,
  ShareLinkView,
} from './share-links.dto';

const USUAL_QR = 512;
/** A link is its maker's, but its address opens files: a key needs what it takes to make one. */
const SHARE: readonly Permission[] = ['media:share'];

@ApiTags('Share links')
@Controller('share-links')
export class ShareLinksController {
  constructor(
    private readonly links: ShareLinks,
    private readonly activity: ShareActivity,
    private readonly files: ShareIncoming,
  ) {}

  /**
   * Lists your own share links with their URLs.
   *
   * Sorted by creation time, newest first. Administrators list all share links with `GET /admin/share-links`.
   */
  @Get()
  @Policy({ any: ['media:view', 'document:view'] }, { byKey: SHARE })
  @Returns(ShareLinkPage)
  list(@Caller() caller: Principal, @Query() query: ListShareLinks): Promise<Page<OwnShareLink>> {
    return this.links.list(caller, query);
  }

  /**
   * Creates a share link.
   *
   * A link of type `files` shows files that you may download, `album` shows the current content of an album, and `upload` accepts
   * files from anyone who has the link. A link never allows more than you may do: if you lose a permission, it returns 410 until you
   * have it again. Unknown or inaccessible ids are refused with 400, one entry each; files that may not be shared because of their
   * status, missing consent or expired rights are refused with 409 `invalid_state`. If the workspace requires a password or limits the
   * lifetime of links, the link must comply. `share_url` is the URL to share.
   */
  @Post()
  @Policy({ all: ['media:share'] })
  @AnswersSecret()
  @Creates(ShareLinkView, 'share-links/{share_id}')
  @Problems('invalid_state', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateShareLink): Promise<OwnShareLink> {
    return this.links.create(caller, body);
  }

  /** Reads one of your share links. */
  @Get(':id')
  @HasId()
  @Policy(self, { byKey: SHARE })
  @ReturnsResource(ShareLinkView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<OwnShareLink> {
    return this.links.get(caller, id);
  }

  /**
   * Changes one of your share links.
   *
   * Only fields in the request are changed, also within `share_options`; the type cannot be changed. A new password locks out everyone
   * who had unlocked the link. 409 if the link was revoked.
   */
  @Patch(':id')
  @HasId()
  @Policy(self, { byKey: SHARE })
  @HonoursIfMatch()
  @ReturnsResource(ShareLinkView)
  @Problems('invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeShareLink,
    @IfMatch() precondition?: Precondition,
  ): Promise<OwnShareLink> {
    return this.links.change(caller, id, body, precondition);
  }

  /**
   * Revokes one of your share links permanently.
   *
   * Its URL returns 410 from now on. The record remains.
   */
  @Delete(':id')
  @Named('revokeShareLink')
  @HasId()
  @Policy(self, { byKey: SHARE })
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('precondition_failed')
  revoke(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.links.revoke(caller, id, precondition);
  }

  /**
   * Gives one of your share links a new URL.
   *
   * The old URL returns 410.
   */
  @Post(':id/rotate')
  @HasId()
  @Policy(self, { byKey: SHARE })
  @AnswersSecret()
  @ReturnsResource(ShareLinkView)
  @Problems('invalid_state')
  rotate(@Caller() caller: Principal, @PathId() id: string): Promise<OwnShareLink> {
    return this.links.rotate(caller, id);
  }

  /**
   * Lists the visitor events of a share link: views, unlocks, downloads, uploads and refusals.
   *
   * Sorted by time, newest first. Visitors can be distinguished within one day and are anonymous unless they gave a name; their IP
   * addresses are not stored. Requires that you created the link, or `admin:share-links`.
   */
  @Get(':id/events')
  @HasId()
  @Policy(self, { byKey: SHARE })
  @Returns(ShareEventPage)
  @Problems('not_found')
  events(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListShareEvents): Promise<Page<object>> {
    return this.activity.listHistory(caller, id, query);
  }

  /** Creates a QR code with the URL of one of your share links. */
  @Get(':id/qr')
  @Named('getShareLinkQrCode')
  @HasId()
  @Policy(self, { byKey: SHARE })
  @Returns(QrView)
  @Problems('not_found')
  qr(@Caller() caller: Principal, @PathId() id: string, @Query() { size = USUAL_QR }: QrQuery): Promise<{ data_url: string }> {
    return this.activity.renderQrCode(caller, id, size);
  }

  /**
   * Mails the URL of one of your share links to up to 20 people.
   *
   * 501 if no mail server is configured.
   */
  @Post(':id/send')
  @HasId()
  @Policy(self, { byKey: SHARE })
  @Takes('The mails are queued.')
  @Problems('not_found', 'invalid_state', 'not_configured')
  async send(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: SendShareLink): Promise<object> {
    await this.activity.sendLink(caller, id, body);
    return {};
  }

  /**
   * Lists the uploads of visitors through one of your share links.
   *
   * Includes the name and address that visitors gave and, if the link is moderated, the decisions.
   */
  @Get(':id/uploads')
  @HasId()
  @Policy(self, { byKey: SHARE })
  @Returns(IncomingFilePage)
  @Problems('not_found')
  uploads(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListIncomingFiles): Promise<Page<object>> {
    return this.files.listIncoming(caller, id, query);
  }

  /**
   * Accepts or rejects files uploaded through one of your moderated links.
   *
   * Accepted files are added to their albums, rejected files are moved to the trash. Files that are not waiting for a decision are
   * counted as skipped.
   */
  @Post(':id/uploads/review')
  @HasId()
  @Policy({ all: ['media:edit'] })
  @Returns(ReviewedView)
  @Problems('not_found')
  review(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: ReviewIncomingFiles): Promise<Reviewed> {
    return this.files.reviewFiles(caller, id, body);
  }
}
