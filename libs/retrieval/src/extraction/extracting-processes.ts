import { join } from 'node:path';
import { ProcessPool, type ProcessEnd } from '@atrium/platform/processes';
import { EXTRACTION_LIMITS, type ExtractedText, type ExtractionLimits, type ExtractionTask } from './extracted-text';
import { noText } from './extraction-result';

export interface ExtractingProcessesOptions {
  /** Files that are read at once. */
  readonly processes: number;
  /** Time one file may take. */
  readonly timeoutMs?: number | undefined;
  /** Memory one process may hold. */
  readonly memoryMib?: number | undefined;
  /** Memory that all of them may hold together. */
  readonly togetherMib?: number | undefined;
  /** Folders that LibreOffice is looked for in, as in PATH. */
  readonly searchPath?: string | undefined;
  /** The compiled entry of the extracting process. */
  readonly script?: string | undefined;
}

export interface ExtractionInput {
  readonly path: string;
  /** As the bytes decided it when the file was taken in. */
  readonly type: string;
  readonly name: string;
  /** The workspace it is for: workspaces take turns. */
  readonly owner?: string | undefined;
  readonly limits?: Partial<ExtractionLimits> | undefined;
  /** Ends the extraction, as a newer version of the file does. */
  readonly signal?: AbortSignal | undefined;
  readonly onPage?: ((page: number) => void) | undefined;
}

const TIMEOUT_MS = 300_000;
const LONG_MS = 10_000;
const STANDARD_PATH =
  '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/snap/bin:/usr/lib/libreoffice/program:/opt/libreoffice/program:/Applications/LibreOffice.app/Contents/MacOS';

/**
 * Text of files, extracted in a few processes beside this one. Whatever a file does to its process, there is an answer; only
 * trouble of this machine is thrown, for the job to be tried again.
 */
export class ExtractingProcesses {
  private readonly pool: ProcessPool<ExtractionTask, ExtractedText>;
  private readonly timeoutMs: number;

  constructor({
    processes,
    timeoutMs = TIMEOUT_MS,
    memoryMib,
    togetherMib,
    searchPath = STANDARD_PATH,
    script = join(__dirname, 'extraction-process.js'),
  }: ExtractingProcessesOptions) {
    this.timeoutMs = timeoutMs;
    this.pool = new ProcessPool({ script, processes, timeoutMs, memoryMib, togetherMib, searchPath, longMs: LONG_MS });
  }

  /** Ids of the processes that run now. */
  get processIds(): number[] {
    return this.pool.processIds;
  }

  async extractText({ path, type, name, limits, owner, signal, onPage }: ExtractionInput): Promise<ExtractedText> {
    const task: ExtractionTask = { path, type, name, limits: { ...EXTRACTION_LIMITS, ...limits } };
    const outcome = await this.pool.runTask(task, { owner, signal, onProgress: (page) => onPage?.(page as number) });
    return 'answer' in outcome ? outcome.answer : noText('failed', 'none/1', this.reasonOf(outcome.ended));
  }

  close(): void {
    this.pool.close();
  }

  private reasonOf(ended: ProcessEnd): string {
    if (ended === 'timed_out') return `Reading the file took longer than ${Math.round(this.timeoutMs / 1000)} seconds, which is the limit.`;
    if (ended === 'out_of_memory')
      return 'Reading the file requires more memory than is allowed for one file. Split it and upload the parts.';
    return 'The file cannot be read: the reader stopped without a result. Save it again and upload the new copy.';
  }
}
