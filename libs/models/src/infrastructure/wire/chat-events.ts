import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { wordsOf } from '../../domain/provider-words';
import { pieceIn, saysText, usageIn, type SaidCall, type SaidPiece } from './chat-message';
import { finishOf, type ChatFinish } from './finish-names';
import { objectOf, objectsIn, parsedJson, textOf } from './loose-json';
import type { WireEvents } from './wire-events';

/** Where the library is handed what goes back to the provider with the step. */
export const CARRIED = 'atrium_carried';
/** The tool calls of one answer, and lists that come with it. */
const MOST_KEPT = 200;

/** The events of Chat Completions, as its library reads them. */
export class ChatEvents implements WireEvents {
  private readonly ids = new Map<number, string>();
  private readonly extras = new Map<string, JsonObject>();
  private readonly details: JsonValue[] = [];
  private thoughts = '';
  private thoughtsName: string | null = null;
  private extra: JsonObject | null = null;
  private lastId: string | null = null;
  private finish: ChatFinish | null = null;
  private hasSaid = false;
  private hasRefused = false;
  private isOver = false;

  /** What is masked in the words of a provider, before they are cut. */
  constructor(private readonly secrets: readonly string[] = []) {}

  take(data: string): readonly JsonValue[] {
    const text = data.trim();
    if (text === '' || this.isOver) return [];
    if (text === '[DONE]') return this.done();
    const value = parsedJson(text);
    // Google sends its errors as a list of one.
    const event = objectOf(Array.isArray(value) ? value[0] : value);
    if (!event) return this.fails({ message: 'An event cannot be read.', type: 'unreadable_event' });
    if (isError(event)) return this.fails(event['error'] ?? event);
    return this.chunk(event);
  }

  end(): readonly JsonValue[] {
    return this.isOver ? [] : this.rest();
  }

  private done(): readonly JsonValue[] {
    // An answer that says that it is whole has ended, also where it does not say how.
    if (this.finish === null && (this.hasSaid || this.ids.size > 0)) this.finish = this.ids.size > 0 ? 'tool_calls' : 'stop';
    const rest = this.rest();
    this.isOver = true;
    return rest;
  }

  private chunk(event: JsonObject): readonly JsonValue[] {
    const choice = objectsIn(event['choices']).find(({ index }) => (index ?? 0) === 0);
    const usage = usageIn(event['usage'], choice?.['usage'], objectOf(event['x_groq'])?.['usage']);
    const error = choice?.['error'];
    if (error !== undefined && error !== null) return this.fails(error);
    const finish = finishOf(choice?.['finish_reason']);
    this.finish = finish ?? this.finish;
    const said = choice && pieceIn(objectOf(choice['delta']) ?? objectOf(choice['message']) ?? { content: choice['text'] ?? null });
    const head = headOf(event);
    const chunks = said
      ? this.said(said).map((delta): JsonObject => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] }))
      : [];
    if (finish === 'error') return [...chunks, ...this.fails({ message: 'The answer ended with an error.', type: 'error' })];
    return usage ? [...chunks, { ...head, choices: [], usage }] : chunks;
  }

  /** Thoughts, words and calls one after the other, as the library expects them. */
  private said({ content, reasoning, reasoningName, details, refusal, calls, extra }: SaidPiece): JsonObject[] {
    this.thoughts += reasoning;
    this.thoughtsName ??= reasoningName;
    if (this.details.length < MOST_KEPT) this.details.push(...details);
    this.extra = extra ?? this.extra;
    this.hasRefused ||= refusal !== '';
    this.hasSaid ||= refusal !== '' || saysText(content) || reasoning !== '';
    return [
      ...(reasoning === '' ? [] : [{ reasoning_content: reasoning }]),
      ...(saysText(content) || Array.isArray(content) ? [{ content }] : []),
      ...(refusal === '' ? [] : [{ content: refusal }]),
      ...(calls.length === 0 ? [] : [{ tool_calls: calls.map((call) => this.called(call)) }]),
    ];
  }

  /** A call keeps its id; one without gets one, by which what came with it is found again. */
  private called({ index, id: given, name, input, extra }: SaidCall): JsonObject {
    const known = index === null ? undefined : this.ids.get(index);
    const id = given ?? (name !== null && known === undefined ? `call_${randomUUID()}` : null);
    if (id !== null && this.ids.size < MOST_KEPT) this.ids.set(index ?? this.ids.size, id);
    this.lastId = id ?? known ?? this.lastId;
    if (extra && this.lastId !== null && this.extras.size < MOST_KEPT) this.extras.set(this.lastId, extra);
    return {
      ...(index === null ? {} : { index }),
      ...(id === null ? {} : { id }),
      type: 'function',
      function: { ...(name === null ? {} : { name }), ...(input === null ? {} : { arguments: input }) },
    };
  }

  /** How it ended, and what goes back with it. */
  private rest(): readonly JsonValue[] {
    if (this.finish === null) return [];
    const finish_reason = this.hasRefused && this.finish === 'stop' ? 'content_filter' : this.finish;
    const { thoughtsName: name, details, extra } = this;
    const message = {
      ...(name === null || this.thoughts === '' ? {} : { [name]: this.thoughts }),
      ...(details.length === 0 ? {} : { reasoning_details: details }),
      ...(extra ? { extra_content: extra } : {}),
    };
    return [
      { choices: [{ index: 0, delta: {}, finish_reason }] },
      { choices: [], [CARRIED]: { message, calls: Object.fromEntries(this.extras) } },
    ];
  }

  private fails(error: JsonValue): readonly JsonValue[] {
    this.isOver = true;
    const words = wordsOf(error, this.secrets);
    return [{ error: { message: words?.message ?? '', type: words?.type ?? '', code: words?.code ?? '' } }];
  }
}

const isError = (event: JsonObject): boolean =>
  (event['error'] !== undefined && event['error'] !== null && event['error'] !== '') ||
  (event['choices'] === undefined &&
    event['usage'] === undefined &&
    ['error', 'Error'].includes(textOf(event['object'] ?? event['type']) ?? '')) ||
  (event['choices'] === undefined && event['detail'] !== undefined);

const headOf = ({ id, model }: JsonObject): JsonObject => ({
  ...(textOf(id) === null ? {} : { id: textOf(id) }),
  ...(textOf(model) === null ? {} : { model: textOf(model) }),
});
