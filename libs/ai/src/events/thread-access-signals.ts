import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Signals, tenantChannel, type Unsubscribe } from '@atrium/platform/messaging';

/** Whose readers may have changed: one thread's, or those of all threads in a space. */
export type AccessChange = { readonly thread_id: string } | { readonly space_id: string };

type Listener = (change: AccessChange) => void;

const TOPIC = 'ai/thread-access';

/**
 * Notifies the processes that stream threads when somebody may no longer read one, so that open streams are checked at once.
 * A lost message costs a minute at most: streams are checked again by the clock.
 */
@Injectable()
export class ThreadAccessSignals {
  constructor(
    private readonly db: Database,
    private readonly signals: Signals,
  ) {}

  /** Within a writing unit of work that changes an owner, an access list, a share mode or the members of a space. */
  signalChange(change: AccessChange): void {
    const channel = tenantChannel(TOPIC);
    // Not awaited: a change must not wait for an unavailable Redis.
    this.db.current().afterCommit(() => void this.signals.publish(channel, { ...change }).catch(() => undefined));
  }

  /** Hears the changes of the workspace at hand until it is unsubscribed. */
  addListener(listener: Listener): Promise<Unsubscribe> {
    return this.signals.subscribe(tenantChannel(TOPIC), ({ thread_id, space_id }) => {
      if (typeof thread_id === 'string') listener({ thread_id });
      if (typeof space_id === 'string') listener({ space_id });
    });
  }
}
