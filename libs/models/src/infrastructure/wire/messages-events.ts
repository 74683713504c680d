import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { wordsOf } from '../../domain/provider-words';
import { saysError } from './error-in';
import { finishOf } from './finish-names';
import { objectOf, parsedJson, textOf, wholeOf, writtenInput } from './loose-json';
import type { WireEvents } from './read-events';

const BLOCKS: ReadonlySet<string> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']);
const OPEN_BLOCKS = 200;

/** The events of the Messages protocol, as its library reads them: those of types that came later are passed over. */
export class MessagesEvents implements WireEvents {
  private readonly blocks = new Set<number>();
  /** Those of unknown types too. */
  private readonly begun = new Set<number>();
  private last = -1;
  private isOpen = false;
  private stop: string | null = null;
  private hasStopped = false;
  private isOver = false;

  /** What is masked in the words of a provider, before they are cut. */
  constructor(private readonly secrets: readonly string[] = []) {}

  readEvent(data: string): readonly JsonValue[] {
    const text = data.trim();
    if (text === '' || text === '[DONE]' || this.isOver) return [];
    const value = parsedJson(text);
    const event = objectOf(value);
    if (!event) return this.fails({ message: 'An event cannot be read.', type: 'unreadable_event' });
    if (event['type'] === 'error' || (event['type'] === undefined && saysError(event))) return this.fails(event);
    return this.known(event);
  }

  /** An answer that says how it ended is whole, also where it does not say that it stops. */
  readEnd(): readonly JsonValue[] {
    return this.isOver || this.hasStopped || this.stop === null ? [] : [{ type: 'message_stop' }];
  }

  private known(event: JsonObject): readonly JsonValue[] {
    switch (event['type']) {
      case 'message_start':
        return this.starts(objectOf(event['message']) ?? {});
      case 'content_block_start':
        return this.opens(event);
      case 'content_block_delta':
        return this.grows(event);
      case 'content_block_stop': {
        const index = wholeOf(event['index']) ?? this.last;
        return this.blocks.has(index) ? [{ type: 'content_block_stop', index }] : [];
      }
      case 'message_delta':
        return this.ends(event);
      case 'message_stop':
        this.hasStopped = true;
        return [{ type: 'message_stop' }];
      default:
        return [];
    }
  }

  private starts(message: JsonObject): readonly JsonValue[] {
    if (this.isOpen) return [];
    this.isOpen = true;
    const { id, model, usage } = message;
    const read = objectOf(usage) ?? {};
    return [
      {
        type: 'message_start',
        message: {
          ...(textOf(id) === null ? {} : { id: textOf(id) }),
          ...(textOf(model) === null ? {} : { model: textOf(model) }),
          role: 'assistant',
          content: [],
          stop_reason: null,
          usage: { ...readTokens(read), input_tokens: wholeOf(read['input_tokens']) ?? 0 },
        },
      },
    ];
  }

  private opens(event: JsonObject): readonly JsonValue[] {
    const block = objectOf(event['content_block']);
    const index = wholeOf(event['index']) ?? this.last + 1;
    this.last = index;
    if (this.begun.size < OPEN_BLOCKS) this.begun.add(index);
    const type = textOf(block?.['type']);
    if (!block || type === null || !BLOCKS.has(type) || this.blocks.size >= OPEN_BLOCKS) return [];
    this.blocks.add(index);
    const start = { type: 'content_block_start', index };
    if (type === 'text')
      return [{ ...start, content_block: { type, text: '' } }, ...this.delta(index, 'text_delta', 'text', block['text'])];
    if (type === 'thinking')
      return [
        { ...start, content_block: { type, thinking: '' } },
        ...this.delta(index, 'thinking_delta', 'thinking', block['thinking']),
        ...this.delta(index, 'signature_delta', 'signature', block['signature']),
      ];
    if (type === 'redacted_thinking') return [{ ...start, content_block: { type, data: textOf(block['data']) ?? '' } }];
    const input = objectOf(block['input']);
    const id = textOf(block['id']) || `toolu_${index}`;
    return [
      { ...start, content_block: { type, id, name: textOf(block['name']) ?? '', input: {} } },
      // Some servers send the input with the call instead of behind it.
      ...(input && Object.keys(input).length > 0 ? this.delta(index, 'input_json_delta', 'partial_json', writtenInput(input)) : []),
    ];
  }

  private grows(event: JsonObject): readonly JsonValue[] {
    const index = wholeOf(event['index']) ?? this.last;
    const delta = objectOf(event['delta']) ?? {};
    const { type } = delta;
    if (!this.blocks.has(index)) return type === 'text_delta' && !this.begun.has(index) ? this.opensAt(index, delta['text']) : [];
    if (type === 'text_delta') return this.delta(index, type, 'text', delta['text']);
    if (type === 'thinking_delta') return this.delta(index, type, 'thinking', delta['thinking']);
    if (type === 'signature_delta') return this.delta(index, type, 'signature', delta['signature']);
    if (type === 'input_json_delta') return this.delta(index, type, 'partial_json', writtenInput(delta['partial_json']));
    return [];
  }

  /** Some proxies leave out where a text begins. */
  private opensAt(index: number, text: JsonValue | undefined): readonly JsonValue[] {
    return this.opens({ type: 'content_block_start', index: Math.max(0, index), content_block: { type: 'text', text: text ?? '' } });
  }

  private delta(index: number, type: string, name: string, value: JsonValue | undefined): readonly JsonValue[] {
    const text = textOf(value);
    return text === null || text === '' ? [] : [{ type: 'content_block_delta', index, delta: { type, [name]: text } }];
  }

  private ends(event: JsonObject): readonly JsonValue[] {
    this.stop = textOf(objectOf(event['delta'])?.['stop_reason']) ?? this.stop;
    if (finishOf(this.stop) === 'error') return this.fails({ message: 'The answer ended with an error.', type: 'error' });
    const usage = objectOf(event['usage']) ?? {};
    const input = wholeOf(usage['input_tokens']);
    return [
      {
        type: 'message_delta',
        delta: { stop_reason: stopName(this.stop), stop_sequence: null },
        usage: {
          ...readTokens(usage),
          ...(input === null ? {} : { input_tokens: input }),
          output_tokens: wholeOf(usage['output_tokens']) ?? 0,
        },
      },
    ];
  }

  private fails(error: JsonValue): readonly JsonValue[] {
    this.isOver = true;
    const words = wordsOf(error, this.secrets);
    // The library takes an error in front of everything for an answer that it cannot read.
    return [...this.starts({}), { type: 'error', error: { type: words?.type || words?.code || '', message: words?.message ?? '' } }];
  }
}

/** Reasons that the library knows, which are kept as they are. */
const KNOWN: ReadonlySet<string> = new Set(['pause_turn', 'stop_sequence', 'model_context_window_exceeded', 'compaction']);
const STOP_NAMES = { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal', tool_calls: 'tool_use', error: 'error' } as const;

/** How an answer ended, by the names of the Messages protocol: other servers use those of Chat Completions. */
const stopName = (reason: string | null): string | null => {
  const finish = finishOf(reason);
  return reason === null || finish === null || KNOWN.has(reason) ? reason : STOP_NAMES[finish];
};

const readTokens = (usage: JsonObject): JsonObject =>
  Object.fromEntries(
    ['cache_creation_input_tokens', 'cache_read_input_tokens'].flatMap((name) => {
      const tokens = wholeOf(usage[name]);
      return tokens === null ? [] : [[name, tokens]];
    }),
  );

/** Whether a whole message says that it broke off. */
export const messageBrokeOff = ({ stop_reason }: JsonObject): boolean => finishOf(stop_reason) === 'error';

/** A whole message as the events of a stream: for a server that does not stream. */
export function eventsOfMessage(message: JsonObject): readonly JsonObject[] {
  const { content, stop_reason, usage } = message;
  const blocks = Array.isArray(content) ? content : [{ type: 'text', text: textOf(content) ?? '' }];
  return [
    { type: 'message_start', message },
    ...blocks.flatMap((content_block, index): JsonObject[] => [
      { type: 'content_block_start', index, content_block: content_block as JsonValue },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stop_reason ?? 'end_turn' }, usage: usage ?? {} },
    { type: 'message_stop' },
  ];
}

/** What of a whole message its library can read. */
export function readableMessage(message: JsonObject): JsonObject {
  const { content, usage, id, model } = message;
  const read = objectOf(usage) ?? {};
  const blocks = Array.isArray(content) ? content : textOf(content) === null ? [] : [{ type: 'text', text: textOf(content) }];
  return {
    ...message,
    stop_reason: stopName(textOf(message['stop_reason'])),
    type: 'message',
    role: 'assistant',
    id: textOf(id),
    model: textOf(model),
    content: (blocks as readonly JsonValue[]).flatMap((one) => {
      const block = objectOf(one);
      const type = textOf(block?.['type']);
      if (!block || type === null || !BLOCKS.has(type)) return [];
      if (type === 'tool_use') return [{ ...block, id: textOf(block['id']) ?? '', name: textOf(block['name']) ?? '' }];
      if (type === 'thinking')
        return [{ ...block, thinking: textOf(block['thinking']) ?? '', signature: textOf(block['signature']) ?? '' }];
      return type === 'text' ? [{ type, text: textOf(block['text']) ?? '' }] : [block];
    }),
    usage: { ...readTokens(read), input_tokens: wholeOf(read['input_tokens']) ?? 0, output_tokens: wholeOf(read['output_tokens']) ?? 0 },
  };
}
