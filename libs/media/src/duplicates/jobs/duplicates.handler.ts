import { Injectable } from '@nestjs/common';
import { Handles } from '@atrium/platform/messaging';
import { DuplicateDetection } from '../application/duplicate-detection';
import { findDuplicates, type DuplicatesPayload } from './duplicates.jobs';

/** Runs `media.duplicates`. */
@Injectable()
export class DuplicatesHandler {
  constructor(private readonly detection: DuplicateDetection) {}

  @Handles(findDuplicates)
  detectDuplicates({ file_id }: DuplicatesPayload): Promise<void> {
    return this.detection.detectDuplicates(file_id);
  }
}
