import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { newId } from '@atrium/platform/kernel';
import { Client, drawPicture, eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Sweep } from '@atrium/files';
import { startAtrium, startWorker } from '../support/api';
import { MEDIA, openUpload, readFile, send, sendUpload, settled, upload, type StoredFile, type Uploaded } from './uploading';

const MIB = 1024 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let worker: INestApplicationContext;
let sweep: Sweep;

beforeAll(async () => {
  api = await startAtrium();
  worker = await startWorker(api);
  sweep = worker.get(Sweep, { strict: false });
  ours = await api.workspace();
  theirs = await api.workspace();
}, 120_000);
afterAll(() => api.close());

const objects = async (tenant_id: string): Promise<string[]> => {
  const { ObjectStore } = await import('@atrium/platform/storage');
  const keys: string[] = [];
  for await (const { key } of api.app.get(ObjectStore, { strict: false }).list(`t/${tenant_id}/`)) keys.push(key);
  return keys;
};

describe('uploading a picture', () => {
  it('[files 1] a photo with GPS becomes ready with type, hash, facts and three renditions', async () => {
    const photo = await drawPicture({ width: 4032, height: 3024, format: 'jpeg', make: 'Canon', model: 'EOS R5', lens: 'RF 50', taken: '2024:05:17 08:30:00', gps: { lat: 53.5, lng: 9.9 } });
    const { upl_id } = await sendUpload(ours.owner.client, 'harbour.jpg', photo, { file_type: 'image/jpeg' });
    const answer = await ours.owner.client.post(`/uploads/${upl_id}/finalize`).expect(201);
    expect(answer.body).toMatchObject({ file_name: 'harbour.jpg', file_processing: 'pending', file_hash: null, file_size: photo.length, file_version: 1, file_pref: { favorite: false } });
    expect(answer.headers.location).toBe(`/api/v1/files/${answer.body.file_id}`);
    const file = await settled(ours.owner.client, answer.body.file_id as string);
    expect(file).toMatchObject({ file_type: 'image/jpeg', file_hash: sha256(photo), file_processing: 'ready', file_replicas: 'small,medium,large' });
    expect(file.file_metadata.system).toMatchObject({ width: 4032, height: 3024, taken: expect.stringContaining('2024-05-17'), camera: expect.stringContaining('EOS R5') });
    expect(file.file_metadata.system?.gps).toEqual({ lat: expect.closeTo(53.5, 2), lng: expect.closeTo(9.9, 2) });
  });

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
});

describe('opening an upload', () => {
  const refused = async (body: object, status: number): Promise<{ code: string; errors?: { path: string }[] }> =>
    (await ours.owner.client.post('/uploads', { file_repo: MEDIA, file_name: 'a.txt', file_size: 1, ...body }).expect(status)).body as { code: string; errors?: { path: string }[] };

  it('refuses programs, names with separators, and repositories that are none', async () => {
    expect((await refused({ file_name: 'setup.exe' }, 400)).errors?.[0]?.path).toBe('file_name');
    expect((await refused({ file_name: '../../etc/passwd' }, 400)).errors?.[0]?.path).toBe('file_name');
    expect((await refused({ file_repo: {} }, 400)).errors?.[0]?.path).toBe('file_repo');
    expect((await refused({ file_repo: { library: ['generated'] } }, 400)).errors?.[0]?.path).toBe('file_repo.library');
    expect((await refused({ file_hash: 'ABC' }, 400)).errors?.[0]?.path).toBe('file_hash');
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
    const answers = await Promise.all(Array.from({ length: 4 }, () => member.client.post('/uploads', { file_repo: MEDIA, file_name: 'a.txt', file_size: 1 })));
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

  it('takes over from a call that died half way', async () => {
    const { upl_id } = await sendUpload(ours.owner.client, 'orphaned.bin', randomBytes(100));
    await api.sql("UPDATE upload SET upl_state = 'completing', upl_claimed = now() - interval '3 minutes' WHERE upl_id = $1", [upl_id]);
    await ours.owner.client.post(`/uploads/${upl_id}/finalize`).expect(201);
  });

  it('rejects bytes of another size than promised and deletes them', async () => {
    const { ObjectStore } = await import('@atrium/platform/storage');
    const { upl_id } = await openUpload(ours.owner.client, { file_name: 'short.bin', file_size: 10 });
    const store = api.app.get(ObjectStore, { strict: false });
    await store.put(`t/${ours.tenant_id}/staging/${upl_id}`, randomBytes(9));
    const answer = await ours.owner.client.post(`/uploads/${upl_id}/finalize`).expect(422);
    expect(answer.body).toMatchObject({ code: 'unprocessable_content' });
    expect(await store.stat(`t/${ours.tenant_id}/staging/${upl_id}`)).toBeNull();
    expect((await ours.owner.client.get(`/uploads/${upl_id}`).expect(200)).body).toMatchObject({ upl_state: 'rejected', upl_error: expect.stringContaining('9 bytes'), upl_url: null });
    await ours.owner.client.post(`/uploads/${upl_id}/finalize`).expect(409);
  });

  it('and aborting exclude each other', async () => {
    for (let round = 0; round < 5; round++) {
      const { upl_id } = await sendUpload(ours.owner.client, 'race.bin', randomBytes(10));
      const [finalized, aborted] = await Promise.all([ours.owner.client.post(`/uploads/${upl_id}/finalize`), ours.owner.client.delete(`/uploads/${upl_id}`)]);
      expect([[201, 409], [409, 204]]).toContainEqual([finalized.status, aborted.status]);
    }
  });

  it('quarantines bytes that are not the promised ones', async () => {
    const bytes = randomBytes(6 * MIB);
    const opened = await openUpload(ours.owner.client, { file_name: 'other.bin', file_size: bytes.length, file_hash: 'a'.repeat(64), upl_multipart: true });
    for (const link of opened.upl_parts) await send(link, bytes);
    const { file_id } = (await ours.owner.client.post(`/uploads/${opened.upl_id}/finalize`).expect(201)).body as StoredFile;
    expect(await settled(ours.owner.client, file_id)).toMatchObject({ file_processing: 'quarantined', file_metadata: { system: { error: 'hash_mismatch' } } });
  });
});

describe('a large upload', () => {
  const bytes = randomBytes(20 * MIB);
  const slice = ({ upl_part_size }: Uploaded, part: number): Uint8Array => bytes.subarray((part - 1) * upl_part_size, part * upl_part_size);

  it('comes in parts, tells what it holds, names what is missing, and is resumed from what storage knows', async () => {
    const opened = await openUpload(ours.owner.client, { file_name: 'film.bin', file_size: bytes.length, upl_multipart: true });
    expect(opened).toMatchObject({ upl_mode: 'multipart', upl_part_size: 8 * MIB, upl_part_count: 3, upl_url: null });
    const [first, , third] = opened.upl_parts;
    if (!first || !third) throw new Error('Three parts were announced.');
    await send(first, slice(opened, 1));
    await send(third, slice(opened, 3));
    const seen = (await ours.owner.client.get(`/uploads/${opened.upl_id}`).expect(200)).body as Uploaded & { upl_received: { part: number; size: number }[] };
    expect(seen.upl_received.map(({ part, size }) => [part, size])).toEqual([[1, 8 * MIB], [3, 4 * MIB]]);
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
    for (const parts of [[0], [4], ['1'], [1.5], [], 'x', Array.from({ length: 101 }, () => 1)]) await ours.owner.client.post(`/uploads/${opened.upl_id}/parts`, { parts }).expect(400);
    await ours.owner.client.delete(`/uploads/${opened.upl_id}`).expect(204);
    await ours.owner.client.delete(`/uploads/${opened.upl_id}`).expect(204);
    expect((await ours.owner.client.post(`/uploads/${opened.upl_id}/parts`, { parts: [1] }).expect(409)).body.code).toBe('invalid_state');
    expect((await send(opened.upl_parts[0] ?? opened, slice(opened, 1))).status).toBeGreaterThanOrEqual(400);
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
    const originals = (keys: string[]): string[] => keys.filter((key) => /\/blobs\/[^/]+$/.test(key));
    await eventually(() => objects(workspace.tenant_id), (keys) => originals(keys).length === 1 && !keys.some((key) => key.includes('/staging/')));

    const purge = async (file_id: string): Promise<void> => {
      await client.delete(`/files/${file_id}`).expect(204);
      await client.post('/files/actions/purge', { file_ids: [file_id] }).expect(200);
      await api.sql("UPDATE file_blob SET blob_orphaned = blob_orphaned - interval '25 hours' WHERE tenant_id = $1", [workspace.tenant_id]);
      await sweep.run();
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
    const blobs = await api.sql<{ blob_refs: number }>("SELECT blob_refs FROM file_blob WHERE tenant_id = $1 AND blob_state = 'live'", [workspace.tenant_id]);
    expect(blobs).toEqual([{ blob_refs: 6 }]);
  });

  it('are told of beforehand to those who may see them, and to nobody else', async () => {
    const bytes = randomBytes(64);
    const { file_id } = await settled(ours.owner.client, (await upload(ours.owner.client, 'known.bin', bytes)).file_id);
    const items = [{ file_name: 'a', file_size: 64, file_hash: sha256(bytes) }, { file_name: 'b', file_size: 64, file_hash: '0'.repeat(64) }];
    expect((await ours.owner.client.post('/uploads/check', { file_repo: MEDIA, items }).expect(200)).body.data).toEqual([{ exists: true, file_id }, { exists: false, file_id: null }]);
    expect((await theirs.owner.client.post('/uploads/check', { file_repo: MEDIA, items }).expect(200)).body.data).toEqual([{ exists: false, file_id: null }, { exists: false, file_id: null }]);
    const blind = await ours.member('editor', ['media:upload']);
    expect((await blind.client.post('/uploads/check', { file_repo: MEDIA, items }).expect(200)).body.data[0]).toEqual({ exists: false, file_id: null });
  });

  it('under the same name become a new version when that is asked for', async () => {
    const first = await settled(ours.owner.client, (await upload(ours.owner.client, 'report.txt', Buffer.from('one'))).file_id);
    const second = await upload(ours.owner.client, 'report.txt', Buffer.from('two'), { upl_on_duplicate: 'version' });
    expect(second).toMatchObject({ file_id: first.file_id, file_version: 2 });
    expect((await settled(ours.owner.client, first.file_id)).file_hash).toBe(sha256(Buffer.from('two')));
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

  it('can not name a file of another workspace', async () => {
    const { file_id } = await upload(ours.owner.client, 'ours.bin', randomBytes(10));
    await theirs.owner.client.post('/uploads', { file_repo: MEDIA, file_name: 'x.bin', file_size: 1, upl_file: file_id }).expect(404);
    await theirs.owner.client.post(`/files/${file_id}/versions`, { file_size: 1 }).expect(404);
  });
});

describe('the sweep', () => {
  it('expires forgotten uploads and removes their bytes', async () => {
    const workspace = await api.workspace();
    const { upl_id } = await sendUpload(workspace.owner.client, 'forgotten.bin', randomBytes(10));
    await api.sql("UPDATE upload SET upl_expires = now() - interval '1 minute' WHERE upl_id = $1", [upl_id]);
    await sweep.run();
    expect((await workspace.owner.client.get(`/uploads/${upl_id}`).expect(200)).body.upl_state).toBe('expired');
    expect(await objects(workspace.tenant_id)).toEqual([]);
  });

  it('removes what was sent late, and leaves the bytes of files alone', async () => {
    const workspace = await api.workspace();
    const { ObjectStore } = await import('@atrium/platform/storage');
    const opened = await sendUpload(workspace.owner.client, 'late.bin', randomBytes(10));
    const { file_id } = (await workspace.owner.client.post(`/uploads/${opened.upl_id}/finalize`).expect(201)).body as StoredFile;
    await settled(workspace.owner.client, file_id);
    await api.app.get(ObjectStore, { strict: false }).put(`t/${workspace.tenant_id}/staging/${opened.upl_id}`, randomBytes(10));
    await api.sql("UPDATE upload SET upl_expires = now() - interval '1 minute' WHERE upl_id = $1", [opened.upl_id]);
    await sweep.run();
    expect(await objects(workspace.tenant_id)).toEqual([`t/${workspace.tenant_id}/blobs/${opened.upl_id}`]);
    expect((await readFile(workspace.owner.client, file_id)).file_processing).toBe('ready');
  });
});

describe('what is interrupted', () => {
  let before: RunningApi;
  let after: RunningApi | undefined;
  const workers: ChildProcess[] = [];

  beforeAll(async () => {
    before = await startAtrium({ DATA_DIR: api.dataDir });
  });
  afterAll(async () => {
    for (const started of workers) started.kill('SIGKILL');
    await after?.app.close();
    if (!after) await before.app.close();
  });

  const buildWorker = async (): Promise<ChildProcess> => {
    const started = spawn(process.execPath, [join(__dirname, '../../dist/apps/worker/src/main.js')], { env: { ...process.env, LOG_LEVEL: 'info' }, stdio: ['ignore', 'pipe', 'inherit'] });
    workers.push(started);
    await new Promise<void>((resolve, reject) => {
      started.stdout?.on('data', (text: Buffer) => text.includes('worker started') && resolve());
      started.once('exit', (code) => reject(new Error(`The worker ended with ${code}.`)));
    });
    return started;
  };

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

  it('an ingest whose worker is killed is finished by the next one, and nothing is doubled', async () => {
    await worker.close();
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const photo = await drawPicture({ width: 9000, height: 7000, format: 'jpeg' });
    const killed = await buildWorker();
    const { file_id } = await upload(client, 'huge.jpg', photo);
    await eventually(() => api.sql('SELECT 1 FROM file_blob WHERE tenant_id = $1 AND blob_hash IS NOT NULL', [workspace.tenant_id]), (rows) => rows.length === 1);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect((await readFile(client, file_id)).file_processing).toBe('pending');
    await buildWorker();
    const file = await settled(client, file_id);
    expect(file).toMatchObject({ file_processing: 'ready', file_hash: sha256(photo), file_replicas: 'small,medium,large' });
    expect(await api.sql('SELECT 1 FROM file_blob WHERE tenant_id = $1', [workspace.tenant_id])).toHaveLength(1);
    expect(await api.sql("SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_name = 'file.ready'", [workspace.tenant_id])).toHaveLength(1);
    expect(await objects(workspace.tenant_id)).toHaveLength(4);
  }, 120_000);
});
