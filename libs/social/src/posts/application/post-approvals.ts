import { Injectable } from '@nestjs/common';
import {
  ApprovalGate,
  ApprovalMoves,
  Approvals,
  type MoveWish,
  type MovedSubject,
  type OpenTransition,
  type SubjectRef,
} from '@atrium/approvals';
import type { Principal } from '@atrium/platform/access';
import { Problem } from '@atrium/platform/kernel';

export const SUBJECT_TYPE = 'social_post';

/** Where a post is in the flow that covers it. */
export interface PostApproval {
  readonly flow: string;
  readonly flow_name: string;
  readonly state: string;
  readonly request: string | null;
  readonly publishable: boolean;
}

const refOf = (id: string): SubjectRef => ({ type: SUBJECT_TYPE, id, locale: null });

/** Posts in flows of approval. */
@Injectable()
export class PostApprovals {
  constructor(
    private readonly gate: ApprovalGate,
    private readonly moves: ApprovalMoves,
    private readonly approvals: Approvals,
  ) {}

  /** Of those that an active flow covers; one statement for however many. */
  async findStandings(ids: readonly string[]): Promise<ReadonlyMap<string, PostApproval>> {
    if (ids.length === 0) return new Map();
    const found = await this.gate.findStandings(
      SUBJECT_TYPE,
      ids.map((id) => ({ id, locale: null })),
    );
    return new Map(
      ids.flatMap((id, at) => {
        const standing = found[at];
        if (!standing) return [];
        const { flow, flow_name, state, request, publishable } = standing;
        return [[id, { flow, flow_name, state, request, publishable }] as const];
      }),
    );
  }

  recordEdit(sp_id: string): Promise<void> {
    return this.approvals.recordEdit(refOf(sp_id));
  }

  recordRemoval(sp_id: string): Promise<void> {
    return this.approvals.recordRemoval(SUBJECT_TYPE, [sp_id]);
  }

  assertUnlocked(sp_id: string): Promise<void> {
    return this.gate.assertUnlocked(refOf(sp_id));
  }

  demandApproval(sp_id: string, hash: string): Promise<void> {
    return this.gate.demandApproval(refOf(sp_id), hash);
  }

  /** Why content with the hash may not be sent; null if it may. */
  async findRefusal(sp_id: string, hash: string): Promise<string | null> {
    try {
      await this.demandApproval(sp_id, hash);
      return null;
    } catch (error) {
      if (error instanceof Problem && error.code === 'invalid_state') return error.detail;
      throw error;
    }
  }

  listTransitions(caller: Principal, sp_id: string): Promise<readonly OpenTransition[]> {
    return this.moves.listOpenTransitions(caller, refOf(sp_id));
  }

  applyTransition(caller: Principal, sp_id: string, wish: MoveWish): Promise<MovedSubject> {
    return this.moves.moveSubject(caller, refOf(sp_id), wish);
  }
}

export type { MoveWish, MovedSubject, OpenTransition };
