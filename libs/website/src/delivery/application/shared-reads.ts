import { apartFromRequest } from '@atrium/platform/kernel';

interface Reading<V> {
  readonly current: Promise<V>;
  /** Begins when the current one has ended. */
  next?: Promise<V>;
}

/**
 * Reads that many ask for at once, by key. One is under way at a time: those who come in the meantime share the one after it, which
 * begins after they came and so sees all that was there by then.
 */
export class SharedReads<V> {
  private readonly readings = new Map<string, Reading<V>>();

  read(key: string, read: () => Promise<V>): Promise<V> {
    const reading = this.readings.get(key);
    if (!reading) return this.beginReading(key, read);
    return (reading.next ??= reading.current.then(
      () => this.beginReading(key, read),
      () => this.beginReading(key, read),
    ));
  }

  private beginReading(key: string, read: () => Promise<V>): Promise<V> {
    const reading: Reading<V> = { current: apartFromRequest(read) };
    this.readings.set(key, reading);
    const end = (): void => {
      if (this.readings.get(key) === reading && !reading.next) this.readings.delete(key);
    };
    reading.current.then(end, end);
    return reading.current;
  }
}
