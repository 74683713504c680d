import type { Client, Story, StoryblokServer } from '@atrium/platform/testing';
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
      photo: { type: 'asset', filetypes: ['images'], pos: 4 },
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

export interface LinkShown {
  readonly lnk_node: string | null;
  readonly lnk_external_id: string | null;
  readonly lnk_name: string;
  readonly lnk_verdict: string;
  readonly lnk_error: { readonly code: string; readonly message: string } | null;
}

export interface PlanShown {
  readonly direction: string;
  readonly complete: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly unchanged: number;
  readonly created: readonly { readonly name: string; readonly node_id: string | null }[];
  readonly updated: readonly { readonly name: string; readonly verdict: string }[];
  readonly deleted: readonly { readonly name: string }[];
  readonly conflicts: readonly { readonly name: string; readonly fields: { readonly conflicts: readonly string[] } | null }[];
}

export interface ShownPage {
  readonly node_id: string;
  readonly node_name: string;
  readonly node_parent: string | null;
  readonly node_path: Readonly<Record<string, string>>;
  readonly node_content: Readonly<Record<string, unknown>> & { readonly _uid: string };
  readonly node_active: boolean;
}

/** A connected site, as a member works with it. */
export class CmsSite {
  private constructor(
    readonly client: Client,
    readonly site_id: string,
  ) {}

  static async connect(client: Client, server: StoryblokServer): Promise<CmsSite> {
    return new CmsSite(client, await connectedSite(client, server));
  }

  /** As another member sees it. */
  as(client: Client): CmsSite {
    return new CmsSite(client, this.site_id);
  }

  get path(): string {
    return `/sites/${this.site_id}`;
  }

  /** A pull or push that has finished, whether its request waited for it or not. */
  pull = (body?: object): Promise<ShownRun> => this.finish('pull', body);
  push = (body?: object): Promise<ShownRun> => this.finish('push', body);

  async plan(direction = 'both'): Promise<PlanShown> {
    return (await this.client.get(`${this.path}/cms/plan?direction=${direction}`).expect(200)).body as PlanShown;
  }

  async links(): Promise<LinkShown[]> {
    const links: LinkShown[] = [];
    for (let cursor = ''; ;) {
      const { data, next_cursor } = (await this.client.get(`${this.path}/cms/links?limit=200${cursor}`).expect(200)).body as {
        data: LinkShown[];
        next_cursor: string | null;
      };
      links.push(...data);
      if (next_cursor === null) return links;
      cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
    }
  }

  async link(name: string): Promise<LinkShown> {
    const found = (await this.links()).find(({ lnk_name }) => lnk_name === name);
    if (!found) throw new Error(`No page is linked as ${name}.`);
    return found;
  }

  async node(name: string): Promise<string> {
    return (await this.link(name)).lnk_node ?? '';
  }

  async page(name: string, locale = 'en'): Promise<ShownPage> {
    return this.read(await this.node(name), locale);
  }

  async read(node_id: string, locale = 'en'): Promise<ShownPage> {
    return (await this.client.get(`${this.path}/nodes/${node_id}?locale=${locale}`).expect(200)).body as ShownPage;
  }

  async edit(name: string, changes: object): Promise<void> {
    await this.client.patch(`${this.path}/nodes/${await this.node(name)}`, changes).expect(200);
  }

  /** Replaces values of the page's own block. */
  async write(name: string, values: object, locale = 'en'): Promise<void> {
    const { node_id, node_content } = await this.page(name, locale);
    await this.client.put(`${this.path}/nodes/${node_id}/content`, { locale, node_content: { ...node_content, ...values } }).expect(200);
  }

  async create(node_name: string, values: object, more: object = {}): Promise<string> {
    const { site_library } = (await this.client.get(this.path).expect(200)).body as { site_library: string };
    const { data } = (await this.client.get(`/content-schemas?tpl_library=${site_library}&tpl_key=article`).expect(200)).body as {
      data: { tpl_id: string }[];
    };
    const facts = { node_name, node_template: data[0]?.tpl_id, node_content: { component: 'article', _uid: newId(), ...values } };
    return ((await this.client.post(`${this.path}/nodes`, { ...facts, ...more }).expect(201)).body as ShownPage).node_id;
  }

  private async finish(direction: 'pull' | 'push', body?: object): Promise<ShownRun> {
    const answer = await this.client.post(`${this.path}/cms/${direction}`, body).expect((response) => {
      if (![200, 202].includes(response.status)) throw new Error(`${response.status} ${response.text}`);
    });
    const run = answer.body as ShownRun;
    return answer.status === 200 ? run : finishedRun(this.client, this.site_id, run.job_id);
  }
}

/** The stories as people at the CMS see them. */
export const titleOf = ({ content }: Story): unknown => content['title'];
