import type { TokenUsage } from '@atrium/models';
import { inStep } from '@atrium/platform/database';
import { Problem, type JsonObject } from '@atrium/platform/kernel';
import type { MessageCitation } from '../../../threads/domain/message';
import { textOf } from '../../../threads/domain/message-parts';
import { storableStart } from '../../records/domain/storable';
import { citationsOf, withKnownMarkers } from './cited-answer';
import { JsonCheck, jsonIn } from './json-check';
import type { StepOutcome } from './model-step';
import type { MadeStep } from '../../records/application/made-step';
import type { RunAttempt } from './run-attempt';

/** What is kept of an answer that is not by its schema. */
const MOST_OF_NOTICE = 10_000;
const WITHHELD = 'The model refused to answer, or its provider withheld the answer.';
const UNSUPPORTED = 'I have no supported answer to this.';

/** The end of an answer that is there: whether it keeps the rules of its agent, what it cites, and what is stored of it. */
export class AnswerEnds {
  private compiled: JsonCheck | undefined;

  constructor(private readonly attempt: RunAttempt) {}

  /** Throws where the schema of the answer cannot be used, so that no model is asked for an answer that cannot be checked. */
  demandSchema(): void {
    const { schema } = this.attempt.plan;
    if (!schema) return;
    try {
      this.checkBy(schema);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new Problem('unprocessable_content', `${error.detail} Correct agent_schema of the agent, then ask again.`);
    }
  }

  /** What the model is to correct of an answer that breaks a rule of the agent; null where it is right, or was corrected once. */
  correctionOf({ text, finish }: StepOutcome): string | null {
    const { plan, steps } = this.attempt;
    if (steps.some(({ correction }) => correction !== null) || finish === 'filter' || steps.length >= plan.max_steps) return null;
    if (plan.schema) {
      const faults = this.faultsOf(plan.schema, text);
      if (faults.length === 0) return null;
      return `The answer does not follow the JSON Schema: ${faults.join('; ')}. Answer again with one JSON object and nothing else.`;
    }
    if (!plan.retrieval.require || withKnownMarkers(text, this.numbers).cited.size > 0) return null;
    return 'Answer again, only with what the numbered data says, and cite the number behind each sentence. If it holds no answer, say so.';
  }

  /** The answer is whole: numbers of sources are checked, quotes are found, and it is stored. */
  async finish({ parts, finish: known }: MadeStep): Promise<void> {
    const { plan } = this.attempt;
    const finish = known ?? 'stop';
    if (plan.schema) return this.finishStructured(plan.schema, textOf(parts), finish);
    if (finish === 'filter' && textOf(this.attempt.answer.parts).trim() === '')
      this.attempt.stream.change((answer) => answer.add({ kind: 'notice', code: 'withheld', detail: WITHHELD }));
    await this.attempt.end({ status: 'completed', finish, citations: this.supported(finish) });
  }

  /** There are no credits for another step: what was said so far is the answer. */
  async runsDry(): Promise<void> {
    const detail = 'The credits of the workspace ran out; the answer ends here.';
    const citations = this.supported('length');
    this.attempt.stream.change((answer) => answer.add({ kind: 'notice', code: 'credits_exhausted', detail }));
    await this.attempt.end({ status: 'completed', finish: 'length', citations });
  }

  /** The time of the run is over: what was said so far is the answer. */
  async timesOut(unfinished: TokenUsage | null): Promise<void> {
    const { plan, stream } = this.attempt;
    const detail = 'The time for the answer is over; it ends here.';
    if (plan.schema) {
      const error = { code: 'upstream_timeout', detail: 'The answer did not come in its time. Ask for less, or choose a faster model.' };
      return this.attempt.end({ status: 'failed', finish: 'error', error }, unfinished);
    }
    // What was said last may be on its way to followers.
    await stream.settle();
    const citations = this.supported('length');
    stream.change((answer) => answer.add({ kind: 'notice', code: 'time_is_over', detail }));
    await this.attempt.end({ status: 'completed', finish: 'length', citations }, unfinished);
  }

  private async finishStructured(schema: JsonObject, text: string, finish: StepOutcome['finish']): Promise<void> {
    const { stream } = this.attempt;
    const value = jsonIn(text);
    if (finish !== 'filter' && value !== undefined && inStep(() => this.checkBy(schema).faults(value)).length === 0) {
      stream.change((whole) => whole.add({ kind: 'data', value }));
      return this.attempt.end({ status: 'completed', finish, data: value });
    }
    stream.change((whole) => whole.add({ kind: 'notice', code: 'unprocessable_content', detail: storableStart(text, MOST_OF_NOTICE) }));
    const error = { code: 'unprocessable_content', detail: 'The model did not answer by the JSON Schema, asked twice.' };
    await this.attempt.end({ status: 'failed', finish: 'error', error });
  }

  /** The citations of the answer. Where the agent demands some and there are none, what was said is not shown, however the answer ended. */
  private supported(finish: StepOutcome['finish']): MessageCitation[] {
    const { plan } = this.attempt;
    const cited = this.knownNumbers();
    if (plan.retrieval.require && !plan.schema && cited.size === 0 && finish !== 'filter') this.replaceByNoAnswer();
    return this.cite(cited);
  }

  /** Removes numbers of sources that there are not; those that are left. */
  private knownNumbers(): ReadonlySet<number> {
    const { answer, stream } = this.attempt;
    const cited = new Set<number>();
    answer.parts.forEach((part, at) => {
      if (part.kind !== 'text') return;
      const known = withKnownMarkers(part.text, this.numbers);
      for (const n of known.cited) cited.add(n);
      if (known.text !== part.text) stream.change((whole) => whole.replace(at, { kind: 'text', text: known.text }));
    });
    return cited;
  }

  private cite(cited: ReadonlySet<number>): MessageCitation[] {
    const { answer, stream, sources } = this.attempt;
    const texts = answer.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    const citations = citationsOf(
      texts,
      sources.all.filter(({ n }) => cited.has(n)),
    );
    if (citations.length > 0) stream.note({ op: 'citations', citations: citations as unknown as JsonObject[] });
    return citations;
  }

  /** What no source supports is not shown as an answer: all that was said since the last tool. */
  private replaceByNoAnswer(): void {
    const { answer, stream } = this.attempt;
    const from = answer.parts.findLastIndex(({ kind }) => kind === 'tool' || kind === 'file') + 1;
    const said = answer.parts.flatMap(({ kind }, at) => (kind === 'text' && at >= from ? [at] : []));
    said.forEach((at, nth) => stream.change((whole) => whole.replace(at, { kind: 'text', text: nth === 0 ? UNSUPPORTED : '' })));
    if (said.length === 0) stream.change((whole) => whole.add({ kind: 'text', text: UNSUPPORTED }));
    stream.change((whole) => whole.add({ kind: 'notice', code: 'ungrounded', detail: 'No source supports an answer.' }));
  }

  private faultsOf(schema: JsonObject, text: string): readonly string[] {
    const value = jsonIn(text);
    return value === undefined ? ['it is no JSON'] : inStep(() => this.checkBy(schema).faults(value));
  }

  /** A run has one schema, which is compiled once. */
  private checkBy(schema: JsonObject): JsonCheck {
    return (this.compiled ??= new JsonCheck(schema));
  }

  private get numbers(): ReadonlySet<number> {
    return new Set(this.attempt.sources.all.map(({ n }) => n));
  }
}
