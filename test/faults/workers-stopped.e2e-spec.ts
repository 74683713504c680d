import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { ObjectStore } from '@atrium/platform/storage';
import { migrateQueue } from '@atrium/platform/messaging';
import { drawPicture, eventually, readZip, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { copied, publish, statusAt } from '../distribution/publishing';
import { archiveOf, orderOf, over } from '../governance/asking-for-data';
import { settled, upload } from '../files/uploading';
import { startAtrium, startWorker } from '../support/api';
import { spawnWorker } from '../support/built-hosts';
import { TroubledStore } from './troubled-store';

interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly download_url?: string;
}

let store: TroubledStore;
let api: RunningApi;
let ours: TestWorkspace;
let stopped: ChildProcess | undefined;

beforeAll(async () => {
  store = await TroubledStore.start();
  api = await startAtrium({ ...store.environment, WORKER_LEASE_SECONDS: '2' });
  ours = await api.workspace(['module-publication']);
  await migrateQueue(api.database.ownerUrl);
}, 60_000);
afterAll(async () => {
  stopped?.kill('SIGKILL');
  await api.close();
  await store.stop();
});

async function keys(prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of api.app.get(ObjectStore, { strict: false }).list(prefix)) found.push(key);
  return found;
}

const keyOf = (path: string): string => path.replace(/^\/atrium-test\//, '').replace(/\?.*$/, '');

describe('a worker that is stopped for longer than its lease, right after it has stored something', () => {
  it('removes only what it made itself when it comes back: archive, renditions, public copy and export of another worker stay', async () => {
    const { client } = ours.owner;
    store.holdFirst(/\/archives\//, /\/(?:small|medium|large)-/, /\/pub\//, /\/privacy\//);
    stopped = spawnWorker();
    const photo = await drawPicture({ width: 640, height: 480, format: 'jpeg' });
    const text = await upload(client, 'words.txt', Buffer.from('words to be published and packed'));
    expect(await settled(client, text.file_id)).toMatchObject({ file_processing: 'ready' });
    const picture = await upload(client, 'picture.jpg', photo);
    const { pub_url } = await publish(client, text.file_id);
    const archive = (await client.post('/download-jobs', { file_ids: [text.file_id] }).expect(202)).body as Job;
    const request = await orderOf(client, { dsr_kind: 'export', dsr_subject_type: 'user', dsr_subject: ours.owner.user_id });
    await eventually(
      () => Promise.resolve(store.held),
      (held) => held.length === 4,
      60_000,
    );
    const own = store.held.map(({ path }) => keyOf(path));
    stopped.kill('SIGSTOP');
    store.release();

    await startWorker(api);
    const packed = await eventually(
      async () => (await client.get(`/download-jobs/${archive.job_id}`).expect(200)).body as Job,
      ({ status }) => status === 'completed',
      60_000,
    );
    await settled(client, picture.file_id);
    expect(await copied(client, text.file_id)).toMatchObject({ pub_copy_state: 'ready' });
    expect(await over(client, request.dsr_id)).toMatchObject({ dsr_status: 'completed' });
    store.deletions = '';
    stopped.kill('SIGCONT');
    // Of the public copy there may be nothing left to remove: the next run's tidying has taken it.
    await eventually(
      () => Promise.resolve(store.deletions),
      (deletions) => own.every((key) => key.startsWith('pub/') || deletions.includes(key)),
      60_000,
    );

    expect(readZip(Buffer.from(await (await fetch(packed.download_url ?? '')).arrayBuffer())).entries.map(({ name }) => name)).toEqual([
      'words.txt',
    ]);
    expect(await statusAt(pub_url)).toBe(200);
    expect((await archiveOf(client, request.dsr_id)).has('manifest.json')).toBe(true);
    const [blob] = await api.sql<{ blob_key: string; blob_replicas: Record<string, { key: string }> }>(
      'SELECT b.blob_key, b.blob_replicas FROM file_blob b JOIN file f ON f.tenant_id = b.tenant_id AND f.file_blob = b.blob_id WHERE f.file_id = $1',
      [picture.file_id],
    );
    const shown = Object.values(blob?.blob_replicas ?? {}).map(({ key }) => key);
    expect(shown).toHaveLength(3);
    expect(await keys(`t/${ours.tenant_id}/blobs/`)).toEqual(expect.arrayContaining([blob?.blob_key, ...shown]));

    // What lost runs have made is removed: one archive, one export, one public copy, and two blobs of which one has renditions.
    const left = async (): Promise<number[]> =>
      Promise.all(
        [`t/${ours.tenant_id}/archives/`, `t/${ours.tenant_id}/privacy/`, `pub/${ours.tenant_id}/`, `t/${ours.tenant_id}/blobs/`].map(
          async (prefix) => (await keys(prefix)).length,
        ),
      );
    expect(await eventually(left, (counts) => counts.join() === '1,1,1,5')).toEqual([1, 1, 1, 5]);
    stopped.kill('SIGTERM');
    await once(stopped, 'exit');
  }, 240_000);
});
