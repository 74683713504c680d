import { Injectable } from '@nestjs/common';
import { Handles } from '@atrium/platform/messaging';
import { GuestFiles } from '../application/guest-files';
import { ShareNotices } from '../application/share-notices';
import { guestFile, notify, type GuestFilePayload, type NotifyPayload } from './share-links.jobs';

/** Runs `distribution.notify` and `distribution.guest-file`. */
@Injectable()
export class ShareLinksHandler {
  constructor(
    private readonly notices: ShareNotices,
    private readonly guests: GuestFiles,
  ) {}

  @Handles(notify)
  sendNotice(order: NotifyPayload): Promise<void> {
    return this.notices.sendNotice(order);
  }

  @Handles(guestFile)
  rejectUnwanted(order: GuestFilePayload): Promise<void> {
    return this.guests.rejectUnwanted(order);
  }
}
