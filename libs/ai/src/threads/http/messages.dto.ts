import { Choice, Decimal, Flag, IdList, Json, KindList, Nested, NestedList, Ref, Text, Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { Message } from '../domain/message';
import { TOOL_STATES, type ToolState } from '../domain/message-parts';

@Answer()
class TextPartView {
  @Choice(['text'], { about: 'A paragraph of the message.' }) kind!: 'text';
  @Text({ max: 2_000_000, about: 'What it says.', example: 'How do I change the toner?' }) text!: string;
}

@Answer()
class ReasoningPartView {
  @Choice(['reasoning'], { about: 'What the model thought before it answered.' }) kind!: 'reasoning';
  @Text({ max: 2_000_000, about: 'What it says.', example: 'The manual has a chapter on toner.' }) text!: string;
}

@Answer()
class FilePartView {
  @Choice(['file'], { about: 'A file of the workspace.' }) kind!: 'file';
  @Ref({ about: 'The file.' }) file_id!: string;
}

@Answer()
class ToolPartView {
  @Choice(['tool'], { about: 'A call of a tool.' }) kind!: 'tool';
  @Text({ about: 'Id of the call.' }) call_id!: string;
  @Text({ about: 'Name of the tool.', example: 'search_knowledge' }) tool!: string;
  @Json({ about: 'What it was called with.' }) input!: JsonObject;
  @Json({ optional: true, isOfAnyType: true, about: 'What it answered; null before it did, and for readers other than the one who asked.' })
  output!: JsonValue;
  @Choice(TOOL_STATES, { about: 'How far the call is; `unknown`: it was cut off and is not repeated.' }) state!: ToolState;
  @Text({ omittable: true, max: 5_000, about: 'Why it did not run.' }) error?: string;
  @Whole({ omittable: true, about: 'How long it ran, in milliseconds.' }) ms?: number;
}

@Answer()
class DataPartView {
  @Choice(['data'], { about: 'A value by the schema that was asked for.' }) kind!: 'data';
  @Json({ optional: true, isOfAnyType: true, about: 'The value.' }) value!: JsonValue;
}

@Answer()
class NoticePartView {
  @Choice(['notice'], { about: 'What the reader should know of the answer.' }) kind!: 'notice';
  @Text({ about: 'Code of the notice.', example: 'ungrounded' }) code!: string;
  @Text({ max: 10_000, about: 'What it means.' }) detail!: string;
}

const PART_VIEWS = [TextPartView, ReasoningPartView, FilePartView, ToolPartView, DataPartView, NoticePartView] as const;

@Answer()
export class MessageCitationView {
  @Whole({ about: 'The number in the text: `[1]`.', example: 1 }) n!: number;
  @Text({ about: 'Kind of the source: file, record, memory or web.', example: 'file' }) source_kind!: string;
  @Flag({ omittable: true, about: 'True: the reader may not see the source, and all that follows is left out.' }) redacted?: boolean;
  @Ref({ omittable: true, about: 'Id of the source.' }) source_id?: string;
  @Ref({
    omittable: true,
    optional: true,
    about: 'Passage that is cited; null where the source has none, as a memory.',
    example: '0190163d-8694-7243-8d65-d06559ae6724',
  })
  passage_id?: string | null;
  @Text({ omittable: true, max: 1_000, about: 'Title of the source.', example: 'Printer manual' }) title?: string;
  @Text({ omittable: true, optional: true, max: 5_000, about: 'Address of the source.' }) url?: string | null;
  @Whole({ omittable: true, optional: true, about: 'First page, counted from 1.', example: 7 }) page_from?: number | null;
  @Whole({ omittable: true, optional: true, about: 'Last page.', example: 7 }) page_to?: number | null;
  @Whole({ omittable: true, about: 'Where the passage begins in the text of the source, in UTF-16 units.' }) char_start?: number;
  @Whole({ omittable: true, about: 'Where it ends.' }) char_end?: number;
  @Text({ omittable: true, optional: true, about: 'Version of the source.' }) version?: string | null;
  @Ref({ omittable: true, optional: true, about: 'Version of the file that the passage is of; null where the source is no file.' })
  version_id?: string | null;
  @Text({ omittable: true, optional: true, about: 'When the source was last changed; null where that is not known, as of a memory.' })
  updated?: string | null;
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
  @KindList(() => PART_VIEWS, { about: 'What it is made of, in order.' }) msg_parts!: InstanceType<(typeof PART_VIEWS)[number]>[];
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
