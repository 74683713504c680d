import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ObjectMissing, type ListedObject } from '../object-store';
import { MIB, bytesOf, heldBytes, sha256, type Contract } from './backend';

const BODY = Buffer.from('Bytes that the service itself reads and writes.');
const BIG = 70;
// A few blocks of 8 MiB, those of a server in the same process among them; all of it would be more than BIG.
const FLAT = 56 * MIB;

/** The service's own calls: streams of any length, copies, listings, deletion. */
export function dataCases({ store, able, key }: Contract): void {
  it('describes the object at a key, and answers null for none', async () => {
    const name = key();
    expect(await store().stat(name)).toBeNull();
    const put = await store().putObject(name, BODY, { contentType: 'text/plain' });
    expect(await store().stat(name)).toEqual(put);
    expect(put.size).toBe(BODY.length);
    if (able.contentTypes) expect(put.contentType).toBe('text/plain');
  });

  it('reads a range with both ends included', async () => {
    const name = key();
    await store().putObject(name, BODY);
    expect((await bytesOf(await store().get(name, { start: 0, end: 4 }))).toString()).toBe('Bytes');
    expect((await bytesOf(await store().get(name, { start: 40, end: 400 }))).toString()).toBe('writes.');
    await expect(store().get(name, { start: BODY.length })).rejects.toBeInstanceOf(RangeError);
  });

  it('throws ObjectMissing for reading or copying what is not there', async () => {
    await expect(store().get(key())).rejects.toBeInstanceOf(ObjectMissing);
    await expect(store().copy(key(), key())).rejects.toBeInstanceOf(ObjectMissing);
  });

  it.each(['', '/x', 'x/', 'a//b', '../up', 'a/../b', 'Upper', 'dot.txt', 'sp ace', '0012', 'x'.repeat(600)])(
    'rejects %j as a key',
    async (name) => {
      await expect((async () => store().putObject(name, BODY))()).rejects.toBeInstanceOf(RangeError);
    },
  );

  it('stores an empty stream and a stream of many small chunks', async () => {
    const [empty, small] = [key(), key()];
    expect((await store().putObject(empty, Readable.from([]))).size).toBe(0);
    expect(await bytesOf(await store().get(empty))).toEqual(Buffer.alloc(0));
    const chunks = Array.from({ length: 2_000 }, (_, i) => Buffer.from(`${i},`));
    await store().putObject(small, Readable.from(chunks));
    expect(await bytesOf(await store().get(small))).toEqual(Buffer.concat(chunks));
  });

  it('stores nothing when the stream fails or does not keep its promised size', async () => {
    const name = key();
    const failing = Readable.from(
      (async function* () {
        yield BODY;
        throw new Error('the source broke');
      })(),
    );
    await expect(store().putObject(name, failing)).rejects.toThrow('the source broke');
    await expect(store().putObject(name, Readable.from([BODY]), { size: BODY.length + 1 })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    await expect(store().putObject(name, Readable.from([BODY]), { size: BODY.length - 1 })).rejects.toMatchObject({
      code: 'payload_too_large',
    });
    expect(await store().stat(name)).toBeNull();
  });

  it(`streams ${BIG} MB of unknown length in and out with flat memory`, async () => {
    const name = key();
    const written = createHash('sha256');
    const before = heldBytes();
    let peak = 0;
    const source = Readable.from(
      (async function* () {
        for (let i = 0; i < BIG; i++) {
          const chunk = Buffer.alloc(MIB, i);
          written.update(chunk);
          yield chunk;
          if (i % 20 === 9) peak = Math.max(peak, heldBytes() - before);
        }
      })(),
      { highWaterMark: 1 },
    );
    expect((await store().putObject(name, source)).size).toBe(BIG * MIB);
    const read = createHash('sha256');
    let seen = 0;
    for await (const chunk of await store().get(name)) {
      read.update(chunk as Buffer);
      const earlier = seen;
      seen += (chunk as Buffer).length;
      if (Math.floor(earlier / (20 * MIB)) !== Math.floor(seen / (20 * MIB))) peak = Math.max(peak, heldBytes() - before);
    }
    expect(read.digest('hex')).toBe(written.digest('hex'));
    expect(peak).toBeLessThan(FLAT);
    await store().delete([name]);
  });

  it('closes a stream at once when it is destroyed, and goes on working', async () => {
    const name = key();
    await store().putObject(name, Buffer.alloc(8 * MIB, 'z'));
    for (let i = 0; i < 20; i++) {
      const stream = await store().get(name);
      await once(stream, 'readable');
      const closed = once(stream, 'close', { signal: AbortSignal.timeout(2_000) });
      stream.destroy();
      await closed;
    }
    expect(sha256(await bytesOf(await store().get(name)))).toBe(sha256(Buffer.alloc(8 * MIB, 'z')));
  });

  it('copies an object that then lives on its own', async () => {
    const [from, to] = [key(), key()];
    await store().putObject(from, BODY, { contentType: 'text/plain' });
    const copied = await store().copy(from, to);
    expect(copied.size).toBe(BODY.length);
    if (able.contentTypes) expect(copied.contentType).toBe('text/plain');
    await store().delete([from]);
    expect(await bytesOf(await store().get(to))).toEqual(BODY);
  });

  it('lets a reader finish the old body while it is overwritten, and never mixes two', async () => {
    const name = key();
    const bodies = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(MIB, letter));
    await store().putObject(name, bodies[0] ?? BODY);
    const reads = bodies.map(async (body) => {
      const stream = await store().get(name);
      await store().putObject(name, body);
      return sha256(await bytesOf(stream));
    });
    for (const read of await Promise.all(reads)) expect(bodies.map(sha256)).toContain(read);
  });

  it('lists by prefix in the order of the keys, over several pages', async () => {
    const folder = key();
    const names = ['a', 'a/b', 'a/c/d', 'a-1', 'ab', 'b', 'c/0012'].map((name) => `${folder}/${name}`);
    await Promise.all(names.map((name) => store().putObject(name, BODY)));
    const listed = await all(store().list(`${folder}/`));
    expect(listed.map((found) => found.key)).toEqual([...names].sort());
    expect(listed.every(({ size, modified }) => size === BODY.length && Math.abs(modified.getTime() - Date.now()) < 600_000)).toBe(true);
    expect((await all(store().list(`${folder}/a`))).map((found) => found.key)).toEqual(names.slice(0, 5).sort());
    expect(await all(store().list(`${folder}/nothing`))).toEqual([]);
    await store().delete(names);
    expect(await all(store().list(folder))).toEqual([]);
  });

  it('deletes many keys at once, and ignores absent ones', async () => {
    const names = [key(), key(), key()];
    await Promise.all(names.slice(1).map((name) => store().putObject(name, BODY)));
    await store().delete(names);
    await store().delete([]);
    expect(await Promise.all(names.map((name) => store().stat(name)))).toEqual([null, null, null]);
  });

  it('reports that it can be used', async () => {
    await expect(store().check()).resolves.toBeUndefined();
  });
}

async function all(listing: AsyncIterable<ListedObject>): Promise<ListedObject[]> {
  const found: ListedObject[] = [];
  for await (const object of listing) found.push(object);
  return found;
}
