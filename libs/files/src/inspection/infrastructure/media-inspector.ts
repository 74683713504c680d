import { join } from 'node:path';
import { ProcessPool, type Turn } from '@atrium/platform/processes';
import { isLookedInto } from './file-kinds';
import { InspectionError, type Inspection, type InspectionTask, type JpegAnswer, type JpegTask, type UprightJpeg } from './inspection';
import { abilitiesFor } from './inspector-abilities';

export interface MediaInspectorOptions {
  /** Files that are looked into at once; those that take long do not count, as many of them again. */
  readonly processes: number;
  /** Time one file may take. */
  readonly timeoutMs?: number;
  /** Time a vector picture may take. */
  readonly vectorTimeoutMs?: number;
  /** Time after which a file counts as one that takes long. */
  readonly longMs?: number;
  /** Memory one process may hold. */
  readonly memoryMib?: number;
  /** Memory that all of them may hold together. */
  readonly togetherMib?: number;
  /** Time after which a process without work ends. */
  readonly idleMs?: number;
  /** The compiled entry of the inspecting process. */
  readonly script?: string;
  /** Folders that ffmpeg and ffprobe are looked for in, as in PATH. */
  readonly searchPath?: string;
}

export interface InspectionInput extends InspectionTask, Turn {
  readonly size: number;
  readonly timeoutMs?: number;
}

const VECTOR = 'image/svg+xml';
const TIMEOUT_MS = 60_000;
const VECTOR_TIMEOUT_MS = 5_000;
const STANDARD_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin';

/**
 * Renders and describes files in a few long-lived processes beside the worker. Whatever a file does to its process, the
 * worker lives on and the other inspections proceed: the answer then has no renditions and says why in `system.error`. A file
 * that takes long holds up no other workspace's.
 * Only trouble of this machine (a missing file, a full disk) is thrown, for the job to be tried again.
 */
export class MediaInspector {
  private readonly pool: ProcessPool<InspectionTask | JpegTask, Inspection | JpegAnswer>;
  private readonly searchPath: string;

  constructor(private readonly options: MediaInspectorOptions) {
    const { script = join(__dirname, 'inspection-process.js'), searchPath = STANDARD_PATH, timeoutMs = TIMEOUT_MS, ...rest } = options;
    this.searchPath = searchPath;
    this.pool = new ProcessPool({ ...rest, script, searchPath, timeoutMs });
  }

  /** Ids of the processes that run now. */
  get processIds(): number[] {
    return this.pool.processIds;
  }

  async inspectFile({ path, type, outputDir, size, owner, timeoutMs }: InspectionInput): Promise<Inspection> {
    if (size === 0 || !isLookedInto(type)) return { renditions: [], system: {} };
    const outcome = await this.pool.runTask({ path, type, outputDir }, { owner, timeoutMs: timeoutMs ?? this.timeoutOf(type) });
    if ('ended' in outcome) return { renditions: [], system: { error: outcome.ended } };
    if ('renditions' in outcome.answer) return outcome.answer;
    throw new Error('The inspecting process answered another task.');
  }

  /** Writes a picture as an upright JPEG; throws `InspectionError` where that cannot be done with its content. */
  async renderJpeg({ owner, ...task }: JpegTask & Turn): Promise<UprightJpeg> {
    const outcome = await this.pool.runTask(task, { owner, timeoutMs: this.timeoutOf(task.type) });
    if ('ended' in outcome) throw new InspectionError(outcome.ended);
    if ('fault' in outcome.answer) throw new InspectionError(outcome.answer.fault);
    if ('size' in outcome.answer) return outcome.answer;
    throw new Error('The inspecting process answered another task.');
  }

  /** What an inspection of this type can find out here and now; the same until tools come or go. */
  describeAbilities(type: string): Promise<string> {
    return abilitiesFor(type, this.searchPath);
  }

  /** Ends every process; inspections that run or wait are rejected. */
  async close(): Promise<void> {
    this.pool.close();
  }

  private timeoutOf(type: string): number {
    const { timeoutMs = TIMEOUT_MS, vectorTimeoutMs = VECTOR_TIMEOUT_MS } = this.options;
    return type === VECTOR ? Math.min(vectorTimeoutMs, timeoutMs) : timeoutMs;
  }
}
