import type { INestApplicationContext } from '@nestjs/common';
import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, type RunningApi } from '@atrium/platform/testing';
import { startAtrium, startWorker } from '../support/api';
import { upload } from '../files/uploading';
import { makePages } from './pages';
import { makeSite, plantPage } from './sites';

let api: RunningApi;
let worker: INestApplicationContext;

beforeAll(async () => {
  api = await startAtrium();
  worker = await startWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

describe('a site that can no longer be restored', () => {
  it('is purged with everything on it, while others stay', async () => {
    const { owner, tenant_id } = await api.workspace();
    const [old, recent, open] = [await makeSite(owner.client), await makeSite(owner.client), await makeSite(owner.client)];
    for (const site of [old, recent, open]) await plantPage(api, site, { slug: 'lamps' });
    const below = await plantPage(api, old, { slug: 'desk' });
    await api.sql(
      `UPDATE node n SET node_parent = p.node_id, node_lineage = p.node_lineage || n.node_lineage FROM node p
       WHERE n.node_id = $1 AND p.node_site = n.node_site AND p.node_slug = 'lamps'`,
      [below],
    );
    for (const { site_id } of [old, recent]) await owner.client.delete(`/sites/${site_id}`).expect(204);
    await api.sql(`UPDATE site SET site_removed = now() - interval '31 days' WHERE site_id = $1`, [old.site_id]);
    await worker.get(ScheduleHost, { strict: false }).runNow('website.expire');
    const left = await eventually(
      () => api.sql<{ site_id: string }>('SELECT site_id FROM site WHERE tenant_id = $1', [tenant_id]),
      (rows) => rows.length === 2,
      60_000,
    );
    expect(left.map(({ site_id }) => site_id).sort()).toEqual([recent.site_id, open.site_id].sort());
    const nodes = await api.sql<{ node_site: string }>('SELECT DISTINCT node_site FROM node WHERE tenant_id = $1', [tenant_id]);
    expect(nodes.map(({ node_site }) => node_site).sort()).toEqual([recent.site_id, open.site_id].sort());
    await owner.client.post(`/sites/${old.site_id}/restore`).expect(404);
    await owner.client.post(`/sites/${recent.site_id}/restore`).expect(200);
  }, 120_000);
});

describe('files of a page', () => {
  it('go to the trash with the page, also with one above it, and come back with it', async () => {
    const { owner } = await api.workspace();
    const pages = await makePages(owner.client);
    const top = await pages.folder('Top');
    const page = await pages.make('Below', { node_parent: top.node_id });
    const { file_id } = await upload(owner.client, 'notes.txt', Buffer.from('Notes'), { file_repo: { node: page.node_id } });
    const kept = await upload(owner.client, 'other.txt', Buffer.from('Other'), {
      file_repo: { node: (await pages.make('Other')).node_id },
    });
    const deleted = async (id: string): Promise<boolean> =>
      (await api.sql<{ gone: boolean }>('SELECT file_deleted IS NOT NULL AS gone FROM file WHERE file_id = $1', [id]))[0]?.gone ?? true;
    await pages.remove(top.node_id, '?children=delete').expect(204);
    await eventually(() => deleted(file_id), Boolean, 60_000);
    expect(await deleted(kept.file_id)).toBe(false);
    await pages.restore(top.node_id).expect(200);
    await eventually(
      () => deleted(file_id),
      (gone) => !gone,
      60_000,
    );
    await owner.client.get(`/files/${file_id}`).expect(200);
  }, 120_000);
});

describe('what a person on legal hold wrote', () => {
  it('outlasts the trash and the number of versions that are kept', async () => {
    const ours = await api.workspace();
    const { owner } = ours;
    const [ada, bob] = [await ours.member('editor'), await ours.member('editor')];
    const pages = await makePages(owner.client);
    const [hers, his] = [await pages.as(ada.client).make('Hers'), await pages.as(bob.client).make('His')];
    const kept = await pages.make('Kept');
    for (const { client } of [ada, bob]) await pages.as(client).write(kept.node_id, { headline: 'x' }).expect(200);
    await owner.client
      .post('/admin/legal-holds', { lh_name: 'Matter', lh_target_type: 'user', lh_target_id: ada.user_id, lh_reason: 'A letter' })
      .expect(201);
    // The first version is the 1,000th now, and the two that followed are long behind it.
    await api.sql(`UPDATE page_version SET ver_number = 1000 WHERE ver_node = $1 AND ver_number = 1`, [kept.node_id]);
    await pages.as(bob.client).write(kept.node_id, { headline: 'Newest' }).expect(200);
    const left = await api.sql(`SELECT ver_number, ver_created_by FROM page_version WHERE ver_node = $1 ORDER BY 1`, [kept.node_id]);
    expect(left).toEqual([
      { ver_number: 2, ver_created_by: ada.user_id },
      { ver_number: 1000, ver_created_by: owner.user_id },
      { ver_number: 1001, ver_created_by: bob.user_id },
    ]);

    for (const { node_id } of [hers, his]) await pages.remove(node_id).expect(204);
    await api.sql(`UPDATE node SET node_removed = now() - interval '31 days' WHERE node_site = $1 AND NOT node_active`, [
      pages.site.site_id,
    ]);
    await worker.get(ScheduleHost, { strict: false }).runNow('website.expire');
    const rows = await eventually(
      () => api.sql<{ node_id: string }>('SELECT node_id FROM node WHERE node_site = $1 ORDER BY node_id', [pages.site.site_id]),
      ({ length }) => length < 3,
      60_000,
    );
    expect(rows.map(({ node_id }) => node_id)).toEqual([hers.node_id, kept.node_id].sort());
  }, 120_000);
});

describe('sites of a member', () => {
  it('are handed over with the content of the member', async () => {
    const ours = await api.workspace();
    const { owner } = ours;
    const editor = await ours.member('editor');
    const pages = await makePages(owner.client);
    const page = await pages.as(editor.client).make('Of the editor');
    const other = await pages.make('Of the owner');
    const site = await makeSite(editor.client);
    await owner.client.post(`/admin/users/${editor.user_id}/transfer`, { to_user: owner.user_id }).expect(202);
    const found = await eventually(
      async () => (await owner.client.get(`/sites/${site.site_id}`).expect(200)).body as { site_created_by: string },
      ({ site_created_by }) => site_created_by === owner.user_id,
      60_000,
    );
    expect(found.site_created_by).toBe(owner.user_id);
    const creators = await eventually(
      () =>
        api.sql<{ node_created_by: string; row_version: number }>(
          'SELECT node_created_by, row_version FROM node WHERE node_site = $1 ORDER BY node_id = $2 DESC',
          [pages.site.site_id, page.node_id],
        ),
      ([moved]) => moved?.node_created_by === owner.user_id,
      60_000,
    );
    expect(creators.map(({ node_created_by }) => node_created_by)).toEqual([owner.user_id, owner.user_id]);
    expect((await pages.read(page.node_id)).node_name).toBe('Of the editor');
    expect((await pages.read(other.node_id)).node_name).toBe('Of the owner');
  }, 120_000);
});
