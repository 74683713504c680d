import { Injectable } from '@nestjs/common';
import { RetentionTargets, type DueRows, type RemovedBatch } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { AttemptRows, type AttemptRow } from '../infrastructure/attempts.rows';
import { PostsRepository } from '../infrastructure/posts.repository';

const MOST = 1_000;

/** What was tried to send posts, and how long that is kept. */
@Injectable()
export class PostAttempts {
  constructor(
    private readonly db: Database,
    private readonly posts: PostsRepository,
    private readonly attempts: AttemptRows,
    retention: RetentionTargets,
  ) {
    retention.register({
      key: 'social_attempts',
      countDue: (before) => this.countDue(before),
      findHeldRows: () => Promise.resolve([]),
      purgeBatch: (before, batch) => this.purgeBatch(before, batch),
    });
  }

  listAttempts(caller: Principal, sp_id: string): Promise<AttemptRow[]> {
    return this.db.read(async () => {
      if (!(await this.posts.findPostRow(caller, sp_id))) throw notFound('post');
      return this.attempts.listAttempts(sp_id, MOST);
    });
  }

  private async countDue(before: Date): Promise<DueRows> {
    return { ...(await this.attempts.countBefore(before)), bytes: 0, held: 0 };
  }

  private async purgeBatch(before: Date, batch: number): Promise<RemovedBatch> {
    const removed = await this.attempts.removeBefore(before, batch);
    return { removed, bytes: 0, left: removed === batch };
  }
}

export type { AttemptRow };
