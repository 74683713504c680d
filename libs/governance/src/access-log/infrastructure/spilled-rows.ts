import { Settings } from '@atrium/platform/config';
import { DAY, newId, SECOND } from '@atrium/platform/kernel';
import { LazyRedis } from '@atrium/platform/messaging';
import { Injectable } from '@nestjs/common';
import type { AccessLogRow } from '../domain/access-log-row';

/** Rows that one process may leave; beyond, its oldest go. */
const MAX_SPILLED = 100_000;

const ROOM = '{atrium:access-log}';
const LISTS = `${ROOM}:spills`;
const DRAINING = `${ROOM}:draining`;
const LEASE_MS = 30 * SECOND;
const FORGET_IF_EMPTY = "if redis.call('LLEN', KEYS[1]) == 0 then redis.call('SREM', KEYS[2], KEYS[1]) end";
const RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end";

/**
 * Finished rows that wait in Redis while the database is away: one list a process, known to all of them, so that what a
 * process left is written by whichever comes next. Without Redis it keeps nothing.
 */
@Injectable()
export class SpilledRows {
  private readonly holder = newId();
  private readonly list = `${ROOM}:spill:${this.holder}`;
  private readonly redis: LazyRedis | undefined;

  constructor(settings: Settings) {
    this.redis = settings.REDIS_URL === '' ? undefined : new LazyRedis(settings.REDIS_URL, 'access-log');
  }

  get isThere(): boolean {
    return this.redis !== undefined;
  }

  /** How many older rows had to go for these; rejects when Redis does not take them. */
  async spillRows(rows: readonly AccessLogRow[]): Promise<number> {
    if (!this.redis) throw new Error('There is no Redis to keep rows in.');
    const redis = await this.redis.open();
    const replies = await redis
      .multi()
      .rpush(this.list, ...rows.map((row) => JSON.stringify(row)))
      .ltrim(this.list, -MAX_SPILLED, -1)
      .sadd(LISTS, this.list)
      .pexpire(this.list, 7 * DAY)
      .exec();
    const [failure, length] = replies?.[0] ?? [new Error('Redis did not answer.'), 0];
    if (failure) throw failure;
    return Math.max(0, Number(length) - MAX_SPILLED);
  }

  /** Hands out what waits, oldest first, so many at a time, and forgets what was written. One process at a time does it. */
  async drainRows(count: number, write: (rows: readonly AccessLogRow[]) => Promise<void>): Promise<void> {
    if (!this.redis) return;
    const redis = await this.redis.open();
    const lists = await redis.smembers(LISTS);
    if (lists.length === 0 || (await redis.set(DRAINING, this.holder, 'PX', LEASE_MS, 'NX')) === null) return;
    try {
      for (const list of lists) {
        for (let rows = await redis.lrange(list, 0, count - 1); rows.length > 0; rows = await redis.lrange(list, 0, count - 1)) {
          await write(rows.map((row) => JSON.parse(row) as AccessLogRow));
          await redis.ltrim(list, rows.length, -1);
          await redis.pexpire(DRAINING, LEASE_MS);
        }
        await redis.eval(FORGET_IF_EMPTY, 2, list, LISTS);
      }
    } finally {
      await redis.eval(RELEASE, 1, DRAINING, this.holder);
    }
  }

  /** When the last rows were delivered. */
  async close(): Promise<void> {
    await this.redis?.close();
  }
}
