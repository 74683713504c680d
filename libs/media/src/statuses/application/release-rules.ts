import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Clock, type ProblemCode } from '@atrium/platform/kernel';
import { FileRightsRows, type Releasable } from '../infrastructure/file-rights.rows';
import { StatusFlowsRepository } from '../infrastructure/status-flows.repository';
import { ConsentSources } from './consent-sources';
import { stateOf } from './followed-states';
import { barredBy, type ReleaseUse } from './status-effects';

/** Why a file may not be used for some purpose. */
export interface ReleaseRefusal {
  readonly code: ProblemCode;
  readonly reason: string;
  readonly cause: 'status' | 'consent' | 'rights';
  /** Whether a person may do it all the same by saying why: so it is with consent alone. */
  readonly overridable: boolean;
}

/** Who wants to use files, and how they decide. */
export interface ReleaseAsked {
  /** Who downloads; a member who may publish may download what others may not. */
  readonly caller?: Principal;
  /** What a person says who goes on although consent is missing. */
  readonly override?: string | null;
  /** The moment it is decided for; absent: now. */
  readonly at?: Date;
}

const WORDS: Readonly<Record<ReleaseUse, string>> = { publish: 'published', share: 'shared', download: 'downloaded' };

/**
 * Says of files whether they may be published, shared or downloaded at this moment: by their status, the consent of the
 * people in them, and how long the rights to them last.
 */
@Injectable()
export class ReleaseRules {
  constructor(
    private readonly rights: FileRightsRows,
    private readonly flows: StatusFlowsRepository,
    private readonly consents: ConsentSources,
    private readonly clock: Clock,
  ) {}

  /**
   * The files among the ids that may not be used so, each with its first reason; within an open unit of work, in a
   * constant number of statements. A release that relies on it locks the rows of the files first
   * (`ReleasableFiles.lockReleasable`), so that nothing that refuses comes about in the meantime.
   */
  async findRefusals(
    file_ids: readonly string[],
    use: ReleaseUse,
    { caller, override, at = this.clock.now() }: ReleaseAsked = {},
  ): Promise<ReadonlyMap<string, ReleaseRefusal>> {
    if (file_ids.length === 0 || (use === 'download' && caller?.permissions.has('media:publish'))) return new Map();
    const files = await this.rights.findReleasable(file_ids);
    const refusals = await this.findRefusalsByStatus(files, use);
    if (use === 'download') return refusals;
    for (const { file_id, file_rights_expires, is_told } of files) {
      if (file_rights_expires !== null && (is_told || new Date(file_rights_expires) <= at) && !refusals.has(file_id))
        refusals.set(file_id, expired(use));
    }
    if (override?.trim()) return refusals;
    for (const [file_id, reason] of await this.consents.findIssues(file_ids, at))
      if (!refusals.has(file_id)) refusals.set(file_id, { code: 'invalid_state', reason, cause: 'consent', overridable: true });
    return refusals;
  }

  /** By status alone, for rows that are at hand. */
  async findRefusalsByStatus(
    files: readonly Pick<Releasable, 'file_id' | 'repo_type' | 'file_status'>[],
    use: ReleaseUse,
  ): Promise<Map<string, ReleaseRefusal>> {
    const flows = await this.flows.findActiveFlows([...new Set(files.map(({ repo_type }) => repo_type))]);
    const refusals = new Map<string, ReleaseRefusal>();
    for (const { file_id, repo_type, file_status } of files) {
      const flow = flows.get(repo_type);
      const state = flow && stateOf(flow, file_status);
      if (!state || !barredBy(state).includes(use)) continue;
      refusals.set(file_id, {
        code: 'invalid_state',
        reason: `Files with the status ${state.label} cannot be ${WORDS[use]}.`,
        cause: 'status',
        overridable: false,
      });
    }
    return refusals;
  }
}

const expired = (use: ReleaseUse): ReleaseRefusal => ({
  code: 'invalid_state',
  reason: `The rights to the file have expired; it cannot be ${WORDS[use]}.`,
  cause: 'rights',
  overridable: false,
});
