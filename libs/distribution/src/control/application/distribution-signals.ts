import { Injectable } from '@nestjs/common';
import { onceForAll } from '@atrium/platform/kernel';
import { platformChannel, Signals } from '@atrium/platform/messaging';
import { Database, requireScope } from '@atrium/platform/database';

/** What changed: the rules of a workspace, or one public key. */
export type DistributionChange = { readonly tenant_id: string } | { readonly pub_key: string };

type Listener = (change: DistributionChange) => void;

const CHANNEL = platformChannel('distribution');

/**
 * Notifies every process that serves the public of a change as soon as it is committed. A lost message costs seconds
 * only, because cached state is read again anyway. Hearing ends with the connections of the host.
 */
@Injectable()
export class DistributionSignals {
  private readonly listeners: Listener[] = [];
  private readonly subscribed = onceForAll(() =>
    this.signals.subscribe(CHANNEL, ({ tenant_id, pub_key }) => {
      if (typeof tenant_id === 'string') this.notifyListeners({ tenant_id });
      if (typeof pub_key === 'string') this.notifyListeners({ pub_key });
    }),
  );

  constructor(
    private readonly db: Database,
    private readonly signals: Signals,
  ) {}

  /** Resolves when the listener hears. */
  async addListener(listener: Listener): Promise<void> {
    this.listeners.push(listener);
    await this.subscribed();
  }

  /** Within a writing unit of work: the rules of the workspace at hand change with it. */
  notifyRulesChange(): void {
    this.afterCommit({ tenant_id: requireScope().tenant_id });
  }

  notifyKeyChange(pub_key: string): void {
    this.afterCommit({ pub_key });
  }

  private afterCommit(change: DistributionChange): void {
    this.db.current().afterCommit(() => {
      this.notifyListeners(change);
      // Not awaited: a change must not wait for an unavailable Redis.
      void this.signals.publish(CHANNEL, { ...change }).catch(() => undefined);
    });
  }

  private notifyListeners(change: DistributionChange): void {
    for (const listener of this.listeners) listener(change);
  }
}
