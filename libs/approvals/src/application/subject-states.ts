import { Injectable } from '@nestjs/common';
import { approvalStateOf, type ApprovalState, type FollowedApprovalFlow } from '../domain/approval-flow';
import { initialState } from '../domain/flow';
import { coveringFlow } from '../domain/flow-scope';
import type { SubjectRef } from '../domain/subject-ref';
import { ApprovalSubjects } from '../infrastructure/approval-subjects';
import { StandingRows, type StandingRow } from '../infrastructure/standings.rows';

/** Where a subject is in the flow that covers it. */
export interface CoveredSubject {
  readonly ref: SubjectRef;
  readonly flow: FollowedApprovalFlow;
  readonly state: ApprovalState;
  /** The content that was approved for the state; null: it was reached without an approval. */
  readonly hash: string | null;
  readonly request: string | null;
}

/** A subject, whether an active flow covers it or not; a request may be open in either case. */
export interface FoundSubject {
  readonly covered: CoveredSubject | null;
  readonly request: string | null;
}

/** Finds where subjects are: the state in which a subject is in another flow than the one that covers it counts for nothing. */
@Injectable()
export class SubjectStates {
  constructor(
    private readonly subjects: ApprovalSubjects,
    private readonly rows: StandingRows,
  ) {}

  /** In the order of the references. */
  async findSubjects(type: string, refs: readonly Omit<SubjectRef, 'type'>[]): Promise<readonly FoundSubject[]> {
    if (refs.length === 0) return [];
    const { flows, standings } = await this.rows.readStandings(type, refs);
    const sites = await this.findSites(type, refs, flows);
    const found = new Map(standings.map((row) => [keyOf(row), row]));
    return refs.map(({ id, locale }) => {
      const row = found.get(keyOf({ id, locale }));
      const request = row?.car_id ?? null;
      const flow = coveringFlow(flows, { site: sites.get(id)?.site ?? null, locale });
      const state = flow && stateIn(flow, row);
      const hash = flow && row?.cas_flow === flow.caf_id ? row.cas_hash : null;
      return { covered: flow && state ? { ref: { type, id, locale }, flow, state, hash, request } : null, request };
    });
  }

  async findSubject({ type, ...ref }: SubjectRef): Promise<FoundSubject> {
    const [found] = await this.findSubjects(type, [ref]);
    return found ?? { covered: null, request: null };
  }

  /** Where a covered subject is, locked until the unit of work ends. */
  async lockCovered({ ref, flow }: CoveredSubject): Promise<CoveredSubject | null> {
    const state = initialState(flow.caf_states)?.key ?? '';
    await this.rows.lockStanding(ref, { flow_id: flow.caf_id, state, hash: null });
    return (await this.findSubject(ref)).covered;
  }

  /** Asked only where a flow is for some sites alone. */
  private async findSites(
    type: string,
    refs: readonly Omit<SubjectRef, 'type'>[],
    flows: readonly FollowedApprovalFlow[],
  ): Promise<ReadonlyMap<string, { readonly site: string | null }>> {
    if (!flows.some(({ caf_scope }) => caf_scope.sites.length > 0)) return new Map();
    const ids = [...new Set(refs.map(({ id }) => id))];
    return (await this.subjects.getSubject(type).findCoverage?.(ids)) ?? new Map<string, { readonly site: string | null }>();
  }
}

const keyOf = ({ id, locale }: Pick<SubjectRef, 'id' | 'locale'>): string => `${id} ${locale ?? ''}`;

const stateIn = (flow: FollowedApprovalFlow, row: StandingRow | undefined): ApprovalState | undefined =>
  row && row.cas_flow === flow.caf_id && row.cas_state !== null ? approvalStateOf(flow, row.cas_state) : initialState(flow.caf_states);
