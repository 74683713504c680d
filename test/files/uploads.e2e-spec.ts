import { createHash, randomBytes } from 'node:crypto';
import { newId } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtrium, startWorker } from '../support/api';
import { MEDIA, openUpload, send, sendUpload, settled, upload, type StoredFile, type Uploaded } from './uploading';

const MIB = 1024 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  await startWorker(api);
  ours = await api.workspace();
  theirs = await api.workspace();
}, 120_000);
afterAll(() => api.close());

describe('opening an upload', () => {
  const refused = async (body: object, status: number): Promise<{ code: string; errors?: { path: string }[] }> =>
    (await ours.owner.client.post('/uploads', { file_repo: MEDIA, file_name: 'a.txt', file_size: 1, ...body }).expect(status)).body as {
      code: string;
      errors?: { path: string }[];
    };

  it('refuses programs, names with separators, and repositories that are none', async () => {
    expect((await refused({ file_name: 'setup.exe' }, 400)).errors?.[0]?.path).toBe('file_name');
    for (const file_name of ['../../etc/passwd', 'CON', 'nul.txt', 'a\u202egpj.exe', 'a\u0085b'])
      expect((await refused({ file_name }, 400)).errors?.[0]?.path).toBe('file_name');
    expect((await refused({ file_repo: {} }, 400)).errors?.[0]?.path).toBe('file_repo');
    expect((await refused({ file_repo: { library: ['generated'] } }, 400)).errors?.[0]?.path).toBe('file_repo.library');
    expect((await refused({ tenant_id: newId() }, 400)).errors?.[0]?.path).toBe('tenant_id');
  });

  it('refuses more bytes than an upload may have', async () => {
    expect((await refused({ file_size: 30 * 1024 * MIB }, 413)).code).toBe('payload_too_large');
  });

  it('needs the module for the documents library and the permission to add', async () => {
    expect((await refused({ file_repo: { library: ['docs'] } }, 403)).code).toBe('license_required');
    const viewer = await ours.member('viewer');
    const answer = await viewer.client.post('/uploads', { file_repo: MEDIA, file_name: 'a.txt', file_size: 1 }).expect(403);
    expect(answer.body.code).toBe('permission_denied');
  });

  it('has a limit of two hundred for each person', async () => {
    const member = await ours.member('editor');
    await api.sql(
      `INSERT INTO upload (tenant_id, upl_id, upl_mode, file_repo, file_name, file_size, upl_key, upl_expires, upl_created_by)
       SELECT $1, gen_random_uuid(), 'single', '{"library":["media"]}', 'a.txt', 1, 'x', now() + interval '1 day', $2 FROM generate_series(1, 199)`,
      [ours.tenant_id, member.user_id],
    );
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => member.client.post('/uploads', { file_repo: MEDIA, file_name: 'a.txt', file_size: 1 })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body.code).toBe('limit_reached');
  });
});

describe('finalizing', () => {
  it('[files 4] twenty calls at once make one file; without bytes it is refused; storage takes no larger body', async () => {
    const bytes = randomBytes(1000);
    const { upl_id } = await sendUpload(ours.owner.client, 'once.bin', bytes);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ours.owner.client.post(`/uploads/${upl_id}/finalize`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
    const ids = new Set(answers.map((answer) => (answer.body as StoredFile).file_id));
    expect(ids.size).toBe(1);
    const versions = await api.sql('SELECT 1 FROM file_version WHERE fv_file = $1', [[...ids][0]]);
    expect(versions).toHaveLength(1);

    const empty = await openUpload(ours.owner.client, { file_name: 'never.bin', file_size: 10 });
    expect((await ours.owner.client.post(`/uploads/${empty.upl_id}/finalize`).expect(409)).body.code).toBe('invalid_state');
    expect((await send(empty, randomBytes(11))).status).toBeGreaterThanOrEqual(400);
    await ours.owner.client.post(`/uploads/${empty.upl_id}/finalize`).expect(409);
    await send(empty, randomBytes(10));
    await ours.owner.client.post(`/uploads/${empty.upl_id}/finalize`).expect(201);
  });

  it('takes over from a call that was lost half-way', async () => {
    const { upl_id } = await sendUpload(ours.owner.client, 'orphaned.bin', randomBytes(100));
    await api.sql("UPDATE upload SET upl_state = 'completing', upl_claimed = now() - interval '3 minutes' WHERE upl_id = $1", [upl_id]);
    await ours.owner.client.post(`/uploads/${upl_id}/finalize`).expect(201);
  });

  it('rejects bytes of another size than promised and deletes them', async () => {
    const { upl_id } = await openUpload(ours.owner.client, { file_name: 'short.bin', file_size: 10 });
    const store = api.app.get(ObjectStore, { strict: false });
    await store.putObject(`t/${ours.tenant_id}/staging/${upl_id}`, randomBytes(9));
    const answer = await ours.owner.client.post(`/uploads/${upl_id}/finalize`).expect(422);
    expect(answer.body).toMatchObject({ code: 'unprocessable_content' });
    expect(await store.stat(`t/${ours.tenant_id}/staging/${upl_id}`)).toBeNull();
    expect((await ours.owner.client.get(`/uploads/${upl_id}`).expect(200)).body).toMatchObject({
      upl_state: 'rejected',
      upl_error: expect.stringContaining('9 bytes'),
      upl_url: null,
    });
    await ours.owner.client.post(`/uploads/${upl_id}/finalize`).expect(409);
  });

  it('and aborting exclude each other', async () => {
    for (let round = 0; round < 5; round++) {
      const { upl_id } = await sendUpload(ours.owner.client, 'race.bin', randomBytes(10));
      const [finalized, aborted] = await Promise.all([
        ours.owner.client.post(`/uploads/${upl_id}/finalize`),
        ours.owner.client.delete(`/uploads/${upl_id}`),
      ]);
      expect([
        [201, 409],
        [409, 204],
      ]).toContainEqual([finalized.status, aborted.status]);
    }
  });
});

describe('a large upload', () => {
  const bytes = randomBytes(20 * MIB);
  const slice = ({ upl_part_size }: Uploaded, part: number): Uint8Array => bytes.subarray((part - 1) * upl_part_size, part * upl_part_size);

  it('is sent in parts, reports what it holds, names what is missing, and is resumed from what storage has', async () => {
    const opened = await openUpload(ours.owner.client, { file_name: 'film.bin', file_size: bytes.length, upl_multipart: true });
    expect(opened).toMatchObject({ upl_mode: 'multipart', upl_part_size: 8 * MIB, upl_part_count: 3, upl_url: null });
    const [first, , third] = opened.upl_parts;
    if (!first || !third) throw new Error('Three parts were announced.');
    await send(first, slice(opened, 1));
    await send(third, slice(opened, 3));
    const seen = (await ours.owner.client.get(`/uploads/${opened.upl_id}`).expect(200)).body as Uploaded & {
      upl_received: { part: number; size: number }[];
    };
    expect(seen.upl_received.map(({ part, size }) => [part, size])).toEqual([
      [1, 8 * MIB],
      [3, 4 * MIB],
    ]);
    expect(seen.upl_parts.map(({ part }) => part)).toEqual([2]);
    const incomplete = await ours.owner.client.post(`/uploads/${opened.upl_id}/finalize`).expect(422);
    expect(incomplete.body.detail).toContain('Part 2');
    const { upl_parts } = (await ours.owner.client.post(`/uploads/${opened.upl_id}/parts`, { parts: [2] }).expect(200)).body as Uploaded;
    const [second] = upl_parts;
    if (!second) throw new Error('The part was asked for.');
    await send(second, slice(opened, 2));
    const { file_id } = (await ours.owner.client.post(`/uploads/${opened.upl_id}/finalize`).expect(201)).body as StoredFile;
    expect((await settled(ours.owner.client, file_id)).file_hash).toBe(sha256(bytes));
  });

  it('refuses part numbers that it does not have', async () => {
    const opened = await openUpload(ours.owner.client, { file_name: 'film.bin', file_size: bytes.length, upl_multipart: true });
    for (const parts of [[0], [4]]) {
      const refused = await ours.owner.client.post(`/uploads/${opened.upl_id}/parts`, { parts }).expect(400);
      expect((refused.body as { errors: { path: string }[] }).errors[0]?.path).toMatch(/^parts/);
    }
    await ours.owner.client.delete(`/uploads/${opened.upl_id}`).expect(204);
    await ours.owner.client.delete(`/uploads/${opened.upl_id}`).expect(204);
    expect((await ours.owner.client.post(`/uploads/${opened.upl_id}/parts`, { parts: [1] }).expect(409)).body.code).toBe('invalid_state');
    expect((await send(opened.upl_parts[0] ?? opened, slice(opened, 1))).status).toBeGreaterThanOrEqual(400);
  });
});

describe('uploads of others', () => {
  it('are not there, for another person and for another workspace', async () => {
    const { upl_id } = await sendUpload(ours.owner.client, 'mine.bin', randomBytes(10));
    const colleague = await ours.member('admin');
    for (const { client } of [colleague, theirs.owner]) {
      await client.get(`/uploads/${upl_id}`).expect(404);
      await client.post(`/uploads/${upl_id}/finalize`).expect(404);
      await client.post(`/uploads/${upl_id}/parts`, { parts: [1] }).expect(404);
      await client.delete(`/uploads/${upl_id}`).expect(404);
      const listed = (await client.get('/uploads').expect(200)).body as { data: { upl_id: string }[] };
      expect(listed.data.map((row) => row.upl_id)).not.toContain(upl_id);
    }
    const mine = (await ours.owner.client.get('/uploads?upl_state=open').expect(200)).body as { data: Uploaded[] };
    expect(mine.data.map((row) => row.upl_id)).toContain(upl_id);
    expect(mine.data[0]).not.toHaveProperty('upl_key');
  });

  it('cannot name a file of another workspace', async () => {
    const { file_id } = await upload(ours.owner.client, 'ours.bin', randomBytes(10));
    await theirs.owner.client.post('/uploads', { file_repo: MEDIA, file_name: 'x.bin', file_size: 1, upl_file: file_id }).expect(400);
    await theirs.owner.client.post(`/files/${file_id}/versions`, { file_size: 1 }).expect(404);
  });
});

describe('what is interrupted', () => {
  let before: RunningApi;
  let after: RunningApi | undefined;

  beforeAll(async () => {
    before = await startAtrium({ DATA_DIR: api.dataDir });
  });
  afterAll(async () => {
    await after?.app.close();
    if (!after) await before.app.close();
  });

  it('[files 3] an upload of 80 MB goes on after the service was restarted, with what storage holds', async () => {
    const bytes = randomBytes(80 * MIB);
    const { client } = (await before.workspace()).owner;
    const opened = await openUpload(client, { file_name: 'film.bin', file_size: bytes.length });
    const cut = (part: number): Uint8Array => bytes.subarray((part - 1) * opened.upl_part_size, part * opened.upl_part_size);
    for (const link of opened.upl_parts) if (link.part !== 2) await send(link, cut(link.part));

    await before.app.close();
    after = await startAtrium({ DATA_DIR: api.dataDir });
    const again = new Client(after.url, client.headers);
    const seen = (await again.get(`/uploads/${opened.upl_id}`).expect(200)).body as Uploaded & { upl_received: { part: number }[] };
    expect(seen.upl_received.map(({ part }) => part)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(seen.upl_parts.map(({ part }) => part)).toEqual([2]);
    for (const link of seen.upl_parts) await send(link, cut(link.part));
    const { file_id } = (await again.post(`/uploads/${opened.upl_id}/finalize`).expect(201)).body as StoredFile;
    expect((await settled(again, file_id)).file_hash).toBe(sha256(bytes));
  }, 60_000);
});
