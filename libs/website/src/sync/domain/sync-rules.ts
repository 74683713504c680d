import { DELETIONS, type Verdict } from './verdict';

export const RESOLUTIONS = ['manual', 'local', 'remote'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];
export type MoveDirection = 'pull' | 'push';

/**
 * What a run does with a page.
 * `take`: the content of the CMS becomes the draft here. `send`: the draft goes to the CMS. `adopt`: both are equal, which is recorded.
 * `yield`: nothing is written, but the next comparison starts from the content of the other side. `leave`: an open conflict.
 */
export const MOVES = ['none', 'skip', 'take', 'send', 'adopt', 'yield', 'leave', 'create', 'restore', 'trash', 'remove', 'fail'] as const;
export type Move = (typeof MOVES)[number];

/** What was asked of a run. */
export interface SyncWish {
  readonly direction: MoveDirection;
  /** Absent: manual for a pull, local for a push. */
  readonly resolution?: Resolution | undefined;
  /** Verdicts whose pages move; absent: all but the two deletions. */
  readonly statuses?: readonly Verdict[] | undefined;
  readonly force?: boolean | undefined;
}

/** What becomes of the pages with a verdict. */
interface Rule {
  readonly usual: Move;
  readonly force?: Move;
  readonly by?: Readonly<Partial<Record<Resolution, Move>>>;
}

const USUAL_RESOLUTION: Readonly<Record<MoveDirection, Resolution>> = { pull: 'manual', push: 'local' };

const PULL: Readonly<Record<Verdict, Rule>> = {
  in_sync: { usual: 'none', force: 'take' },
  remote_changed: { usual: 'take' },
  local_changed: { usual: 'skip', force: 'take' },
  both_same: { usual: 'adopt' },
  conflict: { usual: 'leave', by: { manual: 'leave', local: 'yield', remote: 'take' } },
  local_only: { usual: 'skip' },
  remote_only: { usual: 'create' },
  local_deleted: { usual: 'restore' },
  remote_deleted: { usual: 'trash' },
  unsupported: { usual: 'fail' },
  error: { usual: 'fail' },
  unknown: { usual: 'fail' },
};

const PUSH: Readonly<Record<Verdict, Rule>> = {
  in_sync: { usual: 'none', force: 'send' },
  remote_changed: { usual: 'skip', force: 'send' },
  local_changed: { usual: 'send' },
  both_same: { usual: 'adopt' },
  conflict: { usual: 'leave', by: { manual: 'leave', local: 'send', remote: 'yield' } },
  local_only: { usual: 'create' },
  remote_only: { usual: 'skip' },
  local_deleted: { usual: 'remove' },
  remote_deleted: { usual: 'create' },
  unsupported: { usual: 'fail' },
  error: { usual: 'fail' },
  unknown: { usual: 'fail' },
};

const RULES = { pull: PULL, push: PUSH } as const;
/** The resolution that, named in a request, brings back what the other side deleted. */
const REVIVAL = {
  pull: { verdict: 'local_deleted', resolution: 'remote' },
  push: { verdict: 'remote_deleted', resolution: 'local' },
} as const;

export function moveOf(verdict: Verdict, { direction, resolution, statuses, force = false }: SyncWish): Move {
  const { usual, force: forced, by } = RULES[direction][verdict];
  const revival = REVIVAL[direction];
  const isRevived = verdict === revival.verdict && resolution === revival.resolution;
  const isWanted = statuses ? statuses.includes(verdict) : !DELETIONS.has(verdict);
  if (!isWanted && !isRevived) return verdict === 'in_sync' ? 'none' : 'skip';
  if (force && forced) return forced;
  return by?.[resolution ?? USUAL_RESOLUTION[direction]] ?? usual;
}

/** Moves that delete on one of the two sides: the brake counts them. */
export const isDeletion = (move: Move): boolean => move === 'trash' || move === 'remove';

/** Moves that change a page on one of the two sides. */
export const changesPage = (move: Move): boolean => !['none', 'skip', 'leave', 'adopt', 'yield', 'fail'].includes(move);
