import type { ExtractedText, ExtractionTask } from '../extraction/extracted-text';

/** Reads files: a process of its own where bytes of strangers are parsed. */
export abstract class TextEngine {
  abstract extract(task: ExtractionTask, signal: AbortSignal): Promise<ExtractedText>;
}
