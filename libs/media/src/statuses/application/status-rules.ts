import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { FileStatuses, type FileInStatus, type StatusReasons, type StatusRules } from '@atrium/files';
import { UNGOVERNED } from '../domain/media-status-flow';
import { StatusFlowsRepository } from '../infrastructure/status-flows.repository';
import { initialOf, stateOf } from './followed-states';
import { ReleaseRules } from './release-rules';

/** Explains the statuses of flows to the files context: where files begin, which are locked, whose bytes stay here. */
@Injectable()
export class FlowRules implements OnModuleInit, StatusRules {
  constructor(
    private readonly statuses: FileStatuses,
    private readonly flows: StatusFlowsRepository,
    private readonly releases: ReleaseRules,
  ) {}

  onModuleInit(): void {
    this.statuses.register(this);
  }

  async getInitialStatus({ type }: { readonly type: string }): Promise<string> {
    const flow = (await this.flows.findActiveFlows([type])).get(type);
    return flow ? initialOf(flow) : UNGOVERNED;
  }

  async findLocked(files: readonly FileInStatus[]): Promise<StatusReasons> {
    const flows = await this.flows.findActiveFlows([...new Set(files.map(({ repo_type }) => repo_type))]);
    return new Map(
      files.flatMap(({ file_id, repo_type, file_status }): [string, string][] => {
        const flow = flows.get(repo_type);
        const state = flow && stateOf(flow, file_status);
        return state?.locks_edit ? [[file_id, `Files with the status ${state.label} cannot be changed.`]] : [];
      }),
    );
  }

  async findBarred(caller: Principal, files: readonly FileInStatus[]): Promise<StatusReasons> {
    if (caller.permissions.has('media:publish')) return new Map();
    return new Map([...(await this.releases.findRefusalsByStatus(files, 'download'))].map(([file_id, { reason }]) => [file_id, reason]));
  }
}
