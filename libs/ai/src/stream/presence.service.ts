import { Injectable } from '@nestjs/common';
import { KnownMembers } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, Problem, SECOND, type JsonObject } from '@atrium/platform/kernel';
import { Signals, tenantChannel, type Unsubscribe } from '@atrium/platform/messaging';
import { LRUCache } from 'lru-cache';
import { ThreadAccess } from '../threads/application/thread-access';
import { shownNow, type PresenceState } from '../threads/domain/presence';
import { ThreadStateRepository } from './thread-state.repository';

const TOPIC = 'ai/presence';
const MOST_A_SECOND = 2;
const CALLERS = 10_000;

/** Who has a thread open or types in it: shown for half a minute after the last sign of them. */
@Injectable()
export class PresenceService {
  private readonly signs = new LRUCache<string, readonly number[]>({ max: CALLERS, ttl: SECOND });

  constructor(
    private readonly db: Database,
    private readonly access: ThreadAccess,
    private readonly rows: ThreadStateRepository,
    private readonly known: KnownMembers,
    private readonly signals: Signals,
    private readonly clock: Clock,
  ) {}

  showPresence(caller: Principal, thread_id: string, state: PresenceState | 'left'): Promise<void> {
    this.assertPace(caller);
    return this.db.write(async (tx) => {
      await this.access.requireThread(caller, thread_id, 'view');
      if (state === 'left') await this.rows.deletePresence(thread_id, caller.user_id);
      else await this.rows.savePresence(thread_id, caller.user_id, state, this.clock.now());
      const channel = tenantChannel(TOPIC);
      // Not awaited: nobody waits for an unavailable Redis to be shown.
      tx.afterCommit(() => void this.signals.publish(channel, { thread_id }).catch(() => undefined));
    });
  }

  /** Everybody who is there, and in how many milliseconds that changes by itself; null: not before somebody comes. Within a unit of work. */
  async list(thread_id: string): Promise<{ readonly data: JsonObject; readonly until: number | null }> {
    const now = this.clock.now();
    const rows = await this.rows.listPresence(thread_id, now);
    const names = await this.known.findMemberNames(rows.map(({ user_id }) => user_id));
    const changes: number[] = [];
    const users = rows.map((row) => {
      const { state, changesMs } = shownNow(row, now);
      changes.push(changesMs);
      return { user_id: row.user_id, name: names.get(row.user_id) ?? '', state, since: row.tp_since };
    });
    return { data: { thread_id, users, at: now.toISOString() }, until: changes.length === 0 ? null : Math.min(...changes) + 1 };
  }

  /** Hears of changes in the workspace at hand. */
  addListener(listener: (thread_id: string) => void): Promise<Unsubscribe> {
    return this.signals.subscribe(tenantChannel(TOPIC), ({ thread_id }) => typeof thread_id === 'string' && listener(thread_id));
  }

  private assertPace({ tenant_id, user_id }: Principal): void {
    const name = `${tenant_id}/${user_id}`;
    const now = this.clock.now().getTime();
    const lately = (this.signs.get(name) ?? []).filter((moment) => now - moment < SECOND);
    if (lately.length >= MOST_A_SECOND)
      throw new Problem('rate_limited', `Send at most ${MOST_A_SECOND} presence signals per second.`, { headers: { 'Retry-After': '1' } });
    this.signs.set(name, [...lately, now]);
  }
}
