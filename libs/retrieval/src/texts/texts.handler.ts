import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { TextExtraction } from './text-extraction';
import { TextUpkeep } from './text-upkeep';
import { discardTexts, extractText, type DiscardTextsPayload, type ExtractPayload } from './texts.jobs';

/** Runs the jobs of texts. */
@Injectable()
export class TextsHandler {
  constructor(
    private readonly extraction: TextExtraction,
    private readonly upkeep: TextUpkeep,
  ) {}

  @Handles(extractText)
  extractFile({ file_id, version }: ExtractPayload, run: JobRun): Promise<void> {
    return this.extraction.extractFile(file_id, version, {
      signal: run.signal,
      heartbeat: () => run.heartbeat(),
      givesUpOn: (error) => run.givesUpOn(error),
    });
  }

  @WhenGivenUp(extractText)
  giveUpText({ file_id, version }: ExtractPayload, { reason }: GivenUpJob): Promise<void> {
    return this.extraction.giveUp(file_id, version, reason);
  }

  @Handles(discardTexts)
  discardUnused({ keys }: DiscardTextsPayload): Promise<void> {
    return this.upkeep.discardUnused(keys);
  }
}
