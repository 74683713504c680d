import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@atrium/platform/kernel';
import { Handles, type JobRun } from '@atrium/platform/messaging';
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
}
