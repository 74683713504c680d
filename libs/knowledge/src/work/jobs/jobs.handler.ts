import { Injectable } from '@nestjs/common';
import { Handles } from '@atrium/platform/messaging';
import { JobRetention } from '../application/job-retention';
import { discardObjects, type DiscardObjects } from './discard.jobs';

@Injectable()
export class JobObjectsHandler {
  constructor(private readonly retention: JobRetention) {}

  @Handles(discardObjects)
  async discardObjects({ keys }: DiscardObjects): Promise<void> {
    await this.retention.deleteObjects(keys);
  }
}
