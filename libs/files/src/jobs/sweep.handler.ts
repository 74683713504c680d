import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { MINUTE } from '@atrium/platform/kernel';
import { Sweep } from '../application/sweep.service';

const EVERY_MS = 10 * MINUTE;
const FIRST_AFTER_MS = MINUTE / 2;

/**
 * Sweeps every ten minutes in each worker. It belongs to no workspace, so it is no job of the outbox; passes that
 * overlap do no harm, and one that fails is followed by the next.
 */
@Injectable()
export class SweepSchedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(SweepSchedule.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly sweep: Sweep) {}

  onApplicationBootstrap(): void {
    this.plan(FIRST_AFTER_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private plan(afterMs: number): void {
    this.timer = setTimeout(() => {
      this.running = this.pass();
    }, afterMs).unref();
  }

  private async pass(): Promise<void> {
    try {
      const ended = await this.sweep.run();
      if (ended > 0) this.log.log({ msg: 'swept', ended });
    } catch (error) {
      this.log.warn({ msg: 'the sweep failed', err: error });
    }
    if (!this.stopped) this.plan(EVERY_MS);
  }
}
