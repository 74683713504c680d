import { Injectable } from '@nestjs/common';
import { Handles, type EventDelivery } from '@atrium/platform/messaging';
import { KeyExpiryNotice } from '../application/key-expiry-notice';
import { keyExpiry } from './key-expiry.jobs';

/** Runs `identity.key-expiry`. */
@Injectable()
export class KeyExpiryHandler {
  constructor(private readonly notice: KeyExpiryNotice) {}

  @Handles(keyExpiry)
  sendExpiryNotice({ subject_id, payload }: EventDelivery): Promise<void> {
    return this.notice.sendExpiryNotice(subject_id ?? '', Number(payload.days));
  }
}
