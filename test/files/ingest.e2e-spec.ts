import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Sweep } from '@atrium/files';
import { ObjectStore } from '@atrium/platform/storage';
import { drawPicture, eventually, photograph, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import sharp from 'sharp';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { MEDIA, openUpload, readFile, send, sendUpload, settled, upload, type StoredFile } from './uploading';

// A folder of real files is a matter of the test run, not one of the service settings.
const samples = process.env['SAMPLES_DIR'];
const withSamples = samples === undefined ? it.skip : it;

const MIB = 1024 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const longEdge = async (bytes: Buffer): Promise<number> => {
  const { width, height } = await sharp(bytes).metadata();
  return Math.max(width, height);
};

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let sweep: Sweep;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  sweep = api.worker.get(Sweep, { strict: false });
  ours = await api.workspace();
  theirs = await api.workspace();
}, 120_000);
afterAll(() => api.close());

const objects = async (tenant_id: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of api.app.get(ObjectStore, { strict: false }).list(`t/${tenant_id}/`)) keys.push(key);
  return keys;
};

describe('uploading a picture', () => {
  it('[files 1] a photograph of more than 4 MB with GPS becomes ready with type, hash, what its camera noted, and three renditions that are served', async () => {
    const photo = await photograph({
      width: 3600,
      height: 2700,
      seed: 1,
      make: 'Canon',
      model: 'EOS R5',
      lens: 'RF 50',
      taken: '2024:05:17 08:30:00',
      gps: { lat: 53.5, lng: 9.9 },
    });
    expect(photo.length).toBeGreaterThan(4_000_000);
    const { upl_id } = await sendUpload(ours.owner.client, 'harbour.jpg', photo, { file_type: 'image/jpeg' });
    const answer = await ours.owner.client.post(`/uploads/${upl_id}/finalize`).expect(201);
    expect(answer.body).toMatchObject({
      file_name: 'harbour.jpg',
      file_processing: 'pending',
      file_hash: null,
      file_size: photo.length,
      file_version: 1,
      file_pref: { favorite: false },
    });
    expect(answer.headers.location).toBe(`/api/v1/files/${answer.body.file_id}`);
    const file = await settled(ours.owner.client, answer.body.file_id as string);
    expect(file).toMatchObject({
      file_type: 'image/jpeg',
      file_hash: sha256(photo),
      file_processing: 'ready',
      file_replicas: 'small,medium,large',
    });
    expect(file.file_metadata.system).toMatchObject({
      width: 3600,
      height: 2700,
      taken: '2024-05-17T08:30:00.000Z',
      camera: 'Canon EOS R5',
      lens: 'RF 50',
    });
    expect(file.file_metadata.system?.gps).toEqual({ lat: expect.closeTo(53.5, 2), lng: expect.closeTo(9.9, 2) });
    for (const [replica, edge] of Object.entries({ small: 320, medium: 1024, large: 2048 })) {
      const { body, headers } = await ours.owner.client
        .get(`/files/${file.file_id}/image-data?replica=${replica}`)
        .responseType('blob')
        .expect(200);
      expect([headers['content-type'], await longEdge(body as Buffer)]).toEqual(['image/webp', edge]);
    }
  }, 90_000);

  withSamples.each(['gps.jpg', 'phone-2mb.jpg'])(
    `[files 1] (a photograph by a camera: %s) likewise${samples === undefined ? ' (skipped: SAMPLES_DIR names no folder)' : ''}`,
    async (name) => {
      const photo = readFileSync(join(samples ?? '', 'images', name));
      const { upl_id } = await sendUpload(ours.owner.client, name, photo, { file_type: 'image/jpeg' });
      const { file_id } = (await ours.owner.client.post(`/uploads/${upl_id}/finalize`).expect(201)).body as StoredFile;
      const file = await settled(ours.owner.client, file_id);
      expect(file).toMatchObject({
        file_type: 'image/jpeg',
        file_hash: sha256(photo),
        file_processing: 'ready',
        file_replicas: 'small,medium,large',
      });
      expect(file.file_metadata.system).toMatchObject({
        taken: expect.stringMatching(/^20\d\d-/),
        camera: expect.stringMatching(/\w/),
        gps: { lat: expect.any(Number), lng: expect.any(Number) },
      });
    },
  );

  it('decides the type by the bytes and keeps the declared one beside it', async () => {
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
    const file = await settled(ours.owner.client, (await upload(ours.owner.client, 'x.jpg', pdf, { file_type: 'image/jpeg' })).file_id);
    expect(file).toMatchObject({ file_type: 'application/pdf', file_processing: 'ready', file_replicas: '' });
    expect(file.file_metadata.system).toMatchObject({ declared_type: 'image/jpeg' });
  });

  it('takes a file of no bytes', async () => {
    const file = await settled(ours.owner.client, (await upload(ours.owner.client, 'empty.txt', Buffer.alloc(0))).file_id);
    expect(file).toMatchObject({ file_size: 0, file_processing: 'ready', file_type: 'text/plain', file_hash: sha256(Buffer.alloc(0)) });
  });

  it('ignores a system key in the metadata that is sent', async () => {
    const file = await upload(ours.owner.client, 'a.txt', Buffer.from('a'), { file_metadata: { system: { width: 1 }, caption: 'A' } });
    expect(file.file_metadata).toEqual({ caption: 'A' });
  });

  it('quarantines bytes that are not the promised ones', async () => {
    const bytes = randomBytes(6 * MIB);
    const opened = await openUpload(ours.owner.client, {
      file_name: 'other.bin',
      file_size: bytes.length,
      file_hash: 'a'.repeat(64),
      upl_multipart: true,
    });
    for (const link of opened.upl_parts) await send(link, bytes);
    const { file_id } = (await ours.owner.client.post(`/uploads/${opened.upl_id}/finalize`).expect(201)).body as StoredFile;
    expect(await settled(ours.owner.client, file_id)).toMatchObject({
      file_processing: 'quarantined',
      file_metadata: { system: { error: 'hash_mismatch' } },
    });
  });
});

describe('equal bytes', () => {
  it('[files 5] are found again with skip, shared with keep, and gone after the last file is purged and swept', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const photo = await drawPicture({ width: 900, height: 600, format: 'jpeg', seed: 5 });
    const first = await settled(client, (await upload(client, 'one.jpg', photo)).file_id);
    const skipping = await sendUpload(client, 'again.jpg', photo, { upl_on_duplicate: 'skip' });
    expect((await client.post(`/uploads/${skipping.upl_id}/finalize`).expect(200)).body.file_id).toBe(first.file_id);
    const second = await settled(client, (await upload(client, 'two.jpg', photo)).file_id);
    expect(second.file_id).not.toBe(first.file_id);
    expect(second).toMatchObject({ file_hash: first.file_hash, file_replicas: first.file_replicas });
    const originals = (keys: string[]): string[] => keys.filter((key) => /\/blobs\/[^/]+\/bytes-[^/]+$/.test(key));
    await eventually(
      () => objects(workspace.tenant_id),
      (keys) => originals(keys).length === 1 && !keys.some((key) => key.includes('/staging/')),
    );

    const purge = async (file_id: string): Promise<void> => {
      await client.delete(`/files/${file_id}`).expect(204);
      await client.post('/files/actions/purge', { file_ids: [file_id] }).expect(200);
      await api.sql("UPDATE file_blob SET blob_orphaned = blob_orphaned - interval '25 hours' WHERE tenant_id = $1", [workspace.tenant_id]);
      await sweep.sweepFiles();
    };
    await purge(first.file_id);
    expect(originals(await objects(workspace.tenant_id))).toHaveLength(1);
    await purge(second.file_id);
    expect(await objects(workspace.tenant_id)).toEqual([]);
  });

  it('that arrive at the same time end in one blob', async () => {
    const workspace = await api.workspace();
    const bytes = randomBytes(5000);
    const files = await Promise.all(Array.from({ length: 6 }, (_, index) => upload(workspace.owner.client, `${index}.bin`, bytes)));
    for (const { file_id } of files) await settled(workspace.owner.client, file_id);
    const blobs = await api.sql<{ blob_refs: number }>("SELECT blob_refs FROM file_blob WHERE tenant_id = $1 AND blob_state = 'live'", [
      workspace.tenant_id,
    ]);
    expect(blobs).toEqual([{ blob_refs: 6 }]);
  });

  it('are reported beforehand to those who may see them, and to no one else', async () => {
    const bytes = randomBytes(64);
    const { file_id } = await settled(ours.owner.client, (await upload(ours.owner.client, 'known.bin', bytes)).file_id);
    const items = [
      { file_name: 'a', file_size: 64, file_hash: sha256(bytes) },
      { file_name: 'b', file_size: 64, file_hash: '0'.repeat(64) },
    ];
    expect((await ours.owner.client.post('/uploads/check', { file_repo: MEDIA, items }).expect(200)).body.data).toEqual([
      { exists: true, file_id },
      { exists: false, file_id: null },
    ]);
    expect((await theirs.owner.client.post('/uploads/check', { file_repo: MEDIA, items }).expect(200)).body.data).toEqual([
      { exists: false, file_id: null },
      { exists: false, file_id: null },
    ]);
    const blind = await ours.member('editor', ['media:upload']);
    expect((await blind.client.post('/uploads/check', { file_repo: MEDIA, items }).expect(200)).body.data[0]).toEqual({
      exists: false,
      file_id: null,
    });
  });

  it('under the same name become a new version when that is asked for', async () => {
    const first = await settled(ours.owner.client, (await upload(ours.owner.client, 'report.txt', Buffer.from('one'))).file_id);
    const second = await upload(ours.owner.client, 'report.txt', Buffer.from('two'), { upl_on_duplicate: 'version' });
    expect(second).toMatchObject({ file_id: first.file_id, file_version: 2 });
    expect((await settled(ours.owner.client, first.file_id)).file_hash).toBe(sha256(Buffer.from('two')));
  });
});

describe('the sweep', () => {
  it('expires forgotten uploads and removes their bytes', async () => {
    const workspace = await api.workspace();
    const { upl_id } = await sendUpload(workspace.owner.client, 'forgotten.bin', randomBytes(10));
    await api.sql("UPDATE upload SET upl_expires = now() - interval '1 minute' WHERE upl_id = $1", [upl_id]);
    await sweep.sweepFiles();
    expect((await workspace.owner.client.get(`/uploads/${upl_id}`).expect(200)).body.upl_state).toBe('expired');
    expect(await objects(workspace.tenant_id)).toEqual([]);
  });

  it('removes what was sent late, and leaves the bytes of files alone', async () => {
    const workspace = await api.workspace();
    const opened = await sendUpload(workspace.owner.client, 'late.bin', randomBytes(10));
    const { file_id } = (await workspace.owner.client.post(`/uploads/${opened.upl_id}/finalize`).expect(201)).body as StoredFile;
    await settled(workspace.owner.client, file_id);
    await api.app.get(ObjectStore, { strict: false }).putObject(`t/${workspace.tenant_id}/staging/${opened.upl_id}`, randomBytes(10));
    await api.sql("UPDATE upload SET upl_expires = now() - interval '1 minute' WHERE upl_id = $1", [opened.upl_id]);
    await sweep.sweepFiles();
    expect(await objects(workspace.tenant_id)).toEqual([expect.stringContaining(`t/${workspace.tenant_id}/blobs/${opened.upl_id}/bytes-`)]);
    expect((await readFile(workspace.owner.client, file_id)).file_processing).toBe('ready');
  });
});
