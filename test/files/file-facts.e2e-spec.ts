import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Client as Postgres } from 'pg';
import { sharedAtrium } from '../support/shared-atrium';
import { factsThatLag } from './file-facts';
import { storeFile } from './stored-files';

let api: RunningApi;
let ours: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-documents']);
  owner = ours.owner.client;
});
afterAll(() => api.close());

/** What the service says of the file besides why it has no picture; undefined when that is nothing. */
async function system(file_id: string): Promise<object | undefined> {
  const { no_renditions: _why, ...said } = ((await owner.get(`/files/${file_id}`).expect(200)).body.file_metadata.system ?? {}) as Record<
    string,
    unknown
  >;
  return Object.keys(said).length > 0 ? said : undefined;
}
const copyOf = async (file_id: string): Promise<string> =>
  ((await owner.post(`/files/${file_id}/copy-to-media`, {}).expect(201)).body as { file_id: string }).file_id;
const removed = async (file_id: string): Promise<void> => {
  await owner.delete(`/files/${file_id}`).expect(204);
  await owner.post('/files/actions/purge', { file_ids: [file_id] }).expect(200);
};

describe('what a file shows of its bytes', () => {
  it('is right after copies, removals and new content of files of the same bytes, all at once', async () => {
    const { file_id } = await storeFile(api, ours, { repo: 'docs', read: true });
    let copies = [await copyOf(file_id)];
    for (let round = 0; round < 8; round++) {
      const [made] = await Promise.all([
        Promise.all([copyOf(file_id), copyOf(file_id)]),
        ...copies.map((copy, at) =>
          at % 2 ? owner.put(`/files/${copy}/content`, { content: `other ${round}` }).then(() => removed(copy)) : removed(copy),
        ),
      ]);
      copies = made;
      expect(await factsThatLag(api, ours.tenant_id)).toEqual([]);
    }
    expect(await system(file_id)).toEqual({ shared_blob: true });
    await Promise.all(copies.map(removed));
    expect(await factsThatLag(api, ours.tenant_id)).toEqual([]);
    expect(await system(file_id)).toBeUndefined();
  });

  it('is damaged with the bytes, on every file that shares them, and in a copy made afterwards', async () => {
    const { file_id, hash } = await storeFile(api, ours, { repo: 'docs', read: true });
    const before = await copyOf(file_id);
    await api.sql('UPDATE file_blob SET blob_corrupt = now() WHERE tenant_id = $1 AND blob_hash = $2', [ours.tenant_id, hash]);
    const after = await copyOf(file_id);
    expect(await system(file_id)).toEqual({ shared_blob: true, corrupt: true });
    for (const copy of [before, after]) expect(await system(copy)).toMatchObject({ shared_blob: true, corrupt: true });
    await api.sql('UPDATE file_blob SET blob_corrupt = NULL WHERE tenant_id = $1 AND blob_hash = $2', [ours.tenant_id, hash]);
    expect(await system(file_id)).toEqual({ shared_blob: true });
    expect(await factsThatLag(api, ours.tenant_id)).toEqual([]);
  });
});

describe('what a file shows of holds', () => {
  it('is right after several matters put and released theirs at once', async () => {
    const { file_id } = await storeFile(api, ours);
    const hold = async (lh_name: string): Promise<string> =>
      (
        (
          await owner
            .post('/admin/legal-holds', { lh_name, lh_target_type: 'file', lh_target_id: file_id, lh_reason: 'Letter' })
            .expect(201)
        ).body as { lh_id: string }
      ).lh_id;
    for (let round = 0; round < 5; round++) {
      const holds = await Promise.all(['One', 'Two', 'Three'].map((name) => hold(`${name} ${round}`)));
      expect(await system(file_id)).toEqual({ hold: true });
      await Promise.all(holds.slice(1).map((id) => owner.delete(`/admin/legal-holds/${id}`).expect(204)));
      expect(await factsThatLag(api, ours.tenant_id)).toEqual([]);
      expect(await system(file_id)).toEqual({ hold: true });
      await owner.delete(`/admin/legal-holds/${holds[0]!}`).expect(204);
      expect(await system(file_id)).toBeUndefined();
    }
  });
});

describe('two units of work at once', () => {
  /** Both do theirs; the second waits for the first, which commits then. */
  async function oneBehindTheOther(first: readonly string[], second: readonly string[]): Promise<void> {
    const [one, other] = [
      new Postgres({ connectionString: api.database.ownerUrl }),
      new Postgres({ connectionString: api.database.ownerUrl }),
    ];
    await Promise.all([one.connect(), other.connect()]);
    try {
      await one.query('BEGIN');
      for (const statement of first) await one.query(statement);
      await other.query('BEGIN');
      let isDone = false;
      const behind = other.query(second[0]!).then(() => (isDone = true));
      const waits = 'SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = $2';
      await eventually(async () => isDone || (await api.sql(waits, [api.database.name, 'Lock'])).length > 0, Boolean);
      await one.query('COMMIT');
      await behind;
      for (const statement of second.slice(1)) await other.query(statement);
      await other.query('COMMIT');
    } finally {
      await Promise.all([one.end(), other.end()]);
    }
  }

  it('that copy one file find each other', async () => {
    const [original, one, other] = [await storeFile(api, ours), await storeFile(api, ours), await storeFile(api, ours)];
    const blob = original.blob_key.split('/').at(-1)!;
    const copy = (id: string): string[] => [
      `UPDATE file SET file_blob = '${blob}' WHERE file_id = '${id}'`,
      `UPDATE file_blob SET blob_refs = blob_refs + 1 WHERE blob_id = '${blob}'`,
    ];
    await oneBehindTheOther(copy(one.file_id), copy(other.file_id));
    expect(await factsThatLag(api, ours.tenant_id)).toEqual([]);
    for (const { file_id } of [original, one, other]) expect(await system(file_id)).toEqual({ shared_blob: true });
  });

  it('that end the two holds of a file do not each find the other', async () => {
    const { file_id } = await storeFile(api, ours);
    for (const lh_name of ['One', 'Two'])
      await owner.post('/admin/legal-holds', { lh_name, lh_target_type: 'file', lh_target_id: file_id, lh_reason: 'Letter' }).expect(201);
    const release = (name: string): string[] => [
      `UPDATE legal_hold SET lh_released_at = now() WHERE lh_target_id = '${file_id}' AND lh_name = '${name}'`,
    ];
    await oneBehindTheOther(release('One'), release('Two'));
    expect(await factsThatLag(api, ours.tenant_id)).toEqual([]);
    expect(await system(file_id)).toBeUndefined();
  });
});
