import { Injectable } from '@nestjs/common';
import { Outbox } from '@atrium/platform/messaging';
import type { MediaAnalysisSchema } from '../domain/analysis-schema';
import type { FileAnalysis } from '../domain/file-analysis';
import { AnalysisTags } from './analysis-tags';
import { AnalysisWords } from './analysis-words';

/** What follows, in the same unit of work, when the current analysis of a file changes: the words it is found by, its tags, the event. */
@Injectable()
export class StandingAnalyses {
  constructor(
    private readonly words: AnalysisWords,
    private readonly tags: AnalysisTags,
    private readonly outbox: Outbox,
  ) {}

  /** A failed analysis has no values, so it leaves the tags as they are. */
  async changed({ fa_id, fa_file, fa_status, fa_result }: FileAnalysis, { mas_name, mas_fields }: MediaAnalysisSchema): Promise<void> {
    await this.words.refresh(fa_file);
    if (fa_status !== 'failed') await this.tags.apply(fa_file, mas_fields, fa_result);
    this.outbox.emit({ name: 'file.analyzed', subject_id: fa_file, payload: { fa_id, schema: mas_name, status: fa_status } });
  }

  /** `successor` is current now, or none is. */
  async deleted(file_id: string, successor: string | null): Promise<void> {
    await this.words.refresh(file_id);
    this.outbox.emit({ name: 'file.analyzed', subject_id: file_id, payload: { fa_id: successor, schema: null, status: 'deleted' } });
  }
}
