import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { BRIEF_LEASES, startAtrium, startWorker } from '../support/api';
import { spawnWorker } from '../support/built-hosts';
import { endedJob, readJob, type FileJobAnswer } from './file-jobs-of';
import { storeMany } from './stored-files';

const FILES = 500;

let api: RunningApi;
let ours: TestWorkspace;
let killed: ChildProcess | undefined;

beforeAll(async () => {
  api = await startAtrium(BRIEF_LEASES);
  ours = await api.workspace();
});
afterAll(async () => {
  killed?.kill('SIGKILL');
  await api.close();
});

/** A picture of one pixel: looked into in next to no time, and yet by the whole way. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

describe('a worker that is killed in the middle of a reindex', () => {
  it('[files 17] loses nothing: another one goes on at the last checkpoint, and done and failed come to the total', async () => {
    const { client } = ours.owner;
    await storeMany(api, ours, FILES, { name: 'pixel.png', type: 'image/png', kind: 'image', bytes: PIXEL, read: true });
    // Each file with a version of its own, so that each is looked into; a few of them have lost their bytes.
    await api.sql(
      `WITH numbered AS (SELECT f.*, gen_random_uuid() AS fv, row_number() OVER (ORDER BY file_id) AS n FROM file f WHERE tenant_id = $1),
       made AS (INSERT INTO file_version (tenant_id, fv_id, fv_file, fv_number, fv_name, fv_type, fv_size, fv_hash, fv_source, fv_blob, fv_quarantine)
         SELECT tenant_id, fv, file_id, 2, file_name, file_type, file_size, file_hash, 'upload', file_blob, CASE WHEN n % 100 = 0 THEN 'malware' END FROM numbered RETURNING fv_file, fv_id)
       UPDATE file f SET file_current_version = m.fv_id, file_version = 2 FROM made m WHERE f.tenant_id = $1 AND f.file_id = m.fv_file`,
      [ours.tenant_id],
    );
    await migrateQueue(api.database.ownerUrl);
    killed = spawnWorker();
    const { job_id, total } = (
      await client.post('/files/actions/reindex', { repo_type: 'media', steps: ['metadata', 'renditions'] }).expect(202)
    ).body as FileJobAnswer;
    expect(total).toBe(FILES);
    const halfway = await eventually(
      () => readJob(client, job_id),
      ({ done }) => done > 0,
      120_000,
    );
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(halfway.done).toBeLessThan(FILES);

    const stopped = await readJob(client, job_id);
    expect(stopped.status).toBe('running');
    await startWorker(api);
    const done = await endedJob(client, job_id);
    expect(done).toMatchObject({ status: 'partial', total: FILES, done: FILES - 5, failed: 5 });
    expect(done.errors.map(({ code }) => code)).toEqual(Array(5).fill('invalid_state'));
    const looked = await api.sql("SELECT 1 FROM file WHERE tenant_id = $1 AND (file_metadata #>> '{system,width}')::integer = 1", [
      ours.tenant_id,
    ]);
    expect(looked).toHaveLength(FILES - 5);
  }, 300_000);
});
