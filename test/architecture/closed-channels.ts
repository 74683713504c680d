import { DAY, HOUR, newId } from '@atrium/platform/kernel';
import type { Client } from '@atrium/platform/testing';
import type { Ground } from '../http/creating-routes';
import { makeTarget } from '../social/made-targets';
import { Newsroom, followFlow } from '../website/approving';
import { articleOf, connectedSite, fillComponents, finishedRun, type ShownRun } from '../website/cms';
import { makeLibrary, makeSite, Pages, type Library } from '../website/pages';
import { made, type PartyName, type Planted } from './closed-parties';

const OWNER: readonly PartyName[] = ['owner'];
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

/** A week around now, for lists that take one. */
export const THIS_WEEK = `from=${new Date().toISOString().slice(0, 10)}&to=${new Date(Date.now() + 7 * DAY).toISOString().slice(0, 10)}`;

/** A site with a page that waits for its approval and for its time, and what is around it. */
async function filledSite(client: Client, library: Library, { word, more = {} }: { word: string; more?: object }) {
  const pages = new Pages(client, await makeSite(client, library, { site_name: `${word}site`, ...more }), library);
  const at = `/sites/${pages.site.site_id}`;
  const { node_id } = await pages.make(`${word}page`, { node_slug: 'lamps', node_content: { headline: `${word}headline` } });
  await pages.write(node_id, { headline: `${word}headline again` });
  const later = await pages.make(`${word}later`, { node_content: { headline: 'Later' } });
  const sch_id = await made(client, `${at}/nodes/${later.node_id}/publish`, { at: inHours(24), locales: ['en'] }, 'sch_id');
  const red_id = await made(client, `${at}/redirects`, { red_from: `/${word}from`, red_to: '/lamps' }, 'red_id');
  const prv_id = await made(client, `${at}/preview-links`, { prv_node: node_id }, 'prv_id');
  return { pages, node_id, ids: { sch_id, red_id, prv_id } };
}

type FilledSite = Awaited<ReturnType<typeof filledSite>>;

/** A page of the site waits for the approval of others. */
async function waitingPage({ workspace }: Ground, { pages }: FilledSite, word: string): Promise<string> {
  await followFlow(pages, { caf_name: `Review ${newId()}` });
  const newsroom = await Newsroom.open(workspace, pages);
  const { node_id } = await pages.make(`${word}waiting`, { node_content: { headline: 'Waiting' } });
  return (await newsroom.ask(node_id, { locales: ['en'] }, pages.client)).car_id;
}

/** A site that was pulled from a CMS. */
async function pulledSite(client: Client, { storyblok: cms }: Ground): Promise<Readonly<Record<string, string[]>>> {
  if (!cms) throw new Error('There is no CMS.');
  fillComponents(cms);
  cms.languages.push({ code: 'de', name: 'German' });
  const site_id = await connectedSite(client, cms);
  cms.addStory({ name: 'Lamp', slug: 'lamp', content: articleOf('Lamp') });
  const { job_id } = (await client.post(`/sites/${site_id}/cms/pull`)).body as ShownRun;
  await finishedRun(client, site_id, job_id);
  const { data } = (await client.get(`/sites/${site_id}/nodes`).expect(200)).body as { data: { node_id: string }[] };
  const nodes = data.map(({ node_id }) => node_id);
  return { '/sites/{id}': [site_id], '/sites/{id}/cms/sync-jobs/{job_id}': [job_id], '/sites/{id}/cms/pages/{page}': nodes };
}

const idsOf = ({ pages, node_id, ids }: FilledSite, car_id: string): Readonly<Record<string, string[]>> => ({
  '/sites/{id}': [pages.site.site_id],
  '/sites/{id}/nodes/{node_id}': [node_id],
  '/sites/{id}/schedules/{sch_id}': [ids.sch_id],
  '/sites/{id}/redirects/{red_id}': [ids.red_id],
  '/sites/{id}/preview-links/{prv_id}': [ids.prv_id],
  '/content-approvals/{id}': [car_id],
});

/** A site whose access list names the owner alone, one beside it that is live, and one that is connected to a CMS. */
export async function websites(ground: Ground): Promise<Planted> {
  const { client, user_id } = ground.workspace.owner;
  const library = await makeLibrary(client);
  const closed = await filledSite(client, library, { word: 'zqweb', more: { site_acl: { users: { [user_id]: 'owner' } } } });
  const open = await filledSite(client, library, { word: 'Shown' });
  await client.post(`${open.pages.path}/${open.node_id}/publish`).expect(200);
  const { site_key } = (await client.get(`/sites/${open.pages.site.site_id}`).expect(200)).body as { site_key: string };
  const [asked, askedOpen] = [await waitingPage(ground, closed, 'zqweb'), await waitingPage(ground, open, 'Shown')];
  const [ofOpen, ofCms] = [idsOf(open, askedOpen), await pulledSite(client, ground)];
  return {
    secrets: ['site', 'page', 'headline', 'later', 'waiting', 'from'].map((word) => ({
      value: `zqweb${word}`,
      of: 'a site whose access list names the owner alone',
      readers: OWNER,
    })),
    closed: idsOf(closed, asked),
    open: {
      ...ofOpen,
      ...ofCms,
      '/sites/{id}': [...(ofOpen['/sites/{id}'] ?? []), ...(ofCms['/sites/{id}'] ?? [])],
      '/delivery/{site_key}': [site_key],
    },
  };
}

/** A post whose access list names the owner alone, and one beside it; both have their time. */
export async function socialPosts({ api, workspace }: Ground): Promise<Planted> {
  const { client, user_id } = workspace.owner;
  const target = await makeTarget(api, workspace.tenant_id);
  const post = async (word: string, more: object = {}): Promise<string> => {
    const facts = { sp_title: `${word}post`, sp_text: `${word}posttext`, sp_campaign: `${word}campaign`, sp_targets: [target], ...more };
    const sp_id = await made(client, '/social-posts', facts, 'sp_id');
    await client.post(`/social-posts/${sp_id}/schedule`, { sp_schedule_at: inHours(48) }).expect(200);
    return sp_id;
  };
  const [closed, open] = [await post('zqsocial', { sp_acl: { users: { [user_id]: 'owner' } } }), await post('Shown')];
  return {
    secrets: ['post', 'posttext', 'campaign'].map((word) => ({
      value: `zqsocial${word}`,
      of: 'a social post whose access list names the owner alone',
      readers: OWNER,
    })),
    closed: { '/social-posts/{id}': [closed] },
    open: { '/social-posts/{id}': [open], '/admin/social/{platform}': ['linkedin'] },
  };
}
