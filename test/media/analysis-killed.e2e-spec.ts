import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import { drawPicture, eventually, ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { endedJob, readJob, type FileJobAnswer } from '../files/file-jobs-of';
import { storeMany } from '../files/stored-files';
import { Crediting } from '../governance/crediting';
import { OPERATOR_TOKENS } from '../support/operating';
import { MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { BRIEF_LEASES, startAtrium, startWorker } from '../support/api';
import { spawnWorker } from '../support/built-hosts';
import { createSchema, field } from './analysing';

const FILES = 300;

let api: RunningApi;
let models: ModelServer;
let crediting: Crediting;
let ours: TestWorkspace;
let killed: ChildProcess | undefined;

beforeAll(async () => {
  models = await ModelServer.start();
  models.answering = () => ({ say: { values: { mood: 'calm' }, confidence: { mood: 1 } } });
  api = await startAtrium({ ...BRIEF_LEASES, ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS });
  crediting = new Crediting(api);
  ours = await crediting.workspace(10);
  await provideModels(api, ours, models);
});
afterAll(async () => {
  killed?.kill('SIGKILL');
  await api.close();
  await models.stop();
});

describe('a worker that is killed while 300 files are analysed', () => {
  it('[media 14] is followed by another one that goes on, and each file is charged once', async () => {
    const { client } = ours.owner;
    await storeMany(api, ours, FILES, {
      name: 'same.jpg',
      type: 'image/jpeg',
      kind: 'image',
      bytes: await drawPicture({ width: 64, height: 48, format: 'jpeg', seed: 1 }),
      read: true,
    });
    const files = (await api.sql<{ file_id: string }>('SELECT file_id FROM file WHERE tenant_id = $1', [ours.tenant_id])).map(
      ({ file_id }) => file_id,
    );
    const schema = await createSchema(client, 'mood', [field('mood', { type: 'enum', values: ['calm', 'wild'] })]);
    await migrateQueue(api.database.ownerUrl);
    killed = spawnWorker();
    const { job_id, total } = (await client.post('/files/actions/analyze', { fa_schema: schema, file_ids: files }).expect(202))
      .body as FileJobAnswer;
    expect(total).toBe(FILES);
    const halfway = await eventually(
      () => readJob(client, job_id),
      ({ done }) => done > 0,
      120_000,
    );
    expect(halfway.done).toBeLessThan(FILES);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect((await readJob(client, job_id)).status).toBe('running');

    await startWorker(api);
    expect(await endedJob(client, job_id)).toMatchObject({ status: 'completed', total: FILES, done: FILES, failed: 0 });
    const charged = await api.sql<{ file: string; count: number }>(
      "SELECT usage_ref ->> 'file_id' AS file, count(*)::int AS count FROM usage_entry WHERE tenant_id = $1 AND usage_param = 'media.analysis_images' GROUP BY 1",
      [ours.tenant_id],
    );
    expect(charged).toHaveLength(FILES);
    expect(charged.filter(({ count }) => count !== 1)).toEqual([]);
    const standing = await api.sql<{ count: number; credits: number }>(
      "SELECT count(*)::int AS count, sum(fa_credits)::float AS credits FROM file_analysis WHERE tenant_id = $1 AND fa_status = 'completed' AND fa_live",
      [ours.tenant_id],
    );
    expect(standing).toEqual([{ count: FILES, credits: 3 }]);
    expect(await crediting.available(ours)).toBeCloseTo(7, 6);
    await crediting.audit(ours);
  }, 240_000);
});
