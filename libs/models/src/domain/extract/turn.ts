import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { groundingOf, type Grounding, type ModelSource } from '../grounding';

/** A tool that was called in this turn, and what came of it. */
export interface CalledTool {
  readonly name: string;
  readonly input: JsonObject;
  /** What it answered, as text; null while nothing is known. */
  readonly output: string | null;
  /** Why it did not run; null: it did. */
  readonly failure: string | null;
}

/** The turn of a conversation that is to be answered: the last question and what has happened since. */
export interface Turn {
  readonly question: string;
  /** What the person said before, oldest first. */
  readonly before: readonly string[];
  readonly tools: readonly LanguageModelV3FunctionTool[];
  readonly called: readonly CalledTool[];
  readonly sources: readonly ModelSource[];
  readonly greeting: string | undefined;
  /** Calls of the whole conversation, so that the next one has an id of its own. */
  readonly calls: number;
}

type Part = Exclude<LanguageModelV3Message['content'], string>[number];

/** Reads the turn from a prompt. */
export function turnOf({ prompt, tools = [], toolChoice, providerOptions }: LanguageModelV3CallOptions): Turn {
  const asked = prompt.findLastIndex(({ role }) => role === 'user');
  const since = prompt.slice(asked + 1);
  const grounded = [
    groundingOf(providerOptions),
    ...prompt.filter(({ role }, at) => role === 'system' || at >= asked).flatMap(groundingsOf),
  ];
  const results = since
    .flatMap((message) => (message.role === 'tool' ? message.content : []))
    .filter((part) => part.type === 'tool-result');
  return {
    question: questionOf(prompt[asked]),
    before: saidBefore(prompt.slice(0, Math.max(asked, 0)), questionOf(prompt[asked])),
    tools: toolChoice?.type === 'none' ? [] : tools.filter((tool) => tool.type === 'function'),
    called: since.flatMap((message) => (message.role === 'assistant' ? message.content : [])).flatMap((part) => calledTool(part, results)),
    sources: [...grounded.flatMap(({ sources = [] }) => sources), ...results.flatMap(sourceOfResult)],
    greeting: grounded.find(({ greeting }) => greeting !== undefined)?.greeting,
    calls: prompt.flatMap((message) => (message.role === 'assistant' ? message.content : [])).filter(({ type }) => type === 'tool-call')
      .length,
  };
}

/** The last text of the message: the texts before it are attachments. */
const questionOf = (message: LanguageModelV3Message | undefined): string =>
  message?.role === 'user' ? (message.content.findLast((part) => part.type === 'text')?.text ?? '').trim() : '';

/** Without what is only asked again behind a correction. */
const saidBefore = (prompt: LanguageModelV3CallOptions['prompt'], asked: string): string[] =>
  prompt
    .filter(({ role }) => role === 'user')
    .map(questionOf)
    .filter((said) => said !== '' && said !== asked);

function groundingsOf(message: LanguageModelV3Message): Grounding[] {
  const parts: readonly Part[] = typeof message.content === 'string' ? [] : message.content;
  return [
    groundingOf(message.providerOptions),
    ...parts.map((part) => ('providerOptions' in part ? groundingOf(part.providerOptions) : {})),
  ];
}

/** A result that brings no sources of its own may be quoted as it is. */
function sourceOfResult(result: LanguageModelV3ToolResultPart): ModelSource[] {
  if (groundingOf(result.providerOptions).sources) return [];
  const said = outputOf(result);
  return said === null || said === '' ? [] : [{ n: null, kind: 'tool', text: said }];
}

function calledTool(part: Part, results: readonly LanguageModelV3ToolResultPart[]): CalledTool[] {
  if (part.type !== 'tool-call') return [];
  const result = results.find(({ toolCallId }) => toolCallId === part.toolCallId);
  const input = typeof part.input === 'object' && part.input !== null ? (part.input as JsonObject) : {};
  return [{ name: part.toolName, input, output: result ? outputOf(result) : null, failure: result ? failureOf(result) : null }];
}

function failureOf({ output }: LanguageModelV3ToolResultPart): string | null {
  if (output.type === 'execution-denied') return output.reason ?? 'it was denied';
  if (output.type === 'error-text') return output.value;
  if (output.type === 'error-json') return textsIn(output.value as JsonValue).join(' ');
  return null;
}

function outputOf({ output }: LanguageModelV3ToolResultPart): string | null {
  if (output.type === 'text') return output.value;
  if (output.type === 'json') return textsIn(output.value as JsonValue).join('\n');
  if (output.type === 'content') return output.value.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return null;
}

/** The texts and numbers of a value, in their order. */
export function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (value === null) return [];
  return (Array.isArray(value) ? value : Object.values(value)).flatMap((one) => textsIn(one as JsonValue));
}
