import { Choice, Decimal, Flag, IdList, Json, KindList, Nested, NestedList, Ref, Text, Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { Message } from '../domain/message';
import { TOOL_STATES, type ToolState } from '../domain/message-parts';

@Answer()
class TextPartView {
  @Choice(['text'], { about: 'A text part of the message.' }) kind!: 'text';
  @Text({ max: 2_000_000, about: 'Text of the part.', example: 'How do I change the toner?' }) text!: string;
}

@Answer()
class ReasoningPartView {
  @Choice(['reasoning'], { about: 'Reasoning of the model before the answer.' }) kind!: 'reasoning';
  @Text({ max: 2_000_000, about: 'Text of the reasoning.', example: 'The manual has a chapter on toner.' }) text!: string;
}

@Answer()
class FilePartView {
  @Choice(['file'], { about: 'A file of the workspace.' }) kind!: 'file';
  @Ref({ about: 'Id of the file.' }) file_id!: string;
}

@Answer()
class ToolPartView {
  @Choice(['tool'], { about: 'A tool call.' }) kind!: 'tool';
  @Text({ about: 'Id of the tool call.' }) call_id!: string;
  @Text({ about: 'Name of the tool.', example: 'search_knowledge' }) tool!: string;
  @Json({ about: 'Input of the tool call.' }) input!: JsonObject;
  @Json({
    optional: true,
    isOfAnyType: true,
    about: 'Output of the tool; null until it has one, and for everyone except the person who asked.',
  })
  output!: JsonValue;
  @Choice(TOOL_STATES, { about: 'State of the tool call; `unknown` if it was interrupted and is not repeated.' }) state!: ToolState;
  @Text({ omittable: true, max: 5_000, about: 'Why the tool was not executed.' }) error?: string;
  @Whole({ omittable: true, about: 'Duration of the tool call in milliseconds.' }) ms?: number;
}

@Answer()
class DataPartView {
  @Choice(['data'], { about: 'A value that follows the requested schema.' }) kind!: 'data';
  @Json({ optional: true, isOfAnyType: true, about: 'The value.' }) value!: JsonValue;
}

@Answer()
class NoticePartView {
  @Choice(['notice'], { about: 'A notice about the answer.' }) kind!: 'notice';
  @Text({ about: 'Code of the notice.', example: 'ungrounded' }) code!: string;
  @Text({ max: 10_000, about: 'Text of the notice.' }) detail!: string;
}

const PART_VIEWS = [TextPartView, ReasoningPartView, FilePartView, ToolPartView, DataPartView, NoticePartView] as const;

@Answer()
export class MessageCitationView {
  @Whole({ about: 'Number of the citation in the text: `[1]`.', example: 1 }) n!: number;
  @Text({ about: 'Kind of source: file, record, memory or web.', example: 'file' }) source_kind!: string;
  @Flag({ omittable: true, about: 'True if you cannot view the source; all other fields are then left out.' }) redacted?: boolean;
  @Ref({ omittable: true, about: 'Id of the source.' }) source_id?: string;
  @Ref({
    omittable: true,
    optional: true,
    about: 'Id of the cited passage; null if the source has no passages, such as a memory.',
    example: '0190163d-8694-7243-8d65-d06559ae6724',
  })
  passage_id?: string | null;
  @Text({ omittable: true, max: 1_000, about: 'Title of the source.', example: 'Printer manual' }) title?: string;
  @Text({ omittable: true, optional: true, max: 5_000, about: 'URL of the source.' }) url?: string | null;
  @Whole({ omittable: true, optional: true, about: 'First page, counted from 1.', example: 7 }) page_from?: number | null;
  @Whole({ omittable: true, optional: true, about: 'Last page.', example: 7 }) page_to?: number | null;
  @Whole({ omittable: true, about: 'Start of the passage in the text of the source, in UTF-16 code units.' }) char_start?: number;
  @Whole({ omittable: true, about: 'End of the passage in the text of the source, in UTF-16 code units.' }) char_end?: number;
  @Text({ omittable: true, optional: true, about: 'Version of the source.' }) version?: string | null;
  @Ref({ omittable: true, optional: true, about: 'Id of the cited file version; null if the source is not a file.' })
  version_id?: string | null;
  @Text({ omittable: true, optional: true, about: 'When the source was last changed; null if unknown, as for a memory.' })
  updated?: string | null;
  @Text({ omittable: true, max: 500, about: 'Words of the passage that support the sentence.' }) quote?: string;
  @Decimal({ omittable: true, about: 'How well the passage matches.' }) score?: number;
  @Choice(['exact', 'overlap', 'none'], { omittable: true, about: 'How closely the sentence matches the passage.' }) check?: string;
}

@Answer()
class SiblingsView {
  @Whole({ about: 'Index of the message among its versions, from 0.', example: 0 }) index!: number;
  @IdList({ about: 'Ids of all versions, oldest first.' }) ids!: string[];
}

@Answer()
export class MessageView extends View(Message, { without: ['msg_parts', 'msg_citations'] }) {
  @KindList(() => PART_VIEWS, { about: 'Parts of the message, in order.' }) msg_parts!: InstanceType<(typeof PART_VIEWS)[number]>[];
  @IdList({ about: 'Attachments.' }) msg_files!: string[];
  @NestedList(() => MessageCitationView, { about: 'Citations of the message.' }) msg_citations!: MessageCitationView[];
  @Nested(() => SiblingsView, {
    about: 'Versions of the message, which all follow the same message. If there are more than 100, the 100 around it.',
  })
  msg_siblings!: SiblingsView;
  @Json({ optional: true, about: 'Your rating; currently always null.' }) msg_feedback!: JsonObject | null;
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
  { type: 'string', enum: ['active', 'all'], default: 'active', description: 'Only the selected branch, or all messages.' },
);
acceptParameter(
  ListMessages,
  { name: 'full_text_search', kind: 'text', min: 1, max: 200 },
  { type: 'string', minLength: 1, maxLength: 200, description: 'Words in the message.' },
);

/** Body of PATCH /threads/{id}/messages/{msg_id}. */
export class ChangeMessage extends Body(Message, { optional: ['msg_metadata', 'msg_active'] }) {}
