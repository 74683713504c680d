import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { listOf, objectOf, objectsIn, textOf, wholeOf, writtenInput } from './loose-json';

/** What one piece of an answer says, or the whole of it. */
export interface SaidPiece {
  readonly content: JsonValue;
  readonly reasoning: string;
  /** Under which name the thoughts came: they go back under it. */
  readonly reasoningName: string | null;
  readonly details: readonly JsonValue[];
  readonly refusal: string;
  readonly calls: readonly SaidCall[];
  readonly extra: JsonObject | null;
}

/** A call of a tool, or a piece of one. */
export interface SaidCall {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly input: string | null;
  readonly extra: JsonObject | null;
}

const REASONING_NAMES = ['reasoning_content', 'reasoning', 'thinking'] as const;

/** Pieces of calls in one event or answer, each of which is looked for among the calls that are known: far more than any model makes. */
const MOST_PIECES = 1_000;

/** Reads a delta or a message of Chat Completions, of any provider. */
export function pieceIn(value: JsonObject): SaidPiece {
  const named = REASONING_NAMES.map((name) => ({ name, text: thoughtIn(value[name]) })).find(({ text }) => text !== '');
  const details = listOf(value['reasoning_details']);
  const { function_call } = value;
  const old = objectOf(function_call);
  const { tool_calls } = value;
  const calls = objectsIn(Array.isArray(tool_calls) ? tool_calls.slice(0, MOST_PIECES) : [tool_calls]);
  return {
    content: contentOf(value['content']),
    reasoning: named?.text || details.map((one) => thoughtIn(one)).join('') || thoughtsAmong(value['content']),
    reasoningName: named?.name ?? null,
    details,
    refusal: textOf(value['refusal']) || refusalIn(value['content']),
    calls: [...calls.map(callIn), ...(old && calls.length === 0 ? [callIn({ index: 0, function: old })] : [])],
    extra: objectOf(value['extra_content']),
  };
}

function callIn(call: JsonObject): SaidCall {
  const asked = objectOf(call['function']) ?? {};
  return {
    index: wholeOf(call['index']),
    id: textOf(call['id']) || null,
    name: textOf(asked['name']) || null,
    input: writtenInput(asked['arguments']),
    extra: objectOf(call['extra_content']),
  };
}

function thoughtIn(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return objectsIn(value).map(thoughtIn).join('');
  const { text, content, summary } = objectOf(value) ?? {};
  return [text, content, summary].find((one): one is string => typeof one === 'string') ?? '';
}

const THOUGHTS: ReadonlySet<JsonValue | undefined> = new Set(['thinking', 'reasoning', 'thought']);

/** Some providers think in parts of the content. */
const thoughtsAmong = (content: JsonValue | undefined): string =>
  objectsIn(content)
    .map((part) => (THOUGHTS.has(part['type']) ? thoughtIn(part['thinking'] ?? part['text'] ?? part['summary']) : ''))
    .join('');

/** Some providers refuse in a part of the content. */
const refusalIn = (content: JsonValue | undefined): string =>
  objectsIn(content)
    .map((part) => (part['type'] === 'refusal' ? (textOf(part['refusal']) ?? textOf(part['text']) ?? '') : ''))
    .join('');

/** Text, or parts of which each is an object. */
function contentOf(value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  const parts = Array.isArray(value) ? value : [value];
  return parts.flatMap((part: JsonValue): JsonValue[] => {
    const one = objectOf(part);
    if (!one) return textOf(part) === null ? [] : [{ type: 'text', text: textOf(part) }];
    const { type, text } = one;
    if (type === 'refusal' || THOUGHTS.has(type)) return [];
    const said = textOf(text) ?? textOf(objectOf(text)?.['value']);
    return said === null ? [] : [{ type: 'text', text: said }];
  });
}

/** Whether there is a word in it. */
export const saysText = (content: JsonValue): boolean =>
  typeof content === 'string' ? content !== '' : listOf(content).some((part) => Boolean(textOf(objectOf(part)?.['text'])));

/** Tokens, wherever and under whichever name they came. */
export function usageIn(...places: readonly (JsonValue | undefined)[]): JsonObject | null {
  return places.map((place) => tokensIn(objectOf(place) ?? {})).find((one) => one !== null) ?? null;
}

function tokensIn(usage: JsonObject): JsonObject | null {
  const [input, output] = [
    wholeOf(usage['prompt_tokens'] ?? usage['input_tokens']),
    wholeOf(usage['completion_tokens'] ?? usage['output_tokens']),
  ];
  if (input === null && output === null) return null;
  const cached =
    wholeOf(objectOf(usage['prompt_tokens_details'])?.['cached_tokens']) ??
    wholeOf(usage['prompt_cache_hit_tokens']) ??
    wholeOf(usage['cached_tokens']);
  const reasoning = wholeOf(objectOf(usage['completion_tokens_details'])?.['reasoning_tokens']) ?? wholeOf(usage['reasoning_tokens']);
  return {
    ...(input === null ? {} : { prompt_tokens: input }),
    ...(output === null ? {} : { completion_tokens: output }),
    ...(cached === null ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning === null ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}
