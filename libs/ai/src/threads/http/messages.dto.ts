import { Choice, Decimal, Flag, IdList, Json, Nested, NestedList, Ref, Text, Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { Message } from '../domain/message';
import { TOOL_STATES } from '../domain/message-parts';

const KINDS = ['text', 'reasoning', 'file', 'tool', 'data', 'notice'] as const;

@Answer()
class MessagePartView {
  @Choice(KINDS, {
    about:
      '`text` and `reasoning` have text, `file` has file_id, `tool` has call_id, tool, input, output, state, error and ms, `data` has value, `notice` has code and detail.',
    example: 'text',
  })
  kind!: (typeof KINDS)[number];
  @Text({ omittable: true, max: 2_000_000, about: 'What it says.', example: 'How do I change the toner?' }) text?: string;
  @Ref({ omittable: true, about: 'The file.' }) file_id?: string;
  @Text({ omittable: true, about: 'Id of the call of a tool.' }) call_id?: string;
  @Text({ omittable: true, about: 'Name of the tool.', example: 'search_knowledge' }) tool?: string;
  @Json({ omittable: true, about: 'What it was called with.' }) input?: JsonObject;
  @Json({ optional: true, omittable: true, about: 'What it answered; null for readers other than the one who asked.' })
  output?: JsonObject | null;
  @Choice(TOOL_STATES, { omittable: true, about: 'How far the call is; `unknown`: it was cut off and is not repeated.' }) state?: string;
  @Text({ omittable: true, max: 5_000, about: 'Why it did not run.' }) error?: string;
  @Whole({ omittable: true, about: 'How long it ran, in milliseconds.' }) ms?: number;
  @Json({ optional: true, omittable: true, about: 'A value by the schema that was asked for.' }) value?: JsonObject | null;
  @Text({ omittable: true, about: 'Code of the notice.', example: 'ungrounded' }) code?: string;
  @Text({ omittable: true, max: 5_000, about: 'What it means.' }) detail?: string;
}

@Answer()
export class MessageCitationView {
  @Whole({ about: 'The number in the text: `[1]`.', example: 1 }) n!: number;
  @Text({ about: 'Kind of the source: file, record, memory or web.', example: 'file' }) source_kind!: string;
  @Flag({ omittable: true, about: 'True: the reader may not see the source, and all that follows is left out.' }) redacted?: boolean;
  @Ref({ omittable: true, about: 'Id of the source.' }) source_id?: string;
  @Ref({ omittable: true, about: 'Passage that is cited.' }) passage_id?: string;
  @Text({ omittable: true, max: 1_000, about: 'Title of the source.', example: 'Printer manual' }) title?: string;
  @Text({ optional: true, max: 5_000, about: 'Address of the source.' }) url?: string | null;
  @Whole({ optional: true, about: 'First page, counted from 1.', example: 7 }) page_from?: number | null;
  @Whole({ optional: true, about: 'Last page.', example: 7 }) page_to?: number | null;
  @Whole({ omittable: true, about: 'Where the passage begins in the text of the source, in UTF-16 units.' }) char_start?: number;
  @Whole({ omittable: true, about: 'Where it ends.' }) char_end?: number;
  @Text({ optional: true, about: 'Version of the source.' }) version?: string | null;
  @Text({ omittable: true, about: 'When the source was last changed.' }) updated?: string;
  @Text({ omittable: true, max: 500, about: 'Words of the passage that support the sentence.' }) quote?: string;
  @Decimal({ omittable: true, about: 'How well the passage matched.' }) score?: number;
  @Choice(['exact', 'overlap', 'none'], { omittable: true, about: 'How closely the sentence follows the passage.' }) check?: string;
}

@Answer()
class SiblingsView {
  @Whole({ about: 'Place of the message among its versions, from 0.', example: 0 }) index!: number;
  @IdList({ about: 'All versions, oldest first.' }) ids!: string[];
}

@Answer()
export class MessageView extends View(Message, { without: ['msg_parts', 'msg_citations'] }) {
  @NestedList(() => MessagePartView, { about: 'What it is made of, in order.' }) msg_parts!: MessagePartView[];
  @IdList({ about: 'Attachments.' }) msg_files!: string[];
  @NestedList(() => MessageCitationView, { about: 'What it rests on.' }) msg_citations!: MessageCitationView[];
  @Nested(() => SiblingsView, {
    about: 'Versions of the message: those that follow the same message. Of more than 100, the 100 around it.',
  })
  msg_siblings!: SiblingsView;
  @Json({ optional: true, about: "The caller's rating; null for now." }) msg_feedback!: JsonObject | null;
}

export class MessagePage extends PageOf(MessageView) {}

/** Query of GET /threads/{id}/messages. */
export class ListMessages extends ListQuery(Message) {
  branch?: 'active' | 'all';
  full_text_search?: string;
}
acceptParameter(
  ListMessages,
  { name: 'branch', kind: 'choice', values: ['active', 'all'] },
  { type: 'string', enum: ['active', 'all'], default: 'active', description: 'The branch that is shown, or all messages.' },
);
acceptParameter(
  ListMessages,
  { name: 'full_text_search', kind: 'text', min: 1, max: 200 },
  { type: 'string', minLength: 1, maxLength: 200, description: 'Words that the message has.' },
);

/** Body of PATCH /threads/{id}/messages/{msg_id}. */
export class ChangeMessage extends Body(Message, { optional: ['msg_metadata', 'msg_active'] }) {}
