import type { Client, StoryblokServer } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';

export interface ShownRun {
  readonly job_id: string;
  readonly status: string;
  readonly total: number | null;
  readonly done: number;
  readonly failed: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly deleted: number;
  readonly conflicts: number;
  readonly held_deletes: number;
  readonly unsettled: number;
  readonly stalled: boolean;
  readonly error: string | null;
  readonly retried_by: string | null;
  readonly pages?: readonly {
    readonly crp_status: string;
    readonly crp_verdict: string;
    readonly crp_error: { readonly code: string } | null;
    readonly crp_node: string | null;
  }[];
}

/** Components of a space: a page with a title, a text, blocks and a link, and a teaser. */
export function fillComponents(server: StoryblokServer): void {
  server.addComponent(
    'article',
    {
      title: { type: 'text', translatable: true, pos: 0 },
      body: { type: 'bloks', pos: 1 },
      text: { type: 'richtext', pos: 2 },
      more: { type: 'multilink', pos: 3 },
    },
    { is_root: true, is_nestable: false },
  );
  server.addComponent('teaser', { headline: { type: 'text', translatable: true, pos: 0 } });
}

export const articleOf = (title: string, more: object = {}) => ({
  _uid: newId(),
  component: 'article',
  title,
  body: [{ _uid: newId(), component: 'teaser', headline: `${title} teaser` }],
  ...more,
});

/** A site in English and German that is connected to the space; none of its schemas are here yet. */
export async function connectSite(client: Client, server: StoryblokServer): Promise<string> {
  const { site_id } = (
    await client.post('/sites', { site_name: `Site ${newId()}`, site_locales: [{ code: 'en' }, { code: 'de' }] }).expect(201)
  ).body as { site_id: string };
  await client
    .post(`/sites/${site_id}/cms/connect`, {
      provider: 'storyblok',
      settings: { spaceId: String(server.spaceId), token: server.token, rate: 50 },
    })
    .expect(200);
  return site_id;
}

/** The same with the schemas of the space, which a worker has pulled. */
export async function connectedSite(client: Client, server: StoryblokServer): Promise<string> {
  const site_id = await connectSite(client, server);
  await client.post(`/sites/${site_id}/cms/schemas/pull`).expect(200);
  return site_id;
}

/** A run once it has finished. */
export async function finishedRun(client: Client, site_id: string, job_id: string): Promise<ShownRun> {
  for (;;) {
    const run = (await client.get(`/sites/${site_id}/cms/sync-jobs/${job_id}`).expect(200)).body as ShownRun;
    if (!['queued', 'running', 'stalled'].includes(run.status)) return run;
  }
}
