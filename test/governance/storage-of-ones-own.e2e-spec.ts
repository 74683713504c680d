import { Sweep } from '@atrium/files';
import { SystemClock } from '@atrium/platform/kernel';
import { drawPicture, StrictS3Server, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { readFile, send, settled, upload, type Uploaded } from '../files/uploading';
import { openS3Store, type S3ObjectStore } from '@atrium/platform/storage';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { assertCounted, consumption } from './storing';

const MIB = 1024 * 1024;

let api: RunningApi;
let worker: INestApplicationContext;
let s3: StrictS3Server;
let bucket: S3ObjectStore;
let ours: TestWorkspace;
let sto_id: string;

beforeAll(async () => {
  s3 = await new StrictS3Server().start();
  bucket = await openS3Store({
    endpoint: s3.endpoint,
    bucket: 'acme-media',
    pathStyle: true,
    credentials: s3.credentials,
    clock: new SystemClock(),
  });
  await bucket.prepare({ createBucket: true });
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  ours = await api.workspace();
  const provider = await ours.owner.client
    .post('/admin/storage/providers', {
      sto_name: 'Ours',
      sto_endpoint: s3.endpoint,
      sto_region: s3.credentials.region,
      sto_bucket: 'acme-media',
      sto_prefix: 'atrium',
      sto_sse: 'AES256',
      sto_access_key: s3.credentials.accessKey,
      sto_secret: s3.credentials.secretKey,
    })
    .expect(201);
  sto_id = provider.body.sto_id as string;
});
afterAll(async () => {
  await api.close();
  await s3.stop();
});

const makeDefault = (id: string) => ours.owner.client.post(`/admin/storage/providers/${id}/default`).expect(200);
const objects = async (): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of bucket.list('')) keys.push(key);
  return keys;
};
const download = async (file_id: string, query = ''): Promise<Buffer> => {
  const address = (await ours.owner.client.get(`/files/${file_id}/download-url${query}`).expect(200)).body as string;
  const answer = await fetch(address);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};

describe("a bucket of one's own as the default", () => {
  it('takes every new byte, renditions and versions too; what is stored elsewhere stays readable, whichever is the default', async () => {
    const { client } = ours.owner;
    const before = await upload(client, 'before.txt', Buffer.from('kept by the platform'));
    await settled(client, before.file_id);
    expect((await makeDefault(sto_id)).body).toMatchObject({ sto_id, sto_default: true });
    expect((await client.get('/admin/storage').expect(200)).body.default_provider).toBe(sto_id);

    const picture = await drawPicture({ width: 1_400, height: 1_000, format: 'jpeg', make: 'Atrium' });
    const { file_id } = await upload(client, 'harbour.jpg', picture);
    const file = (await settled(client, file_id)) as unknown as Record<string, unknown>;
    expect(file).toMatchObject({ file_processing: 'ready', file_replicas: 'small,medium,large', file_provider_id: sto_id });
    const keys = await objects();
    expect(keys).toHaveLength(4);
    expect(keys.every((key) => key.startsWith(`atrium/t/${ours.tenant_id}/blobs/`))).toBe(true);
    expect(await download(file_id)).toEqual(picture);
    expect((await download(file_id, '?size=small')).length).toBeGreaterThan(100);
    await client.get(`/files/${file_id}/image-data?replica=thumbnail`).expect(200);
    expect((await client.get(`/admin/storage/providers/${sto_id}`).expect(200)).body).toMatchObject({ sto_objects: 4 });
    expect((await consumption(ours, 'provider'))[ours.tenant_id]).toEqual([20, 1]);
    expect(await download(before.file_id)).toEqual(Buffer.from('kept by the platform'));

    const again = await upload(client, 'the-same.txt', Buffer.from('kept by the platform'));
    await settled(client, again.file_id);
    expect(await readFile(client, again.file_id)).toMatchObject({ file_provider_id: ours.tenant_id });
    expect(await objects()).toHaveLength(4);

    await client.put(`/files/${before.file_id}/content`, { content: 'now in the bucket' }).expect(200);
    expect(await readFile(client, before.file_id)).toMatchObject({ file_provider_id: sto_id });
    expect(await objects()).toHaveLength(5);
    await makeDefault(ours.tenant_id);
    expect((await client.get(`/admin/storage/providers/${sto_id}`).expect(200)).body.sto_default).toBe(false);
    expect(await download(before.file_id)).toEqual(Buffer.from('now in the bucket'));
    expect(await download(file_id)).toEqual(picture);
    await client.put(`/files/${before.file_id}/content`, { content: 'at home again' }).expect(200);
    expect(await objects()).toHaveLength(5);
    await assertCounted(api, ours);
    await client.delete(`/admin/storage/providers/${sto_id}`).expect(409, /in_use/);
  }, 120_000);

  it('takes large uploads in parts, and archives of files in both', async () => {
    const { client } = ours.owner;
    await makeDefault(sto_id);
    const bytes = Buffer.alloc(9 * MIB, 'large ');
    const opened = (
      await client
        .post('/uploads', { file_repo: { library: ['media'] }, file_name: 'large.bin', file_size: bytes.length, upl_multipart: true })
        .expect(201)
    ).body as Uploaded & { upl_parts: { part: number; upl_url: string; upl_headers: Record<string, string> }[]; upl_part_size: number };
    for (let part = 1, from = 0; from < bytes.length; part++, from += opened.upl_part_size) {
      const { body } = await client.post(`/uploads/${opened.upl_id}/parts`, { parts: [part] }).expect(200);
      expect((await send(body.upl_parts[0], bytes.subarray(from, from + opened.upl_part_size))).status).toBe(200);
    }
    const { file_id } = (await client.post(`/uploads/${opened.upl_id}/finalize`).expect(201)).body as { file_id: string };
    await settled(client, file_id);
    expect((await download(file_id)).equals(bytes)).toBe(true);
    const { data } = (await client.get('/files?repo_type=media').expect(200)).body as { data: { file_id: string }[] };
    const archive = await client
      .post('/files/actions/download', { file_ids: data.map((file) => file.file_id) })
      .buffer(true)
      .parse((res, done) => {
        let size = 0;
        res.on('data', (chunk: Buffer) => (size += chunk.length)).on('end', () => done(null, size));
      });
    expect(archive.status).toBe(200);
    await assertCounted(api, ours);
  }, 120_000);

  it('loses its objects with their files, and can go then', async () => {
    const { client } = ours.owner;
    const { data } = (await client.get('/files?repo_type=media').expect(200)).body as { data: { file_id: string }[] };
    const file_ids = data.map(({ file_id }) => file_id);
    await client.post('/files/actions/delete', { file_ids }).expect(200);
    await client.post('/files/actions/purge', { file_ids }).expect(200);
    await api.sql("UPDATE file_blob SET blob_orphaned = now() - interval '25 hours' WHERE tenant_id = $1 AND blob_state = 'orphan'", [
      ours.tenant_id,
    ]);
    await worker.get(Sweep, { strict: false }).sweepFiles();
    expect(await objects()).toEqual([]);
    expect(await consumption(ours)).toEqual({});
    await client.delete(`/admin/storage/providers/${sto_id}`).expect(409, /invalid_state/);
    await makeDefault(ours.tenant_id);
    await client.delete(`/admin/storage/providers/${sto_id}`).expect(204);
  }, 60_000);
});
