import { Body as FromBody, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Named } from '@atrium/platform/access';
import type { Precondition, Versioned } from '@atrium/platform/database';
import { AnswersSecret, Deletes, HonoursIfMatch, IfMatch, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import type { Response } from 'express';
import { GuestUploads, type GuestUpload } from '../application/guest-uploads.service';
import { KioskVisits } from '../application/kiosk-visits';
import type { ShareCall } from '../application/share-call';
import { ShareUnlocking, type ActivatedDevice } from '../application/share-unlocking.service';
import {
  ActivatedKiosk,
  ActivateKiosk,
  AskForGuestParts,
  BegunKioskVisit,
  CheckedGuestFiles,
  CheckGuestFiles,
  FinalizeGuestUpload,
  GuestUploadPartLinks,
  GuestUploadView,
  OpenGuestUpload,
} from './guest-uploads.dto';
import { BeginsUpload, placed } from './guest-answers';
import { GuestDoors } from './guest-doors';
import { HasKiosk, HasUpload, InVisit, OnKioskDevice } from './guest-parameters';
import { ForGuests } from './public-shares.controller';
import { Guest } from './share-call';

@ApiTags('Share links')
@Controller('public/kiosk/:share_id')
export class PublicKiosksController {
  constructor(
    private readonly doors: GuestDoors,
    private readonly uploads: GuestUploads,
    private readonly unlocking: ShareUnlocking,
    private readonly visits: KioskVisits,
  ) {}

  /**
   * Activates a device as a kiosk with the password of an upload link.
   *
   * The device token is valid for 12 hours and is renewed by use: the new token is returned in the header `X-Device-Token`. A wrong
   * password returns 401, too many of them 429. Links without a password cannot be used as kiosks (404).
   */
  @Post('activate')
  @HasKiosk()
  @ForGuests('write')
  @AnswersSecret()
  @Returns(ActivatedKiosk)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'rate_limited')
  activate(
    @Param('share_id') share_id: string,
    @FromBody() { password }: ActivateKiosk,
    @Guest() call: ShareCall,
  ): Promise<ActivatedDevice> {
    return this.unlocking.activate(share_id, password, call);
  }

  /**
   * Begins the visit of the next guest at a kiosk and ends the previous one.
   *
   * Send the returned `visit` in the header `X-Visit` in the requests of this guest. The uploads of the previous guest are no longer
   * accessible (409 `invalid_state` for that visit); unfinished ones are aborted.
   */
  @Post('visit')
  @Named('beginKioskVisit')
  @HasKiosk()
  @ForGuests('write')
  @AnswersSecret()
  @Returns(BegunKioskVisit)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone')
  async begin(
    @Param('share_id') share_id: string,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BegunKioskVisit> {
    const { share, device } = await this.doors.atDevice(share_id, call, response);
    const { visit } = await this.visits.begin(share, device);
    return { visit, idle_seconds: share.link.options.kiosk_idle_seconds };
  }

  /** Ends the visit of the guest at a kiosk and aborts unfinished uploads. */
  @Delete('visit')
  @Named('endKioskVisit')
  @HasKiosk()
  @ForGuests('write')
  @Deletes()
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone')
  async end(@Param('share_id') share_id: string, @Guest() call: ShareCall, @Res({ passthrough: true }) response: Response): Promise<void> {
    const { share, device } = await this.doors.atDevice(share_id, call, response);
    await this.visits.end(share, device);
  }

  /** Checks which files need not be sent because the kiosk link has already received their bytes. */
  @Post('uploads/check')
  @OnKioskDevice()
  @InVisit()
  @ForGuests('upload')
  @Returns(CheckedGuestFiles)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone')
  async check(
    @Param('share_id') share_id: string,
    @FromBody() { items }: CheckGuestFiles,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CheckedGuestFiles> {
    return { data: await this.uploads.check(await this.doors.byKiosk(share_id, call, response), items) };
  }

  /**
   * Creates a kiosk upload.
   *
   * Works like `POST /uploads` with the rules of the link: kinds and extensions (400), sizes (413) and number of files (409
   * `limit_reached`). The upload reserves one of the files that the link accepts until it is aborted or expires. Without a current
   * visit, a new one begins and is returned in the header `X-Visit`; a visit can access only its own uploads.
   */
  @Post('uploads')
  @OnKioskDevice()
  @InVisit()
  @ForGuests('upload')
  @BeginsUpload()
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'payload_too_large', 'limit_reached', 'upstream_failed')
  async open(
    @Param('share_id') share_id: string,
    @FromBody() body: OpenGuestUpload,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GuestUpload> {
    return placed(response, await this.uploads.open(await this.doors.byKioskVisiting(share_id, call, response), body));
  }

  /** Reads an upload of your visit at a kiosk, with new signed URLs for missing parts. */
  @Get('uploads/:id')
  @OnKioskDevice()
  @HasUpload()
  @ForGuests('upload')
  @ReturnsState(GuestUploadView)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'invalid_state', 'upstream_failed')
  async one(
    @Param('share_id') share_id: string,
    @Param('id') id: string,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GuestUpload & Versioned> {
    return this.uploads.get(await this.doors.byKiosk(share_id, call, response), id);
  }

  /** Renews the signed URLs of parts of a kiosk upload and extends it by 24 hours. */
  @Post('uploads/:id/parts')
  @Named('renewKioskUploadParts')
  @OnKioskDevice()
  @HasUpload()
  @ForGuests('upload')
  @Returns(GuestUploadPartLinks)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'invalid_state', 'upstream_failed')
  async parts(
    @Param('share_id') share_id: string,
    @Param('id') id: string,
    @FromBody() { parts }: AskForGuestParts,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.uploads.parts(await this.doors.byKiosk(share_id, call, response), id, parts);
  }

  /**
   * Finalizes a kiosk upload: the bytes become a file of the workspace.
   *
   * A repeated request returns 200 with the same file.
   */
  @Post('uploads/:id/finalize')
  @OnKioskDevice()
  @HasUpload()
  @ForGuests('upload')
  @BeginsUpload()
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'invalid_state', 'unprocessable_content', 'upstream_failed')
  async finalize(
    @Param('share_id') share_id: string,
    @Param('id') id: string,
    @FromBody() { parts }: FinalizeGuestUpload,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GuestUpload> {
    const { upload, created } = await this.uploads.finalize(await this.doors.byKiosk(share_id, call, response), id, parts);
    if (!created) response.status(200);
    return placed(response, upload);
  }

  /** Aborts a kiosk upload, deletes the received bytes and releases its reservation. */
  @Delete('uploads/:id')
  @Named('abortKioskUpload')
  @OnKioskDevice()
  @HasUpload()
  @ForGuests('upload')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'invalid_state', 'precondition_failed')
  async abort(
    @Param('share_id') share_id: string,
    @Param('id') id: string,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() precondition?: Precondition,
  ): Promise<void> {
    await this.uploads.abort(await this.doors.byKiosk(share_id, call, response), id, precondition);
  }
}
