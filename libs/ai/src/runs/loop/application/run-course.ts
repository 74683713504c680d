import { Injectable } from '@nestjs/common';
import { reasonIn, type TokenUsage } from '@atrium/models';
import { SECOND } from '@atrium/platform/kernel';
import { StreamFenced } from '@atrium/platform/messaging';
import { Superseded } from '../../records/application/run-records';
import { storable } from '../../records/domain/storable';
import { AnswerEnds } from './answer-ends';
import { BrokenOff, problemIn } from './model-step';
import { ModelSteps } from './model-steps';
import type { RunAttempt } from './run-attempt';
import { RunSetup, type RunSetting } from './run-setup';
import { ToolCalls } from './tool-calls';

const CHECKPOINT_MS = 2 * SECOND;

/** The course of one attempt: step after step until the answer is there, somebody is needed, or it cannot go on. */
@Injectable()
export class RunCourse {
  constructor(
    private readonly setup: RunSetup,
    private readonly steps: ModelSteps,
    private readonly calls: ToolCalls,
    private readonly ends: AnswerEnds,
  ) {}

  async run(attempt: RunAttempt): Promise<void> {
    const checkpoints = setInterval(() => void attempt.checkpoint(), CHECKPOINT_MS).unref();
    try {
      await this.goOn(attempt);
    } catch (error) {
      await this.endBy(attempt, error);
    } finally {
      clearInterval(checkpoints);
    }
  }

  private async endBy(attempt: RunAttempt, error: unknown): Promise<void> {
    if (error instanceof Superseded || error instanceof StreamFenced) throw error;
    if (attempt.isStopped) return attempt.end({ status: 'stopped', finish: 'stopped' }, usageIn(error));
    if (attempt.isOverdue) return this.ends.timesOut(attempt, usageIn(error));
    if (attempt.isShutDown) {
      await attempt.keepAll();
      throw error;
    }
    const problem = problemIn(error);
    if (!problem) throw error;
    const said = { code: problem.code, detail: storable(problem.detail) };
    await attempt.end({ status: 'failed', finish: 'error', error: said, reason: reasonIn(error) });
  }

  private async goOn(attempt: RunAttempt): Promise<void> {
    if (attempt.run.run_stop_requested) return attempt.end({ status: 'stopped', finish: 'stopped' });
    this.ends.demandSchema(attempt);
    let setting = await this.setup.prepare(attempt);
    if (attempt.openCalls.length > 0 && (await this.calls.make(attempt, attempt.openCalls, setting)) === 'waits') return;
    for (;;) {
      const answered = attempt.answeringStep;
      if (answered) return this.ends.finish(attempt, answered);
      const last = attempt.steps.at(-1);
      if (last && attempt.answer.isFull) return this.ends.finish(attempt, { ...last, finish: 'length' });
      if (last) setting = await this.setup.refresh(attempt, setting);
      if (!(await this.makeStep(attempt, setting))) return this.ends.runsDry(attempt);
      if (attempt.openCalls.length > 0 && (await this.calls.make(attempt, attempt.openCalls, setting)) === 'waits') return;
    }
  }

  /** One call of the model, with what it asks for checked and committed; false where there are no credits for it. */
  private async makeStep(attempt: RunAttempt, setting: RunSetting): Promise<boolean> {
    const { ground, tools, input, model } = setting;
    const offered = this.steps.offered(attempt, tools);
    const question = await this.steps.question(attempt, input, { asked: ground.question, tools, offered });
    if (!(await this.steps.reserve(attempt, question.tokens))) return false;
    const known = this.setup.addressesOf(attempt, setting);
    const outcome = await this.steps.ask(attempt, { model, question, input, offered, known });
    const checked = this.calls.check(attempt, { ...outcome, said: ground.said }, offered);
    // Calls that have no room in the message are not made: the answer ends before them.
    const made = checked.length === 0 && outcome.calls.length > 0 ? { ...outcome, finish: 'length' as const } : outcome;
    await this.steps.keep(attempt, made, { checked, correction: checked.length > 0 ? null : this.ends.correctionOf(attempt, made) });
    return true;
  }
}

/** What a step took that did not come to its end: a provider that may have read the question takes something for it. */
const usageIn = (error: unknown): TokenUsage | null => (error instanceof BrokenOff && error.wasAsked ? error.usage : null);
