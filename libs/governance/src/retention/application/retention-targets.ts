import { Injectable } from '@nestjs/common';
import type { RetentionKey } from '../domain/retention';

/** What is due: what goes, and what stays for a legal hold. */
export interface DueRows {
  readonly rows: number;
  /** Bytes of stored objects that go with them; 0 where rows have none. */
  readonly bytes: number;
  readonly held: number;
  /** From when the oldest is that goes. */
  readonly oldest: string | null;
}

export interface RemovedBatch {
  readonly removed: number;
  readonly bytes: number;
  /** Whether more may be due. */
  readonly left: boolean;
}

/** Something due that a hold keeps. */
export interface HeldRecord {
  readonly held_id: string;
  readonly held_hold: string;
}

/**
 * Port for contexts that keep something for a number of days. All three are called in the workspace at hand within an
 * open unit of work, `purgeBatch` in a writing one that other holds wait for; it passes over what is held.
 */
export interface RetentionTarget {
  readonly key: RetentionKey;
  countDue(before: Date): Promise<DueRows>;
  /** Some of what is held. */
  findHeldRows(before: Date, most: number): Promise<HeldRecord[]>;
  purgeBatch(before: Date, batch: number): Promise<RemovedBatch>;
}

/** Everything in this installation that is kept for a time. Several contexts may keep something under one key; a key that nobody registered is not shown. */
@Injectable()
export class RetentionTargets {
  private readonly targets: RetentionTarget[] = [];

  register(target: RetentionTarget): void {
    this.targets.push(target);
  }

  listKeys(): RetentionKey[] {
    return [...new Set(this.targets.map(({ key }) => key))].sort();
  }

  findTargets(key: RetentionKey): readonly RetentionTarget[] {
    return this.targets.filter((target) => target.key === key);
  }

  hasTarget(key: string): key is RetentionKey {
    return this.targets.some((target) => target.key === key);
  }

  /** All that is due under a key. */
  async countDue(key: RetentionKey, before: Date): Promise<DueRows> {
    const counts: DueRows[] = [];
    for (const target of this.findTargets(key)) counts.push(await target.countDue(before));
    return {
      rows: counts.reduce((sum, { rows }) => sum + rows, 0),
      bytes: counts.reduce((sum, { bytes }) => sum + bytes, 0),
      held: counts.reduce((sum, { held }) => sum + held, 0),
      oldest:
        counts
          .map(({ oldest }) => oldest)
          .filter((oldest) => oldest !== null)
          .sort()[0] ?? null,
    };
  }
}
