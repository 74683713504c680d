import { Injectable } from '@nestjs/common';
import { reasonIn, type TokenUsage } from '@atrium/models';
import { SECOND, type JsonObject } from '@atrium/platform/kernel';
import { StreamFenced } from '@atrium/platform/messaging';
import { Superseded } from '../../records/application/run-records';
import { storableText } from '../../records/domain/storable';
import { nextStep, type Finish } from '../domain/next-step';
import { AnswerEnds } from './answer-ends';
import { BrokenOff, problemIn } from './model-step';
import { ModelSteps } from './model-steps';
import type { RunAttempt } from './run-attempt';
import { RunSetup, type RunSetting } from './run-setup';
import { ToolCalls } from './tool-calls';
import type { FinishedStep } from '../../records/infrastructure/run-steps.repository';

const CHECKPOINT_MS = 2 * SECOND;

/** The course of one attempt: step after step until the answer is there, somebody is needed, or it cannot go on. */
@Injectable()
export class AttemptLoop {
  constructor(
    private readonly setup: RunSetup,
    private readonly steps: ModelSteps,
    private readonly calls: ToolCalls,
    private readonly ends: AnswerEnds,
  ) {}

  async runAttempt(attempt: RunAttempt): Promise<void> {
    const checkpoints = setInterval(() => void attempt.saveCheckpoint(), CHECKPOINT_MS).unref();
    try {
      await this.runSteps(attempt);
    } catch (error) {
      await this.breakOff(attempt, error);
    } finally {
      clearInterval(checkpoints);
    }
  }

  private async runSteps(attempt: RunAttempt): Promise<void> {
    const first = nextStep(attempt.state);
    if (first.kind === 'finish' && first.reason === 'stopped') return this.finish(attempt, first);
    this.ends.assertSchema(attempt);
    let setting = await this.setup.prepareSetting(attempt);
    for (;;) {
      const next = nextStep(attempt.state);
      if (next.kind === 'wait') return this.calls.awaitAnswers(attempt, next.calls);
      if (next.kind === 'finish') return this.finish(attempt, next);
      if (next.calls.length > 0) {
        await this.calls.makeCalls(attempt, next.calls, setting);
        continue;
      }
      if (attempt.steps.length > 0) setting = await this.setup.refreshSetting(attempt, setting);
      await this.makeStep(attempt, setting);
    }
  }

  private async breakOff(attempt: RunAttempt, error: unknown): Promise<void> {
    const { isStopped, isOverdue, isShutDown } = attempt;
    const isSuperseded = error instanceof Superseded || error instanceof StreamFenced;
    const isKnown = problemIn(error) !== null;
    const next = nextStep(attempt.state, { isSuperseded, isStopped, isOverdue, isShutDown, isKnown });
    if (next.kind === 'finish') return this.finish(attempt, next, error);
    if (next.keepsText) await attempt.saveAll();
    throw error;
  }

  private finish(attempt: RunAttempt, next: Finish<FinishedStep>, error?: unknown): Promise<void> {
    switch (next.reason) {
      case 'answered':
        return this.ends.finishAnswer(attempt, next.step);
      case 'full':
        return this.ends.finishAnswer(attempt, { ...next.step, finish: 'length' });
      case 'out_of_credits':
        return this.ends.endWithoutCredits(attempt);
      case 'out_of_time':
        return this.ends.endAtTimeLimit(attempt, usageIn(error));
      case 'stopped':
        return attempt.endRun({ status: 'stopped', finish: 'stopped' }, usageIn(error));
      case 'failed':
        return attempt.endRun({ status: 'failed', finish: 'error', error: whyOf(error), reason: reasonIn(error) });
    }
  }

  /** One call of the model, with what it asks for checked and committed, if there are credits for it. */
  private async makeStep(attempt: RunAttempt, setting: RunSetting): Promise<void> {
    const { ground, tools, input, model } = setting;
    const offered = this.steps.filterOfferedTools(attempt, tools);
    const question = await this.steps.buildQuestion(attempt, input, { asked: ground.question, tools, offered });
    attempt.hasCredits = await this.steps.reserveCredits(attempt, question.tokens);
    if (!attempt.hasCredits) return;
    const known = this.setup.collectAddresses(attempt, setting);
    const outcome = await this.steps.askModel(attempt, { model, question, input, offered, known });
    const checked = this.calls.checkCalls(attempt, { ...outcome, said: ground.said }, offered);
    // Calls that have no room in the message are not made: the answer ends before them.
    const made = checked.length === 0 && outcome.calls.length > 0 ? { ...outcome, finish: 'length' as const } : outcome;
    await this.steps.commitStep(attempt, made, {
      checked,
      correction: checked.length > 0 ? null : this.ends.findCorrection(attempt, made),
    });
  }
}

function whyOf(error: unknown): JsonObject {
  const problem = problemIn(error);
  return problem ? { code: problem.code, detail: storableText(problem.detail) } : {};
}

/** What a step took that did not come to its end: a provider that may have read the question takes something for it. */
const usageIn = (error: unknown): TokenUsage | null => (error instanceof BrokenOff && error.wasAsked ? error.usage : null);
