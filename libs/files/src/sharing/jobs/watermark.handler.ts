import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp } from '@atrium/platform/messaging';
import { WatermarkMaking } from '../application/watermark-making';
import { watermark, type WatermarkPayload } from './watermark.jobs';

/** Runs `files.watermark`. */
@Injectable()
export class WatermarkHandler {
  constructor(private readonly making: WatermarkMaking) {}

  @Handles(watermark)
  makeWatermark(order: WatermarkPayload): Promise<void> {
    return this.making.makeWatermark(order);
  }

  @WhenGivenUp(watermark)
  giveUpWatermark(order: WatermarkPayload): Promise<void> {
    return this.making.giveUp(order);
  }
}
