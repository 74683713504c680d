import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';

/** Where a post is in the flow that covers it. */
export interface PostApproval {
  readonly flow: string;
  readonly state: string;
  readonly request: string | null;
  readonly publishable: boolean;
}

/** The seam to the engine of approvals. */
@Injectable()
export class PostApprovals {
  async findStandings(ids: readonly string[]): Promise<ReadonlyMap<string, PostApproval>> {
    void ids;
    return new Map();
  }

  async recordEdit(sp_id: string): Promise<void> {
    void sp_id;
  }

  async recordRemoval(sp_id: string): Promise<void> {
    void sp_id;
  }

  async assertUnlocked(sp_id: string): Promise<void> {
    void sp_id;
  }

  async demandApproval(sp_id: string, hash: string): Promise<void> {
    void [sp_id, hash];
  }

  async listTransitions(caller: Principal, sp_id: string): Promise<readonly object[]> {
    void [caller, sp_id];
    return [];
  }
}
