import { invalidState, StateMachine, type Problem } from '@atrium/platform/kernel';

export const POST_STATES = [
  'draft',
  'in_review',
  'approved',
  'scheduled',
  'publishing',
  'published',
  'partial',
  'failed',
  'cancelled',
] as const;
export type PostState = (typeof POST_STATES)[number];

export const VARIANT_STATES = ['pending', 'sending', 'published', 'failed', 'unknown', 'deleted'] as const;
export type VariantState = (typeof VARIANT_STATES)[number];

/** What somebody asks of a post, and the states in which it is possible. */
const ALLOWED = {
  edit: ['draft', 'in_review', 'approved', 'scheduled', 'failed', 'cancelled'],
  schedule: ['draft', 'approved', 'scheduled'],
  unschedule: ['scheduled'],
  publish: ['draft', 'approved', 'scheduled'],
  retry: ['failed', 'partial'],
  cancel: ['draft', 'in_review', 'approved', 'scheduled', 'failed'],
} as const satisfies Readonly<Record<string, readonly PostState[]>>;
export type PostMove = keyof typeof ALLOWED;

const PAST: Readonly<Record<PostMove, string>> = {
  edit: 'edited',
  schedule: 'scheduled',
  unschedule: 'unscheduled',
  publish: 'published',
  retry: 'retried',
  cancel: 'cancelled',
};

export const isAllowed = (state: PostState, move: PostMove): boolean => (ALLOWED[move] as readonly PostState[]).includes(state);

export const listMoves = (state: PostState): PostMove[] => (Object.keys(ALLOWED) as PostMove[]).filter((move) => isAllowed(state, move));

/** Refuses a move that the state does not allow, and names those that it does. */
export function assertMove(state: PostState, move: PostMove): void {
  if (!isAllowed(state, move)) throw illegalMove(state, move);
}

function illegalMove(state: PostState, move: PostMove): Problem {
  const moves = listMoves(state);
  return invalidState(
    `The post is ${state} and cannot be ${PAST[move]}. ${moves.length === 0 ? 'Nothing can be changed now.' : `Possible now: ${moves.join(', ')}.`}`,
  );
}

export const POST_TABLE = new StateMachine<PostState>('post', {
  draft: ['in_review', 'approved', 'scheduled', 'publishing', 'cancelled'],
  in_review: ['approved', 'draft', 'scheduled', 'publishing', 'cancelled'],
  approved: ['draft', 'in_review', 'scheduled', 'publishing', 'cancelled'],
  scheduled: ['draft', 'in_review', 'approved', 'scheduled', 'publishing', 'failed', 'cancelled'],
  publishing: ['published', 'partial', 'failed'],
  partial: ['publishing'],
  failed: ['publishing', 'draft', 'in_review', 'approved', 'cancelled'],
  cancelled: ['draft', 'in_review', 'approved'],
});

export const VARIANT_TABLE = new StateMachine<VariantState>('variant', {
  pending: ['sending', 'failed'],
  sending: ['published', 'unknown', 'failed'],
  unknown: ['published', 'failed'],
  failed: ['sending', 'failed'],
  published: ['deleted'],
});

/** Whether a variant may be sent: it never was, or did not arrive. */
export const isSendable = ({ spv_state }: { readonly spv_state: VariantState }): boolean =>
  spv_state === 'pending' || spv_state === 'failed';

/** What becomes of a post whose variants are so; null while one of them is still to end. */
export function outcomeOf(states: readonly VariantState[]): 'published' | 'partial' | 'failed' | null {
  if (states.some((state) => state === 'pending' || state === 'sending' || state === 'unknown')) return null;
  const published = states.filter((state) => state === 'published' || state === 'deleted').length;
  if (published === 0) return 'failed';
  return published === states.length ? 'published' : 'partial';
}
