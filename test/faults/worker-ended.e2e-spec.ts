import { createHash } from 'node:crypto';
import { migrateQueue } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { drawPicture, eventually, readZip, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { storeMany } from '../files/stored-files';
import { readFile, settled, upload } from '../files/uploading';
import { Hosts } from './hosts';

let arranger: RunningApi;
let workspace: TestWorkspace;
const hosts = new Hosts();

beforeAll(async () => {
  arranger = await startAtrium(BRIEF_LEASES);
  await migrateQueue(arranger.database.ownerUrl);
}, 60_000);
beforeEach(async () => {
  workspace = await arranger.workspace();
});
afterAll(async () => {
  await hosts.close();
  await arranger.close();
});

interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly done: number;
  readonly download_url?: string;
}

async function objects(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of arranger.app.get(ObjectStore, { strict: false }).list(`t/${workspace.tenant_id}/${prefix}`)) keys.push(key);
  return keys;
}

/**
 * How many objects are still to be removed: bytes of blobs that nothing refers to, what a job removes later, and what a run had read
 * of an upload and could not remove any more, which goes when the upload expires.
 */
async function leftByRuns(): Promise<number> {
  const orphans = await arranger.sql<{ blob_id: string }>("SELECT blob_id FROM file_blob WHERE tenant_id = $1 AND blob_state <> 'live'", [
    workspace.tenant_id,
  ]);
  const jobs = await arranger.sql<{ keys: string[] }>(
    "SELECT ev_payload -> 'keys' AS keys FROM outbox WHERE tenant_id = $1 AND ev_name = 'files.discarded'",
    [workspace.tenant_id],
  );
  const staged = await arranger.sql<{ upl_key: string }>('SELECT upl_key FROM upload WHERE tenant_id = $1 AND upl_staged', [
    workspace.tenant_id,
  ]);
  const later = new Set([...jobs.flatMap(({ keys }) => keys), ...staged.map(({ upl_key }) => upl_key)]);
  return (await objects('')).filter((key) => later.has(key) || orphans.some(({ blob_id }) => key.includes(blob_id))).length;
}

const order = async (file_ids: readonly string[]): Promise<Job> =>
  (await workspace.owner.client.post('/download-jobs', { file_ids }).expect(202)).body as Job;
const read = async ({ job_id }: Job): Promise<Job> =>
  (await workspace.owner.client.get(`/download-jobs/${job_id}`).expect(200)).body as Job;
const halfWay = (job: Job): Promise<Job> =>
  eventually(
    () => read(job),
    ({ done }) => done >= 50,
  );

async function expectWholeArchive(job: Job, entries: number): Promise<void> {
  const done = await eventually(
    () => read(job),
    ({ status }) => status === 'completed',
    60_000,
  );
  const archive = readZip(Buffer.from(await (await fetch(done.download_url ?? '')).arrayBuffer()));
  expect(archive.entries).toHaveLength(entries);
  expect(await objects('archives/')).toEqual([expect.stringContaining(`t/${workspace.tenant_id}/archives/${job.job_id}/`)]);
  expect(
    await arranger.sql("SELECT 1 FROM outbox WHERE ev_name = 'download_job.completed' AND ev_subject = $1", [job.job_id]),
  ).toHaveLength(1);
}

describe('a worker that is killed', () => {
  it('while it reads several files leaves all of them to the next one, and nothing is doubled', async () => {
    await hosts.witness(async () => {
      const { client } = workspace.owner;
      const pictures = await Promise.all([1, 2, 3, 4, 5].map((seed) => drawPicture({ width: 3000, height: 2000, format: 'jpeg', seed })));
      const names = [...pictures, ...pictures.slice(0, 3)];
      const files = await Promise.all(names.map((bytes, index) => upload(client, `${index}.jpg`, bytes)));
      const killed = await hosts.worker();
      const ready = (): Promise<number> =>
        Promise.all(files.map(({ file_id }) => readFile(client, file_id))).then(
          (all) => all.filter(({ file_processing }) => file_processing === 'ready').length,
        );
      await eventually(ready, (count) => count >= 1);
      await killed.end('SIGKILL');
      expect(await ready()).toBeLessThan(files.length);

      await hosts.worker();
      const hashes = names.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
      for (const [index, { file_id }] of files.entries()) {
        expect(await settled(client, file_id)).toMatchObject({
          file_processing: 'ready',
          file_hash: hashes[index],
          file_replicas: 'small,medium,large',
          file_version: 1,
        });
      }
      const count = async (text: string): Promise<number> => (await arranger.sql(text, [workspace.tenant_id])).length;
      expect(await count('SELECT 1 FROM file WHERE tenant_id = $1')).toBe(files.length);
      expect(await count('SELECT 1 FROM file_version WHERE tenant_id = $1')).toBe(files.length);
      expect(await count("SELECT 1 FROM file_blob WHERE tenant_id = $1 AND blob_state = 'live' AND blob_refs > 0")).toBe(pictures.length);
      expect(await count("SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_name = 'file.ready'")).toBe(files.length);
      const whole = pictures.length * ['original', 'small', 'medium', 'large'].length;
      // Beside them there is at most what a killed run has left, and it is known to the sweeper or to a job.
      await eventually(
        async () => (await objects('')).length - (await leftByRuns()),
        (left) => left === whole,
      );
    });
  }, 120_000);

  it('while it packs an archive leaves it to the next one, which makes the one archive', async () => {
    await hosts.witness(async () => {
      const job = await order(await storeMany(arranger, workspace, 1_500));
      await halfWay(job);
      await hosts.close();
      expect((await read(job)).status).toBe('running');
      expect(await objects('archives/')).toEqual([]);
      await hosts.worker();
      await expectWholeArchive(job, 1_500);
    });
  }, 120_000);
});

describe('a worker that is asked to stop', () => {
  it('hands its job back at once, to be done by another one without waiting', async () => {
    await hosts.witness(async () => {
      await hosts.close();
      const job = await order(await storeMany(arranger, workspace, 800));
      // Its lease outlasts the test: the next worker can only go on because the job was handed back.
      const stopped = await hosts.worker({ WORKER_LEASE_SECONDS: '600' });
      await halfWay(job);
      expect(await stopped.end('SIGTERM')).toEqual({ code: 0, signal: null });
      expect((await read(job)).status).toBe('running');
      await hosts.worker({ WORKER_LEASE_SECONDS: '600' });
      await expectWholeArchive(job, 800);
      expect(stopped.errors).toBe('');
    });
  }, 120_000);
});
