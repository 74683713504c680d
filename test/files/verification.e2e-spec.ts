import { Bytes, StorageVerification, Sweep } from '@atrium/files';
import type { INestApplicationContext } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { ScheduleHost } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { storeFile } from './stored-files';
import { readFile, sendUpload, settled, upload, type StoredFile } from './uploading';

let api: RunningApi;
let worker: INestApplicationContext;
let store: ObjectStore;
let workspace: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  store = api.app.get(ObjectStore, { strict: false });
});
beforeEach(async () => {
  workspace = await api.workspace();
  client = workspace.owner.client;
});
afterAll(() => api.close());

const keyOf = async (file_id: string): Promise<string> => {
  const [row] = await api.sql<{ blob_key: string }>(
    'SELECT b.blob_key FROM file f JOIN file_blob b ON b.tenant_id = f.tenant_id AND b.blob_id = f.file_blob WHERE f.file_id = $1',
    [file_id],
  );
  if (!row) throw new Error('The file has bytes.');
  return row.blob_key;
};
const due = (): Promise<unknown[]> =>
  api.sql("UPDATE file_blob SET blob_verified = now() - interval '2 days' WHERE tenant_id = $1", [workspace.tenant_id]);
const sample = (): Promise<number> =>
  inWorkspace(workspace.tenant_id, () =>
    worker
      .get(StorageVerification, { strict: false })
      .verifySample({ signal: new AbortController().signal, heartbeat: () => Promise.resolve() }),
  );
const told = async (file_id: string): Promise<unknown[]> =>
  (
    await api.sql<{ ev_payload: unknown }>(
      "SELECT ev_payload FROM outbox WHERE ev_subject = $1 AND ev_name = 'file.corrupt' ORDER BY ev_id",
      [file_id],
    )
  ).map(({ ev_payload }) => ev_payload);
const bytesAt = async (key: string): Promise<string> => {
  let text = '';
  for await (const chunk of await store.get(key)) text += String(chunk);
  return text;
};

describe('stored bytes that are read again', () => {
  it('are left alone when they are what their hash says, and looked at by turns', async () => {
    const files: StoredFile[] = [];
    for (const text of ['one', 'two', 'three'])
      files.push(await settled(client, (await upload(client, `${text}.txt`, Buffer.from(text))).file_id));
    expect(await sample()).toBe(0);
    await due();
    for (let night = 0; night < 3; night++) expect(await sample()).toBe(0);
    expect(
      await api.sql("SELECT 1 FROM file_blob WHERE tenant_id = $1 AND blob_verified < now() - interval '1 day'", [workspace.tenant_id]),
    ).toEqual([]);
    for (const { file_id } of files) expect(await told(file_id)).toEqual([]);
  });

  it('are reported when they have changed, once, for every file that shows them; the file says so too', async () => {
    const file = await settled(client, (await upload(client, 'log.txt', Buffer.from('kept in the log'))).file_id);
    await store.putObject(await keyOf(file.file_id), Buffer.from('lost in the fog'));
    for (let night = 0; night < 2; night++) {
      await due();
      expect(await sample()).toBe(1);
    }
    expect(await told(file.file_id)).toEqual([expect.objectContaining({ healed: false })]);
    expect((await readFile(client, file.file_id)).file_metadata.system).toMatchObject({ corrupt: true });
  });

  it('are repaired from bytes of uploads in progress', async () => {
    const bytes = Buffer.from('there were two of them');
    const file = await settled(client, (await upload(client, 'pair.txt', bytes)).file_id);
    await sendUpload(client, 'again.txt', bytes);
    const key = await keyOf(file.file_id);
    await store.delete([key]);
    await due();
    expect(await sample()).toBe(1);
    expect(await bytesAt(key)).toBe(bytes.toString());
    expect(await told(file.file_id)).toEqual([expect.objectContaining({ healed: true })]);
    await due();
    expect(await sample()).toBe(0);
  });

  it('are mended when equal bytes come, and everybody has them again', async () => {
    const bytes = Buffer.from('the same once more');
    const file = await settled(client, (await upload(client, 'first.txt', bytes)).file_id);
    const key = await keyOf(file.file_id);
    await store.putObject(key, Buffer.from('not the same, is it'));
    await due();
    expect(await sample()).toBe(1);
    const second = await settled(client, (await upload(client, 'second.txt', bytes)).file_id);
    expect(await keyOf(second.file_id)).toBe(key);
    expect(await bytesAt(key)).toBe(bytes.toString());
    expect((await readFile(client, file.file_id)).file_metadata.system).toEqual({
      shared_blob: true,
      no_renditions: expect.objectContaining({ code: 'no_picture' }),
    });
  });

  it('are asked for every night', async () => {
    const file = await settled(client, (await upload(client, 'night.txt', Buffer.from('night'))).file_id);
    await store.delete([await keyOf(file.file_id)]);
    await due();
    await worker.get(ScheduleHost, { strict: false }).runNow('files.verify');
    await eventually(
      () => told(file.file_id),
      (events) => events.length === 1,
    );
  });
});

describe('pinned bytes', () => {
  const within = <T>(work: (bytes: Bytes) => Promise<T>): Promise<T> =>
    inWorkspace(workspace.tenant_id, () =>
      api.app.get(Database, { strict: false }).write(() => work(api.app.get(Bytes, { strict: false }))),
    );

  it('are kept while versions are pruned or removed, and read by their hash', async () => {
    const first = await storeFile(api, workspace, { bytes: Buffer.from('first'), read: true });
    await within((bytes) => bytes.pinBytes(first.file_id, first.hash, 'publication:1'));
    await within((bytes) => bytes.pinBytes(first.file_id, first.hash, 'publication:1'));
    await client.put(`/files/${first.file_id}/content`, { content: 'second' }).expect(200);
    expect((await client.delete(`/files/${first.file_id}/versions/${first.fv_id}`).expect(409)).body.code).toBe('in_use');
    const { stream, size, type } = await inWorkspace(workspace.tenant_id, () =>
      api.app.get(Bytes, { strict: false }).openBytes(first.file_id, first.hash),
    );
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    expect({ text, size, type }).toEqual({ text: 'first', size: 5, type: 'text/plain' });
    await within((bytes) => bytes.unpinBytes(first.file_id, 'publication:1'));
    await client.delete(`/files/${first.file_id}/versions/${first.fv_id}`).expect(204);
    await expect(within((bytes) => bytes.pinBytes(first.file_id, first.hash, 'publication:2'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('go with the file all the same: trash and purge win', async () => {
    const file = await storeFile(api, workspace, { bytes: Buffer.from('pinned'), read: true });
    await within((bytes) => bytes.pinBytes(file.file_id, file.hash, 'publication:1'));
    await client.delete(`/files/${file.file_id}`).expect(204);
    await expect(
      inWorkspace(workspace.tenant_id, () => api.app.get(Bytes, { strict: false }).openBytes(file.file_id, file.hash)),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect((await client.post('/files/actions/purge', { file_ids: [file.file_id] }).expect(200)).body.data).toEqual([
      { file_id: file.file_id, outcome: 'purged' },
    ]);
    await api.sql("UPDATE file_blob SET blob_orphaned = blob_orphaned - interval '25 hours' WHERE tenant_id = $1", [workspace.tenant_id]);
    await worker.get(Sweep, { strict: false }).sweepFiles();
    expect(await store.stat(file.blob_key)).toBeNull();
  });
});
