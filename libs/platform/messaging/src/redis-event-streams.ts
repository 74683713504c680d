import type { OnApplicationShutdown } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { Problem, type JsonObject } from '@atrium/platform/kernel';
import type { Redis } from 'ioredis';
import { EventStreams } from './event-streams';
import { LazyRedis } from './redis-connection';
import type { Signals } from './signals';
import {
  FENCE_RETENTION_SECONDS,
  FROM_START,
  isHigher,
  LONGEST_STREAM,
  STREAM_RETENTION_SECONDS,
  StreamFenced,
  CLOCKS_DIFFER_MS,
  type Fence,
  type StreamEvent,
  type StreamPage,
} from './stream-event';

const ID = /^(?:0|[1-9]\d{0,14})-(?:0|[1-9]\d{0,17})$/;

const SCANNED_AT_ONCE = 1_000;

type Entry = [id: string, fields: string[]];

/** Looks at the fence and appends as one step: KEYS are the stream and the fence, if there is one; the events are the last ARGV. */
const APPEND = `
if KEYS[2] then
  local seen = redis.call('GET', KEYS[2])
  if seen and tonumber(seen) > tonumber(ARGV[3]) then return false end
  redis.call('SET', KEYS[2], ARGV[3], 'EX', ARGV[4])
end
local id
for at = 5, #ARGV do id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'e', ARGV[at]) end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return id`;

/** Event streams as Redis streams: one key a stream, capped in length, forgotten an hour after the last event. */
export class RedisEventStreams extends EventStreams implements OnApplicationShutdown {
  private readonly redis: LazyRedis;

  constructor(
    url: string,
    signals: Signals,
    private readonly longest = LONGEST_STREAM,
  ) {
    super(signals);
    this.redis = new LazyRedis(url, 'streams');
  }

  async readEvents(stream: string, afterId: string, limit: number): Promise<StreamPage> {
    const key = keyOf(stream);
    const known = ID.test(afterId);
    const after = known ? afterId : FROM_START;
    const answers = await this.ask((redis) =>
      redis.multi().xrange(key, `(${after}`, '+', 'COUNT', limit).xrange(key, after, after).xrevrange(key, '+', '-', 'COUNT', 1).exec(),
    );
    const [events = [], same = [], last = []] = (answers ?? []).map(([error, entries]) => {
      if (error) throw error;
      return entries as Entry[];
    });
    return { events: events.map(eventOf), known: known && same.length > 0, newest: last[0]?.[0] ?? null };
  }

  isAfter(id: string, other: string): boolean {
    const [time = '', number = ''] = id.split('-');
    const [otherTime = '', otherNumber = ''] = other.split('-');
    return time === otherTime ? isHigher(number, otherNumber) : isHigher(time, otherTime);
  }

  idSince(moment: Date): string {
    return `${moment.getTime() - CLOCKS_DIFFER_MS}-0`;
  }

  /** Redis knows no list of the keys of a workspace: all are passed by, a step at a time, so that it answers others in between. */
  async forgetOwn(most: number): Promise<{ removed: number; isDone: boolean }> {
    const pattern = `atrium:stream:{${requireScope().tenant_id}:*`;
    return this.ask(async (redis) => {
      let removed = 0;
      let cursor = '0';
      do {
        const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', SCANNED_AT_ONCE);
        for (const key of keys) removed += await redis.unlink(key);
        cursor = next;
      } while (cursor !== '0' && removed < most);
      return { removed, isDone: cursor === '0' };
    });
  }

  async deleteStream(stream: string): Promise<void> {
    await this.ask((redis) => redis.del(keyOf(stream)));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.redis.close();
  }

  protected async storeEvents(stream: string, events: readonly JsonObject[], fence: Fence | undefined): Promise<string> {
    const keys = [keyOf(stream), ...(fence ? [`${keyOf(stream)}:fence:${fence.name}`] : [])];
    const times = [this.longest, STREAM_RETENTION_SECONDS, fence?.token ?? 0, FENCE_RETENTION_SECONDS];
    const entries = events.map((event) => JSON.stringify(event));
    const id = await this.ask((redis) => redis.eval(APPEND, keys.length, ...keys, ...times, ...entries));
    if (fence && typeof id !== 'string') throw new StreamFenced(fence);
    return String(id);
  }

  private async ask<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      return await work(await this.redis.open());
    } catch {
      throw new Problem('service_unavailable', 'The stream is unavailable. Try again shortly.', {
        headers: { 'Retry-After': '1' },
      });
    }
  }
}

const keyOf = (stream: string): string => `atrium:stream:{${requireScope().tenant_id}:${stream}}`;

const eventOf = ([id, fields]: Entry): StreamEvent => ({ id, event: JSON.parse(fields[1] ?? '{}') as JsonObject });
