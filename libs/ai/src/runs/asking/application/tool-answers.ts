import { Injectable } from '@nestjs/common';
import { KnownMembers } from '@atrium/identity';
import { type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { accessDenied, Clock, invalidField, invalidState, notFound, type JsonValue } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { isClientTool } from '../../../agents/domain/agent-tool';
import { ThreadAccess } from '../../../threads/application/thread-access';
import type { MessagePart, ToolPart } from '../../../threads/domain/message-parts';
import { Answer, bytesOf } from '../../records/domain/answer';
import type { Run } from '../../records/domain/run';
import { storableJson } from '../../records/domain/storable';
import { canonicalJson, MOST_OUTPUT } from '../../loop/domain/tool-loop';
import { AnswersRepository } from '../../records/infrastructure/answers.repository';
import { RunsRepository } from '../../records/infrastructure/runs.repository';
import { DENIED, RunStepsRepository, type ToolCallRow } from '../../records/infrastructure/run-steps.repository';
import { ThreadLocksRepository } from '../../records/infrastructure/thread-locks.repository';
import { answer } from '../../loop/jobs/runs.jobs';
import { waitOf } from '../../loop/application/answer-stream';
import { RunNotifier } from '../../records/application/run-notifier';
import { RunsService, type RunDetail } from '../../records/application/runs.service';

/** What somebody says of a call that waits. */
export interface ToolAnswer {
  readonly call_id: string;
  readonly approve?: boolean;
  readonly output?: JsonValue;
  readonly error?: string;
}

/** Who says something of calls, of which run, and its message with the calls as they are by now. */
interface Settling {
  readonly caller: Principal;
  readonly run: Run;
  readonly message: Answer;
}

/** The parts of a message before and after its calls were answered. */
interface Shown {
  readonly before: readonly MessagePart[];
  readonly after: readonly MessagePart[];
}

/** Consents to calls that wait, and results of calls that clients make. The run goes on when none is missing. */
@Injectable()
export class ToolAnswers {
  constructor(
    private readonly db: Database,
    private readonly threads: ThreadAccess,
    private readonly service: RunsService,
    private readonly runs: RunsRepository,
    private readonly steps: RunStepsRepository,
    private readonly answers: AnswersRepository,
    private readonly locks: ThreadLocksRepository,
    private readonly notifier: RunNotifier,
    private readonly members: KnownMembers,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Said again it changes nothing, said otherwise it is refused. */
  submitResults(caller: Principal, thread_id: string, run_id: string, results: readonly ToolAnswer[]): Promise<RunDetail> {
    return this.db.write(async () => {
      await this.threads.lockThread(caller, thread_id, 'edit');
      await this.locks.lockThread(thread_id);
      if ((await this.runs.findRunRow(run_id))?.run_thread !== thread_id) throw notFound('run');
      const run = await this.runs.lock(run_id);
      const calls = new Map((await this.steps.listCalls(run_id)).map((call) => [call.call_id, call]));
      const message = new Answer(run.run_message ? await this.answers.readParts(run.run_message) : []);
      const before = message.parts;
      for (const [at, result] of results.entries()) {
        const call = calls.get(result.call_id);
        if (!call) throw invalidField(`results[${at}].call_id`, 'is no call of this run', 'reference');
        const settled = await this.settled({ caller, run, message }, call, result, at);
        calls.set(call.call_id, settled);
        show(message, settled);
      }
      if (run.run_status === 'waiting') await this.resumeRun(run, [...calls.values()], { before, after: message.parts });
      return this.service.readDetail(caller, thread_id, run_id);
    });
  }

  private async settled({ caller, run, message }: Settling, call: ToolCallRow, result: ToolAnswer, at: number): Promise<ToolCallRow> {
    const said = saidOf(result, at);
    if (said === 'approve' && isConsent(call)) await this.assertAsker(caller, run);
    if (call.waits_for === null || run.run_status !== 'waiting' || isApproved(call, result)) return assertSame(call, result, at);
    if (call.waits_for === 'approval') {
      if (said !== 'approve') throw invalidField(`results[${at}].approve`, 'is required: the call waits for approval', 'required');
      const approved = result.approve === true;
      const waits_for = approved && isOfClient(run, call) ? ('client' as const) : null;
      return this.decided(caller, run, call, { approved, waits_for });
    }
    if (said === 'approve') {
      if (result.approve === true) throw invalidField(`results[${at}].output`, 'is required: the call is yours to make', 'required');
      return this.decided(caller, run, call, { approved: false, waits_for: null });
    }
    const output = bounded(result.output ?? null, at);
    const end =
      said === 'output'
        ? { state: 'done' as const, output, shown: message.hasRoomFor(bytesOf(output)) ? output : { cut: true }, error: null }
        : { state: 'error' as const, output: null, shown: null, error: result.error ?? null };
    await this.steps.settleCall(run.run_id, { call_id: call.call_id, ...end });
    // Nobody here knows where the client has it from.
    run.run_tainted ??= `the result of ${call.tool}`;
    return { ...call, ...end, waits_for: null };
  }

  /** A call is made with the rights and the memories of the person who asked: nobody else consents to it, or denies it. */
  private async assertAsker({ user_id }: Principal, { run_user }: Run): Promise<void> {
    if (user_id === run_user) return;
    const name = run_user === null ? null : await this.members.nameOf(run_user);
    const asker = name === null ? 'the person who asked' : `${name}, who asked,`;
    throw accessDenied(`Only ${asker} can approve or deny this call, because it is made with the permissions of that person.`);
  }

  private async decided(
    { user_id: by }: Principal,
    { run_id }: Run,
    call: ToolCallRow,
    { approved, waits_for }: { readonly approved: boolean; readonly waits_for: 'client' | null },
  ): Promise<ToolCallRow> {
    await this.steps.decideCall(run_id, call.call_id, { approved, by, waits_for });
    return { ...call, approved, waits_for, state: approved ? 'pending' : 'denied', error: approved ? null : DENIED };
  }

  /** Shows the calls as they are now; a worker goes on where nothing is missing, and reports them first. */
  private async resumeRun(run: Run, calls: readonly ToolCallRow[], { before, after }: Shown): Promise<void> {
    const waiting = calls.filter(({ state, waits_for }) => state === 'pending' && waits_for !== null);
    if (run.run_message) {
      await this.answers.saveParts(run.run_message, after, waiting.length > 0 ? 'waiting' : 'queued');
      if (waiting.length > 0) await this.reportWait(run, { before, after }, waiting);
    }
    if (waiting.length === 0) run.resume(this.clock);
    await this.runs.save(run);
    if (waiting.length === 0) this.outbox.addJob(planJob(answer, { run_id: run.run_id }));
  }

  private async reportWait(
    { run_id, run_thread, run_message: msg_id, run_attempt: attempt }: Run,
    { before, after }: Shown,
    waiting: readonly ToolCallRow[],
  ): Promise<void> {
    if (run_thread === null || msg_id === null) return;
    const of = { msg_id, run_id, attempt };
    for (const [part, value] of after.entries())
      if (value !== before[part])
        await this.notifier.emitEvent(
          run_thread,
          { kind: 'assistant_message', data: { op: 'part', part, value: { ...value }, ...of } },
          { run_id, attempt },
        );
    await this.notifier.emitEvent(run_thread, { kind: 'assistant_message', data: { ...waitOf(waiting), ...of } }, { run_id, attempt });
  }
}

const isOfClient = ({ run_options }: Run, { tool }: ToolCallRow): boolean =>
  run_options.tools.some((one) => isClientTool(one) && one.name === tool);

/** Whether an approval of the call is consent, given or to be given; that a client will not make its call is none. */
const isConsent = ({ waits_for, approved }: ToolCallRow): boolean => waits_for === 'approval' || (approved !== null && waits_for === null);

/** The consent to a call that now waits for its client, given again. */
const isApproved = ({ waits_for, approved }: ToolCallRow, { approve }: ToolAnswer): boolean =>
  waits_for === 'client' && approved === true && approve === true;

/** Puts a call as it is now into its message. */
function show(message: Answer, call: ToolCallRow): void {
  const part = message.parts.find((one): one is ToolPart => one.kind === 'tool' && one.call_id === call.call_id);
  if (!part || (call.state === part.state && call.error === (part.error ?? null))) return;
  message.setCall({ ...part, output: call.shown, state: call.state, ...(call.error === null ? {} : { error: call.error }) });
}

type Said = 'approve' | 'output' | 'error';

function saidOf({ approve, output, error }: ToolAnswer, at: number): Said {
  const said = [
    ...(approve === undefined ? [] : ['approve' as const]),
    ...(output === undefined ? [] : ['output' as const]),
    ...(error === undefined ? [] : ['error' as const]),
  ];
  if (said.length !== 1 || !said[0]) throw invalidField(`results[${at}]`, 'must have one of approve, output and error', 'required');
  return said[0];
}

/** A call that was answered before: the same again is taken, something else is not. */
function assertSame(call: ToolCallRow, { approve, output, error }: ToolAnswer, at: number): ToolCallRow {
  if (approve !== undefined && call.approved === approve) return call;
  if (output !== undefined && call.state === 'done' && canonicalJson(call.output) === canonicalJson(bounded(output, at))) return call;
  if (error !== undefined && call.state === 'error' && call.error === error) return call;
  throw invalidState(`The call ${call.call_id} waits for nothing, or was answered otherwise.`);
}

function bounded(sent: JsonValue, at: number): JsonValue {
  const output = storableJson(sent);
  if (JSON.stringify(output).length <= MOST_OUTPUT) return output;
  throw invalidField(`results[${at}].output`, `must have at most ${MOST_OUTPUT} characters as JSON`, 'too_long');
}
