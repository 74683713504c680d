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
  words: 'the code of a language, such as en or pt-BR',
};

class Common {
  @Text({
    omittable: true,
    min: 1,
    max: 50_000,
    about: 'The text. Send it, `file_id` or `msg_id`.',
    example: 'The moorring fees are are due.',
  })
  text?: string;
  @Ref({ omittable: true, about: 'A file whose text is used, in place of `text`.' }) file_id?: string;
  @Ref({ omittable: true, about: 'A message of a thread whose text is used, in place of `text`.' }) msg_id?: string;
  @Text({
    omittable: true,
    max: 35,
    form: LANGUAGE,
    about: 'Language of the answer (BCP 47); that of the text when absent.',
    example: 'en',
  })
  language?: string;
  @Text({ omittable: true, min: 1, max: 191, about: 'A text model of GET /models; the default when absent.', example: 'openai/gpt-5-mini' })
  model_id?: string;
}

@Accepts()
export class RewriteBody extends Common {
  @Text({ omittable: true, min: 1, max: 100, about: 'Tone.', example: 'friendly' }) tone?: string;
  @Text({ omittable: true, min: 1, max: 1_000, about: 'What else is to be changed.', example: 'Address the reader directly.' })
  instruction?: string;
  @Choice(REWRITE_LENGTHS, { omittable: true, about: 'Length; `same` when absent.' }) length?: (typeof REWRITE_LENGTHS)[number];
}

@Accepts()
export class ProofreadBody extends Common {}

@Accepts()
export class TranslateBody extends Common {
  @Text({ max: 35, form: LANGUAGE, about: 'Language to translate into (BCP 47).', example: 'de' }) to!: string;
  @Text({ omittable: true, max: 35, form: LANGUAGE, about: 'Language of the text (BCP 47).', example: 'en' }) from?: string;
  @Flag({
    omittable: true,
    about: 'False: placeholders, URLs, Markdown and HTML tags are not compared with those of the text. True when absent.',
  })
  keep_markup?: boolean;
}

@Accepts()
export class SummarizeBody extends Common {
  @Choice(SUMMARY_LENGTHS, { omittable: true, about: 'Length; `medium` when absent.' }) length?: SummaryLength;
  @Choice(SUMMARY_STYLES, { omittable: true, about: 'Form; `prose` when absent.' }) style?: SummaryStyle;
}

@Accepts()
export class TitleBody extends Common {
  @Whole({ omittable: true, min: 5, max: 120, about: 'Most characters of a title; 60 when absent.' }) max?: number;
}

@Accepts()
export class KeywordsBody extends Common {
  @Whole({ omittable: true, min: 1, max: 100, about: 'Most keywords; 10 when absent.' }) max?: number;
  @TextList({ omittable: true, max: 1_000, about: 'Keywords to choose from; any when absent.', example: ['harbour', 'fees'] })
  allowed?: string[];
}

@Accepts()
export class AltTextBody {
  @Ref({ about: 'An image of the media or document library.' }) file_id!: string;
  @Text({ omittable: true, min: 1, max: 191, about: 'A model with `vision` of GET /models; the default when absent.' }) model_id?: string;
}

@Accepts()
export class ExtractBody extends Common {
  @Json({
    max: 32 * 1024,
    about: 'JSON Schema (2020-12) of an object: the values to read.',
    example: { type: 'object', properties: { due_date: { type: 'string', format: 'date' } }, required: ['due_date'] },
  })
  schema!: JsonObject;
}

@Answer()
class TokenUsageView {
  @Whole({ about: 'Tokens that were read.', example: 120 }) input_tokens!: number;
  @Whole({ about: 'Of these, tokens from the cache of the model.', example: 0 }) cached_tokens!: number;
  @Whole({ about: 'Tokens that were written.', example: 20 }) output_tokens!: number;
  @Whole({ about: 'Of these, tokens of its reasoning.', example: 0 }) reasoning_tokens!: number;
  @Flag({ about: 'Whether the provider gave no figures, so that they were counted here.' }) estimated!: boolean;
}

class Assisted {
  @Text({ about: 'The model that answered.', example: 'openai/gpt-5-mini' }) model_id!: string;
  @Nested(() => TokenUsageView, { about: 'Tokens that were charged.' }) usage!: TokenUsageView;
  @Text({ optional: true, about: 'What the answer leaves out; null: nothing.' }) limits!: string | null;
}

@Answer()
export class StretchView {
  @Whole({ about: 'First character, counted in UTF-16 units.', example: 0 }) start!: number;
  @Whole({ about: 'Behind the last character.', example: 12 }) end!: number;
}

@Answer()
export class RewrittenView {
  @Text({ about: 'The new text.' }) text!: string;
  @NestedList(() => StretchView, { about: 'Sentences of it that are new.' }) changed!: StretchView[];
}
@Answer()
export class RewriteAnswer extends Assisted {
  @NestedList(() => RewrittenView, { about: 'The rewritten text.' }) results!: RewrittenView[];
}

@Answer()
export class EditView extends StretchView {
  @Text({ about: 'What is there.', example: 'moorring' }) from!: string;
  @Text({ about: 'What takes its place.', example: 'mooring' }) to!: string;
  @Choice(EDIT_KINDS, { about: 'Kind of the mistake.', example: 'spelling' }) kind!: Edit['kind'];
}
@Answer()
export class ProofreadView {
  @Text({ about: 'The corrected text.' }) text!: string;
  @NestedList(() => EditView, { about: 'The corrections, by their places in the text that was given.' }) edits!: EditView[];
}
@Answer()
export class ProofreadAnswer extends Assisted {
  @NestedList(() => ProofreadView, { about: 'The corrected text.' }) results!: ProofreadView[];
}

@Answer()
export class AssistTextView {
  @Text({ about: 'The text.' }) text!: string;
}
@Answer()
export class AssistTextAnswer extends Assisted {
  @NestedList(() => AssistTextView, { about: 'The texts, the best first.' }) results!: AssistTextView[];
}

@Answer()
export class SummaryView extends AssistTextView {
  @NestedList(() => StretchView, { about: 'Sentences of the text that are quoted; empty where the summary was written.' })
  sentences!: StretchView[];
}
@Answer()
export class SummarizeAnswer extends Assisted {
  @NestedList(() => SummaryView, { about: 'The summary.' }) results!: SummaryView[];
}

@Answer()
export class KeywordView extends AssistTextView {
  @Decimal({ about: 'How much of the text it is about, 0 to 1.', example: 0.8 }) score!: number;
}
@Answer()
export class KeywordsAnswer extends Assisted {
  @NestedList(() => KeywordView, { about: 'Keywords, the best first.' }) results!: KeywordView[];
}

@Answer()
export class AltTextView extends AssistTextView {
  @Flag({ about: 'Whether the image only decorates, so that the text may be left empty.' }) decorative!: boolean;
  @Choice(['image', 'metadata'], { about: 'What it was made of.', example: 'image' }) derived_from!: 'image' | 'metadata';
}
@Answer()
export class AltTextAnswer extends Assisted {
  @NestedList(() => AltTextView, { about: 'The description.' }) results!: AltTextView[];
}

@Answer()
export class ExtractView {
  @Json({ about: 'The values that were found.', example: { due_date: '2026-03-12' } }) data!: JsonObject;
  @TextList({ about: 'Required properties for which nothing was found.', example: [] }) missing!: readonly string[];
}
@Answer()
export class ExtractAnswer extends Assisted {
  @NestedList(() => ExtractView, { about: 'The values.' }) results!: ExtractView[];
}

@Answer()
export class AssistTaskView {
  @Choice(ASSIST_TASKS, { about: 'The task: POST /assist/{task}.', example: 'summarize', filter: 'equals' }) task!: AssistTask;
  @Text({ about: 'What it does.', example: 'Shortens a text to what matters.' }) about!: string;
  @TextList({ about: 'Inputs besides the common ones.', example: ['length', 'style'] }) options!: readonly string[];
  @Flag({ about: 'Whether it can be used with the models of the workspace.', filter: 'equals' }) available!: boolean;
  @Text({ optional: true, about: 'The model that is used by default; null: none is configured.', example: 'atrium/extract-1' })
  model_id!: string | null;
  @Text({ optional: true, about: 'What that model leaves out; null: nothing.' }) limits!: string | null;
}

export class AssistTaskPage extends PageOf(AssistTaskView) {}

export class ListAssistTasks extends ListQuery(AssistTaskView, { whole: true }) {}
