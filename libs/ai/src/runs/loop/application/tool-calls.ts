import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { inStep } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { bytesOf } from '../../records/domain/answer';
import { storableStart } from '../../records/domain/storable';
import type { ToolCallRow } from '../../records/infrastructure/run-steps.repository';
import { waitOf } from './answer-stream';
import type { ToolScene } from './built-in-tools';
import { problemIn, type AskedCall, type StepOutcome } from './model-step';
import type { RunAttempt } from './run-attempt';
import { Superseded, type CheckedCall } from '../../records/application/run-records';
import { RunTools, UNCERTAIN, type RunTool } from './run-tools';
import { shownCall } from '../../records/application/shown-calls';

/** The asker, and what tools may ask of the run. */
export type CallScene = Pick<ToolScene, 'memory' | 'searchSources' | 'readSubject'> & { readonly actor: Principal };

/** The tools of the run at this moment, and what they may ask of it. */
export interface CallSetting {
  readonly tools: ReadonlyMap<string, RunTool>;
  readonly scene: CallScene;
}

/** What a step asks for, and what the asker said. */
type Asking = Pick<StepOutcome, 'calls'> & { readonly said: readonly string[] };

type CallEnd = Pick<ToolCallRow, 'state' | 'output' | 'shown' | 'error'>;

const AT_ONCE = 4;
/** Calls of one step; a model that asks for more at once has the first of them made. */
const MOST_CALLS = 32;
const MOST_OF_ERROR = 2_000;
/** What a call takes of its message besides its input and what is shown of its output. */
const BYTES_OF_CALL = 4 * 1024;

/** The calls of tools that the steps of a run ask for: each is committed before it begins and after it ended. */
@Injectable()
export class ToolCalls {
  constructor(private readonly tools: RunTools) {}

  /** The calls that a step asks for, each with what keeps it from being made, or what it waits for. The checks of a step have an effort of their own. */
  checkCalls(attempt: RunAttempt, asking: Asking, tools: ReadonlyMap<string, RunTool>): CheckedCall[] {
    return inStep(() => this.checked(attempt, asking, tools));
  }

  private checked(attempt: RunAttempt, { calls, said }: Asking, tools: ReadonlyMap<string, RunTool>): CheckedCall[] {
    const { run, loop, tainted, steps } = attempt;
    const terms = { tainted: tainted !== null, attended: run.run_thread !== null, said };
    const known = new Set(attempt.calls.map(({ call_id }) => call_id));
    return this.fitting(attempt, calls).map((asked, at) => {
      // Some providers number their calls from the beginning again in each step.
      const isNew = asked.call_id !== '' && !known.has(asked.call_id);
      const call_id = isNew ? asked.call_id : `${asked.call_id || 'call'}-${steps.length + 1}-${at + 1}`;
      known.add(call_id);
      const call = this.tools.checkCall({ ...asked, call_id }, tools, loop, terms);
      loop.recordCall({ tool: call.tool, input: call.input, isInvalid: call.isInvalid });
      return call;
    });
  }

  /** The first of the calls, as many as the message has room for with a file of each. */
  private fitting({ answer }: RunAttempt, calls: readonly AskedCall[]): readonly AskedCall[] {
    const most = Math.min(MOST_CALLS, Math.max(1, Math.floor(answer.room / 2)));
    let bytes = 0;
    const full = calls.findIndex(({ input }) => !answer.hasRoomFor((bytes += Buffer.byteLength(input) + BYTES_OF_CALL)));
    return calls.slice(0, full < 0 ? most : Math.min(most, full));
  }

  /** Makes calls that may be made, a few at a time. */
  async makeCalls(attempt: RunAttempt, calls: readonly ToolCallRow[], setting: CallSetting): Promise<void> {
    const line = [...calls];
    const lane = async (): Promise<void> => {
      for (let call = line.shift(); call && !attempt.signal.aborted; call = line.shift()) await this.makeOne(attempt, call, setting);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    attempt.signal.throwIfAborted();
  }

  /** The run waits until somebody has answered the calls. */
  async awaitAnswers(attempt: RunAttempt, calls: readonly ToolCallRow[]): Promise<void> {
    attempt.signal.throwIfAborted();
    attempt.stream.sendNote(waitOf(calls));
    const told = await attempt.stream.sendRemaining();
    await attempt.writeRecords((records, held) => records.recordWait(held, told));
  }

  private async makeOne(attempt: RunAttempt, call: ToolCallRow, { tools, scene }: CallSetting): Promise<void> {
    // A worker was lost with it: whether it happened is not known.
    if (call.state === 'running' && !call.idempotent) return this.settleUnknown(attempt, call);
    if (attempt.loop.isUncertain(call)) return this.settle(attempt, call, { state: 'error', output: null, shown: null, error: UNCERTAIN });
    await attempt.writeRecords((records, held) => records.recordCallStart(held, call.call_id));
    attempt.stream.applyChange((answer) => answer.setCall(shownCall(call, 'running')));
    const began = Date.now();
    try {
      const { output, shown, taint, file_id } = await this.run(attempt, { call, tool: tools.get(call.tool), scene });
      attempt.taintRun(taint ?? null);
      await this.settle(attempt, call, { state: 'done', output, shown, error: null }, { ms: Date.now() - began, file_id });
    } catch (error) {
      if (attempt.signal.aborted || error instanceof Superseded) throw error;
      const problem = problemIn(error) ?? new Problem('internal_error', 'The tool failed.');
      // It may still be at work, or have done it.
      if (problem.code === 'upstream_timeout' && !call.idempotent) return this.settleUnknown(attempt, call, Date.now() - began);
      const end = { state: 'error' as const, output: null, shown: null, error: storableStart(problem.detail, MOST_OF_ERROR) };
      await this.settle(attempt, call, end, { ms: Date.now() - began });
    }
  }

  /** Whether it happened is not known: the model reads so, and the call is never made again. */
  private settleUnknown(attempt: RunAttempt, call: ToolCallRow, ms?: number): Promise<void> {
    attempt.loop.noteUncertain(call);
    const end = { state: 'unknown' as const, output: null, shown: null, error: 'The outcome is unknown.' };
    return this.settle(attempt, call, end, ms === undefined ? {} : { ms });
  }

  private run(
    attempt: RunAttempt,
    { call, tool, scene }: { readonly call: ToolCallRow; readonly tool: RunTool | undefined; readonly scene: CallScene },
  ) {
    const { run, signal, sources, tainted: taint } = attempt;
    const tainted = taint !== null;
    if (!tool) throw new Problem('not_found', `The tool ${call.tool} is not available any more.`);
    // Also where it fails: the model reads why.
    attempt.taintRun(this.tools.findTaint(tool));
    return this.tools.runTool(tool, call.input, `${run.run_id}:${call.call_id}`, {
      ...scene,
      thread_id: run.run_thread,
      tainted,
      signal,
      numberSources: (found) => sources.addSources(found),
    });
  }

  /** The end of a call is committed, then shown with the file that it made. */
  private async settle(
    attempt: RunAttempt,
    call: ToolCallRow,
    end: CallEnd,
    { ms, file_id }: { readonly ms?: number; readonly file_id?: string | undefined } = {},
  ): Promise<void> {
    const { answer, stream, sources, tainted: taint } = attempt;
    // The model reads the output in any case; the message shows it as far as it has room.
    const shown = answer.hasRoomFor(bytesOf(end.shown)) ? end.shown : { cut: true };
    const settled = { ...call, ...end, shown, waits_for: null };
    // First the row: a worker that is lost from here on leaves what followers have seen.
    await attempt.writeRecords((records, held) => records.callEnds(held, settled, { sources: sources.all, taint }));
    attempt.replaceCall(settled);
    stream.applyChange((whole) => whole.setCall(shownCall(settled, end.state, ms)));
    if (!file_id) return;
    // Its call says what came of it, but for a file: a worker that takes over would not show it.
    stream.applyChange((whole) => whole.addPart({ kind: 'file', file_id }));
    const told = await stream.sendRemaining();
    await attempt.writeRecords((records, held) => records.saveContent(held, told));
  }
}
