import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readZip } from '@atrium/platform/testing';
import { ObjectMissing, type ByteRange, type ObjectStore } from './object-store';
import { SteadySource } from './steady-source';
import { ZipWriter } from './zip-writer';

/** A store whose connections break after so many bytes, so many times. */
class BreakingStore {
  readonly asked: (number | undefined)[] = [];
  readonly open: Readable[] = [];

  constructor(
    private readonly bytes: Buffer,
    private readonly breakAfter: number,
    private breaks: number,
    private readonly gone = false,
  ) {}

  get(key: string, range?: ByteRange): Promise<Readable> {
    this.asked.push(range?.start);
    if (this.gone && this.breaks === 0) return Promise.reject(new ObjectMissing(key));
    const rest = this.bytes.subarray(range?.start ?? 0);
    const stream = new PassThrough();
    this.open.push(stream);
    if (this.breaks-- > 0) {
      stream.write(rest.subarray(0, this.breakAfter));
      setImmediate(() => stream.destroy(new Error('connection reset')));
    } else stream.end(rest);
    return Promise.resolve(stream);
  }

  as(): ObjectStore {
    return this as unknown as ObjectStore;
  }
}

const never = new AbortController().signal;
const at = new Date('2026-03-01T12:00:00Z');
describe('a ZIP', () => {
  it('holds entries stored and deflated, with their times, under a ZIP64 directory', async () => {
    const zip = await ZipWriter.open();
    const archive = buffer(zip.stream);
    await zip.add({ name: 'höhe.txt', modified: at, stored: false }, Readable.from([Buffer.from('a'.repeat(5_000))]));
    await zip.add({ name: 'b.jpg', modified: at, stored: true }, Buffer.from('b'.repeat(5_000)));
    await zip.add({ name: 'empty', modified: at, stored: false }, Readable.from([]));
    await zip.finish();
    const bytes = await archive;
    const { isZip64, entries } = readZip(bytes);
    expect(isZip64).toBe(true);
    expect(entries.map(({ bytes: content, ...entry }) => ({ ...entry, content: content.toString() }))).toEqual([
      { name: 'höhe.txt', stored: false, modified: at, content: 'a'.repeat(5_000) },
      { name: 'b.jpg', stored: true, modified: at, content: 'b'.repeat(5_000) },
      { name: 'empty', stored: false, modified: at, content: '' },
    ]);
  });

  it('does not list an entry that was withdrawn', async () => {
    const zip = await ZipWriter.open();
    const archive = buffer(zip.stream);
    await zip.add({ name: 'whole.txt', modified: at, stored: true }, Buffer.from('whole'));
    await zip.add({ name: 'torn.txt', modified: at, stored: true }, Readable.from([Buffer.from('to')]));
    zip.withdrawLast();
    await zip.add({ name: 'after.txt', modified: at, stored: true }, Buffer.from('after'));
    await zip.finish();
    expect(readZip(await archive).entries.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
      ['whole.txt', 'whole'],
      ['after.txt', 'after'],
    ]);
  });

  it('rejects waiting calls when its reader disconnects', async () => {
    const zip = await ZipWriter.open();
    const waiting = zip.add({ name: 'endless', modified: at, stored: true }, new PassThrough());
    zip.stream.destroy();
    await expect(waiting).rejects.toThrow();
  });

  it('ends with the failure of a source instead of waiting for ever', async () => {
    const zip = await ZipWriter.open();
    const source = new PassThrough();
    const waiting = zip.add({ name: 'torn', modified: at, stored: true }, source);
    source.destroy(new Error('torn'));
    await expect(waiting).rejects.toThrow();
    expect(zip.stream.destroyed).toBe(true);
  });
});

describe('a steady source', () => {
  const bytes = randomBytes(10_000);
  const read = async (store: BreakingStore): Promise<{ source: SteadySource; received: Buffer | null }> => {
    const source = new SteadySource(store.as(), { key: 'k', size: bytes.length }, never);
    const stream = await source.open();
    return { source, received: stream && (await buffer(stream)) };
  };

  it('takes up where a broken connection stopped', async () => {
    const store = new BreakingStore(bytes, 3_000, 2);
    const { source, received } = await read(store);
    expect(received?.equals(bytes)).toBe(true);
    expect(source.isLost).toBe(false);
    expect(store.asked).toEqual([undefined, 3_000, 6_000]);
  });

  it('is nothing at all when the object is not there', async () => {
    const { source, received } = await read(new BreakingStore(bytes, 0, 0, true));
    expect(received).toBeNull();
    expect(source.isLost).toBe(true);
  });

  it('ends early and says so when the object is deleted during the read', async () => {
    const { source, received } = await read(new BreakingStore(bytes, 3_000, 1, true));
    expect(received?.length).toBe(3_000);
    expect(source.isLost).toBe(true);
  });

  it('gives up on a store that never sends a byte', async () => {
    const store = new BreakingStore(bytes, 0, 1_000);
    const { received } = await read(store);
    expect(received).toBeNull();
    expect(store.asked).toHaveLength(4);
  });

  it('closes the connection at once when it is stopped', async () => {
    const stop = new AbortController();
    const held = new PassThrough();
    held.write('first');
    const store = { get: () => Promise.resolve(held) } as unknown as ObjectStore;
    const stream = await new SteadySource(store, { key: 'k', size: 100 }, stop.signal).open();
    const reading = buffer(stream ?? Readable.from([]));
    stop.abort();
    await expect(reading).rejects.toThrow();
    expect(held.destroyed).toBe(true);
  });

  it('asks storage nothing for no bytes', async () => {
    const store = new BreakingStore(bytes, 0, 0, true);
    const stream = await new SteadySource(store.as(), { key: 'k', size: 0 }, never).open();
    expect((await buffer(stream ?? Readable.from([Buffer.from('x')]))).length).toBe(0);
    expect(store.asked).toEqual([]);
  });
});
