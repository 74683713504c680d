import { Injectable } from '@nestjs/common';
import { ApprovalGate, Approvals } from '@atrium/approvals';

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

const NODE = 'node';

/** The approvals of drafts: edits are reported to the engine, and locked states refuse them. */
@Injectable()
export class ApprovalsOfNodes {
  constructor(
    private readonly gate: ApprovalGate,
    private readonly approvals: Approvals,
  ) {}

  /** By id and locale, those that a flow covers; one statement. Within a unit of work. */
  async findApprovals(subjects: readonly DraftSubject[]): Promise<ReadonlyMap<string, NodeApproval>> {
    if (subjects.length === 0) return new Map();
    const found = await this.gate.findStandings(NODE, subjects);
    return new Map(
      found.flatMap((standing, at): [string, NodeApproval][] => {
        const subject = subjects[at];
        if (!standing || !subject) return [];
        const { flow, state, request } = standing;
        return [[`${subject.id} ${subject.locale}`, { flow, state, request }]];
      }),
    );
  }

  /** Refuses changes of a draft in a locked state. Within the unit of work of the change. */
  assertUnlocked({ id, locale }: DraftSubject): Promise<void> {
    return this.gate.assertUnlocked({ type: NODE, id, locale });
  }

  /** The drafts are others now; those that no flow covers concern nobody. */
  async recordEdits(subjects: readonly DraftSubject[]): Promise<void> {
    const covered = await this.findApprovals(subjects);
    for (const { id, locale } of subjects) if (covered.has(`${id} ${locale}`)) await this.approvals.recordEdit({ type: NODE, id, locale });
  }

  /** The nodes are in the trash: their open requests are withdrawn. */
  recordRemoval(node_ids: readonly string[]): Promise<void> {
    return this.approvals.recordRemoval(NODE, node_ids);
  }
}
