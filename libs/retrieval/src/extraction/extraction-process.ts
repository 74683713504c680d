import { serveTasks } from '@atrium/platform/processes';
import { extractFile } from './extract';
import type { ExtractedText, ExtractionTask } from './extracted-text';

/** The process that text is extracted in, so that hostile or huge content can end this process at most. */
serveTasks<ExtractionTask, ExtractedText, number>(extractFile);
