import { requireScope } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** `<workspace>/<topic>`; the platform's own channels have `-` for the workspace. */
export type Channel = `${string}/${string}`;

/** A topic of the workspace of the running request or job. */
export const tenantChannel = (topic: string): Channel => `${requireScope().tenant_id}/${topic}`;

export const platformChannel = (topic: string): Channel => `-/${topic}`;

export type SignalListener = (payload: JsonObject) => void;
export type Unsubscribe = () => Promise<void>;

/**
 * Small messages to all processes that are listening; they are not stored. What must arrive goes through the outbox.
 * Lost connections are restored automatically; messages sent during the loss are not repeated.
 */
export abstract class Signals {
  private readonly renewals: (() => void)[] = [];

  abstract publish(channel: Channel, payload: JsonObject): Promise<void>;
  /** Resolves when the listener is in place. */
  abstract subscribe(channel: Channel, listener: SignalListener): Promise<Unsubscribe>;

  /** Runs whenever a lost connection is back: signals of the meantime were not heard. */
  onRenewed(action: () => void): void {
    this.renewals.push(action);
  }

  protected announceRenewal(): void {
    for (const action of this.renewals) action();
  }
}

/** Who listens to which channel in this process. A listener that throws does not affect the others. */
export class Listeners {
  private readonly byChannel = new Map<string, Set<SignalListener>>();

  /** Whether it is the first one of the channel. */
  add(channel: string, listener: SignalListener): boolean {
    const present = this.byChannel.get(channel);
    if (present) {
      present.add(listener);
      return false;
    }
    this.byChannel.set(channel, new Set([listener]));
    return true;
  }

  /** Whether it was the last one of the channel. */
  remove(channel: string, listener: SignalListener): boolean {
    const present = this.byChannel.get(channel);
    if (!present?.delete(listener) || present.size > 0) return false;
    return this.byChannel.delete(channel);
  }

  has(channel: string): boolean {
    return this.byChannel.has(channel);
  }

  notifyListeners(channel: string, payload: JsonObject): void {
    for (const listener of [...(this.byChannel.get(channel) ?? [])]) {
      try {
        listener(payload);
      } catch {
        // A failing listener must not affect the others.
      }
    }
  }
}
