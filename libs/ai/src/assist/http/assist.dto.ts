import { Choice, Decimal, Flag, Json, Nested, NestedList, Ref, Text, type TextForm, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, ListQuery, PageOf } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import type { AssistTask } from '../domain/assist-task';
import { ASSIST_TASKS } from '../domain/assist-task';
import type { Edit } from '../domain/proofread';
import { SUMMARY_LENGTHS, SUMMARY_STYLES, type SummaryLength, type SummaryStyle } from '../application/summary';

const REWRITE_LENGTHS = ['shorter', 'same', 'longer'] as const;
const EDIT_KINDS = ['whitespace', 'repeated_word', 'capital', 'spelling', 'grammar', 'style'] as const;
const LANGUAGE: TextForm = {
  pattern: /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/,
  words: 'a language code, such as en or pt-BR',
};

class Common {
  @Text({
    omittable: true,
    min: 1,
    max: 50_000,
    about: 'The text. Mutually exclusive with `file_id` and `msg_id`.',
    example: 'The moorring fees are are due.',
  })
  text?: string;
  @Ref({ omittable: true, about: 'Id of a file whose text is used instead of `text`.' }) file_id?: string;
  @Ref({ omittable: true, about: 'Id of a thread message whose text is used instead of `text`.' }) msg_id?: string;
  @Text({
    omittable: true,
    max: 35,
    form: LANGUAGE,
    about: 'Language of the result (BCP 47); when omitted, the language of the text.',
    example: 'en',
  })
  language?: string;
  @Text({
    omittable: true,
    min: 1,
    max: 191,
    about: 'Text model of GET /models; the default model when omitted.',
    example: 'openai/gpt-5-mini',
  })
  model_id?: string;
}

@Accepts()
export class RewriteBody extends Common {
  @Text({ omittable: true, min: 1, max: 100, about: 'Tone.', example: 'friendly' }) tone?: string;
  @Text({ omittable: true, min: 1, max: 1_000, about: 'Additional instruction.', example: 'Address the reader directly.' })
  instruction?: string;
  @Choice(REWRITE_LENGTHS, { omittable: true, about: 'Length of the result; `same` when omitted.' })
  length?: (typeof REWRITE_LENGTHS)[number];
}

@Accepts()
export class ProofreadBody extends Common {}

@Accepts()
export class TranslateBody extends Common {
  @Text({ max: 35, form: LANGUAGE, about: 'Language to translate into (BCP 47).', example: 'de' }) to!: string;
  @Text({ omittable: true, max: 35, form: LANGUAGE, about: 'Language of the text (BCP 47).', example: 'en' }) from?: string;
  @Flag({
    omittable: true,
    about: 'Whether to check that placeholders, URLs, Markdown and HTML tags are unchanged; true when omitted.',
  })
  keep_markup?: boolean;
}

@Accepts()
export class SummarizeBody extends Common {
  @Choice(SUMMARY_LENGTHS, { omittable: true, about: 'Length of the summary; `medium` when omitted.' }) length?: SummaryLength;
  @Choice(SUMMARY_STYLES, { omittable: true, about: 'Format of the summary; `prose` when omitted.' }) style?: SummaryStyle;
}

@Accepts()
export class TitleBody extends Common {
  @Whole({ omittable: true, min: 5, max: 120, about: 'Maximum length of a title in characters; 60 when omitted.' }) max?: number;
}

@Accepts()
export class KeywordsBody extends Common {
  @Whole({ omittable: true, min: 1, max: 100, about: 'Maximum number of keywords; 10 when omitted.' }) max?: number;
  @TextList({ omittable: true, max: 1_000, about: 'Keywords to choose from; any keywords when omitted.', example: ['harbour', 'fees'] })
  allowed?: string[];
}

@Accepts()
export class AltTextBody {
  @Ref({ about: 'Id of an image of the media or document library.' }) file_id!: string;
  @Text({ omittable: true, min: 1, max: 191, about: 'Model of GET /models with the capability `vision`; the default model when omitted.' })
  model_id?: string;
}

@Accepts()
export class ExtractBody extends Common {
  @Json({
    max: 32 * 1024,
    about: 'JSON Schema (2020-12) of an object with the values to extract.',
    example: { type: 'object', properties: { due_date: { type: 'string', format: 'date' } }, required: ['due_date'] },
  })
  schema!: JsonObject;
}

@Answer()
class TokenUsageView {
  @Whole({ about: 'Number of input tokens.', example: 120 }) input_tokens!: number;
  @Whole({ about: "Number of input tokens read from the model's cache.", example: 0 }) cached_tokens!: number;
  @Whole({ about: 'Number of output tokens.', example: 20 }) output_tokens!: number;
  @Whole({ about: 'Number of output tokens used for reasoning.', example: 0 }) reasoning_tokens!: number;
  @Flag({ about: 'Whether the numbers were estimated because the provider did not report them.' }) estimated!: boolean;
}

class Assisted {
  @Text({ about: 'Model that was used.', example: 'openai/gpt-5-mini' }) model_id!: string;
  @Nested(() => TokenUsageView, { about: 'Token usage of the request.' }) usage!: TokenUsageView;
  @Text({ optional: true, about: 'Limitations of the result; null for none.' }) limits!: string | null;
}

@Answer()
export class StretchView {
  @Whole({ about: 'Start, in UTF-16 code units.', example: 0 }) start!: number;
  @Whole({ about: 'End (exclusive), in UTF-16 code units.', example: 12 }) end!: number;
}

@Answer()
export class RewrittenView {
  @Text({ about: 'The rewritten text.' }) text!: string;
  @NestedList(() => StretchView, { about: 'Positions of new sentences in the rewritten text.' }) changed!: StretchView[];
}
@Answer()
export class RewriteAnswer extends Assisted {
  @NestedList(() => RewrittenView, { about: 'Result of the rewriting.' }) results!: RewrittenView[];
}

@Answer()
export class EditView extends StretchView {
  @Text({ about: 'Text to replace.', example: 'moorring' }) from!: string;
  @Text({ about: 'Replacement.', example: 'mooring' }) to!: string;
  @Choice(EDIT_KINDS, { about: 'Kind of the mistake.', example: 'spelling' }) kind!: Edit['kind'];
}
@Answer()
export class ProofreadView {
  @Text({ about: 'The corrected text.' }) text!: string;
  @NestedList(() => EditView, { about: 'Corrections, with positions in the text that you sent.' }) edits!: EditView[];
}
@Answer()
export class ProofreadAnswer extends Assisted {
  @NestedList(() => ProofreadView, { about: 'Result of the correction.' }) results!: ProofreadView[];
}

@Answer()
export class AssistTextView {
  @Text({ about: 'The translated text.' }) text!: string;
}
@Answer()
export class AssistTextAnswer extends Assisted {
  @NestedList(() => AssistTextView, { about: 'Suggested titles, the best first.' }) results!: AssistTextView[];
}

@Answer()
export class SummaryView extends AssistTextView {
  @NestedList(() => StretchView, {
    about: 'Positions of the sentences quoted in the summary; empty if the summary was written by a model.',
  })
  sentences!: StretchView[];
}
@Answer()
export class SummarizeAnswer extends Assisted {
  @NestedList(() => SummaryView, { about: 'The summary.' }) results!: SummaryView[];
}

@Answer()
export class KeywordView extends AssistTextView {
  @Decimal({ about: 'Relevance of the keyword for the text, from 0 to 1.', example: 0.8 }) score!: number;
}
@Answer()
export class KeywordsAnswer extends Assisted {
  @NestedList(() => KeywordView, { about: 'Keywords, most important first.' }) results!: KeywordView[];
}

@Answer()
export class AltTextView extends AssistTextView {
  @Flag({ about: 'Whether the image is only decorative, so that the alternative text can be left empty.' }) decorative!: boolean;
  @Choice(['image', 'metadata'], { about: 'Source of the description.', example: 'image' }) derived_from!: 'image' | 'metadata';
}
@Answer()
export class AltTextAnswer extends Assisted {
  @NestedList(() => AltTextView, { about: 'The description.' }) results!: AltTextView[];
}

@Answer()
export class ExtractView {
  @Json({ about: 'Extracted values.', example: { due_date: '2026-03-12' } }) data!: JsonObject;
  @TextList({ about: 'Required properties without a value in the text.', example: [] }) missing!: readonly string[];
}
@Answer()
export class ExtractAnswer extends Assisted {
  @NestedList(() => ExtractView, { about: 'Result of the extraction.' }) results!: ExtractView[];
}

@Answer()
export class AssistTaskView {
  @Choice(ASSIST_TASKS, { about: 'Name of the task, for POST /assist/{task}.', example: 'summarize', filter: 'equals' }) task!: AssistTask;
  @Text({ about: 'What the task does.', example: 'Shortens a text to its main points.' }) about!: string;
  @TextList({ about: "Names of the task's own input fields.", example: ['length', 'style'] }) options!: readonly string[];
  @Flag({ about: 'Whether the task can be used with the models of the workspace.', filter: 'equals' }) available!: boolean;
  @Text({ optional: true, about: 'Model used by default; null if none is configured.', example: 'atrium/extract-1' })
  model_id!: string | null;
  @Text({ optional: true, about: 'Limitations of the default model; null for none.' }) limits!: string | null;
}

export class AssistTaskPage extends PageOf(AssistTaskView) {}

export class ListAssistTasks extends ListQuery(AssistTaskView, { whole: true }) {}
