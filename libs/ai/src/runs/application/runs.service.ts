import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, invalidField, invalidState, notFound, Problem, type JsonValue } from '@atrium/platform/kernel';
import { job, Outbox } from '@atrium/platform/messaging';
import { ThreadAccess } from '../../threads/application/thread-access';
import type { ToolPart } from '../../threads/domain/message-parts';
import { canonical } from '../domain/tool-loop';
import { AnswersRepository } from '../infrastructure/answers.repository';
import { RunsRepository, type RunRow } from '../infrastructure/runs.repository';
import { RunStepsRepository, type StepRow, type ToolCallRow } from '../infrastructure/run-steps.repository';
import { ThreadLocksRepository } from '../infrastructure/thread-locks.repository';
import { answer } from '../jobs/runs.jobs';

export { type RunRow } from '../infrastructure/runs.repository';

/** A run with what it did. */
export interface RunDetail extends RunRow {
  readonly steps: readonly Omit<StepRow, 'parts' | 'charges'>[];
  readonly tool_calls: readonly (Pick<
    ToolCallRow,
    'call_id' | 'step' | 'tool' | 'input' | 'state' | 'error' | 'waits_for' | 'attempt' | 'started' | 'finished'
  > & {
    readonly output: JsonValue;
  })[];
}

/** What somebody says of a call that waits. */
export interface ToolAnswer {
  readonly call_id: string;
  readonly approve?: boolean;
  readonly output?: JsonValue;
  readonly error?: string;
}

const MOST_OUTPUT = 50_000;

/** Runs as members of their thread see them, and what they answer to calls that wait. */
@Injectable()
export class RunsService {
  constructor(
    private readonly db: Database,
    private readonly threads: ThreadAccess,
    private readonly runs: RunsRepository,
    private readonly steps: RunStepsRepository,
    private readonly answers: AnswersRepository,
    private readonly locks: ThreadLocksRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  one(caller: Principal, thread_id: string, run_id: string): Promise<RunDetail> {
    return this.db.read(async () => {
      await this.threads.demand(caller, thread_id, 'view');
      return this.detail(thread_id, run_id);
    });
  }

  /** Takes consents and results; the run goes on when none is missing. Said again it changes nothing, said otherwise it is refused. */
  answer(caller: Principal, thread_id: string, run_id: string, results: readonly ToolAnswer[]): Promise<RunDetail> {
    return this.db.write(async () => {
      await this.threads.lock(caller, thread_id, 'edit');
      await this.locks.hold(thread_id);
      const known = await this.runs.row(run_id);
      if (known?.run_thread !== thread_id) throw notFound('run');
      const run = await this.runs.lock(run_id);
      const calls = new Map((await this.steps.calls(run_id)).map((call) => [call.call_id, call]));
      for (const [at, result] of results.entries()) {
        const call = calls.get(result.call_id);
        if (!call) throw invalidField(`results[${at}].call_id`, 'is no call of this run', 'reference');
        calls.set(call.call_id, await this.take(caller, run_id, call, result, at, run.run_status === 'waiting'));
      }
      if (run.run_message) await this.show(run.run_message, [...calls.values()]);
      if (run.run_status === 'waiting' && ![...calls.values()].some(({ state, waits_for }) => state === 'pending' && waits_for !== null)) {
        run.resume(this.clock);
        await this.runs.save(run);
        this.outbox.add(job(answer, { run_id }));
      }
      return this.detail(thread_id, run_id);
    });
  }

  private async take(
    caller: Principal,
    run_id: string,
    call: ToolCallRow,
    result: ToolAnswer,
    at: number,
    waits: boolean,
  ): Promise<ToolCallRow> {
    const said = saidOf(result, at);
    if (call.waits_for === null || !waits) return assertSame(call, result);
    if (call.waits_for === 'approval') {
      if (said !== 'approve') throw invalidField(`results[${at}].approve`, 'is required: the call waits for approval', 'required');
      const approved = result.approve === true;
      await this.steps.decide(run_id, call.call_id, { approved, by: caller.user_id });
      return { ...call, approved, waits_for: null, state: approved ? 'pending' : 'denied', error: approved ? null : 'it was not approved' };
    }
    if (said === 'approve' && result.approve === true)
      throw invalidField(`results[${at}].output`, 'is required: the call is yours to make', 'required');
    const output = bounded(result.output ?? null);
    const settled =
      said === 'output'
        ? { state: 'done' as const, output, shown: output, error: null }
        : {
            state: said === 'error' ? ('error' as const) : ('denied' as const),
            output: null,
            shown: null,
            error: result.error ?? 'it was refused',
          };
    await this.steps.settle(run_id, { call_id: call.call_id, ...settled });
    return { ...call, ...settled, waits_for: null };
  }

  /** The calls of the message as they are now. */
  private async show(msg_id: string, calls: readonly ToolCallRow[]): Promise<void> {
    const byId = new Map(calls.map((call) => [call.call_id, call]));
    const parts = await this.answers.partsOf(msg_id);
    const shown = parts.map((part) => {
      const call = part.kind === 'tool' ? byId.get(part.call_id) : undefined;
      return part.kind === 'tool' && call
        ? ({ ...part, output: call.shown, state: call.state, ...(call.error === null ? {} : { error: call.error }) } satisfies ToolPart)
        : part;
    });
    await this.answers.keep(
      msg_id,
      shown,
      calls.some(({ state, waits_for }) => state === 'pending' && waits_for !== null) ? 'waiting' : 'generating',
    );
  }

  private async detail(thread_id: string, run_id: string): Promise<RunDetail> {
    const run = await this.runs.row(run_id);
    if (run?.run_thread !== thread_id) throw notFound('run');
    const steps = (await this.steps.steps(run_id)).map(({ parts: _, charges: __, ...step }) => step);
    const calls = (await this.steps.calls(run_id)).map(
      ({ call_id, step, tool, input, state, error, waits_for, attempt, started, finished, shown }) => ({
        call_id,
        step,
        tool,
        input,
        state,
        error,
        waits_for,
        attempt,
        started,
        finished,
        output: shown,
      }),
    );
    return { ...run, steps, tool_calls: calls };
  }
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
function assertSame(call: ToolCallRow, { approve, output, error }: ToolAnswer): ToolCallRow {
  if (approve !== undefined && call.approved === approve) return call;
  if (output !== undefined && call.state === 'done' && canonical(call.shown) === canonical(bounded(output))) return call;
  if (error !== undefined && call.state === 'error' && call.error === error) return call;
  throw invalidState(`The call ${call.call_id} waits for nothing, or was answered otherwise.`);
}

function bounded(output: JsonValue): JsonValue {
  if ((JSON.stringify(output) ?? '').length <= MOST_OUTPUT) return output;
  throw new Problem('payload_too_large', `The output of a tool has at most ${MOST_OUTPUT} characters of JSON. Send less of it.`);
}
