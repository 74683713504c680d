import { createHash, randomBytes } from 'node:crypto';
import { Bytes } from '@atrium/files';
import { Database, inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { drawPicture, eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtrium, startWorker } from '../support/api';
import { MEDIA, readFile, send, settled, upload, type StoredFile, type Uploaded } from './uploading';

const VERSIONS_MAX = 6;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Version {
  readonly fv_id: string;
  readonly fv_number: number;
  readonly fv_hash: string | null;
  readonly fv_source: string;
  readonly fv_current: boolean;
  readonly fv_pinned: boolean;
  readonly fv_replicas: string;
  readonly fv_note: string | null;
}

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await startAtrium({ FILE_VERSIONS_MAX: String(VERSIONS_MAX) });
  await startWorker(api);
  ours = await api.workspace();
  theirs = await api.workspace();
  client = ours.owner.client;
}, 120_000);
afterAll(() => api.close());

const versionsOf = async (file_id: string): Promise<Version[]> =>
  ((await client.get(`/files/${file_id}/versions`).expect(200)).body as { data: Version[] }).data;

const newVersion = async (file_id: string, bytes: Uint8Array, more: object = {}): Promise<StoredFile> => {
  const opened = (await client.post(`/files/${file_id}/versions`, { file_size: bytes.length, ...more }).expect(201)).body as Uploaded;
  expect((await send(opened, bytes)).status).toBe(200);
  return (await client.post(`/uploads/${opened.upl_id}/finalize`).expect(201)).body as StoredFile;
};

const document = async (file_name = 'notes.md'): Promise<StoredFile> =>
  (await client.post('/files', { file_repo: MEDIA, file_name }).expect(201)).body as StoredFile;

const write = (file_id: string, content: string, more: object = {}) => client.put(`/files/${file_id}/content`, { content, ...more });

describe('versions of a picture', () => {
  it('[files 8] are kept, brought back as a new one with the old bytes, and pruned from the oldest that nobody pinned', async () => {
    const pictures = await Promise.all([1, 2, 3].map((seed) => drawPicture({ width: 500, height: 400, format: 'png', seed })));
    const [first, second, third] = pictures as [Buffer, Buffer, Buffer];
    const { file_id } = await settled(client, (await upload(client, 'logo.png', first)).file_id);
    for (const bytes of [second, third]) {
      await newVersion(file_id, bytes, { file_hash: sha256(bytes) });
      await settled(client, file_id);
    }
    expect((await versionsOf(file_id)).map(({ fv_number, fv_hash, fv_current }) => [fv_number, fv_hash, fv_current])).toEqual([
      [3, sha256(third), true],
      [2, sha256(second), false],
      [1, sha256(first), false],
    ]);

    const one = (await versionsOf(file_id)).at(-1) as Version;
    const restored = (await client.post(`/files/${file_id}/versions/${one.fv_id}/restore`).expect(200)).body as StoredFile;
    expect(restored).toMatchObject({
      file_version: 4,
      file_hash: sha256(first),
      file_processing: 'ready',
      file_replicas: 'small,medium,large',
    });
    expect(restored.file_metadata.system).toMatchObject({ width: 500, height: 400 });

    const address = (await client.get(`/files/${file_id}/versions/${one.fv_id}/download-url`).expect(200)).body as string;
    expect(Buffer.from(await (await fetch(address)).arrayBuffer()).equals(first)).toBe(true);

    const [current] = await versionsOf(file_id);
    expect(current).toMatchObject({ fv_number: 4, fv_source: 'restore', fv_current: true });
    expect((await client.delete(`/files/${file_id}/versions/${current?.fv_id}`).expect(409)).body.code).toBe('in_use');

    await client.patch(`/files/${file_id}/versions/${one.fv_id}`, { fv_pinned: true, fv_note: 'the first' }).expect(200);
    for (let more = 0; more < 3; more++) await newVersion(file_id, randomBytes(100 + more));
    const left = await versionsOf(file_id);
    expect(left.map((version) => version.fv_number)).toEqual([7, 6, 5, 4, 3, 1]);
    expect(left.at(-1)).toMatchObject({ fv_pinned: true, fv_note: 'the first' });
  });

  it('that something shows as they are stay when older ones are pruned', async () => {
    const first = randomBytes(60);
    const { file_id } = await settled(client, (await upload(client, 'shown.bin', first)).file_id);
    const within = (work: (bytes: Bytes) => Promise<void>): Promise<void> =>
      inWorkspace(ours.tenant_id, () => api.app.get(Database, { strict: false }).write(() => work(api.app.get(Bytes, { strict: false }))));
    await within((bytes) => bytes.pinBytes(file_id, sha256(first), 'publication:1'));
    for (let more = 0; more < VERSIONS_MAX; more++) await newVersion(file_id, randomBytes(70 + more));
    expect((await versionsOf(file_id)).map(({ fv_number }) => fv_number).at(-1)).toBe(1);
    await within((bytes) => bytes.unpinBytes(file_id, 'publication:1'));
    await newVersion(file_id, randomBytes(99));
    expect((await versionsOf(file_id)).map(({ fv_number }) => fv_number).at(-1)).not.toBe(1);
  });

  it('added at the same time get numbers of their own, and the last one is current', async () => {
    const { file_id } = await settled(client, (await upload(client, 'race.bin', randomBytes(50))).file_id);
    await Promise.all([newVersion(file_id, randomBytes(51)), newVersion(file_id, randomBytes(52)), newVersion(file_id, randomBytes(53))]);
    const numbers = (await versionsOf(file_id)).map((version) => [version.fv_number, version.fv_current]);
    expect(numbers).toEqual([
      [4, true],
      [3, false],
      [2, false],
      [1, false],
    ]);
    const file = await settled(client, file_id);
    await eventually(
      () => versionsOf(file_id),
      (versions) => versions.every((version) => version.fv_hash !== null),
    );
    expect(file.file_hash).toBe((await versionsOf(file_id))[0]?.fv_hash);
  });

  it('may be of another kind', async () => {
    const { file_id } = await settled(
      client,
      (await upload(client, 'plan.png', await drawPicture({ width: 300, height: 200, format: 'png' }))).file_id,
    );
    await newVersion(file_id, Buffer.from('%PDF-1.7\n%%EOF\n'), { file_type: 'application/pdf' });
    const file = await settled(client, file_id);
    expect(file).toMatchObject({ file_type: 'application/pdf', file_replicas: '' });
    expect(file.file_metadata.system ?? {}).not.toHaveProperty('width');
  });

  it('are removed with their bytes, except the current one', async () => {
    const { file_id } = await settled(client, (await upload(client, 'two.bin', randomBytes(60))).file_id);
    await newVersion(file_id, randomBytes(61));
    await settled(client, file_id);
    const old = (await versionsOf(file_id)).at(-1) as Version;
    await client.delete(`/files/${file_id}/versions/${old.fv_id}`).expect(204);
    await client.get(`/files/${file_id}/versions/${old.fv_id}`).expect(404);
    await client.delete(`/files/${file_id}/versions/${old.fv_id}`).expect(404);
    const orphans = await api.sql("SELECT 1 FROM file_blob WHERE tenant_id = $1 AND blob_hash = $2 AND blob_state = 'orphan'", [
      ours.tenant_id,
      old.fv_hash,
    ]);
    expect(orphans).toHaveLength(1);
  });
});

describe('writing text', () => {
  it('adds a version that is ready at once', async () => {
    const { file_id } = await document();
    const file = (await write(file_id, '# Hello\n', { fv_note: 'first words' }).expect(200)).body as StoredFile;
    expect(file).toMatchObject({
      file_version: 2,
      file_size: 8,
      file_type: 'text/markdown',
      file_processing: 'ready',
      file_hash: sha256(Buffer.from('# Hello\n')),
    });
    expect((await versionsOf(file_id))[0]).toMatchObject({ fv_source: 'edit', fv_note: 'first words', fv_current: true });
  });

  it('over a change that was not seen is refused', async () => {
    const { file_id } = await document();
    const { headers } = await client.get(`/files/${file_id}`).expect(200);
    const guarded = client.with({ 'If-Match': headers.etag as string });
    await guarded.put(`/files/${file_id}/content`, { content: 'one' }).expect(200);
    expect((await guarded.put(`/files/${file_id}/content`, { content: 'two' }).expect(412)).body.code).toBe('precondition_failed');
  });

  it('is for text only, of two mebibytes at most', async () => {
    const { file_id } = await settled(
      client,
      (await upload(client, 'pixel.png', await drawPicture({ width: 10, height: 10, format: 'png' }))).file_id,
    );
    expect((await write(file_id, 'x').expect(415)).body.code).toBe('unsupported_media_type');
    const text = await document();
    await write(text.file_id, 'ä'.repeat(1024 * 1024 + 1)).expect(400);
    await write(text.file_id, 'ä'.repeat(1024 * 1024)).expect(200);
    await client.put(`/files/${text.file_id}/content`, { content: 5 }).expect(400);
  });

  it('five times at once loses nothing', async () => {
    const { file_id } = await document();
    const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => write(file_id, `text ${index}`)));
    expect(answers.map((answer) => (answer.body as StoredFile).file_version).sort()).toEqual([2, 3, 4, 5, 6]);
  });

  it('stops when every version is pinned', async () => {
    const { file_id } = await document();
    for (let index = 1; index < VERSIONS_MAX; index++) await write(file_id, `text ${index}`).expect(200);
    for (const { fv_id } of await versionsOf(file_id))
      await client.patch(`/files/${file_id}/versions/${fv_id}`, { fv_pinned: true }).expect(200);
    expect((await write(file_id, 'one more').expect(409)).body.code).toBe('limit_reached');
    expect((await readFile(client, file_id)).file_version).toBe(VERSIONS_MAX);
  });
});

describe('versions of others', () => {
  it('are not there for another workspace', async () => {
    const { file_id } = await document();
    await write(file_id, 'ours').expect(200);
    const [current, old] = (await versionsOf(file_id)) as [Version, Version];
    const own = (await theirs.owner.client.post('/files', { file_repo: MEDIA, file_name: 'theirs' }).expect(201)).body as StoredFile;
    for (const id of [file_id, own.file_id]) {
      await theirs.owner.client.get(`/files/${id}/versions/${current.fv_id}`).expect(404);
      await theirs.owner.client.patch(`/files/${id}/versions/${current.fv_id}`, { fv_pinned: true }).expect(404);
      await theirs.owner.client.post(`/files/${id}/versions/${old.fv_id}/restore`).expect(404);
      await theirs.owner.client.delete(`/files/${id}/versions/${old.fv_id}`).expect(404);
    }
    await theirs.owner.client.get(`/files/${file_id}/versions`).expect(404);
    await theirs.owner.client.put(`/files/${file_id}/content`, { content: 'theirs' }).expect(404);
    await client.get(`/files/${file_id}/versions/${newId()}`).expect(404);
  });

  it('may be seen but not changed by a viewer', async () => {
    const { file_id } = await document();
    await write(file_id, 'text').expect(200);
    const viewer = await ours.member('viewer');
    const [, old] = ((await viewer.client.get(`/files/${file_id}/versions`).expect(200)).body as { data: Version[] }).data as [
      Version,
      Version,
    ];
    await viewer.client.put(`/files/${file_id}/content`, { content: 'x' }).expect(403);
    await viewer.client.post(`/files/${file_id}/versions/${old.fv_id}/restore`).expect(403);
    await viewer.client.delete(`/files/${file_id}/versions/${old.fv_id}`).expect(403);
  });
});
