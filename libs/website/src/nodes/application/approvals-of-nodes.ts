import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ApprovalGate, Approvals } from '@atrium/approvals';
import { invalidState } from '@atrium/platform/kernel';
import { NODE_SUBJECT } from '../domain/node-subject';
import { PageVersions } from './page-versions';
import { VersionHolders } from './version-holders';

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
export class ApprovalsOfNodes implements OnModuleInit {
  constructor(
    private readonly gate: ApprovalGate,
    private readonly updates: Approvals,
    private readonly versions: PageVersions,
    private readonly holders: VersionHolders,
  ) {}

  onModuleInit(): void {
    this.holders.register((node_ids) => this.updates.findOpenVersions(NODE_SUBJECT, node_ids));
  }

  /** By id and locale, those that a flow covers; one statement. */
  async findApprovals(subjects: readonly DraftSubject[]): Promise<ReadonlyMap<string, NodeApproval>> {
    const standings = await this.gate.findStandings(NODE_SUBJECT, subjects);
    return new Map(
      subjects.flatMap(({ id, locale }, at) => {
        const standing = standings[at];
        return standing ? [[`${id} ${locale}`, { flow: standing.flow, state: standing.state, request: standing.request }] as const] : [];
      }),
    );
  }

  /** Refuses changes of drafts in locked states. Within the unit of work of the change. */
  async assertUnlocked(subjects: readonly DraftSubject[]): Promise<void> {
    const standings = await this.gate.findStandings(NODE_SUBJECT, subjects);
    subjects.forEach(({ locale }, at) => {
      const standing = standings[at];
      if (standing?.locked)
        throw invalidState(
          `The content in the locale ${locale} cannot be changed in the state ${standing.state_name} of the flow ${standing.flow_name}. Move it to another state first.`,
        );
    });
  }

  /** The nodes are locked. Versions that only superseded requests needed are released. */
  async recordEdits(subjects: readonly DraftSubject[], edit: { readonly isFromElsewhere?: boolean } = {}): Promise<void> {
    if (subjects.length === 0) return;
    const pending = (await this.gate.findStandings(NODE_SUBJECT, subjects)).some((standing) => standing?.request);
    for (const subject of subjects) await this.updates.recordEdit({ type: NODE_SUBJECT, ...subject }, edit);
    if (pending) await this.versions.releaseVersionsOf([...new Set(subjects.map(({ id }) => id))]);
  }

  async recordRemoval(node_ids: readonly string[]): Promise<void> {
    await this.updates.recordRemoval(NODE_SUBJECT, node_ids);
    await this.versions.releaseVersionsOf(node_ids);
  }
}
