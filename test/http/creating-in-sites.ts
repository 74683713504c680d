import { DAY } from '@atrium/platform/kernel';
import { connectSite } from '../website/cms';
import { makePages } from '../website/pages';
import { makeSite } from '../website/sites';
import type { Ask, Creation, Ground } from './creating-routes';

const tomorrow = (): string => new Date(Date.now() + DAY).toISOString();

/** A page that can be published, and its site. */
async function page({ workspace: { owner } }: Ground): Promise<{ readonly site_id: string; readonly node_id: string }> {
  const pages = await makePages(owner.client);
  const { node_id } = await pages.make('Lamp', { node_content: { headline: 'Brass lamp' } });
  return { site_id: pages.site.site_id, node_id };
}

const inSite =
  (body: object): Ask =>
  async ({ workspace: { owner } }) => ({ ids: [(await makeSite(owner.client)).site_id], body });

/** A site that is connected to the space of the loopback server. */
export async function siteWithCms({ workspace: { owner }, storyblok }: Ground): Promise<string> {
  if (!storyblok) throw new Error('No content management system is running.');
  return connectSite(owner.client, storyblok);
}

/** A run that no worker has taken, as the statement then changes it. */
async function run(ground: Ground, change: string): Promise<Creation> {
  const site_id = await siteWithCms(ground);
  const { body } = await ground.workspace.owner.client.post(`/sites/${site_id}/cms/pull`, { background: true }).expect(202);
  const { job_id } = body as { readonly job_id: string };
  await ground.api.sql(`UPDATE cms_run SET ${change} WHERE job_id = $1`, [job_id]);
  return { ids: [site_id, job_id], body: {} };
}

const moveInBackground: Ask = async (ground) => ({ ids: [await siteWithCms(ground)], body: { background: true } });

/** What is created within a site, besides its nodes. */
export const CREATIONS_IN_SITES: Readonly<Record<string, Ask>> = {
  'POST /sites/{id}/publish': async (ground) => {
    const { site_id, node_id } = await page(ground);
    return { ids: [site_id], body: { node_ids: [node_id], at: tomorrow() } };
  },
  'POST /sites/{id}/nodes/{node_id}/publish': async (ground) => {
    const { site_id, node_id } = await page(ground);
    return { ids: [site_id, node_id], body: { at: tomorrow() } };
  },
  'POST /sites/{id}/preview-links': inSite({}),
  'POST /sites/{id}/redirects': inSite({ red_from: '/old', red_to: '/' }),
  'POST /sites/{id}/cms/pull': moveInBackground,
  'POST /sites/{id}/cms/push': moveInBackground,
  'POST /sites/{id}/cms/sync-jobs/{job_id}/cancel': (ground) => run(ground, `status = 'running', heartbeat_at = now()`),
  'POST /sites/{id}/cms/sync-jobs/{job_id}/resume': (ground) => run(ground, `status = 'running', heartbeat_at = now() - interval '1 hour'`),
  'POST /sites/{id}/cms/sync-jobs/{job_id}/retry': async (ground) => {
    const creation = await run(ground, `status = 'failed', failed = 1, finished_at = now()`);
    await ground.api.sql(
      `INSERT INTO cms_run_page (tenant_id, crp_run, crp_seq, crp_external_id, crp_status) SELECT tenant_id, job_id, 1, '1', 'failed' FROM cms_run WHERE job_id = $1`,
      [creation.ids?.[1]],
    );
    return creation;
  },
};
