import type { LinkError } from './cms-link';
import type { Move } from './sync-rules';
import type { Verdict } from './verdict';

export const PAGE_STATUSES = ['listed', 'waiting', 'done', 'skipped', 'unsettled', 'held', 'failed'] as const;
export type PageStatus = (typeof PAGE_STATUSES)[number];
export const PAGE_ACTIONS = ['create', 'update', 'adopt', 'restore', 'delete', 'none'] as const;
export type PageAction = (typeof PAGE_ACTIONS)[number];

/** A page as a run has met it, and what came of it. */
export interface RunPage {
  readonly crp_seq: number;
  readonly crp_external_id: string | null;
  readonly crp_node: string | null;
  readonly crp_external_path: string | null;
  readonly crp_external_version: string | null;
  readonly crp_parent: string | null;
  readonly crp_name: string;
  readonly crp_status: PageStatus;
  readonly crp_action: PageAction | null;
  readonly crp_verdict: Verdict | null;
  readonly crp_published: boolean;
  readonly crp_error: LinkError | null;
  readonly crp_finished: Date | null;
}

const ACTIONS: Readonly<Record<Move, PageAction>> = {
  none: 'none',
  skip: 'none',
  take: 'update',
  send: 'update',
  adopt: 'adopt',
  yield: 'none',
  leave: 'none',
  create: 'create',
  restore: 'restore',
  trash: 'delete',
  remove: 'delete',
  fail: 'none',
};

export const actionOf = (move: Move): PageAction => ACTIONS[move];
