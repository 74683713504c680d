import { Injectable } from '@nestjs/common';
import { ModelUsage, reservedTokens } from '@atrium/models';
import type { Principal } from '@atrium/platform/access';
import { Clock, Ids, type JsonObject } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { Run } from '../../records/domain/run';
import { RunsRepository } from '../../records/infrastructure/runs.repository';
import { answer } from '../../loop/jobs/runs.jobs';
import type { PlannedRun } from './run-planner';

/** What a run answers: a message of a thread, or a question of its own. */
export interface Asked {
  readonly run_id: string;
  readonly thread_id: string | null;
  readonly msg_id: string | null;
  readonly input: JsonObject | null;
  /** The text that is asked, for what it will cost. */
  readonly text: string;
}

/** Puts runs into the queue. Credits are set aside in the same unit of work: without them there is neither message nor run. */
@Injectable()
export class RunStarter {
  constructor(
    private readonly runs: RunsRepository,
    private readonly usage: ModelUsage,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  nextId(): string {
    return this.ids.next();
  }

  async startRun(caller: Principal, { agent, model_id, plan }: PlannedRun, asked: Asked): Promise<Run> {
    const run = Run.queued(
      {
        run_id: asked.run_id,
        run_thread: asked.thread_id,
        run_message: asked.msg_id,
        run_user: caller.user_id,
        run_key: caller.key_id,
        run_agent: agent.agent_id,
        run_agent_version: agent.agent_version,
        run_model: model_id,
        run_options: plan,
        run_input: asked.input,
      },
      this.clock,
    );
    run.run_hold = await this.reserve(run, plan.prompt_id, {
      question: asked.text,
      instructions: plan.instructions ?? '',
      max_output: plan.max_output,
    });
    await this.runs.insert(run);
    this.outbox.addJob(planJob(answer, { run_id: run.run_id }));
    return run;
  }

  private async reserve(
    run: Run,
    prompt: string | null,
    { question, instructions, max_output }: { readonly question: string; readonly instructions: string; readonly max_output: number },
  ): Promise<string> {
    const tokens = (await reservedTokens(question)) + (await reservedTokens(instructions));
    const { hold_id } = await this.usage.reserveLines({
      lines: [
        { param: 'ai.input_tokens', units: tokens, model: run.run_model },
        { param: 'ai.output_tokens', units: max_output, model: run.run_model },
      ],
      user: run.run_user,
      agent: run.run_agent,
      prompt,
      source: `run:${run.run_id}`,
    });
    return hold_id;
  }
}
