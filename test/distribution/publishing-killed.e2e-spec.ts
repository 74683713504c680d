import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Client as Postgres } from 'pg';
import { storeFile } from '../files/stored-files';
import { BRIEF_LEASES, startAtrium, startWorker } from '../support/api';
import { spawnWorker } from '../support/built-hosts';
import { copied, publicationOf, publish, statusAt } from './publishing';

let api: RunningApi;
let ours: TestWorkspace;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  api = await startAtrium(BRIEF_LEASES);
  ours = await api.workspace(['module-publication']);
  await migrateQueue(api.database.ownerUrl);
}, 60_000);
afterAll(async () => {
  worker?.kill('SIGKILL');
  await api.close();
});

async function copies(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of api.app.get(ObjectStore, { strict: false }).list(`pub/${ours.tenant_id}/`)) keys.push(key);
  return keys;
}

describe('a worker that is killed while it copies and while a window closes', () => {
  it('[distribution 18] leaves both to another one, which comes to the same end: one object for each published hash', async () => {
    const { client } = ours.owner;
    worker = spawnWorker();
    const [lasting, ending] = [await storeFile(api, ours), await storeFile(api, ours)];
    await publish(client, ending.file_id);
    const { pub_url: closed } = await copied(client, ending.file_id);

    // Whatever is counted as stored waits: the copy is made and cannot become live, the closed window cannot be kept.
    const gate = new Postgres({ connectionString: api.database.ownerUrl });
    await gate.connect();
    await gate.query('BEGIN; LOCK TABLE storage_delta IN EXCLUSIVE MODE');
    await publish(client, ending.file_id, { distribution: 'worldwide', end: new Date(Date.now() + 2_000).toISOString() }, 200);
    const { pub_url: open } = await publish(client, lasting.file_id);
    await eventually(
      () => publicationOf(client, lasting.file_id),
      ({ pub_copy_state }) => pub_copy_state === 'copying',
      60_000,
    );
    await eventually(copies, (keys) => keys.length === 2, 30_000);
    expect(
      await eventually(
        () => statusAt(closed),
        (status) => status === 410,
        15_000,
      ),
    ).toBe(410);
    expect(await publicationOf(client, ending.file_id)).toMatchObject({ pub_state: 'published' });
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await gate.query('ROLLBACK');
    await gate.end();

    await startWorker(api);
    expect(
      await eventually(
        () => publicationOf(client, lasting.file_id),
        ({ pub_copy_state }) => pub_copy_state === 'ready',
        120_000,
      ),
    ).toMatchObject({ pub_state: 'published', pub_hash: lasting.hash });
    expect(
      await eventually(
        () => publicationOf(client, ending.file_id),
        ({ pub_state }) => pub_state === 'revoked',
        120_000,
      ),
    ).toMatchObject({ pub_revoked_reason: 'expired' });
    expect(
      await eventually(
        () => statusAt(open),
        (status) => status === 200,
      ),
    ).toBe(200);
    const left = await eventually(copies, (keys) => keys.length === 1, 60_000);
    expect(left).toEqual([expect.stringMatching(new RegExp(`/${lasting.hash}-`))]);
  }, 300_000);
});
