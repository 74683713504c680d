import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { BaseUpkeep } from '@atrium/knowledge';
import { inWorkspace } from '@atrium/platform/database';
import { startAtrium } from '../support/api';
import { addRecord, addText, FAQ, makeBase, makeFormBase } from './bases';

let api: RunningApi;
let ours: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  api = await startAtrium();
});
beforeEach(async () => {
  ours = await api.workspace();
  owner = ours.owner.client;
});
afterAll(() => api.close());

const hold = async (lh_target_type: string, lh_target_id: string): Promise<string> =>
  (
    (await owner.post('/admin/legal-holds', { lh_name: 'Harbour v. Quay', lh_target_type, lh_target_id, lh_reason: 'Letter' }).expect(201))
      .body as { lh_id: string }
  ).lh_id;
const release = (lh_id: string) => owner.delete(`/admin/legal-holds/${lh_id}`).expect(204);
/** As the daily work does it, when what is deleted has been deleted long ago. */
async function purge(): Promise<void> {
  await api.sql(`UPDATE knowledge_base SET ds_deleted = ds_deleted - interval '40 days' WHERE tenant_id = $1`, [ours.tenant_id]);
  await api.sql(`UPDATE knowledge_record SET rec_updated = rec_updated - interval '40 days' WHERE tenant_id = $1 AND NOT rec_active`, [
    ours.tenant_id,
  ]);
  const run = { signal: new AbortController().signal, heartbeat: () => Promise.resolve() };
  await inWorkspace(ours.tenant_id, () => api.app.get(BaseUpkeep, { strict: false }).purgeDeleted(run));
}
const count = async (table: string): Promise<number> =>
  (await api.sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE tenant_id = $1`, [ours.tenant_id]))[0]?.count ?? 0;

describe('a legal hold on a knowledge base', () => {
  it('refuses to delete it and its records until it is released', async () => {
    const { ds_id } = await makeBase(owner);
    const { rec_id } = await addText(owner, ds_id, 'Berths', 'Berth nine is closed.');
    const lh_id = await hold('knowledge_base', ds_id);
    expect((await owner.delete(`/knowledge-bases/${ds_id}/records/${rec_id}`).expect(409)).body).toMatchObject({ code: 'in_use' });
    expect((await owner.delete(`/knowledge-bases/${ds_id}`).expect(409)).body).toMatchObject({ code: 'in_use' });
    await release(lh_id);
    await owner.delete(`/knowledge-bases/${ds_id}/records/${rec_id}`).expect(204);
    await owner.delete(`/knowledge-bases/${ds_id}`).expect(204);
  });

  it('keeps what was deleted before, whatever the time', async () => {
    const { ds_id } = await makeBase(owner);
    const { rec_id } = await addText(owner, ds_id, 'Berths', 'Berth nine is closed.');
    await owner.delete(`/knowledge-bases/${ds_id}/records/${rec_id}`).expect(204);
    const gone = await makeBase(owner);
    await addText(owner, gone.ds_id, 'Cranes', 'Crane two is repaired.');
    await owner.delete(`/knowledge-bases/${gone.ds_id}`).expect(204);
    const holds = [await hold('knowledge_base', ds_id), await hold('knowledge_base', gone.ds_id)];
    await purge();
    expect([await count('knowledge_base'), await count('knowledge_record')]).toEqual([2, 2]);
    for (const lh_id of holds) await release(lh_id);
    await purge();
    expect([await count('knowledge_base'), await count('knowledge_record')]).toEqual([1, 0]);
  });

  it('is not seen by what was deleted: it is found no longer than it could be restored', async () => {
    const { ds_id } = await makeBase(owner);
    const { rec_id } = await addText(owner, ds_id, 'Berths', 'Berth nine is closed.');
    const record = `/knowledge-bases/${ds_id}/records/${rec_id}`;
    const gone = await makeBase(owner);
    const base = `/knowledge-bases/${gone.ds_id}`;
    await owner.delete(record).expect(204);
    await owner.delete(base).expect(204);
    for (const id of [ds_id, gone.ds_id]) await hold('knowledge_base', id);
    for (const path of [record, base]) await owner.get(path).expect(200);
    await purge();
    expect(await count('knowledge_record')).toBe(1);
    for (const path of [record, base]) {
      await owner.get(path).expect(404);
      await owner.delete(path).expect(404);
    }
    await owner.patch(record, { rec_name: 'Piers' }).expect(404);
    await owner.patch(base, { ds_name: 'Piers' }).expect(404);
    await owner.put(`${base}/access`, { ds_acl: {} }).expect(404);
    await owner.post(`${base}/restore`, {}).expect(404);
    for (const list of [`/knowledge-bases/${ds_id}/records?rec_active=false`, '/knowledge-bases?ds_active=false'])
      expect((await owner.get(list).expect(200)).body.data).toEqual([]);
  });

  it('on a person keeps the records they wrote', async () => {
    const author = await ours.member('editor');
    const { ds_id } = await makeBase(owner);
    const { rec_id } = await addText(author.client, ds_id, 'Berths', 'Berth nine is closed.');
    await author.client.delete(`/knowledge-bases/${ds_id}/records/${rec_id}`).expect(204);
    const lh_id = await hold('user', author.user_id);
    await purge();
    expect(await count('knowledge_record')).toBe(1);
    await release(lh_id);
    await purge();
    expect(await count('knowledge_record')).toBe(0);
  });
});

describe('a record that is purged', () => {
  it('leaves none of its values', async () => {
    const { ds_id } = await makeFormBase(owner, FAQ);
    const { rec_id } = await addRecord(owner, ds_id, { rec_content: { question: 'Which berth?', answer: 'Berth nine.' } });
    expect(await count('form_value')).toBeGreaterThan(0);
    await owner.delete(`/knowledge-bases/${ds_id}/records/${rec_id}`).expect(204);
    await purge();
    expect([await count('knowledge_record'), await count('form_value')]).toEqual([0, 0]);
  });
});
