import { Injectable } from '@nestjs/common';
import { ActiveWorkspaces } from '@atrium/platform/database';
import { DAY, HOUR, MINUTE, SECOND } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { EmbeddingUpkeep } from '../embeddings/application/embedding-upkeep';
import { PassageUpkeep } from '../passages/application/passage-upkeep';
import { TextUpkeep } from '../texts/text-upkeep';
import { SweptWorkspaces } from './swept-workspaces';

/** What waits longer has been lost: its job failed for good, or a part outside was away for days. */
const OVERDUE_SECONDS = (10 * MINUTE) / SECOND;

/** Keeps the memory of bought embeddings small, and the index in order. */
@Injectable()
export class RetrievalSweep {
  constructor(
    private readonly workspaces: SweptWorkspaces,
    private readonly active: ActiveWorkspaces,
    private readonly embeddings: EmbeddingUpkeep,
    private readonly passages: PassageUpkeep,
    private readonly texts: TextUpkeep,
  ) {}

  @Every(HOUR, 'retrieval.sweep')
  async sweepRetrieval({ signal }: ScheduledRun): Promise<void> {
    await this.embeddings.forgetUnused((90 * DAY) / SECOND, signal);
    const retry = async (): Promise<void> => {
      await this.texts.retryOverdue(OVERDUE_SECONDS);
      await this.passages.retryPending(OVERDUE_SECONDS, signal);
    };
    await this.workspaces.runForEachOverdue(OVERDUE_SECONDS, retry, signal);
  }

  @Every(DAY, 'retrieval.tidy')
  removeLost({ signal }: ScheduledRun): Promise<void> {
    const tidy = async (): Promise<void> => {
      await this.passages.removeLost(signal);
      await this.passages.removeOrphans(signal);
    };
    return this.active.runForEachWorkspace(tidy, { failure: 'the index of a workspace could not be kept in order', signal });
  }
}
