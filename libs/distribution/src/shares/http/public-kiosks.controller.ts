import { Body as FromBody, Controller, Delete, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Named } from '@atrium/platform/access';
import { AnswersSecret, Deletes, Problems, Returns } from '@atrium/platform/http';
import type { Response } from 'express';
import { GuestUploads } from '../application/guest-uploads.service';
import { KioskVisits } from '../application/kiosk-visits';
import type { ShareCall } from '../application/share-call';
import { ShareUnlocking, type ActivatedDevice } from '../application/share-unlocking.service';
import { ActivatedKiosk, ActivateKiosk, BegunKioskVisit } from './guest-uploads.dto';
import { GuestDoors } from './guest-doors';
import { HasKiosk, OnKioskDevice } from './guest-parameters';
import { guestUploadRoutes } from './guest-upload-routes';
import { ForGuests } from './public-shares.controller';
import { Guest } from './share-call';

@ApiTags('Share links')
@Controller('public/kiosk/:share_id')
export class PublicKiosksController extends guestUploadRoutes({
  parameter: 'share_id',
  ProvesGuest: OnKioskDevice,
  enter: 'openByKiosk',
  beginVisit: 'beginVisitByKiosk',
  operations: { parts: 'renewKioskUploadParts', abort: 'abortKioskUpload' },
  readProblems: ['invalid_state'],
  texts: {
    check: 'Checks which files need not be sent because the kiosk link has already received their bytes.',
    open: `Creates a kiosk upload.

Works like \`POST /uploads\` with the rules of the link: kinds and extensions (400), sizes (413) and number of files (409
\`limit_reached\`). The upload reserves one of the files that the link accepts until it is aborted or expires. Without a current
visit, a new one begins and is returned in the header \`X-Visit\`; a visit can access only its own uploads.`,
    one: 'Reads an upload of your visit at a kiosk, with new signed URLs for missing parts.',
    parts: 'Renews the signed URLs of parts of a kiosk upload and extends it by 24 hours.',
    finalize: 'Finalizes a kiosk upload: the bytes become a file of the workspace.\n\nA repeated request returns 200 with the same file.',
    abort: 'Aborts a kiosk upload, deletes the received bytes and releases its reservation.',
  },
}) {
  constructor(
    doors: GuestDoors,
    uploads: GuestUploads,
    private readonly unlocking: ShareUnlocking,
    private readonly visits: KioskVisits,
  ) {
    super(doors, uploads);
  }

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
    return this.unlocking.activateDevice(share_id, password, call);
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
    const { share, device } = await this.doors.openAtDevice(share_id, call, response);
    const { visit } = await this.visits.beginVisit(share, device);
    return { visit, idle_seconds: share.link.options.kiosk_idle_seconds };
  }

  /** Ends the visit of the guest at a kiosk and aborts unfinished uploads. */
  @Delete('visit')
  @Named('endKioskVisit')
  @HasKiosk()
  @ForGuests('write')
  @Deletes({ stays: true })
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone')
  async end(@Param('share_id') share_id: string, @Guest() call: ShareCall, @Res({ passthrough: true }) response: Response): Promise<void> {
    const { share, device } = await this.doors.openAtDevice(share_id, call, response);
    await this.visits.endVisit(share, device);
  }
}
