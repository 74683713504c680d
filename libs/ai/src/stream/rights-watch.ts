import { Injectable } from '@nestjs/common';
import { CallerStamps } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { apartFromRequest, Lanes, SECOND } from '@atrium/platform/kernel';

const LOOK_MS = 2 * SECOND;
const CHECKS_AT_ONCE = 4;
const MOST_WAITING = 100_000;

interface Watched {
  readonly caller: Principal;
  readonly changed: Set<() => void>;
  /** What decided about the caller when it was looked at last. */
  stamp?: string | null;
}

/**
 * Notices within seconds that the rights of somebody who follows a thread may have changed, for whatever reason: a role, a key, a
 * session, the member. One statement looks at all callers of this process.
 */
@Injectable()
export class RightsWatch {
  /** In which the checks of all streams of this process take turns, by their workspaces: the connections of a pool are shared with requests. */
  readonly checks = new Lanes(CHECKS_AT_ONCE, MOST_WAITING);
  private readonly watched = new Map<string, Watched>();
  private next: NodeJS.Timeout | undefined;

  constructor(private readonly stamps: CallerStamps) {}

  /** Calls back after each change until it is unwatched, and once at first for what may have changed in between. */
  watchRights(caller: Principal, changed: () => void): () => void {
    const name = `${caller.tenant_id}/${caller.user_id}`;
    const one = this.watched.get(name) ?? { caller, changed: new Set() };
    this.watched.set(name, one);
    one.changed.add(changed);
    // What changed since its request was admitted may have been looked at before.
    delete one.stamp;
    this.plan();
    return () => {
      one.changed.delete(changed);
      if (one.changed.size === 0) this.watched.delete(name);
    };
  }

  private plan(): void {
    this.next ??= apartFromRequest(() => setTimeout(() => void this.look(), LOOK_MS).unref());
  }

  private async look(): Promise<void> {
    const all = [...this.watched.values()];
    // In an outage of the database nothing is known until the next look.
    const stamps = all.length === 0 ? [] : await this.stamps.readStamps(all.map(({ caller }) => caller)).catch(() => null);
    if (stamps) for (const [at, one] of all.entries()) this.compare(one, stamps[at] ?? null);
    this.next = undefined;
    if (this.watched.size > 0) this.plan();
  }

  private compare(one: Watched, stamp: string | null): void {
    if (one.stamp === stamp) return;
    one.stamp = stamp;
    for (const changed of [...one.changed]) changed();
  }
}
