import type { INestApplicationContext } from '@nestjs/common';
import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, type RunningApi } from '@atrium/platform/testing';
import { startAtrium, startWorker } from '../support/api';
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

describe('sites of a member', () => {
  it('are handed over with the content of the member', async () => {
    const ours = await api.workspace();
    const { owner } = ours;
    const editor = await ours.member('editor');
    const site = await makeSite(editor.client);
    await owner.client.post(`/admin/users/${editor.user_id}/transfer`, { to_user: owner.user_id }).expect(202);
    const found = await eventually(
      async () => (await owner.client.get(`/sites/${site.site_id}`).expect(200)).body as { site_created_by: string },
      ({ site_created_by }) => site_created_by === owner.user_id,
      60_000,
    );
    expect(found.site_created_by).toBe(owner.user_id);
  }, 120_000);
});
