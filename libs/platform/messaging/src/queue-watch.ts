/** What is in the queues at a moment. */
export interface QueueSnapshot {
  /** Queues with jobs that run, or that were found without a worker. */
  readonly running: ReadonlySet<string>;
  /** Queues with jobs that a worker could begin. */
  readonly claimable: ReadonlySet<string>;
}

/** Whom a glance wakes. */
interface Waiting {
  readonly queue: string;
  wake(): void;
}

/**
 * One question about all queues of a process, in place of one for each. Workers ask it as often as each of them looks for jobs whose
 * worker was lost; an answer is good for half of that time. A worker that waits although there are jobs has missed a notification,
 * and is woken.
 */
export class QueueWatch {
  private readonly waiting = new Set<Waiting>();
  private last: { readonly at: number; readonly glance: Promise<QueueSnapshot> } | undefined;

  constructor(
    private readonly ask: () => Promise<QueueSnapshot>,
    private readonly everyMs: number,
  ) {}

  add(worker: Waiting): void {
    this.waiting.add(worker);
  }

  remove(worker: Waiting): void {
    this.waiting.delete(worker);
  }

  /** Whether jobs of the queue run, or ran when that was last asked. */
  async hasRunning(queue: string): Promise<boolean> {
    return (await this.look()).running.has(queue);
  }

  private look(): Promise<QueueSnapshot> {
    const now = performance.now();
    if (this.last && now - this.last.at < this.everyMs / 2) return this.last.glance;
    const glance = this.ask();
    this.last = { at: now, glance };
    glance.then(
      ({ claimable }) => {
        for (const worker of this.waiting) if (claimable.has(worker.queue)) worker.wake();
      },
      () => (this.last = undefined),
    );
    return glance;
  }
}
