import { Injectable } from '@nestjs/common';
import { Handles } from '@atrium/platform/messaging';
import { JobObjects } from '../infrastructure/job-objects';
import { discardObjects, type DiscardObjects } from './discard.jobs';

@Injectable()
export class JobObjectsHandler {
  constructor(private readonly objects: JobObjects) {}

  @Handles(discardObjects)
  async discard({ keys }: DiscardObjects): Promise<void> {
    await this.objects.discard(keys);
  }
}
