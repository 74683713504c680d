import { Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import { isObject, type Clock, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { MessagePart } from './message-parts';

export const MESSAGE_ROLES = ['user', 'assistant', 'operator'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];
export const MESSAGE_STATUSES = ['complete', 'queued', 'generating', 'waiting', 'stopped', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];
export const FINISHES = ['stop', 'length', 'filter', 'stopped', 'error'] as const;
export type Finish = (typeof FINISHES)[number];

/** What an answer rests on; a source that the reader may not see keeps its number and kind alone. */
export interface MessageCitation {
  readonly n: number;
  readonly source_kind: string;
  readonly [name: string]: JsonValue;
}

export const isCitation = (value: unknown): value is MessageCitation =>
  isObject(value) && typeof value.n === 'number' && typeof value.source_kind === 'string';

/** A message of a thread. Messages are a tree: those that share a parent are versions of each other. */
@Resource({ table: 'message', sort: 'msg_id' })
export class Message extends TenantRow {
  @Id({ about: 'Id of the message; later messages have higher ids.', filter: undefined, sort: true }) readonly msg_id!: string;
  @Ref({ about: 'Id of the thread.' }) readonly msg_thread!: string;
  @Ref({ optional: true, about: 'Id of the previous message; null for the first message.' }) readonly msg_parent!: string | null;
  @Choice(MESSAGE_ROLES, {
    about: 'Author of the message; `operator` is a person who answers in a channel.',
    example: 'user',
    filter: 'equals',
  })
  readonly msg_role!: MessageRole;
  @Choice(MESSAGE_STATUSES, { about: 'State of the message.', example: 'complete', filter: 'equals' }) msg_status!: MessageStatus;
  @Text({ max: 2_000_000, about: 'Plain text of the text parts.', example: 'How do I change the toner?' }) msg_text!: string;
  @Ref({ optional: true, about: 'Who asked.' }) readonly msg_user!: string | null;
  @Ref({ optional: true, about: 'Id of the agent that answered.' }) msg_agent!: string | null;
  @Text({ optional: true, about: 'Model that answered.', example: 'atrium/extract-1' }) msg_model!: string | null;
  @Ref({ optional: true, about: 'Id of the prompt from which the message was created.' }) msg_prompt!: string | null;
  @Ref({ optional: true, about: 'Id of the run that writes the answer.' }) msg_run!: string | null;
  @Json({
    optional: true,
    about: 'Usage of the answer: `{input_tokens, cached_tokens, output_tokens, reasoning_tokens, credits, estimated}`.',
    example: { input_tokens: 812, cached_tokens: 0, output_tokens: 64, reasoning_tokens: 0, credits: 0.0042, estimated: false },
  })
  msg_usage!: JsonObject | null;
  @Choice(FINISHES, { optional: true, about: 'Why the answer ended; null until then.', example: 'stop' }) msg_finish!: Finish | null;
  @Json({
    optional: true,
    about: 'Why the answer failed: `{code, detail}`.',
    example: { code: 'upstream_timeout', detail: 'The model did not respond.' },
  })
  msg_error!: JsonObject | null;
  @Choice(['all', 'staff'], { about: 'Visibility; `staff` for a note among the people who answer in a channel.', example: 'all' })
  readonly msg_visibility!: 'all' | 'staff';
  @Json({ about: 'Your own data.', example: {} }) msg_metadata!: JsonObject;
  @Flag({ about: 'Whether the message is active; false if it was deleted, along with all messages that follow it.' }) msg_active!: boolean;
  @Stamp({ about: 'When the message was created.', filter: 'range' }) readonly msg_created!: Date;
  @Stamp({ about: 'When the message was last changed.' }) msg_updated!: Date;

  @Json({ internal: true }) msg_parts!: readonly MessagePart[];
  /** What its prompt brings to its answers. */
  @Json({ internal: true, optional: true }) readonly msg_prompt_terms!: JsonObject | null;
  @Json({ internal: true }) msg_citations!: readonly MessageCitation[];
  /** Whether its run was given memories of the person who asked, or an answer that rests on some. It may repeat them without a citation. */
  @Flag({ internal: true }) msg_recalls!: boolean;
  @Stamp({ internal: true, optional: true }) msg_deleted!: Date | null;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<
      Message,
      | 'msg_id'
      | 'msg_thread'
      | 'msg_parent'
      | 'msg_role'
      | 'msg_status'
      | 'msg_parts'
      | 'msg_text'
      | 'msg_user'
      | 'msg_agent'
      | 'msg_model'
      | 'msg_prompt'
      | 'msg_prompt_terms'
      | 'msg_run'
      | 'msg_visibility'
      | 'msg_metadata'
    >,
    now: Date,
  ): Message {
    return Object.assign(new Message(), {
      msg_citations: [],
      msg_recalls: false,
      msg_usage: null,
      msg_finish: null,
      msg_error: null,
      msg_active: true,
      msg_deleted: null,
      msg_created: now,
      msg_updated: now,
      ...facts,
    });
  }

  /** Whether an answer is still on its way into it. */
  get isOpen(): boolean {
    return OPEN_MESSAGES.has(this.msg_status);
  }

  touch(clock: Clock): void {
    this.msg_updated = clock.now();
  }
}

/** An answer is still on its way into a message. */
export const OPEN_MESSAGES: ReadonlySet<MessageStatus> = new Set(['queued', 'generating', 'waiting']);
