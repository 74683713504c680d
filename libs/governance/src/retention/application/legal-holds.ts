import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import type { HoldTargetType } from '../domain/legal-hold';
import { LegalHoldsRepository } from '../infrastructure/legal-holds.repository';
import { HoldTargets } from './hold-targets';

/**
 * Port for code that removes something: what a legal hold keeps is skipped. The code calls `blockNewHolds` first, in
 * the same unit of work, so that no hold that was answered before is overlooked.
 */
@Injectable()
export class LegalHolds {
  constructor(
    private readonly db: Database,
    private readonly repository: LegalHoldsRepository,
    private readonly targets: HoldTargets,
  ) {}

  /** Nobody puts a hold until this unit of work ends. */
  blockNewHolds(): Promise<void> {
    return this.repository.lockHoldsShared();
  }

  /** Waits for removals that are under way, and keeps further ones back until this unit of work ends. */
  blockRemovals(): Promise<void> {
    return this.repository.lockHolds();
  }

  /** An SQL expression over a file's id, such as `f.file_id`: the id of a hold that keeps the file, else null. */
  fileHeldCondition(file_id: Sql): Sql {
    return this.targets.holdOfFile(file_id);
  }

  /** A condition over a file's id: nothing holds the file. In this form the planner expects most to pass. */
  freeFile(file_id: Sql): Sql {
    return sql`NOT EXISTS ${this.targets.holdOfFile(file_id)}`;
  }

  /** An SQL expression over a user's id: the id of a hold on that user, else null. */
  userHeldCondition(user_id: Sql): Sql {
    const { tenant_id } = requireScope();
    return sql`(SELECT h.lh_id FROM legal_hold h WHERE h.tenant_id = ${tenant_id} AND h.lh_target_type = 'user' AND h.lh_target_id = ${user_id} AND h.lh_released_at IS NULL LIMIT 1)`;
  }

  /** Which of the files are held: by themselves, through who added them or wrote a version, or through an album. */
  filterHeldFiles(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return Promise.resolve(new Set());
    return this.db.read(() => this.repository.filterHeldFiles(ids, this.fileHeldCondition(sql`i.file_id`)));
  }

  /** Whether there is a live hold on the target itself. */
  isHeld(type: HoldTargetType, id: string): Promise<boolean> {
    return this.db.read(() => this.repository.hasLiveHold(type, id));
  }

  /** Refuses what would let something of a held target go; in a writing unit of work. */
  async assertNone(type: HoldTargetType, id: string): Promise<void> {
    await this.blockNewHolds();
    if (await this.isHeld(type, id)) throw new Problem('in_use', `The ${type.replace('_', ' ')} is under a legal hold.`);
  }
}
