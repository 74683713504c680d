import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@atrium/platform/kernel';
import { Handles, WhenGivenUp, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { ImportRun } from '../application/import-run';
import { importObjects, type ImportObjectsPayload } from './import.jobs';

/** Runs imports. */
@Injectable()
export class ImportHandler {
  constructor(private readonly imports: ImportRun) {}

  @Handles(importObjects)
  importObjects(_payload: ImportObjectsPayload, run: JobRun): Promise<JsonObject> {
    return this.imports.runImport(run);
  }

  @WhenGivenUp(importObjects)
  giveUpImport(_payload: ImportObjectsPayload, { job_id }: GivenUpJob): Promise<void> {
    return this.imports.giveUp(job_id);
  }
}
