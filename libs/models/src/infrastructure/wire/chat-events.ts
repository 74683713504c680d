import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { wordsOf } from '../../domain/provider-words';
import { pieceIn, saysText, usageIn, type SaidPiece } from './chat-message';
import { isNote, saysError } from './error-in';
import { finishOf, type ChatFinish } from './finish-names';
import { GatheredCalls } from './gathered-calls';
import { objectOf, objectsIn, parsedJson, textOf, wholeOf } from './loose-json';
import type { WireEvents } from './read-events';

/** Where the library is handed what goes back to the provider with the step. */
export const CARRIED = 'atrium_carried';
/** Of lists that come with an answer. */
const MOST_KEPT = 200;
/** The end of a stream, as some write it. */
const DONE = /^"?\[done\]"?$/i;

/** The events of Chat Completions, as its library reads them. */
export class ChatEvents implements WireEvents {
  private readonly calls = new GatheredCalls();
  private readonly details: JsonValue[] = [];
  private thoughts = '';
  private thoughtsName: string | null = null;
  private extra: JsonObject | null = null;
  private finish: ChatFinish | null = null;
  private hasSaid = false;
  private hasText = false;
  /** Words that came beside the answer: the reason, where there is none. */
  private note: JsonObject | null = null;
  private hasRefused = false;
  private isOver = false;

  /** What is masked in the words of a provider, before they are cut. */
  constructor(private readonly secrets: readonly string[] = []) {}

  readEvent(data: string): readonly JsonValue[] {
    const text = data.trim();
    if (text === '' || this.isOver) return [];
    if (DONE.test(text)) return this.done();
    const value = parsedJson(text);
    // Google sends its errors as a list of one.
    const event = objectOf(Array.isArray(value) ? value[0] : value);
    if (!event) return this.fails({ message: text.startsWith('{') ? 'An event cannot be read.' : text, type: 'unreadable_event' });
    if (!saysError(event)) return this.chunk(event);
    if (!isNote(event)) return this.fails(event);
    this.note = event;
    return [];
  }

  readEnd(): readonly JsonValue[] {
    return this.isOver ? [] : this.finish === null && this.note ? this.fails(this.note) : this.rest();
  }

  private done(): readonly JsonValue[] {
    // An answer that says that it is whole has ended, also where it does not say how.
    if (this.finish === null && (this.hasSaid || !this.calls.areNone)) this.finish = this.calls.areNone ? 'stop' : 'tool_calls';
    const rest = this.readEnd();
    this.isOver = true;
    return rest;
  }

  private chunk(event: JsonObject): readonly JsonValue[] {
    const choice = objectsIn(event['choices']).find(({ index }) => (wholeOf(index) ?? 0) === 0);
    const usage = usageIn(event['usage'], choice?.['usage'], objectOf(event['x_groq'])?.['usage']);
    const error = choice?.['error'];
    if (error !== undefined && error !== null) return this.fails(error);
    const finish = finishOf(choice?.['finish_reason']);
    this.finish = finish ?? this.finish;
    const said = choice && pieceIn(this.saidIn(choice));
    const head = headOf(event);
    const chunks = said
      ? this.said(said).map((delta): JsonObject => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] }))
      : [];
    if (finish === 'error') return [...chunks, ...this.fails({ message: 'The answer ended with an error.', type: 'error' })];
    return usage ? [...chunks, { ...head, choices: [], usage }] : chunks;
  }

  /** A piece of the answer, or all of it: of that, what has not been said in pieces. */
  private saidIn(choice: JsonObject): JsonObject {
    const delta = objectOf(choice['delta']);
    if (delta && Object.keys(delta).length > 0) return delta;
    const message = objectOf(choice['message']);
    if (!message) return { content: choice['text'] ?? null };
    const { tool_calls = null, ...words } = message;
    return { ...(this.hasText ? {} : words), ...(this.calls.areNone ? { tool_calls } : {}) };
  }

  /** Thoughts and words one after the other, as the library expects them. */
  private said({ content, reasoning, reasoningName, details, refusal, calls, extra }: SaidPiece): JsonObject[] {
    this.thoughts += reasoning;
    this.thoughtsName ??= reasoningName;
    for (const detail of details.slice(0, MOST_KEPT - this.details.length)) this.details.push(detail);
    this.extra = extra ?? this.extra;
    for (const call of calls) this.calls.addPiece(call);
    this.hasRefused ||= refusal !== '';
    this.hasText ||= refusal !== '' || saysText(content);
    this.hasSaid ||= refusal !== '' || saysText(content) || reasoning !== '';
    return [
      ...(reasoning === '' ? [] : [{ reasoning_content: reasoning }]),
      ...(saysText(content) || Array.isArray(content) ? [{ content }] : []),
      ...(refusal === '' ? [] : [{ content: refusal }]),
    ];
  }

  /** What it asks tools for, how it ended, and what goes back with it. */
  private rest(): readonly JsonValue[] {
    if (this.finish === null) return [];
    const finish_reason = this.hasRefused && this.finish === 'stop' ? 'content_filter' : this.finish;
    const { thoughtsName: name, details, extra } = this;
    const message = {
      ...(name === null || this.thoughts === '' ? {} : { [name]: this.thoughts }),
      ...(details.length === 0 ? {} : { reasoning_details: details }),
      ...(extra ? { extra_content: extra } : {}),
    };
    const calls = this.calls.listCalls();
    const tool_calls = calls.map(({ id, name, input }, index) => ({ index, id, type: 'function', function: { name, arguments: input } }));
    const extras = Object.fromEntries(calls.flatMap(({ id, extra }) => (extra ? [[id, extra]] : [])));
    return [
      ...(calls.length === 0 ? [] : [{ choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }] }]),
      { choices: [{ index: 0, delta: {}, finish_reason }] },
      { choices: [], [CARRIED]: { message, calls: extras } },
    ];
  }

  private fails(error: JsonValue): readonly JsonValue[] {
    this.isOver = true;
    const words = wordsOf(error, this.secrets);
    return [{ error: { message: words?.message ?? '', type: words?.type ?? '', code: words?.code ?? '' } }];
  }
}

const headOf = ({ id, model }: JsonObject): JsonObject => ({
  ...(textOf(id) === null ? {} : { id: textOf(id) }),
  ...(textOf(model) === null ? {} : { model: textOf(model) }),
});
