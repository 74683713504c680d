import { Injectable } from '@nestjs/common';
import type { TokenUsage } from '@atrium/models';
import { inStep } from '@atrium/platform/database';
import { asJson, Problem, type JsonValue } from '@atrium/platform/kernel';
import type { MessageCitation } from '../../../threads/domain/message';
import { textOf } from '../../../threads/domain/message-parts';
import { storableStart } from '../../records/domain/storable';
import { citationsOf, withKnownMarkers } from './cited-answer';
import { jsonIn } from './json-check';
import type { StepOutcome } from './model-step';
import type { RunAttempt } from './run-attempt';
import type { FinishedStep } from '../../records/infrastructure/run-steps.repository';

/** What is kept of an answer that is not by its schema. */
const MOST_OF_NOTICE = 10_000;
const WITHHELD = 'The model refused to answer, or its provider withheld the answer.';
const UNSUPPORTED = 'I have no supported answer to this.';

/** The end of an answer that is there: whether it keeps the rules of its agent, what it cites, and what is stored of it. */
@Injectable()
export class AnswerEnds {
  /** Throws where the schema of the answer cannot be used, so that no model is asked for an answer that cannot be checked. */
  assertSchema(attempt: RunAttempt): void {
    try {
      void attempt.schemaCheck;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new Problem('unprocessable_content', `${error.detail} Correct agent_schema of the agent, then ask again.`);
    }
  }

  /** What the model is to correct of an answer that breaks a rule of the agent; null where it is right, or was corrected once. */
  findCorrection(attempt: RunAttempt, { text, finish }: StepOutcome): string | null {
    const { plan, steps } = attempt;
    if (steps.some(({ correction }) => correction !== null) || finish === 'filter' || steps.length >= plan.max_steps) return null;
    if (plan.schema) {
      const faults = faultsIn(attempt, text);
      if (faults.length === 0) return null;
      return `The answer does not follow the JSON Schema: ${faults.join('; ')}. Answer again with one JSON object and nothing else.`;
    }
    if (!plan.retrieval.require || withKnownMarkers(text, numbersOf(attempt)).cited.size > 0) return null;
    return 'Answer again, only with what the numbered data says, and cite the number behind each sentence. If it holds no answer, say so.';
  }

  /** The answer is whole: numbers of sources are checked, quotes are found, and it is stored. */
  async finishAnswer(attempt: RunAttempt, { parts, finish: known }: FinishedStep): Promise<void> {
    const finish = known ?? 'stop';
    if (attempt.plan.schema) return this.finishStructured(attempt, { text: textOf(parts), finish });
    if (finish === 'filter' && textOf(attempt.answer.parts).trim() === '')
      attempt.stream.applyChange((answer) => answer.addPart({ kind: 'notice', code: 'withheld', detail: WITHHELD }));
    await attempt.endRun({ status: 'completed', finish, citations: this.supported(attempt, finish) });
  }

  /** There are no credits for another step: what was said so far is the answer. */
  async endWithoutCredits(attempt: RunAttempt): Promise<void> {
    const detail = 'The credits of the workspace ran out; the answer ends here.';
    const citations = this.supported(attempt, 'length');
    attempt.stream.applyChange((answer) => answer.addPart({ kind: 'notice', code: 'credits_exhausted', detail }));
    await attempt.endRun({ status: 'completed', finish: 'length', citations });
  }

  /** The time of the run is over: what was said so far is the answer. */
  async endAtTimeLimit(attempt: RunAttempt, unfinished: TokenUsage | null): Promise<void> {
    const { plan, stream } = attempt;
    const detail = 'The time for the answer is over; it ends here.';
    if (plan.schema) {
      const error = { code: 'upstream_timeout', detail: 'The answer did not come in its time. Ask for less, or choose a faster model.' };
      return attempt.endRun({ status: 'failed', finish: 'error', error }, unfinished);
    }
    // What was said last may be on its way to followers.
    await stream.sendRemaining();
    const citations = this.supported(attempt, 'length');
    stream.applyChange((answer) => answer.addPart({ kind: 'notice', code: 'time_is_over', detail }));
    await attempt.endRun({ status: 'completed', finish: 'length', citations }, unfinished);
  }

  private async finishStructured(attempt: RunAttempt, { text, finish }: Pick<StepOutcome, 'text' | 'finish'>): Promise<void> {
    const { stream } = attempt;
    const value = jsonIn(text);
    if (finish !== 'filter' && value !== undefined && faultsOf(attempt, value).length === 0) {
      stream.applyChange((whole) => whole.addPart({ kind: 'data', value }));
      return attempt.endRun({ status: 'completed', finish, data: value });
    }
    stream.applyChange((whole) =>
      whole.addPart({ kind: 'notice', code: 'unprocessable_content', detail: storableStart(text, MOST_OF_NOTICE) }),
    );
    const error = { code: 'unprocessable_content', detail: 'The model did not answer by the JSON Schema, asked twice.' };
    await attempt.endRun({ status: 'failed', finish: 'error', error });
  }

  /** The citations of the answer. Where the agent demands some and there are none, what was said is not shown, however the answer ended. */
  private supported(attempt: RunAttempt, finish: StepOutcome['finish']): MessageCitation[] {
    const { plan } = attempt;
    const cited = this.knownNumbers(attempt);
    if (plan.retrieval.require && !plan.schema && cited.size === 0 && finish !== 'filter') this.replaceByNoAnswer(attempt);
    return this.cite(attempt, cited);
  }

  /** Removes numbers of sources that there are not; those that are left. */
  private knownNumbers(attempt: RunAttempt): ReadonlySet<number> {
    const { answer, stream } = attempt;
    const numbers = numbersOf(attempt);
    const cited = new Set<number>();
    answer.parts.forEach((part, at) => {
      if (part.kind !== 'text') return;
      const known = withKnownMarkers(part.text, numbers);
      for (const n of known.cited) cited.add(n);
      if (known.text !== part.text) stream.applyChange((whole) => whole.replacePart(at, { kind: 'text', text: known.text }));
    });
    return cited;
  }

  private cite({ answer, stream, sources }: RunAttempt, cited: ReadonlySet<number>): MessageCitation[] {
    const texts = answer.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    const citations = citationsOf(
      texts,
      sources.all.filter(({ n }) => cited.has(n)),
    );
    if (citations.length > 0) stream.sendNote({ op: 'citations', citations: citations.map(asJson) });
    return citations;
  }

  /** What no source supports is not shown as an answer: all that was said since the last tool. */
  private replaceByNoAnswer({ answer, stream }: RunAttempt): void {
    const from = answer.parts.findLastIndex(({ kind }) => kind === 'tool' || kind === 'file') + 1;
    const said = answer.parts.flatMap(({ kind }, at) => (kind === 'text' && at >= from ? [at] : []));
    said.forEach((at, nth) => stream.applyChange((whole) => whole.replacePart(at, { kind: 'text', text: nth === 0 ? UNSUPPORTED : '' })));
    if (said.length === 0) stream.applyChange((whole) => whole.addPart({ kind: 'text', text: UNSUPPORTED }));
    stream.applyChange((whole) => whole.addPart({ kind: 'notice', code: 'ungrounded', detail: 'No source supports an answer.' }));
  }
}

function faultsIn(attempt: RunAttempt, text: string): readonly string[] {
  const value = jsonIn(text);
  return value === undefined ? ['it is no JSON'] : faultsOf(attempt, value);
}

/** Each check has an effort of its own, whatever the run has spent before. */
const faultsOf = (attempt: RunAttempt, value: JsonValue): readonly string[] => inStep(() => attempt.schemaCheck?.findFaults(value) ?? []);

const numbersOf = ({ sources }: RunAttempt): ReadonlySet<number> => new Set(sources.all.map(({ n }) => n));
