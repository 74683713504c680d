import { newId } from '@atrium/platform/kernel';
import type { Client } from '@atrium/platform/testing';

export interface Site {
  readonly site_id: string;
  readonly site_name: string;
  readonly site_library: string;
}

export interface ShownLocale {
  readonly locale: string;
  readonly state: string;
  readonly path: string;
  readonly live_path: string | null;
  readonly missing: number;
  readonly stale: number;
}

export interface Issue {
  readonly code: string;
  readonly severity: string;
  readonly locale: string | null;
  readonly path: string;
}

export interface PageNode {
  readonly node_id: string;
  readonly node_site: string;
  readonly node_parent: string | null;
  readonly node_kind: string;
  readonly node_name: string;
  readonly node_slug: string;
  readonly node_slugs: Record<string, string>;
  readonly node_order: string;
  readonly node_template: string | null;
  readonly node_content: Record<string, unknown> & { readonly _uid: string; readonly body?: Block[] };
  readonly node_seo: Record<string, unknown>;
  readonly node_tags: string[];
  readonly node_menu: boolean;
  readonly node_path: Record<string, string>;
  readonly node_locales: ShownLocale[];
  readonly node_issues: Issue[];
  readonly node_active: boolean;
}

export interface Block extends Record<string, unknown> {
  readonly _uid: string;
  readonly component: string;
}

/** The schemas that tests of pages use: an article of localized texts and blocks, a plainer template, and two blocks. */
export interface Library {
  readonly lib_id: string;
  readonly article: string;
  readonly plain: string;
}

const ARTICLE_FIELDS = [
  { key: 'headline', type: 'text', label: 'Headline', required: true, localized: true },
  { key: 'teaser', type: 'long_text', label: 'Teaser', localized: true },
  { key: 'layout', type: 'text', label: 'Layout' },
  { key: 'related', type: 'page', label: 'Related page' },
  { key: 'body', type: 'blocks', label: 'Body', components: ['quote', 'box'] },
] as const;

async function made<T>(client: Client, path: string, body: object): Promise<T> {
  const response = await client.post(path, body);
  if (response.status !== 201) throw new Error(`POST ${path}: ${response.text}`);
  return response.body as T;
}

export async function makeLibrary(client: Client): Promise<Library> {
  const { lib_id } = await made<{ lib_id: string }>(client, '/content-schema-libraries', { lib_name: `Library ${newId()}` });
  const schema = async (tpl_key: string, tpl_kind: string, fields: readonly object[]): Promise<string> =>
    (
      await made<{ tpl_id: string }>(client, '/content-schemas', {
        tpl_library: lib_id,
        tpl_key,
        tpl_name: tpl_key,
        tpl_kind,
        tpl_config: { fields },
      })
    ).tpl_id;
  await schema('quote', 'block', [
    { key: 'words', type: 'long_text', label: 'Words', localized: true },
    { key: 'by', type: 'text', label: 'By' },
    { key: 'target', type: 'link', label: 'Target' },
  ]);
  await schema('box', 'block', [{ key: 'items', type: 'blocks', label: 'Items', components: ['quote', 'box'] }]);
  const article = await schema('article', 'page', ARTICLE_FIELDS);
  const plain = await schema('plain', 'page', [
    { key: 'headline', type: 'text', label: 'Headline', localized: true },
    { key: 'layout', type: 'number', label: 'Layout' },
  ]);
  return { lib_id, article, plain };
}

const LOCALES = [
  { code: 'en', prefix: '' },
  { code: 'de', prefix: 'de' },
] as const;

export const makeSite = (client: Client, { lib_id }: Pick<Library, 'lib_id'>, more: object = {}): Promise<Site> =>
  made<Site>(client, '/sites', { site_name: `Site ${newId()}`, site_library: lib_id, site_locales: LOCALES, ...more });

/** Pages of one site, as a client of the API works with them. */
export class Pages {
  constructor(
    readonly client: Client,
    readonly site: Site,
    readonly library: Library,
  ) {}

  get path(): string {
    return `/sites/${this.site.site_id}/nodes`;
  }

  /** The same pages, seen by somebody else. */
  as(client: Client): Pages {
    return new Pages(client, this.site, this.library);
  }

  create(more: object = {}): ReturnType<Client['post']> {
    return this.client.post(this.path, { node_name: 'Lamps', node_template: this.library.article, ...more });
  }

  async make(node_name: string, more: object = {}): Promise<PageNode> {
    return (await this.create({ node_name, ...more }).expect(201)).body as PageNode;
  }

  async folder(node_name: string, more: object = {}): Promise<PageNode> {
    return (await this.client.post(this.path, { node_name, node_kind: 'folder', ...more }).expect(201)).body as PageNode;
  }

  get(node_id: string, query = ''): ReturnType<Client['get']> {
    return this.client.get(`${this.path}/${node_id}${query}`);
  }

  async read(node_id: string, query = ''): Promise<PageNode> {
    return (await this.get(node_id, query).expect(200)).body as PageNode;
  }

  async etag(node_id: string, query = ''): Promise<string> {
    return (await this.get(node_id, query).expect(200)).headers.etag ?? '';
  }

  async list(query: string): Promise<PageNode[]> {
    return (await this.client.get(`${this.path}?limit=100&${query}`).expect(200)).body.data as PageNode[];
  }

  async names(query: string): Promise<string[]> {
    return (await this.list(query)).map(({ node_name }) => node_name);
  }

  change(node_id: string, body: object): ReturnType<Client['patch']> {
    return this.client.patch(`${this.path}/${node_id}`, body);
  }

  write(node_id: string, node_content: object, more: object = {}): ReturnType<Client['put']> {
    return this.client.put(`${this.path}/${node_id}/content`, { node_content, ...more });
  }

  operate(node_id: string, ops: readonly object[], more: object = {}): ReturnType<Client['post']> {
    return this.client.post(`${this.path}/${node_id}/content/ops`, { ops, ...more });
  }

  remove(node_id: string, query = ''): ReturnType<Client['delete']> {
    return this.client.delete(`${this.path}/${node_id}${query}`);
  }

  restore(node_id: string): ReturnType<Client['post']> {
    return this.client.post(`${this.path}/${node_id}/restore`);
  }

  duplicate(node_id: string, body: object = {}): ReturnType<Client['post']> {
    return this.client.post(`${this.path}/${node_id}/duplicate`, body);
  }
}

export const makePages = async (client: Client, more: object = {}): Promise<Pages> => {
  const library = await makeLibrary(client);
  return new Pages(client, await makeSite(client, library, more), library);
};

export const issuesOf = ({ node_issues }: PageNode): string[] =>
  node_issues.map(({ code, severity, path }) => `${severity} ${code} ${path}`);
