import { Choice, Decimal, Flag, IdList, NestedList, Text, TextList } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { FIELD_NAME, FIELD_SOURCES, FIELD_TYPES, type FieldSource, type FieldType } from '../domain/analysis-field';
import { MediaAnalysisSchema } from '../domain/analysis-schema';

/** One field as it is written and shown; the same rules hold for both. */
class AnalysisFieldShape {
  @Text({ min: 1, max: 40, form: FIELD_NAME, about: 'Name of the field in results and searches.', example: 'mood' }) name!: string;
  @Text({ optional: true, omittable: true, max: 255, about: 'Display title.' }) title?: string | null;
  @Choice(FIELD_TYPES, { about: 'Type of the value.', example: 'enum' }) type!: FieldType;
  @TextList({ optional: true, omittable: true, max: 100, about: 'Values of an enum, without duplicates.', example: ['calm', 'wild'] })
  values?: string[] | null;
  @Text({ optional: true, omittable: true, max: 1_000, about: 'Description of the field for the model.' }) instruction?: string | null;
  @Choice(FIELD_SOURCES, {
    about:
      'Source of the value. `model`: a model evaluates the picture. `metadata`: copied from `file_metadata`. `technical`: measured in the picture.',
    example: 'model',
  })
  source!: FieldSource;
  @Text({
    optional: true,
    omittable: true,
    max: 200,
    about:
      'For `metadata`, the path, such as `system.camera`. For `technical`, the measure (orientation, dominant_color, sharpness, brightness, has_alpha, text_density) if it differs from the name.',
  })
  path?: string | null;
  @Decimal({ optional: true, omittable: true, about: 'Minimum value.' }) min?: number | null;
  @Decimal({ optional: true, omittable: true, about: 'Maximum value.' }) max?: number | null;
  @Flag({ optional: true, omittable: true, about: 'Whether a result without a value is `partial`.' }) required?: boolean | null;
  @Text({ optional: true, omittable: true, min: 1, max: 80, about: 'Tag group to which the values are added as tags.' }) tag_group?:
    string | null;
}

@Accepts()
class AnalysisFieldBody extends AnalysisFieldShape {}

@Answer()
export class AnalysisFieldView extends AnalysisFieldShape {}

/** The fields as bodies have them. */
class WithFields {
  @NestedList(() => AnalysisFieldBody, { min: 1, max: 40, about: 'Fields that an analysis fills.' }) mas_fields!: AnalysisFieldBody[];
}

export class WriteAnalysisSchema extends Body(MediaAnalysisSchema, {
  required: ['mas_name'],
  optional: ['mas_title', 'mas_description', 'mas_kinds', 'mas_prompt', 'mas_auto', 'mas_active'],
  with: WithFields,
}) {}

@Accepts()
export class SuggestSchema {
  @Text({
    min: 1,
    max: 2_000,
    about: 'Purpose of the descriptions.',
    example: 'Find product shots for the catalogue by what they show and in which colours.',
  })
  description!: string;
  @IdList({ omittable: true, min: 1, max: 5, about: 'Library files to use as samples.' }) sample_file_ids?: string[];
}

export class ListAnalysisSchemas extends ListQuery(MediaAnalysisSchema) {}

@Answer()
export class AnalysisSchemaView extends View(MediaAnalysisSchema) {
  @NestedList(() => AnalysisFieldView, { about: 'Fields that an analysis fills.' }) override mas_fields!: AnalysisFieldView[];
}

export class AnalysisSchemaPage extends PageOf(AnalysisSchemaView) {}

@Answer()
export class SuggestedFields {
  @NestedList(() => AnalysisFieldView, { about: 'Suggested fields, ready for use in a schema. Nothing is stored.' })
  mas_fields!: AnalysisFieldView[];
  @Text({ about: 'Model that was used.', example: 'openai/gpt-5-mini' }) model!: string;
  @Decimal({ about: 'Cost in credits.', example: 0.01 }) credits!: number;
}
