import { Choice, Decimal, Flag, IdList, Json, NestedList, Ref, Text } from '@atrium/platform/database';
import { Accepts, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { FileJobView } from '@atrium/files';
import type { JsonObject } from '@atrium/platform/kernel';
import { FileAnalysis, MISSING_REASONS, type MissingReason } from '../domain/file-analysis';

@Answer()
export class MissingFieldView {
  @Text({ about: 'The field.', example: 'mood' }) field!: string;
  @Choice(MISSING_REASONS, {
    about:
      '`absent`: the file has no such value. `invalid`: the value does not fit the field. `no_model`: no model is configured. `no_picture`: the file has no picture. `refused`: the model refused to answer. `unavailable`: the provider of the model failed.',
  })
  reason!: MissingReason;
}

@Answer()
export class FileAnalysisView extends View(FileAnalysis) {
  @NestedList(() => MissingFieldView, { about: 'Fields without a value, with the reason.' }) override fa_missing!: MissingFieldView[];
}

export class FileAnalysisPage extends PageOf(FileAnalysisView) {}

export class ListFileAnalyses extends ListQuery(FileAnalysis) {}

export class ListAnalysesOfFile extends ListQuery(FileAnalysis, { without: ['fa_file', 'fa_live'] }) {}

@Accepts()
export class RequestAnalysis {
  @Ref({ about: 'Id of the schema.' }) fa_schema!: string;
  @Flag({ omittable: true, about: 'Whether to repeat an analysis of the same version of the file and schema.' }) force?: boolean;
}

@Accepts()
export class CorrectAnalysis {
  @Json({ about: 'New values by field; other fields are not changed. Null removes a correction.', example: { mood: 'calm' } })
  fa_result!: JsonObject;
}

@Accepts()
export class AnalyzeFiles {
  @Ref({ about: 'Id of the schema.' }) fa_schema!: string;
  @IdList({ omittable: true, min: 1, max: 1_000, about: 'Library files. Send either this or `saved_search`.' }) file_ids?: string[];
  @Ref({ omittable: true, about: 'Saved search of the media library.' }) saved_search?: string;
  @Flag({ omittable: true, about: 'Whether to skip files that were already analyzed with this version of the schema.' })
  only_missing?: boolean;
}

@Answer()
export class AnalysisJobView extends FileJobView {
  @Decimal({ about: 'Reserved credits: the cost of one model call for every picture.', example: 3 })
  credits_estimate!: number;
}
