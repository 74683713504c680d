import { availableParallelism } from 'node:os';
import { Inject, Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { currentScope } from '@atrium/platform/database';
import { ExtractingProcesses, type ExtractionInput } from '../extraction/extracting-processes';
import type { ExtractedText } from '../extraction/extracted-text';

/** Where the compiled entry of the extracting processes is, for hosts that do not run from the build (tests). */
export const EXTRACTION_SCRIPT = Symbol('extraction-script');

/** Reads files in processes of their own, which are started with the first file. */
@Injectable()
export class TextEngine implements OnApplicationShutdown {
  private processes: ExtractingProcesses | undefined;

  constructor(
    private readonly settings: Settings,
    @Optional() @Inject(EXTRACTION_SCRIPT) private readonly script?: string,
  ) {}

  extractText(file: Pick<ExtractionInput, 'path' | 'type' | 'name'>, signal: AbortSignal): Promise<ExtractedText> {
    this.processes ??= new ExtractingProcesses({
      processes: this.settings.MEDIA_PROCESSES || availableParallelism(),
      togetherMib: this.settings.PROCESSES_MEMORY_MIB,
      script: this.script,
    });
    return this.processes.extractText({ ...file, owner: currentScope()?.tenant_id ?? undefined, signal });
  }

  onApplicationShutdown(): void {
    this.processes?.close();
  }
}
