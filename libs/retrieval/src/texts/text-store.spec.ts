import { runInScope, SYSTEM_ACTOR } from '@atrium/platform/database';
import { Clock, newId } from '@atrium/platform/kernel';
import type { ObjectStore } from '@atrium/platform/storage';
import { Readable } from 'node:stream';
import { TextStore } from './text-store';

class At extends Clock {
  now(): Date {
    return new Date('2026-03-01T12:00:00Z');
  }
}

const SCOPE = { tenant_id: newId(), actor: SYSTEM_ACTOR, request_id: 'r' };
const MADE = { markdown: '# Tides', blob_key: 'b/1', engine: 'docx/1' };

const stored = async () => {
  const objects = new Map<string, string>();
  const get = jest.fn((key: string) => Promise.resolve(Readable.from([objects.get(key) ?? ''])));
  const put = (key: string, bytes: Buffer) => Promise.resolve(void objects.set(key, bytes.toString('utf8')));
  const remove = (keys: readonly string[]) => Promise.resolve(keys.forEach((key) => objects.delete(key)));
  const store = new TextStore({ get, putObject: put, delete: remove } as unknown as ObjectStore, new At());
  const key = await runInScope(SCOPE, () => store.putMarkdown('f', 'v', MADE));
  return { store, key, get };
};

describe('the markdown of a file', () => {
  it('is handed on once to the job that indexes it, and fetched after that', async () => {
    const { store, key, get } = await stored();
    expect(await store.readForIndexing(key, 'docx/1')).toBe('# Tides');
    expect(get).not.toHaveBeenCalled();
    expect(await store.readForIndexing(key, 'docx/1')).toBe('# Tides');
    expect(get).toHaveBeenCalledTimes(1);
  });

  it('is fetched if another engine has read the bytes since', async () => {
    const { store, key, get } = await stored();
    await store.readForIndexing(key, 'docx/2');
    expect(get).toHaveBeenCalledTimes(1);
  });

  it('is held by nobody once it is deleted', async () => {
    const { store, key } = await stored();
    await store.deleteMarkdown([key]);
    expect(await store.readForIndexing(key, 'docx/1')).toBe('');
  });

  it('is fetched by everyone else', async () => {
    const { store, key, get } = await stored();
    expect(await store.readMarkdown(key)).toBe('# Tides');
    expect(get).toHaveBeenCalledTimes(1);
  });
});
