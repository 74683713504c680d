import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type ListParameters } from '@atrium/platform/database';
import { folded } from '@atrium/platform/kernel';
import { transitionsFrom } from '@atrium/approvals';
import { FileEdits, FileTimeline } from '@atrium/files';
import { MediaFacts, type NextStatus } from '../../library/application/media-facts';
import { TagGroupsRepository } from '../../tags/infrastructure/tag-groups.repository';
import type { StatusState } from '../domain/media-status-flow';
import { StatusFlowsRepository } from '../infrastructure/status-flows.repository';
import { mayTake, stateOf } from './followed-states';

export interface StatusStep {
  readonly from: string | null;
  readonly to: string;
  readonly comment: string | null;
  readonly by: string | null;
  readonly at: string;
}

export interface FileStatusAnswer {
  readonly file_status: string;
  /** Null where no flow is followed. */
  readonly state: StatusState | null;
  readonly next: readonly NextStatus[];
  readonly trail: readonly StatusStep[];
}

const MOST_STEPS = 100;

/** The status of a file, its next statuses, and its history. */
@Injectable()
export class FileStatusService implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly flows: StatusFlowsRepository,
    private readonly groups: TagGroupsRepository,
    private readonly edits: FileEdits,
    private readonly timeline: FileTimeline,
    private readonly facts: MediaFacts,
  ) {}

  onModuleInit(): void {
    this.facts.register('next_statuses', (caller, { file_id, file_status }) =>
      this.listNext(caller, { file_id, file_status, repo_type: 'media', repo_id: null }),
    );
  }

  getStatus(caller: Principal, id: string): Promise<FileStatusAnswer> {
    return this.db.read(async () => {
      const file = await this.edits.requireVisibleFile(caller, id);
      const flow = (await this.flows.findActiveFlows([file.repo_type])).get(file.repo_type);
      const state = (flow && stateOf(flow, file.file_status)) ?? null;
      return { file_status: file.file_status, state, next: await this.listNext(caller, file), trail: await this.trail(caller, id) };
    });
  }

  /** The states that the caller may give a file next; within a unit of work. */
  async listNext(
    caller: Principal,
    file: { readonly file_id: string; readonly repo_type: string; readonly file_status: string; readonly repo_id: string | null },
  ): Promise<NextStatus[]> {
    const flow = (await this.flows.findActiveFlows([file.repo_type])).get(file.repo_type);
    const from = flow && stateOf(flow, file.file_status);
    if (!flow || !from) return [];
    const editable = (await this.edits.filterPermitted(caller, [file], 'edit')).length > 0;
    const scope = file.repo_type === 'docs' ? 'docs' : 'media';
    const absent = await this.groups.findUntaggedGroups(file.file_id, scope);
    return transitionsFrom(flow.msf_transitions, from.key)
      .filter((way) => mayTake(caller, way, editable))
      .map(({ to, label, requires_comment, required_tags }) => {
        const named = required_tags.map(folded);
        const missing_tags = absent
          .filter(({ mtg_name, mtg_required_for }) => mtg_required_for.includes(to) || named.includes(folded(mtg_name)))
          .map(({ mtg_name }) => mtg_name);
        return { file_status: to, label, requires_comment, missing_tags };
      });
  }

  private async trail(caller: Principal, id: string): Promise<StatusStep[]> {
    const query: ListParameters & { readonly fh_action: string } = { limit: MOST_STEPS, fh_action: 'status_changed' };
    const { data } = await this.timeline.listTimeline(caller, id, query);
    return data.map(({ fh_details, fh_actor, fh_created }) => ({
      from: typeof fh_details.from === 'string' ? fh_details.from : null,
      to: typeof fh_details.to === 'string' ? fh_details.to : '',
      comment: typeof fh_details.comment === 'string' ? fh_details.comment : null,
      by: fh_actor,
      at: String(fh_created),
    }));
  }
}
