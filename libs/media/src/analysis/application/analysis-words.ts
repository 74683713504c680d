import { Injectable } from '@nestjs/common';
import { FileSearchText } from '@atrium/files';
import type { JsonValue } from '@atrium/platform/kernel';
import { FileAnalysesRepository } from '../infrastructure/file-analyses.repository';

/** The words by which a search finds a file through its analyses: all texts of the current ones, whatever the schema. */
@Injectable()
export class AnalysisWords {
  constructor(
    private readonly analyses: FileAnalysesRepository,
    private readonly words: FileSearchText,
  ) {}

  /** Within the unit of work that changes the current analysis. */
  async refresh(file_id: string): Promise<void> {
    const results = await this.analyses.results(file_id);
    await this.words.put('analysis', [
      { file_id, words: results.flatMap(({ fa_result }) => Object.values(fa_result).flatMap(textsIn)).join(' ') },
    ]);
  }
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? (value as readonly JsonValue[]).flatMap(textsIn) : [];
}
