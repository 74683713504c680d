import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLookedInto } from './file-kinds';
import { InspectingProcess } from './inspecting-process';
import type { Inspection, InspectionTask } from './inspection';
import { abilitiesFor } from './inspector-abilities';
import { InspectionTurns, type Turn } from './inspection-turns';

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

interface Waiting extends Turn {
  readonly input: InspectionInput;
  readonly resolve: (inspection: Inspection) => void;
  readonly reject: (error: unknown) => void;
}

const VECTOR = 'image/svg+xml';
const STANDARD_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin';

/**
 * Renders and describes files in a few long-lived processes beside the worker. Whatever a file does to its process, the
 * worker lives on and the other inspections proceed: the answer then has no renditions and says why in `system.error`. A file
 * that takes long holds up no other workspace's.
 * Only trouble of this machine (a missing file, a full disk) is thrown, for the job to be tried again.
 */
export class MediaInspector {
  private readonly processes = new Set<InspectingProcess>();
  private readonly idle = new Map<InspectingProcess, NodeJS.Timeout>();
  private readonly turns: InspectionTurns<Waiting>;
  private readonly script: string;
  private closed = false;

  constructor(private readonly options: MediaInspectorOptions) {
    this.turns = new InspectionTurns(Math.max(1, options.processes));
    this.script = options.script ?? join(__dirname, 'inspection-process.js');
    if (!existsSync(this.script)) throw new Error(`The inspecting process is not built: ${this.script}`);
  }

  /** Ids of the processes that run now. */
  get processIds(): number[] {
    return [...this.processes].flatMap(({ pid }) => pid ?? []);
  }

  async inspect(input: InspectionInput): Promise<Inspection> {
    if (input.size === 0 || !isLookedInto(input.type)) return { renditions: [], system: {} };
    return new Promise((resolve, reject) => {
      this.turns.add({ owner: input.owner, input, resolve, reject });
      this.advance();
    });
  }

  /** What an inspection of this type can find out here and now; the same until tools come or go. */
  abilities(type: string): Promise<string> {
    return abilitiesFor(type, this.options.searchPath ?? STANDARD_PATH);
  }

  /** Ends every process; inspections that run or wait are rejected. */
  async close(): Promise<void> {
    this.closed = true;
    this.advance();
    for (const process of this.processes) this.remove(process);
  }

  private advance(): void {
    if (this.closed) {
      for (const { reject } of this.turns.drain()) reject(closedError());
      return;
    }
    for (let next = this.turns.next(); next; next = this.turns.next()) void this.run(this.freeProcess(), next);
  }

  private freeProcess(): InspectingProcess {
    for (const [process, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(process);
      if (process.fit) return process;
      this.remove(process);
    }
    const started = new InspectingProcess(this.script, {
      memoryMib: this.options.memoryMib ?? 1024,
      searchPath: this.options.searchPath ?? STANDARD_PATH,
    });
    this.processes.add(started);
    return started;
  }

  private async run(process: InspectingProcess, work: Waiting): Promise<void> {
    const { input, resolve, reject } = work;
    const { path, type, outputDir } = input;
    const long = setTimeout(() => this.makeRoom(work), this.options.longMs ?? 3_000);
    try {
      const inspection = await process.inspect({ path, type, outputDir }, this.timeoutOf(input));
      if (this.closed) reject(closedError());
      else resolve(inspection);
    } catch (error) {
      reject(error);
    }
    clearTimeout(long);
    this.turns.ended(work);
    if (process.fit && !this.closed) this.rest(process);
    else this.remove(process);
    this.advance();
  }

  private timeoutOf({ type, timeoutMs }: InspectionInput): number {
    const { timeoutMs: usual = 60_000, vectorTimeoutMs = 5_000 } = this.options;
    return timeoutMs ?? (type === VECTOR ? Math.min(vectorTimeoutMs, usual) : usual);
  }

  /** Others need not wait for what takes long. */
  private makeRoom(work: Waiting): void {
    this.turns.becameLong(work);
    this.advance();
  }

  private rest(process: InspectingProcess): void {
    const timer = setTimeout(() => this.remove(process), this.options.idleMs ?? 60_000);
    timer.unref();
    this.idle.set(process, timer);
  }

  private remove(process: InspectingProcess): void {
    clearTimeout(this.idle.get(process));
    this.idle.delete(process);
    this.processes.delete(process);
    process.kill();
  }
}

const closedError = (): Error => new Error('The media inspector is closed.');
