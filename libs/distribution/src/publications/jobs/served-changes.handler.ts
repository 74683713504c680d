import { Injectable } from '@nestjs/common';
import { Handles, type EventDelivery } from '@atrium/platform/messaging';
import { ServedChanges } from '../application/served-changes';
import { quarantined, served } from './publications.jobs';

/** Listens to what happens elsewhere. */
@Injectable()
export class ServedChangesHandler {
  constructor(private readonly changes: ServedChanges) {}

  @Handles(quarantined)
  async quarantined({ subject_id }: EventDelivery): Promise<void> {
    if (subject_id !== null) await this.changes.quarantined(subject_id);
  }

  @Handles(served)
  served(): Promise<void> {
    return this.changes.workspaceChanged();
  }
}
