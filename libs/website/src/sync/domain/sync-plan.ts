import type { ChangedFields } from './cms-link';
import { moveOf, type MoveDirection } from './sync-rules';
import { VERDICTS, type Verdict } from './verdict';

export type PlanDirection = MoveDirection | 'both';

export interface PlannedPage {
  readonly node_id: string | null;
  readonly external_id: string | null;
  readonly name: string;
  readonly path: string | null;
  readonly verdict: Verdict;
  readonly fields: ChangedFields | null;
}

/** What a pull or push would do. */
export interface SyncPlan {
  readonly direction: PlanDirection;
  readonly compared_at: Date;
  readonly complete: boolean;
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  readonly created: readonly PlannedPage[];
  readonly updated: readonly PlannedPage[];
  readonly deleted: readonly PlannedPage[];
  readonly conflicts: readonly PlannedPage[];
  readonly unchanged: number;
}

/** A plan in the making: what the comparison of each page adds to it. */
export class PlanFindings {
  private readonly counts = new Map<Verdict, number>();
  private readonly lists = {
    created: [] as PlannedPage[],
    updated: [] as PlannedPage[],
    deleted: [] as PlannedPage[],
    conflicts: [] as PlannedPage[],
  };

  constructor(
    private readonly direction: PlanDirection,
    private readonly limit: number,
  ) {}

  addPage(page: PlannedPage): void {
    this.counts.set(page.verdict, (this.counts.get(page.verdict) ?? 0) + 1);
    const list = this.listOf(page.verdict);
    if (list && list.length < this.limit) list.push(page);
  }

  planAt(compared_at: Date, complete: boolean): SyncPlan {
    const counts = Object.fromEntries(
      VERDICTS.flatMap((verdict) => (this.counts.has(verdict) ? [[verdict, this.counts.get(verdict)]] : [])),
    );
    return { direction: this.direction, compared_at, complete, counts, ...this.lists, unchanged: this.counts.get('in_sync') ?? 0 };
  }

  /** Deletions are listed although only those who name them follow them. */
  private listOf(verdict: Verdict): PlannedPage[] | null {
    if (verdict === 'conflict') return this.lists.conflicts;
    const directions: readonly MoveDirection[] = this.direction === 'both' ? ['pull', 'push'] : [this.direction];
    const moves = directions.map((direction) => moveOf(verdict, { direction, statuses: [verdict] }));
    if (verdict === 'local_deleted' || verdict === 'remote_deleted') return this.lists.deleted;
    if (moves.includes('create')) return this.lists.created;
    return moves.some((move) => move === 'take' || move === 'send') ? this.lists.updated : null;
  }
}
