import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { carriedIn, lateThoughts, NotAsked, tokenUsageOf, type Carried, type TokenUsage } from '@atrium/models';
import { Problem } from '@atrium/platform/kernel';
import type { Count } from '../../prompt/input-budget';
import { HarmlessText } from '../domain/harmless-text';
import type { KnownAddresses } from '../domain/known-addresses';
import { storableStart, TextPieces } from '../../records/domain/storable';
import type { AnswerStream } from './answer-stream';

/** A call that the model asks for; its input is the text the model wrote. */
export interface AskedCall {
  readonly call_id: string;
  readonly tool: string;
  readonly input: string;
}

/** What is not shown yet. */
export interface Held {
  readonly text: string;
  readonly reasoning: string;
}

/** What one call of the model brought. */
export interface StepOutcome {
  readonly text: string;
  /** What it thought and said as it may be shown, where it is not shown before it is known to be supported. */
  readonly held?: Held;
  readonly calls: readonly AskedCall[];
  readonly usage: TokenUsage;
  readonly finish: 'stop' | 'length' | 'filter';
  /** What goes back to the provider with the step. */
  readonly carried?: Carried | null;
}

/** Whether a step neither says a word nor asks for anything. What a model does not want to answer is an answer. */
export const isBlank = ({ text, calls, finish }: StepOutcome): boolean => text.trim() === '' && calls.length === 0 && finish !== 'filter';

/** The step ended before the model did; what it said is in the stream. */
export class BrokenOff extends Error {
  constructor(
    override readonly cause: unknown,
    /** Whether the provider had accepted the question: until then it was asked again as often as it may be. */
    readonly hasBegun: boolean,
    /** Whether the provider may have read the question: it answered, or the question was under way. */
    readonly wasAsked: boolean,
    readonly usage: TokenUsage,
  ) {
    super('The model did not finish.');
  }
}

interface StepRequest {
  readonly options: LanguageModelV3CallOptions;
  readonly inputTokens: number;
  readonly count: Count;
  /** Structured answers are shown whole, not as they grow. */
  readonly silent: boolean;
  /** Nothing is shown as it grows, but handed out when the step is over: it may be shown where it is supported. */
  readonly holds?: boolean;
  /** Addresses that the answer may have. */
  readonly known: KnownAddresses;
}

/** Longest id and name of a call that are taken from a provider. */
const MOST_OF_NAME = 200;
/** Characters that are held at most: an answer has no room for more. */
const MOST_HELD = 2_000_000;

/** One call of the model, sent on as it arrives. Throws `BrokenOff` where it does not end well. */
export async function modelStep(
  model: LanguageModelV3,
  { options, inputTokens, count, silent, holds = false, known }: StepRequest,
  stream: AnswerStream,
): Promise<StepOutcome> {
  const said = { text: '', reasoning: '', calls: [] as AskedCall[] };
  const harmless = { text: new HarmlessText(known), reasoning: new HarmlessText(known) };
  const pieces = { text: new TextPieces(), reasoning: new TextPieces() };
  let held = { text: '', reasoning: '' };
  const show = (kind: 'text' | 'reasoning', text: string): void => {
    if (holds) held[kind] += text;
    else stream.writeText(kind, text);
  };
  const say = (kind: 'text' | 'reasoning', delta: string): void => {
    const piece = pieces[kind].takePiece(delta);
    said[kind] += piece;
    if (kind === 'reasoning' || !silent) show(kind, harmless[kind].passText(piece));
  };
  /** At the end of what comes: where its text turns out to begin with thoughts, those who follow are sent it again. */
  const sayRest = (): void => {
    const late = said.reasoning === '' ? lateThoughts(model, said.text) : null;
    if (late) {
      Object.assign(said, late);
      held = { text: '', reasoning: '' };
      if (!holds) stream.retractStep();
    }
    for (const kind of ['reasoning', 'text'] as const) {
      const whole = late ? new HarmlessText(known) : harmless[kind];
      const anew = late && !(kind === 'text' && silent) ? whole.passText(late[kind]) : '';
      show(kind, anew + whole.releaseRest());
    }
  };
  const counted = (): { readonly input: number; readonly output: number } => ({
    input: inputTokens,
    output: count(said.text) + count(said.reasoning) + said.calls.reduce((sum, { input }) => sum + count(input), 0),
  });
  const estimated = (): TokenUsage => ({ ...tokenUsageOf(NO_FIGURES, counted()), estimated: true });
  let hasBegun = false;
  try {
    const answer = await model.doStream(options);
    hasBegun = true;
    for await (const part of answer.stream as ReadableStream<LanguageModelV3StreamPart> & AsyncIterable<LanguageModelV3StreamPart>) {
      if (part.type === 'text-delta') say('text', part.delta);
      else if (part.type === 'reasoning-delta') say('reasoning', part.delta);
      else if (part.type === 'tool-call')
        said.calls.push({ call_id: nameOf(part.toolCallId), tool: nameOf(part.toolName), input: part.input });
      else if (part.type === 'error') throw part.error;
      else if (part.type === 'finish') {
        sayRest();
        const { unified } = part.finishReason;
        return {
          text: said.text,
          ...(holds ? { held } : {}),
          calls: said.calls,
          usage: tokenUsageOf(part.usage, counted()),
          carried: carriedIn(part),
          finish: unified === 'content-filter' ? 'filter' : unified === 'length' ? 'length' : 'stop',
        };
      }
      // The message has no room for more: the answer ends here, as one that is too long for the model does.
      if (stream.answer.isFull || held.text.length + held.reasoning.length > MOST_HELD) {
        sayRest();
        return { text: said.text, ...(holds ? { held } : {}), calls: [], usage: estimated(), finish: 'length' };
      }
      options.abortSignal?.throwIfAborted();
    }
    throw new Problem('upstream_failed', 'The model provider broke the answer off.');
  } catch (error) {
    sayRest();
    throw new BrokenOff(error, hasBegun, hasBegun || !isUnread(error), estimated());
  }
}

/** Providers read nothing, and take nothing for it, where they refuse a question or do not get it. */
const isUnread = (error: unknown): boolean => error instanceof NotAsked || problemIn(error) !== null;

/** The problem behind an error, if there is one. */
export function problemIn(error: unknown): Problem | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof Problem) return at;
  return null;
}

const nameOf = (text: string): string => storableStart(text, MOST_OF_NAME);

const NO_FIGURES = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
