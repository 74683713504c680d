import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '@atrium/platform/kernel';
import { bytesOf } from './contract/backend';
import { DiskObjectStore } from './disk/disk-object-store';
import { providerOf, RoutedObjectStore, StoreRoutes } from './routed-object-store';

const PROVIDER = '01a1fdc9-8680-72a4-86b2-abc5573d9724';
const GONE = '01a1fdc9-8680-72a4-86b2-abc5573d9725';
const there = (key: string): string => `p/${PROVIDER}/${key}`;

describe('stores behind one', () => {
  let folder: string;
  let home: DiskObjectStore;
  let foreign: DiskObjectStore;
  let store: RoutedObjectStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'routed-'));
    const disk = (name: string): DiskObjectStore =>
      new DiskObjectStore({ root: join(folder, name), origin: 'http://localhost', secret: Buffer.alloc(32, 1), clock: new SystemClock() });
    [home, foreign] = [disk('home'), disk('foreign')];
    const routes = new StoreRoutes();
    routes.register((provider) => Promise.resolve(provider === PROVIDER ? { store: foreign, prefix: 'below/' } : null));
    store = new RoutedObjectStore(home, routes);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('put and get an object where its key says', async () => {
    await store.putObject('a/one', Buffer.from('home'));
    await store.putObject(there('a/one'), Buffer.from('there'));
    expect(await home.stat('a/one')).toMatchObject({ size: 4 });
    expect(await foreign.stat('below/a/one')).toMatchObject({ size: 5 });
    expect((await bytesOf(await store.get(there('a/one')))).toString()).toBe('there');
    expect((await bytesOf(await store.get('a/one'))).toString()).toBe('home');
    expect([providerOf('a/one'), providerOf(there('a/one'))]).toEqual([null, PROVIDER]);
  });

  it('list under keys that lead back, and delete the object at each', async () => {
    for (const key of ['a/one', there('a/one'), there('a/two'), there('b/one')]) await store.putObject(key, Buffer.from('x'));
    const keys: string[] = [];
    for await (const { key } of store.list(there('a/'))) keys.push(key);
    expect(keys).toEqual([there('a/one'), there('a/two')]);
    await store.delete(['a/one', ...keys]);
    expect([await store.stat('a/one'), await store.stat(there('a/one')), await store.stat(there('a/two'))]).toEqual([null, null, null]);
    expect(await store.stat(there('b/one'))).not.toBeNull();
  });

  it('copy within a store and between two', async () => {
    await store.putObject(there('a/one'), Buffer.from('bytes'));
    await store.copy(there('a/one'), there('a/two'));
    await store.copy(there('a/two'), 'a/three');
    expect((await bytesOf(await home.get('a/three'))).toString()).toBe('bytes');
    await expect(store.copy(there('a/none'), 'a/four')).rejects.toMatchObject({ name: 'ObjectMissing' });
  });

  it('treat objects of a removed provider as deleted, and say so to readers', async () => {
    await expect(store.delete([`p/${GONE}/a/one`])).resolves.toBeUndefined();
    await expect(store.abort(`p/${GONE}/a/one`, 'u')).resolves.toBeUndefined();
    await expect(store.get(`p/${GONE}/a/one`)).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});
