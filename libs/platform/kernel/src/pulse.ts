import { apartFromRequest } from './ending';

/** An external service has stopped responding. */
export class PartSilent extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(readonly part: string) {
    super(`${part} does not respond.`);
    this.name = 'PartSilent';
  }
}

/** How work for a caller learns that the caller has disconnected. */
export interface Wait {
  readonly isOver: boolean;
}

export interface PulseOptions {
  /** What is watched, as an error names it. */
  readonly part: string;
  /** Asks the part for the least it can answer, by a connection of its own; rejects when the signal is aborted. */
  probe(signal: AbortSignal): Promise<void>;
  /** Lets go of all connections that wait for the part. */
  onLost(): void;
  /** After this silence, while work is waiting, the part is probed. */
  readonly quietMs?: number;
  /** How long a probe may take. */
  readonly limitMs?: number;
}

const LOOK_EVERY_MS = 100;
const QUIET_MS = 300;
const LIMIT_MS = 1_400;
/** A timer that is later than that was held up by the process itself, and so was the answer. */
const LATE_MS = 100;
const LONGEST_QUIET_MS = 10_000;
const RETRY_MS = 250;

/**
 * Distinguishes a slow part from a frozen one. Work may take as long as it takes; but when nothing at all was heard
 * from the part for a while it is probed, and when that stays unanswered all who wait are let go with `PartSilent`, and
 * newcomers are refused at once until a probe is answered again. Costs nothing while answers come.
 */
export class Pulse {
  private readonly quietMs: number;
  private readonly limitMs: number;
  private waiting = 0;
  private heardAt = 0;
  /** Doubles with every probe that was answered, so that a long silence of a healthy part is not probed all the time. */
  private patienceMs: number;
  private looking: NodeJS.Timeout | undefined;
  private probing = false;
  private lost = false;
  private closed = false;
  private readonly leaving = new Set<(error: PartSilent) => void>();

  constructor(private readonly options: PulseOptions) {
    this.quietMs = options.quietMs ?? QUIET_MS;
    this.limitMs = options.limitMs ?? LIMIT_MS;
    this.patienceMs = this.quietMs;
  }

  get isLost(): boolean {
    return this.lost;
  }

  /** The part said something. */
  recordActivity(): void {
    this.heardAt = performance.now();
  }

  /** Work that needs the part; rejects with `PartSilent` as soon as the part is known not to answer. The work sees that its wait is over. */
  async watchWork<T>(work: (wait: Wait) => Promise<T>): Promise<T> {
    const leave = this.beginWait();
    const wait = { isOver: false };
    let letGo: ((error: PartSilent) => void) | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        letGo = reject;
        this.leaving.add(reject);
        work(wait).then(resolve, reject);
      });
    } finally {
      wait.isOver = true;
      if (letGo) this.leaving.delete(letGo);
      leave();
    }
  }

  /** Begins to wait for the part; answers what to call when the wait is over. */
  beginWait(): () => void {
    if (this.lost) throw new PartSilent(this.options.part);
    if (this.waiting++ === 0) this.recordActivity();
    this.patienceMs = this.quietMs;
    this.looking ??= apartFromRequest(() => setInterval(() => this.look(), LOOK_EVERY_MS).unref());
    let left = false;
    return () => {
      if (!left) this.waiting -= 1;
      left = true;
    };
  }

  close(): void {
    this.closed = true;
    clearInterval(this.looking);
    this.looking = undefined;
  }

  private look(): void {
    if (this.waiting === 0 && !this.lost) {
      clearInterval(this.looking);
      this.looking = undefined;
      return;
    }
    if (this.probing || this.lost || performance.now() - this.heardAt < this.patienceMs) return;
    void this.probe();
  }

  private async probe(): Promise<void> {
    this.probing = true;
    const asked = performance.now();
    try {
      await this.answered();
      this.recordActivity();
      this.patienceMs = Math.min(2 * this.patienceMs, LONGEST_QUIET_MS);
    } catch {
      // Other work may have been answered since.
      if (this.heardAt < asked && this.waiting > 0) this.lose();
    } finally {
      this.probing = false;
    }
  }

  private lose(): void {
    this.lost = true;
    const error = new PartSilent(this.options.part);
    for (const letGo of [...this.leaving]) letGo(error);
    this.leaving.clear();
    this.options.onLost();
    void this.recover();
  }

  private async recover(): Promise<void> {
    while (!this.closed) {
      const back = await this.answered().then(
        () => true,
        () => false,
      );
      if (back) {
        this.lost = false;
        this.recordActivity();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }

  private async answered(): Promise<void> {
    const time = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_resolve, reject) => {
      const begin = (): void => {
        const from = performance.now();
        timer = setTimeout(
          () => (performance.now() - from > this.limitMs + LATE_MS ? begin() : reject(new PartSilent(this.options.part))),
          this.limitMs,
        ).unref();
      };
      begin();
    });
    try {
      await Promise.race([this.options.probe(time.signal), limit]);
    } finally {
      clearTimeout(timer);
      time.abort();
    }
  }
}
