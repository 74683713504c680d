import { apartFromRequest, type Clock } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';

/** From when on an entry is read again beside the request that asks for it, and from when on the request waits. */
const AGING_MS = 3_000;
const STALE_MS = 5_000;
/** How long an entry still answers when it cannot be read again. */
const LAST_RESORT_MS = 60_000;

interface Entry<V> {
  readonly value: V;
  readonly read: number;
}

/**
 * What was read lately, by key: at most five seconds old, however few messages of changes arrive; what is asked for all the
 * time is read again beforehand, so that nobody waits. A change that is heard of counts at once, also against a reading that
 * is under way.
 */
export class ShortLived<V extends object> {
  private readonly entries: LRUCache<string, Entry<V>>;
  private readonly readings = new Map<string, Promise<V>>();

  constructor(
    private readonly read: (key: string, before: V | undefined) => Promise<V>,
    private readonly options: { readonly max: number; readonly clock: Clock },
  ) {
    this.entries = new LRUCache({ max: options.max });
  }

  /** At once when it is known and fresh. */
  get(key: string): V | Promise<V> {
    const entry = this.entries.get(key);
    if (!entry) return this.readings.get(key) ?? this.renew(key, undefined);
    const age = this.options.clock.now().getTime() - entry.read;
    if (age < AGING_MS) return entry.value;
    const renewing = this.readings.get(key) ?? this.renew(key, entry.value);
    if (age < STALE_MS) {
      renewing.catch(() => undefined);
      return entry.value;
    }
    return age < LAST_RESORT_MS ? renewing.catch(() => entry.value) : renewing;
  }

  forget(key: string): void {
    this.entries.delete(key);
    this.readings.delete(key);
  }

  private renew(key: string, before: V | undefined): Promise<V> {
    const asked = this.options.clock.now().getTime();
    const reading: Promise<V> = apartFromRequest(() => this.read(key, before))
      .then((value) => {
        if (this.readings.get(key) === reading) this.entries.set(key, { value, read: asked });
        return value;
      })
      .finally(() => {
        if (this.readings.get(key) === reading) this.readings.delete(key);
      });
    this.readings.set(key, reading);
    return reading;
  }
}
