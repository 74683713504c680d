import { Injectable } from '@nestjs/common';
import { platformChannel, Signals } from './signals';

export const OUTBOX_CHANNEL = platformChannel('outbox');
/** Notifies workers of a running job that is no longer wanted. */
export const INTERRUPT_CHANNEL = platformChannel('interrupt');
const PAUSE_MS = 25;

/** Wakes the relays after a commit. Many commits in a short time ring once; after a lost ring the relay finds the rows with its next poll. */
@Injectable()
export class OutboxBell {
  private rung = false;
  private isAwaited = false;

  constructor(private readonly signals: Signals) {}

  /** `isAwaited`: a person waits for one of the jobs. */
  ring(isAwaited = false): void {
    this.isAwaited ||= isAwaited;
    if (this.rung) return;
    this.rung = true;
    setTimeout(() => {
      const payload = { awaited: this.isAwaited };
      this.rung = this.isAwaited = false;
      this.signals.publish(OUTBOX_CHANNEL, payload).catch(() => undefined);
    }, PAUSE_MS).unref();
  }

  /** Where the signal is lost, the job stops at its next checkpoint. */
  interruptWork(tenant_id: string, key: string): void {
    this.signals.publish(INTERRUPT_CHANNEL, { tenant_id, key }).catch(() => undefined);
  }
}
