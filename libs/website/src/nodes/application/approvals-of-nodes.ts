import { Injectable } from '@nestjs/common';

/** Where a locale of a node is in its approval flow. */
export interface NodeApproval {
  readonly flow: string;
  readonly state: string;
  /** Id of the open request; null if there is none. */
  readonly request: string | null;
}

/** A draft as flows know it. */
export interface DraftSubject {
  readonly id: string;
  readonly locale: string;
}

/** The approvals of drafts: edits are reported to the engine, and locked states refuse them. */
@Injectable()
export class ApprovalsOfNodes {
  /** By id and locale, those that a flow covers; one statement. */
  findApprovals(_subjects: readonly DraftSubject[]): Promise<ReadonlyMap<string, NodeApproval>> {
    return Promise.resolve(new Map());
  }

  /** Refuses changes of drafts in locked states. Within the unit of work of the change. */
  assertUnlocked(_subjects: readonly DraftSubject[]): Promise<void> {
    return Promise.resolve();
  }

  recordEdits(_subjects: readonly DraftSubject[]): Promise<void> {
    return Promise.resolve();
  }

  recordRemoval(_node_ids: readonly string[]): Promise<void> {
    return Promise.resolve();
  }
}
