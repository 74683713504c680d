import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import { countInTurns, textOfPrompt } from '@atrium/models';
import { fittingTurns, tooLong, type Count } from './input-budget';
import { storableStart } from '../records/domain/storable';

/** What a step is asked with, in the order in which the model reads it. */
export interface StepInput {
  readonly system: LanguageModelV3Message;
  /** Earlier messages, oldest first. */
  readonly turns: LanguageModelV3Prompt;
  readonly question: LanguageModelV3Message;
  /** Each finished step: what the model said, the results of its calls, and what it is to correct. */
  readonly steps: readonly LanguageModelV3Prompt[];
  readonly tools: readonly LanguageModelV3FunctionTool[];
  /** Calls that did more than read, by their ids, with what came of them: the model is never led to make them again. */
  readonly acts: ReadonlyMap<string, string>;
}

/** What a step asks the model. */
export interface StepQuestion {
  readonly prompt: LanguageModelV3Prompt;
  readonly tokens: number;
}

/** Tokens of a message besides its text. */
const FRAME = 4;
/** What providers count for a picture of the size that is sent, about 1,500 pixels squared; none that is known counts more. */
export const PICTURE_TOKENS = 1_600;
/** So much is left of a result of a tool, before whole steps are left out. */
const LEAST_OF_RESULT = 40;
/** Tokens of the sentence that says that a result was cut. */
const NOTE_TOKENS = 40;

/** A count that remembers what it was asked. */
export interface RememberingCount {
  (text: string): number;
  /** Counts texts that it will be asked for, the long ones while other work of the host goes on. */
  readonly learn: (texts: readonly string[]) => Promise<void>;
}

/** Most of the input is the same in every step. */
export function rememberingCount(count: Count): RememberingCount {
  const known = new Map<string, number>();
  const counted = (text: string): number => {
    const tokens = known.get(text) ?? count(text);
    known.set(text, tokens);
    return tokens;
  };
  const learn = async (texts: readonly string[]): Promise<void> => {
    for (const text of texts) if (!known.has(text)) known.set(text, await countInTurns(text, count));
  };
  return Object.assign(counted, { learn });
}

/** Counts texts that grow at their end, while other work of the host goes on: what was counted once is not counted again. */
export class GrowingCount {
  private readonly counted: { readonly text: string; readonly tokens: number }[] = [];

  constructor(private readonly count: Count) {}

  /** Tokens of all of the texts; each is known by its place among them. */
  async countTexts(texts: readonly string[]): Promise<number> {
    let sum = 0;
    for (const [at, text] of texts.entries()) {
      const before = this.counted[at];
      const begins = before !== undefined && text.startsWith(before.text) ? before : { text: '', tokens: 0 };
      const tokens = begins.tokens + (await countInTurns(text.slice(begins.text.length), this.count));
      this.counted[at] = { text, tokens };
      sum += tokens;
    }
    return sum;
  }
}

/** What is counted of messages one by one. */
export const textsOf = (prompt: LanguageModelV3Prompt): string[] => prompt.map((message) => textOfPrompt({ prompt: [message] }));

/** Tokens of tools as they are offered. */
export const tokensOfTools = (tools: readonly LanguageModelV3FunctionTool[], count: Count): number =>
  tools.length === 0 ? 0 : count(textOfPrompt({ prompt: [], tools: [...tools] }));

/** Tokens of messages: their texts, their pictures by an estimate, and what encloses them. */
export const tokensOf = (prompt: LanguageModelV3Prompt, count: Count): number =>
  prompt.reduce((sum, message) => sum + FRAME + count(textOfPrompt({ prompt: [message] })) + PICTURE_TOKENS * picturesIn(message), 0);

const picturesIn = ({ content }: LanguageModelV3Message): number =>
  typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'file').length;

/**
 * The input of a step within what the model takes. First the oldest turns drop; then the results of the oldest calls are shortened,
 * with a note to the model; then the oldest steps are left out, but for the last, and what they did besides reading is named; the
 * pictures of the question are left out at the very last.
 */
export function fittingPrompt(input: StepInput, budget: number, count: Count): StepQuestion {
  const { system, turns, question, steps, tools } = input;
  const offered = tokensOfTools(tools, count);
  const always = tokensOf([system, question], count) + offered;
  const done = steps.reduce((sum, step) => sum + tokensOf(step, count), 0);
  const newest = fittingTurns(turns, budget - always - done, (turn) => tokensOf([turn], count));
  const shortened = shorten(input, always + done - budget, count);
  const sizes = shortened.map((step) => tokensOf(step, count));
  const bare = tokensOf([question], count);
  const acted = new Map<string, number>();
  let rest = tokensOf([system, ...newest], count) + offered + sizes.reduce((sum, size) => sum + size, 0);
  for (let dropped = 0; ; dropped++) {
    const asking = (asked: LanguageModelV3Message): StepQuestion | null => {
      const tokens = rest + (asked === question ? bare : tokensOf([asked], count));
      return tokens > budget ? null : { prompt: [system, ...newest, asked, ...shortened.slice(dropped).flat()], tokens };
    };
    // What does not fit without a note does not fit with one.
    const noted = rest + bare > budget ? null : asking(withActs(question, acted));
    if (noted) return noted;
    if (dropped >= steps.length - 1) {
      const blind = withoutPictures(question);
      const fitting = asking(question) ?? asking(blind);
      if (fitting) return fitting;
      throw tooLong(rest + tokensOf([blind], count), budget);
    }
    rest -= sizes[dropped] ?? 0;
    noteActs(acted, input, dropped);
  }
}

/** The question in words alone: its pictures were seen in the steps before. */
function withoutPictures(question: LanguageModelV3Message): LanguageModelV3Message {
  if (question.role !== 'user' || picturesIn(question) === 0) return question;
  const note = { type: 'text' as const, text: '[The pictures of this message are not shown any more.]' };
  return { ...question, content: [note, ...question.content.filter(({ type }) => type !== 'file')] };
}

/** Adds what was done in a step, and how many times, in the order in which it was done first. */
function noteActs(acted: Map<string, number>, { steps, acts }: StepInput, at: number): void {
  for (const { role, content } of steps[at] ?? [])
    for (const part of role === 'assistant' ? content : []) {
      if (part.type !== 'tool-call' || !acts.has(part.toolCallId)) continue;
      const act = `${part.toolName}: ${acts.get(part.toolCallId)}`;
      acted.set(act, (acted.get(act) ?? 0) + 1);
    }
}

/** The question, and before it what was done in the steps that are left out: the model would do it a second time. */
function withActs(question: LanguageModelV3Message, acted: ReadonlyMap<string, number>): LanguageModelV3Message {
  if (acted.size === 0 || question.role !== 'user') return question;
  const list = [...acted].map(([act, times]) => (times === 1 ? act : `${act} (${times} times)`)).join('; ');
  const text = `[Earlier steps of this answer are left out, as the conversation is longer than the model takes. Calls that were made in them, which are not to be made again: ${list}.]`;
  return { ...question, content: [{ type: 'text', text }, ...question.content] };
}

/** Takes so many tokens out of the results of calls, the oldest first. */
function shorten({ steps, acts }: StepInput, excess: number, count: Count): LanguageModelV3Prompt[] {
  let left = excess;
  const shorter = (part: LanguageModelV3ToolResultPart): LanguageModelV3ToolResultPart => {
    if (left <= 0) return part;
    const [text, before] = [textOfResult(part), tokensOfResult(part, count)];
    const wanted = Math.max(LEAST_OF_RESULT, before - left - NOTE_TOKENS);
    if (before <= wanted + NOTE_TOKENS) return part;
    const again = acts.has(part.toolCallId) ? '' : ' [Call the tool again for less at a time.]';
    const value = cutTo(text, wanted, count) + again;
    const cut = { ...part, output: { type: part.output.type === 'error-text' ? ('error-text' as const) : ('text' as const), value } };
    left -= before - tokensOfResult(cut, count);
    return cut;
  };
  return steps.map((step) =>
    step.map((message) =>
      message.role === 'tool'
        ? { ...message, content: message.content.map((part) => (part.type === 'tool-result' ? shorter(part) : part)) }
        : message,
    ),
  );
}

const textOfResult = (part: LanguageModelV3ToolResultPart): string => textOfPrompt({ prompt: [{ role: 'tool', content: [part] }] });
const tokensOfResult = (part: LanguageModelV3ToolResultPart, count: Count): number => count(textOfResult(part));

/** The beginning of a text, about as long as wanted and no longer. */
function cutTo(text: string, tokens: number, count: Count): string {
  let length = Math.min(text.length, Math.floor((text.length * tokens) / count(text)));
  while (length > 0 && count(text.slice(0, length)) > tokens) length = Math.floor(length * 0.9);
  return `${storableStart(text, length)}\n[Cut: these are ${length} of ${text.length} characters, as the conversation is longer than the model takes.]`;
}
