import { Body as FromBody, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Named } from '@atrium/platform/access';
import type { Precondition, Versioned } from '@atrium/platform/database';
import { Deletes, HonoursIfMatch, IfMatch, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import type { Response } from 'express';
import { GuestUploads, type GuestUpload } from '../application/guest-uploads.service';
import type { ShareCall } from '../application/share-call';
import {
  AskForGuestParts,
  CheckedGuestFiles,
  CheckGuestFiles,
  FinalizeGuestUpload,
  GuestUploadPartLinks,
  GuestUploadView,
  OpenGuestUpload,
} from './guest-uploads.dto';
import { BeginsUpload, placed } from './guest-answers';
import { GuestDoors } from './guest-doors';
import { HasUpload, InVisit } from './guest-parameters';
import { ForGuests, HasToken } from './public-shares.controller';
import { Guest } from './share-call';

@ApiTags('Share links')
@Controller('public/shares/:token')
export class PublicUploadsController {
  constructor(
    private readonly doors: GuestDoors,
    private readonly uploads: GuestUploads,
  ) {}

  /** Says which files need not be sent by a share link: their bytes came by it already. */
  @Post('uploads/check')
  @HasToken()
  @InVisit()
  @ForGuests('upload')
  @Returns(CheckedGuestFiles)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone')
  async check(
    @Param('token') token: string,
    @FromBody() { items }: CheckGuestFiles,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CheckedGuestFiles> {
    return { data: await this.uploads.check(await this.doors.byToken(token, call, response), items) };
  }

  /**
   * Begins to send a file by a share link.
   *
   * As `POST /uploads`, by the rules of the link: its kinds and forms (400), sizes (413) and number of files (409
   * `limit_reached`); a place is taken now, and free again when the upload is given up or lapses. The answer's header
   * `X-Visit` names your visit: send it with every further call, you see nothing but what it has sent.
   */
  @Post('uploads')
  @HasToken()
  @InVisit()
  @ForGuests('upload')
  @BeginsUpload()
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'payload_too_large', 'limit_reached', 'upstream_failed')
  async open(
    @Param('token') token: string,
    @FromBody() body: OpenGuestUpload,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GuestUpload> {
    return placed(response, await this.uploads.open(await this.doors.byTokenVisiting(token, call, response), body));
  }

  /** Reads an upload of your visit by a share link, with fresh addresses for what is missing. */
  @Get('uploads/:id')
  @HasToken()
  @HasUpload()
  @ForGuests('upload')
  @ReturnsState(GuestUploadView)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'upstream_failed')
  async one(
    @Param('token') token: string,
    @Param('id') id: string,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GuestUpload & Versioned> {
    return this.uploads.get(await this.doors.byToken(token, call, response), id);
  }

  /** Gives fresh addresses for parts of an upload by a share link, and keeps it for another 24 hours. */
  @Post('uploads/:id/parts')
  @Named('renewShareUploadParts')
  @HasToken()
  @HasUpload()
  @ForGuests('upload')
  @Returns(GuestUploadPartLinks)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'invalid_state', 'upstream_failed')
  async parts(
    @Param('token') token: string,
    @Param('id') id: string,
    @FromBody() { parts }: AskForGuestParts,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.uploads.parts(await this.doors.byToken(token, call, response), id, parts);
  }

  /**
   * Ends an upload by a share link: the bytes become a file of the workspace.
   *
   * Asking again answers the same, with 200.
   */
  @Post('uploads/:id/finalize')
  @HasToken()
  @HasUpload()
  @ForGuests('upload')
  @BeginsUpload()
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'invalid_state', 'unprocessable_content', 'upstream_failed')
  async finalize(
    @Param('token') token: string,
    @Param('id') id: string,
    @FromBody() { parts }: FinalizeGuestUpload,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GuestUpload> {
    const { upload, created } = await this.uploads.finalize(await this.doors.byToken(token, call, response), id, parts);
    if (!created) response.status(200);
    return placed(response, upload);
  }

  /** Gives up an upload by a share link; what was received is deleted, and its place is free again. */
  @Delete('uploads/:id')
  @Named('abortShareUpload')
  @HasToken()
  @HasUpload()
  @ForGuests('upload')
  @HonoursIfMatch()
  @Deletes()
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'invalid_state', 'precondition_failed')
  async abort(
    @Param('token') token: string,
    @Param('id') id: string,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() precondition?: Precondition,
  ): Promise<void> {
    await this.uploads.abort(await this.doors.byToken(token, call, response), id, precondition);
  }
}
