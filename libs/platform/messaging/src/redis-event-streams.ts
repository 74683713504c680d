import type { OnApplicationShutdown } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { Problem, type JsonObject } from '@atrium/platform/kernel';
import type { Redis } from 'ioredis';
import { EventStreams, FROM_START, STREAM_RETENTION_SECONDS, type StreamEvent } from './event-streams';
import { LazyRedis } from './redis-connection';
import type { Signals } from './signals';

const MAX_EVENTS = 20_000;
const ID = /^\d{1,15}(-\d{1,18})?$/;

/** Event streams as Redis streams: one key a stream, capped in length, forgotten an hour after the last event. */
export class RedisEventStreams extends EventStreams implements OnApplicationShutdown {
  private readonly redis: LazyRedis;

  constructor(url: string, signals: Signals) {
    super(signals);
    this.redis = new LazyRedis(url, 'streams');
  }

  async read(stream: string, afterId: string, limit: number): Promise<StreamEvent[]> {
    const entries = await this.ask((redis) =>
      redis.xrange(keyOf(stream), `(${ID.test(afterId) ? afterId : FROM_START}`, '+', 'COUNT', limit),
    );
    return entries.map(([id, fields]) => ({ id, event: JSON.parse(fields[1] ?? '{}') as JsonObject }));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.redis.close();
  }

  protected async store(stream: string, event: JsonObject): Promise<string> {
    const key = keyOf(stream);
    const answers = await this.ask((redis) =>
      redis.multi().xadd(key, 'MAXLEN', '~', MAX_EVENTS, '*', 'e', JSON.stringify(event)).expire(key, STREAM_RETENTION_SECONDS).exec(),
    );
    const [error, id] = answers?.[0] ?? [new Error('Redis did not respond.'), null];
    if (error) throw error;
    return String(id);
  }

  private async ask<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      return await work(await this.redis.open());
    } catch {
      throw new Problem('service_unavailable', 'The stream cannot be reached at the moment. Try again shortly.', {
        headers: { 'Retry-After': '1' },
      });
    }
  }
}

const keyOf = (stream: string): string => `atrium:stream:{${requireScope().tenant_id}:${stream}}`;
