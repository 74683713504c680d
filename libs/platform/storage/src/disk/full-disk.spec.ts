import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '@atrium/platform/kernel';
import { DiskObjectStore } from './disk-object-store';

/** The disk of a store, with as much room as the test says. */
class StoreOnDisk extends DiskObjectStore {
  free = Number.MAX_SAFE_INTEGER;

  override freeBytes(): Promise<number> {
    return Promise.resolve(this.free);
  }
}

describe('A disk store', () => {
  const root = mkdtempSync(join(tmpdir(), 'atrium-full-disk-'));
  afterAll(() => rmSync(root, { recursive: true }));

  it('cannot be used when its disk is full, although a few bytes can still be written', async () => {
    const store = new StoreOnDisk({ root, origin: 'http://localhost', secret: Buffer.alloc(32), clock: new SystemClock() });
    await store.check();
    store.free = 5 * 1024 * 1024;
    await expect(store.check()).rejects.toThrow('full: 5 MiB are free');
  });
});
