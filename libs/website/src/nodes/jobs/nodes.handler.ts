import { Injectable } from '@nestjs/common';
import { Handles, type JobRun } from '@atrium/platform/messaging';
import { AddedLocales } from '../application/added-locales';
import { settleDrafts, type SettleDraftsPayload } from './nodes.jobs';

/** Background work about drafts. */
@Injectable()
export class NodesHandler {
  constructor(private readonly locales: AddedLocales) {}

  @Handles(settleDrafts)
  settleDrafts(payload: SettleDraftsPayload, run: JobRun): Promise<void> {
    return this.locales.settleSite(payload, run);
  }
}
