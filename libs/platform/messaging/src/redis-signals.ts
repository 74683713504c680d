import type { OnApplicationShutdown } from '@nestjs/common';
import { onceForAll, type JsonObject } from '@atrium/platform/kernel';
import type { Redis } from 'ioredis';
import { LazyRedis, patient } from './redis-connection';
import { Listeners, Signals, type Channel, type SignalListener, type Unsubscribe } from './signals';

const PREFIX = 'atrium:signal:';
const ASK_EVERY_MS = 3_000;

/** Signals over Redis publish/subscribe: one subscription a channel and process, renewed after a lost connection. */
export class RedisSignals extends Signals implements OnApplicationShutdown {
  private readonly listeners = new Listeners();
  private readonly publisher: LazyRedis;
  private readonly subscriber: LazyRedis;
  private readonly hearing = onceForAll(() => this.hear());
  private asking: NodeJS.Timeout | undefined;

  constructor(url: string) {
    super();
    this.publisher = new LazyRedis(url, 'signals');
    this.subscriber = new LazyRedis(url, 'signals-listener', patient(0));
  }

  async publish(channel: Channel, payload: JsonObject): Promise<void> {
    const redis = await this.publisher.open();
    await redis.publish(PREFIX + channel, JSON.stringify(payload));
  }

  async subscribe(channel: Channel, listener: SignalListener): Promise<Unsubscribe> {
    const redis = await this.hearing();
    if (this.listeners.add(channel, listener)) await takenUp(redis, redis.subscribe(PREFIX + channel));
    return async () => {
      if (this.listeners.remove(channel, listener)) await takenUp(redis, redis.unsubscribe(PREFIX + channel));
    };
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.asking);
    await Promise.all([this.publisher.close(), this.subscriber.close()]);
  }

  private async hear(): Promise<Redis> {
    const redis = await this.subscriber.open();
    // A listener for every command that is not taken up yet: many come at once after an outage.
    redis.setMaxListeners(0);
    redis.on('message', (channel: string, text: string) =>
      this.listeners.notifyListeners(channel.slice(PREFIX.length), JSON.parse(text) as JsonObject),
    );
    let wasReady = redis.status === 'ready';
    redis.on('ready', () => {
      if (wasReady) this.announceRenewal();
      wasReady = true;
    });
    // A listener waits for nothing, so only a query shows that the server is no longer there.
    this.asking = setInterval(() => void (redis.status === 'ready' && redis.ping().catch(() => undefined)), ASK_EVERY_MS).unref();
    return redis;
  }
}

/** Done, or sent as soon as the connection is back: no caller waits for an unavailable Redis, and no host while it starts or stops. */
function takenUp(redis: Redis, command: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const isAway = redis.status !== 'ready' && redis.status !== 'connect' && redis.status !== 'connecting';
    const left = (): void => resolve();
    redis.once('close', left);
    command.then(left, reject).finally(() => redis.off('close', left));
    if (isAway) left();
  });
}
