import { Injectable } from '@nestjs/common';
import { Handles, type EventDelivery } from '@atrium/platform/messaging';
import { ServedChanges } from '../application/served-changes';
import { quarantined, served } from './publications.jobs';

/** Listens to what happens elsewhere. */
@Injectable()
export class ServedChangesHandler {
  constructor(private readonly changes: ServedChanges) {}

  @Handles(quarantined)
  async withdrawQuarantined({ subject_id }: EventDelivery): Promise<void> {
    if (subject_id !== null) await this.changes.withdrawQuarantined(subject_id);
  }

  @Handles(served)
  applyWorkspaceChange(): Promise<void> {
    return this.changes.notifyWorkspaceChange();
  }
}
