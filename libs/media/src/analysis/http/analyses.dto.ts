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
      '`absent`: there is nothing of it; `invalid`: what was said does not fit; `no_model`: none is configured; `no_picture`: there is none to look at; `refused`: the model did not want to; `unavailable`: its provider failed.',
  })
  reason!: MissingReason;
}

@Answer()
export class FileAnalysisView extends View(FileAnalysis) {
  @NestedList(() => MissingFieldView, { about: 'Fields without a value, and why.' }) override fa_missing!: MissingFieldView[];
}

export class FileAnalysisPage extends PageOf(FileAnalysisView) {}

export class ListFileAnalyses extends ListQuery(FileAnalysis) {}

export class ListAnalysesOfFile extends ListQuery(FileAnalysis, { without: ['fa_file', 'fa_live'] }) {}

@Accepts()
export class RequestAnalysis {
  @Ref({ about: 'The schema.' }) schema_id!: string;
  @Flag({ optional: true, about: 'Also when the file was analysed by this version of the schema already.' }) force?: boolean;
}

@Accepts()
export class CorrectAnalysis {
  @Json({ about: 'Values by field, those that are named alone; null takes a correction back.', example: { mood: 'calm' } })
  fa_result!: JsonObject;
}

@Accepts()
export class AnalyzeFiles {
  @Ref({ about: 'The schema.' }) schema_id!: string;
  @IdList({ optional: true, min: 1, max: 1_000, about: 'Library files; either these or a saved search.' }) file_ids?: string[];
  @Ref({ optional: true, about: 'Saved search of the media library.' }) saved_search?: string;
  @Flag({ optional: true, about: 'Only files that were not analysed by this version of the schema.' }) only_missing?: boolean;
}

@Answer()
export class AnalysisJobView extends FileJobView {
  @Decimal({ about: 'Credits that were set aside for it: what it costs when every picture is asked about once.', example: 3 })
  credits_estimate!: number;
}
