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

  /** Checks which files need not be sent because the share link has already received their bytes. */
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
   * Creates a guest upload through a share link.
   *
   * Works like `POST /uploads` with the rules of the link: kinds and extensions (400), sizes (413) and number of files (409
   * `limit_reached`). The upload reserves one of the files that the link accepts until it is aborted or expires. The response header
   * `X-Visit` is the id of your visit: send it with every further request. A visit can access only its own uploads.
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

  /** Reads an upload of your visit through a share link, with new signed URLs for missing parts. */
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

  /** Renews the signed URLs of parts of a guest upload and extends it by 24 hours. */
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
   * Finalizes a guest upload: the bytes become a file of the workspace.
   *
   * A repeated request returns 200 with the same file.
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

  /** Aborts a guest upload, deletes the received bytes and releases its reservation. */
  @Delete('uploads/:id')
  @Named('abortShareUpload')
  @HasToken()
  @HasUpload()
  @ForGuests('upload')
  @HonoursIfMatch()
  @Deletes({ stays: true })
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
