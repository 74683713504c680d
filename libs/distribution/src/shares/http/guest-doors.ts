import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { GuestUploads, type Sending } from '../application/guest-uploads.service';
import { KioskVisits } from '../application/kiosk-visits';
import type { ShareCall } from '../application/share-call';
import { ShareGate, type OpenShare } from '../application/share-gate';
import { ShareSecrets } from '../application/share-secrets';
import { ShareUnlocking } from '../application/share-unlocking.service';

/**
 * Lets somebody in who sends files: by the token of a link, or at a kiosk by the token of a device, with one guest at
 * a time. A new visit and a renewed device token are returned in headers.
 */
@Injectable()
export class GuestDoors {
  constructor(
    private readonly gate: ShareGate,
    private readonly unlocking: ShareUnlocking,
    private readonly uploads: GuestUploads,
    private readonly secrets: ShareSecrets,
    private readonly visits: KioskVisits,
  ) {}

  async openByToken(token: string, call: ShareCall, _response?: Response): Promise<Sending> {
    const share = await this.gate.enterShare(token, call);
    return { share, visit: this.uploads.visitOf(share) };
  }

  /** The same; a guest without a visit begins one. */
  async beginVisitByToken(token: string, call: ShareCall, response: Response): Promise<Sending & { readonly visit: string }> {
    return this.visiting(await this.openByToken(token, call), response);
  }

  async openByKiosk(share_id: string, call: ShareCall, response: Response): Promise<Sending> {
    const { share, device } = await this.openAtDevice(share_id, call, response);
    return { share, visit: await this.visits.findCurrentVisit(share, device) };
  }

  /** The same; a guest without a visit begins one, unless the device has a visit already. */
  async beginVisitByKiosk(share_id: string, call: ShareCall, response: Response): Promise<Sending & { readonly visit: string }> {
    const { share, device } = await this.openAtDevice(share_id, call, response);
    const { name, begun } = await this.visits.enterVisit(share, device);
    if (begun !== null) response.setHeader('X-Visit', begun);
    return { share, visit: name };
  }

  /** A device, whichever guest uses it. */
  async openAtDevice(
    share_id: string,
    call: ShareCall,
    response: Response,
  ): Promise<{ readonly share: OpenShare; readonly device: string }> {
    const share = await this.gate.openByKiosk(share_id, call);
    const { device, renewed } = this.unlocking.requireDevice(share);
    if (renewed) response.setHeader('X-Device-Token', renewed);
    return { share, device };
  }

  private visiting({ share, visit }: Sending, response: Response): Sending & { readonly visit: string } {
    if (visit !== null) return { share, visit };
    const begun = this.secrets.mintVisit(share.link.share_id);
    response.setHeader('X-Visit', begun);
    return { share, visit: this.secrets.visitName(share.link.share_id, begun) ?? '' };
  }
}
