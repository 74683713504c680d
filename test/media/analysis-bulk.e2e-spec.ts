import { newId } from '@atrium/platform/kernel';
import { drawPicture, eventually, ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { endedJob, type FileJobAnswer } from '../files/file-jobs-of';
import { storeFile, storeMany } from '../files/stored-files';
import { settled, upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { createSchema, field, type AnalysisBody } from './analysing';

let api: RunningApi;
let models: ModelServer;
let crediting: Crediting;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let files: string[];

const MOOD = field('mood', { type: 'enum', values: ['calm', 'wild'] });

beforeAll(async () => {
  models = await ModelServer.start();
  models.answering = () => ({ say: { values: { mood: 'calm' }, confidence: { mood: 1 } } });
  api = await sharedAtriumWithWorker();
  crediting = new Crediting(api);
  ours = await crediting.workspace(10);
  theirs = await api.workspace();
  await provideModels(api, ours, models);
  files = await storeMany(api, ours, 60, {
    name: 'same.jpg',
    type: 'image/jpeg',
    kind: 'image',
    bytes: await drawPicture({ width: 64, height: 48, format: 'jpeg', seed: 1 }),
    read: true,
  });
  await api.sql("UPDATE file SET file_kind = 'image' WHERE tenant_id = $1", [ours.tenant_id]);
}, 120_000);
afterAll(async () => {
  await api.close();
  await models.stop();
});

const analyse = async (body: object): Promise<FileJobAnswer & { credits_estimate: number }> =>
  (await ours.owner.client.post('/files/actions/analyze', body).expect(202)).body as FileJobAnswer & { credits_estimate: number };
const done = async (schema: string): Promise<AnalysisBody[]> =>
  (await ours.owner.client.get(`/file-analyses?fa_schema=${schema}&limit=1000`).expect(200)).body.data as AnalysisBody[];

describe('analysing many files', () => {
  it('sets credits aside, asks about each picture once, and gives the rest back; absent and foreign files are reported', async () => {
    const schema = await createSchema(ours.owner.client, 'many', [MOOD]);
    const foreign = (await storeFile(api, theirs)).file_id;
    const note = (await storeFile(api, ours)).file_id;
    const before = await crediting.available(ours);
    const asked = models.chats.length;
    const { job_id, total, credits_estimate } = await analyse({
      fa_schema: schema,
      file_ids: [...files.slice(0, 40), foreign, newId(), note],
    });
    expect({ total, credits_estimate }).toEqual({ total: 41, credits_estimate: 0.41 });
    expect(await endedJob(ours.owner.client, job_id)).toMatchObject({
      status: 'partial',
      done: 40 + 1,
      failed: 2,
      errors: [{ file_id: foreign, code: 'not_found' }, { code: 'not_found' }],
    });
    expect(models.chats.length - asked).toBe(40);
    expect((await done(schema)).filter(({ fa_status }) => fa_status === 'completed')).toHaveLength(40);
    expect(await crediting.available(ours)).toBeCloseTo(before - 0.4, 6);
    await crediting.audit(ours);
  }, 60_000);

  it('takes a saved search, and passes over what is done where only missing ones are wanted', async () => {
    const { client } = ours.owner;
    const schema = await createSchema(client, 'missing', [MOOD], { mas_kinds: ['image'] });
    const search = (
      await client
        .post('/saved-searches', { sq_name: 'Images', sq_scope: 'media', sq_query: { where: { field: 'kind', op: 'eq', value: 'image' } } })
        .expect(201)
    ).body.sq_id as string;
    await endedJob(client, (await analyse({ fa_schema: schema, file_ids: files.slice(0, 10) })).job_id);
    const asked = models.chats.length;
    const { job_id, total } = await analyse({ fa_schema: schema, saved_search: search, only_missing: true });
    expect(total).toBe(50);
    expect(await endedJob(client, job_id)).toMatchObject({ status: 'completed', failed: 0 });
    expect(models.chats.length - asked).toBe(50);
    expect(await done(schema)).toHaveLength(60);
  }, 60_000);

  it('is refused without a choice of files, with both, with foreign ids in the body and without the permission', async () => {
    const { client } = ours.owner;
    const schema = await createSchema(client, 'refused', [MOOD]);
    expect((await client.post('/files/actions/analyze', { fa_schema: schema }).expect(400)).body.errors[0].path).toBe('file_ids');
    await client.post('/files/actions/analyze', { fa_schema: schema, file_ids: files.slice(0, 1), saved_search: newId() }).expect(400);
    await client.post('/files/actions/analyze', { fa_schema: schema, file_ids: [] }).expect(400);
    expect(
      (await client.post('/files/actions/analyze', { fa_schema: schema, saved_search: newId() }).expect(400)).body.errors[0],
    ).toMatchObject({ path: 'saved_search', code: 'reference' });
    expect(
      (await theirs.owner.client.post('/files/actions/analyze', { fa_schema: schema, file_ids: files.slice(0, 1) }).expect(400)).body
        .errors[0],
    ).toMatchObject({ path: 'fa_schema', code: 'reference' });
    const viewer = (await ours.member('viewer')).client;
    expect(
      (await viewer.post('/files/actions/analyze', { fa_schema: schema, file_ids: files.slice(0, 1) }).expect(403)).body.detail,
    ).toContain('media:edit');
  });
});

describe('a schema that asks a model about every new file', () => {
  it('asks none without credits, and says so; with some, those that waited are made by themselves, and each picture is charged once', async () => {
    const poor = await crediting.workspace();
    await provideModels(api, poor, models);
    const { client } = poor.owner;
    await createSchema(client, 'by_itself', [MOOD], { mas_auto: true });
    const asked = models.chats.length;
    const arrived = async (name: string, seed: number): Promise<AnalysisBody | undefined> => {
      const { file_id } = await settled(
        client,
        (await upload(client, name, await drawPicture({ width: 64, height: 48, format: 'jpeg', seed }))).file_id,
      );
      return eventually(
        async () => ((await client.get(`/file-analyses?fa_file=${file_id}`).expect(200)).body.data as AnalysisBody[])[0],
        (analysis) => analysis !== undefined && !['queued', 'running'].includes(analysis.fa_status),
        60_000,
      );
    };
    expect(await arrived('poor.jpg', 21)).toMatchObject({
      fa_status: 'failed',
      fa_credits: 0,
      fa_missing: [{ field: 'mood', reason: 'unavailable' }],
      fa_error: expect.stringContaining('credits'),
    });
    expect(models.chats).toHaveLength(asked);
    const waits = (): Promise<object[]> =>
      api.sql("SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_name = 'media.analyse-waiting' AND ev_sent IS NULL AND ev_done IS NULL", [
        poor.tenant_id,
      ]);
    await eventually(waits, ({ length }) => length === 1, 30_000);
    await crediting.grant(poor, { grant_credits: 1 });
    const all = async (): Promise<AnalysisBody[]> =>
      (await client.get('/file-analyses?sort=fa_created').expect(200)).body.data as AnalysisBody[];
    const anew = await eventually(all, (analyses) => analyses.length === 2 && analyses[1]?.fa_status === 'completed', 60_000);
    expect(anew).toMatchObject([
      { fa_status: 'failed', fa_live: false },
      { fa_status: 'completed', fa_live: true, fa_result: { mood: 'calm' }, fa_credits: 0.01, fa_created_by: null },
    ]);
    expect(await waits()).toEqual([]);
    expect(await arrived('rich.jpg', 22)).toMatchObject({ fa_status: 'completed', fa_result: { mood: 'calm' }, fa_credits: 0.01 });
    expect(
      await eventually(
        () => crediting.available(poor),
        (credits) => credits === 0.98,
        30_000,
      ),
    ).toBe(0.98);
    expect(models.chats).toHaveLength(asked + 2);
    await crediting.audit(poor);
  }, 120_000);
});
