import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { accessDenied, invalidField, Problem, type JsonObject, type ProblemCode, newId } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { FlowLock, transitionsFrom } from '@atrium/approvals';
import { FileEdits, HistoryWriter, type File } from '@atrium/files';
import { KnownMembers, Mail } from '@atrium/identity';
import type { StatusState, StatusTransition } from '../domain/media-status-flow';
import { STATUS_FLOWS, StatusFlowsRepository, type ActiveFlow } from '../infrastructure/status-flows.repository';
import { TagGroupsRepository } from '../../tags/infrastructure/tag-groups.repository';
import { mayTake, stateOf } from './followed-states';
import { StatusEffects } from './status-effects';

const MOST_TOLD = 100;

/** A file that moved, and whom its transition names: members and roles. */
export interface MovedFile {
  readonly file_name: string;
  readonly notify: readonly string[];
}

/** What became of one file that was to change its status. */
export interface StatusOutcome {
  readonly file_id: string;
  readonly outcome: 'changed' | 'unchanged' | 'refused';
  readonly code?: ProblemCode;
  readonly reason?: string;
}

/** A file, its flow, and the transition it is to make. */
interface Candidate {
  readonly file: File;
  readonly state: StatusState;
  readonly from: StatusState;
  readonly way: StatusTransition;
}

type Decision = Candidate | StatusOutcome;

const isOutcome = (decision: Decision): decision is StatusOutcome => 'outcome' in decision;

/**
 * Moves files along their flows: each by an existing transition that the caller may use and for which the file has the tags. Rows
 * are locked while that is decided, so of two callers the second sees the status that the first one set.
 */
@Injectable()
export class StatusChanges {
  constructor(
    private readonly db: Database,
    private readonly flows: StatusFlowsRepository,
    private readonly lock: FlowLock,
    private readonly groups: TagGroupsRepository,
    private readonly edits: FileEdits,
    private readonly effects: StatusEffects,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
    private readonly members: KnownMembers,
    private readonly mail: Mail,
  ) {}

  /** One outcome a file, in the order of the ids. When none could be moved, the whole is refused. */
  changeStatus(caller: Principal, ids: readonly string[], file_status: string, comment: string | null): Promise<StatusOutcome[]> {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    return this.db.write(async () => {
      await this.lock.lockFlow(STATUS_FLOWS, 'move');
      const files = await this.edits.holdMany(caller, wanted);
      const decided = new Map(
        (await this.decide(caller, files, file_status, comment)).map((decision) => [
          isOutcome(decision) ? decision.file_id : decision.file.file_id,
          decision,
        ]),
      );
      await this.move(
        caller,
        [...decided.values()].filter((decision): decision is Candidate => !isOutcome(decision)),
        comment,
      );
      const outcomes = wanted.map((file_id): StatusOutcome => {
        const decision = decided.get(file_id);
        if (!decision) return { file_id, outcome: 'refused', code: 'not_found', reason: 'No such file in this workspace.' };
        return isOutcome(decision) ? decision : { file_id, outcome: 'changed' };
      });
      if (outcomes.every(({ outcome }) => outcome === 'refused')) throw noneMoved(outcomes);
      return outcomes;
    });
  }

  private async decide(caller: Principal, files: readonly File[], file_status: string, comment: string | null): Promise<Decision[]> {
    const flows = await this.flows.findActiveFlows([...new Set(files.map(({ repo_type }) => repo_type))]);
    if (
      files.length > 0 &&
      flows.size > 0 &&
      ![...flows.values()].some(({ msf_states }) => msf_states.some(({ key }) => key === file_status))
    )
      throw invalidField('file_status', 'must be a state of a flow that these files follow', 'reference');
    const editable = new Set((await this.edits.filterPermitted(caller, files, 'edit')).map(({ file_id }) => file_id));
    const decisions = files.map((file) =>
      decisionOn(caller, file, { flow: flows.get(file.repo_type), file_status, editable: editable.has(file.file_id) }),
    );
    const silent = comment?.trim() ? undefined : decisions.find((decision) => !isOutcome(decision) && decision.way.requires_comment);
    if (silent) throw invalidField('comment', 'is required for this transition', 'required');
    return this.withTags(decisions, file_status);
  }

  /** Files without the tags that the transition or the status requires keep their status. */
  private async withTags(decisions: readonly Decision[], file_status: string): Promise<Decision[]> {
    const lacking = new Map<string, readonly string[]>();
    const candidates = decisions.filter((decision): decision is Candidate => !isOutcome(decision));
    for (const way of new Set(candidates.map((candidate) => candidate.way))) {
      for (const scope of ['media', 'docs'] as const) {
        const ids = candidates
          .filter((candidate) => candidate.way === way && (candidate.file.repo_type === 'docs') === (scope === 'docs'))
          .map(({ file }) => file.file_id);
        if (ids.length > 0)
          for (const [file_id, names] of await this.groups.findMissingGroups(ids, { scope, state: file_status, named: way.required_tags }))
            lacking.set(file_id, names);
      }
    }
    return decisions.map((decision) => {
      const names = isOutcome(decision) ? undefined : lacking.get(decision.file.file_id);
      return isOutcome(decision) || !names
        ? decision
        : refused(decision.file, 'invalid_state', `The file needs a tag of ${names.join(', ')} first.`);
    });
  }

  private async move(caller: Principal, candidates: readonly Candidate[], comment: string | null): Promise<void> {
    const [first] = candidates;
    if (!first) return;
    const note: JsonObject = comment?.trim() ? { comment: comment.trim() } : {};
    const byState = new Map<StatusState, Candidate[]>();
    for (const candidate of candidates) byState.set(candidate.state, [...(byState.get(candidate.state) ?? []), candidate]);
    for (const [state, group] of byState) {
      const file_ids = group.map(({ file }) => file.file_id);
      await this.edits.setStatus(file_ids, state.key);
      await this.history.addEntries(
        group.map(({ file, from }) => ({
          file_id: file.file_id,
          action: 'status_changed',
          details: { from: from.key, to: state.key, ...note },
        })),
      );
      for (const { file, from } of group)
        this.outbox.emitEvent({ name: 'file.status_changed', subject_id: file.file_id, payload: { from: from.key, to: state.key } });
      await this.effects.notifyEntered({ file_ids, state, from: [...new Set(group.map(({ from }) => from.key))] });
      await this.notifyMembers(
        caller,
        state,
        group.map(({ file, way }) => ({ file_name: file.file_name, notify: way.side.notify })),
        comment,
      );
    }
  }

  /** Notifies the members that a transition names when files make it: one mail a person for all files, within the unit of work. */
  private async notifyMembers(
    caller: Principal,
    { label }: Pick<StatusState, 'label'>,
    moved: readonly MovedFile[],
    comment: string | null,
  ): Promise<void> {
    const ids = [...new Set(moved.flatMap(({ notify }) => notify))];
    if (ids.length === 0 || !this.mail.configured) return;
    const [people, mover] = [await this.members.resolveAddressees(ids, MOST_TOLD), (await this.members.nameOf(caller.user_id)) ?? ''];
    const move = newId();
    for (const { user_id, user_email, user_locale, ws_name } of people) {
      if (user_id === caller.user_id) continue;
      this.mail.queueMail({
        template: 'file_status',
        to: user_email,
        user_id,
        locale: user_locale,
        key: `file-status.${move}.${user_id}`,
        vars: { ws_name, mover, files: namesOf(moved), state: label, comment: comment?.trim() ?? '' },
      });
    }
  }
}

/** What the flow says of one file; the row is held. */
function decisionOn(
  caller: Principal,
  file: File,
  { flow, file_status, editable }: { readonly flow: ActiveFlow | undefined; readonly file_status: string; readonly editable: boolean },
): Decision {
  const from = flow && stateOf(flow, file.file_status);
  const state = flow?.msf_states.find(({ key }) => key === file_status);
  if (!flow || !from || !state) return refused(file, 'invalid_state', 'No status flow of the file has this state.');
  if (file.file_status === file_status) return { file_id: file.file_id, outcome: 'unchanged' };
  const way = transitionsFrom(flow.msf_transitions, from.key).find(({ to }) => to === file_status);
  if (!way) return refused(file, 'invalid_state', `There is no transition from ${from.label} to ${state.label}.`);
  if (!mayTake(caller, way, editable))
    return refused(file, 'permission_denied', `You are not allowed to move files from ${from.label} to ${state.label}.`);
  return { file, state, from, way };
}

const refused = ({ file_id }: Pick<File, 'file_id'>, code: ProblemCode, reason: string): StatusOutcome => ({
  file_id,
  outcome: 'refused',
  code,
  reason,
});

function noneMoved(outcomes: readonly StatusOutcome[]): Problem {
  const reasons = outcomes
    .slice(0, 50)
    .map(({ code = 'invalid_state', reason = '' }, at) => ({ path: `file_ids[${at}]`, code, message: reason }));
  if (outcomes.every(({ code }) => code === 'permission_denied'))
    return accessDenied('You are not allowed to make this transition; see errors.', { errors: reasons });
  return new Problem(
    'invalid_state',
    outcomes.length === 1 ? (outcomes[0]?.reason ?? '') : 'The status could not be changed for any of the files; see errors.',
    { errors: reasons },
  );
}

/** The first name, and how many more there are. */
const namesOf = ([first, ...others]: readonly MovedFile[]): string =>
  `${first?.file_name ?? ''}${others.length > 0 ? ` (+${others.length})` : ''}`;
