import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { notFound, type JsonValue } from '@atrium/platform/kernel';
import { ThreadAccess } from '../../../threads/application/thread-access';
import { MEMORY_TOOLS } from '../../../threads/domain/memory-answer';
import { MessagesRepository } from '../../../threads/infrastructure/messages.repository';
import { RunReasons } from '../infrastructure/run-reasons';
import { RunsRepository, type RunRow } from '../infrastructure/runs.repository';
import { RunStepsRepository, type StepRow, type ToolCallRow } from '../infrastructure/run-steps.repository';

export { type RunRow } from '../infrastructure/runs.repository';

/** A run with what it did. */
export interface RunDetail extends RunRow {
  readonly run_reason: string | null;
  readonly steps: readonly Omit<StepRow, 'parts' | 'charges' | 'correction'>[];
  readonly tool_calls: readonly (Pick<
    ToolCallRow,
    'call_id' | 'step' | 'tool' | 'input' | 'state' | 'error' | 'waits_for' | 'attempt' | 'started' | 'finished'
  > & {
    readonly output: JsonValue;
  })[];
}

/** Runs as members of their thread see them. */
@Injectable()
export class RunsService {
  constructor(
    private readonly db: Database,
    private readonly threads: ThreadAccess,
    private readonly runs: RunsRepository,
    private readonly steps: RunStepsRepository,
    private readonly messages: MessagesRepository,
    private readonly reasons: RunReasons,
  ) {}

  get(caller: Principal, thread_id: string, run_id: string): Promise<RunDetail> {
    return this.db.read(async () => {
      await this.threads.requireThread(caller, thread_id, 'view');
      return this.readDetail(caller, thread_id, run_id);
    });
  }

  /** Within a unit of work; 404 where the run is none of the thread. What tools found is shown, as in messages, to the asker alone; of an answer that rests on memories, what they were asked for as well. */
  async readDetail(caller: Principal, thread_id: string, run_id: string): Promise<RunDetail> {
    const run = await this.runs.findRunRow(run_id);
    if (run?.run_thread !== thread_id) throw notFound('run');
    const isAskers = run.run_user === caller.user_id;
    const isWithheld = !isAskers && run.run_message !== null && (await this.messages.isBasedOnMemories(run.run_message));
    const steps = (await this.steps.listSteps(run_id)).map(({ parts: _, charges: __, correction: ___, ...step }) => step);
    const calls = (await this.steps.listCalls(run_id)).map(
      ({ call_id, step, tool, input, state, error, waits_for, attempt, started, finished, shown }) => ({
        call_id,
        step,
        tool,
        input: isAskers || (!isWithheld && !MEMORY_TOOLS.has(tool)) ? input : {},
        state,
        error: isWithheld ? null : error,
        waits_for,
        attempt,
        started,
        finished,
        output: isAskers ? shown : null,
      }),
    );
    return { ...run, run_reason: await this.reasons.readReason(caller, run, isWithheld), steps, tool_calls: calls };
  }
}
