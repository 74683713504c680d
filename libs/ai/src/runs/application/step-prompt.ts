import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import { textOfPrompt } from '@atrium/models';
import { fittingTurns, tooLong, type Count } from '../domain/input-budget';
import { storable } from '../domain/storable';

/** What a step is asked with, in the order in which the model reads it. */
export interface StepInput {
  readonly system: LanguageModelV3Message;
  /** Earlier messages, oldest first. */
  readonly turns: LanguageModelV3Prompt;
  readonly question: LanguageModelV3Message;
  /** Each finished step: what the model said, the results of its calls, and what it is to correct. */
  readonly steps: readonly LanguageModelV3Prompt[];
  readonly tools: readonly LanguageModelV3FunctionTool[];
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
const TOLD = 40;

/** A count that remembers what it was asked: most of the input is the same in every step. */
export function remembering(count: Count): Count {
  const known = new Map<string, number>();
  return (text) => {
    const tokens = known.get(text) ?? count(text);
    known.set(text, tokens);
    return tokens;
  };
}

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
 * with a note to the model; then the oldest steps are left out, but for the last.
 */
export function fittingPrompt({ system, turns, question, steps, tools }: StepInput, budget: number, count: Count): StepQuestion {
  const always = tokensOf([system, question], count) + tokensOfTools(tools, count);
  const done = steps.reduce((sum, step) => sum + tokensOf(step, count), 0);
  const newest = fittingTurns(turns, budget - always - done, (turn) => tokensOf([turn], count));
  const shortened = shorten(steps, always + done - budget, count);
  while (shortened.length > 1 && always + tokensOf(shortened.flat(), count) > budget) shortened.shift();
  const prompt = [system, ...newest, question, ...shortened.flat()];
  const tokens = tokensOf(prompt, count) + tokensOfTools(tools, count);
  if (tokens > budget) throw tooLong(tokens, budget);
  return { prompt, tokens };
}

/** Takes so many tokens out of the results of calls, the oldest first. */
function shorten(steps: readonly LanguageModelV3Prompt[], excess: number, count: Count): LanguageModelV3Prompt[] {
  let left = excess;
  const shorter = (part: LanguageModelV3ToolResultPart): LanguageModelV3ToolResultPart => {
    if (left <= 0) return part;
    const [text, before] = [textOfResult(part), tokensOfResult(part, count)];
    const wanted = Math.max(LEAST_OF_RESULT, before - left - TOLD);
    if (before <= wanted + TOLD) return part;
    const value = cutTo(text, wanted, count);
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
  return `${storable(text.slice(0, length))}\n[Cut: these are ${length} of ${text.length} characters, as the conversation is longer than the model takes. Call the tool again for less at a time.]`;
}
