import type { Client, RunningApi } from '@atrium/platform/testing';
import type { PageNode, Pages } from './pages';

export interface Published {
  readonly site_seq: number;
  readonly published: readonly { readonly node_id: string; readonly locale: string; readonly path: string; readonly hash: string }[];
  readonly redirects: readonly { readonly red_from: string; readonly node_id: string }[];
  readonly repathed: number;
}

export interface LiveNode {
  readonly node_id: string;
  readonly name: string;
  readonly path: string | null;
  readonly children: readonly LiveNode[];
}

/** A site as its visitors and its publishers meet it. */
export class LiveSite {
  private constructor(
    private readonly api: RunningApi,
    readonly pages: Pages,
    readonly site_key: string,
  ) {}

  static async of(api: RunningApi, pages: Pages): Promise<LiveSite> {
    const { site_key } = (await pages.client.get(`/sites/${pages.site.site_id}`).expect(200)).body as { site_key: string };
    return new LiveSite(api, pages, site_key);
  }

  private get at(): string {
    return `/sites/${this.pages.site.site_id}`;
  }

  /** Without credentials. */
  get visitor(): Client {
    return this.api.stranger;
  }

  page(path: string, query = '') {
    return this.visitor.get(`/delivery/${this.site_key}/page?path=${encodeURIComponent(path)}${query}`);
  }

  async tree(query = '?locale=en'): Promise<readonly LiveNode[]> {
    return ((await this.visitor.get(`/delivery/${this.site_key}/tree${query}`).expect(200)).body as { tree: LiveNode[] }).tree;
  }

  tryPublish(node_id: string, order: object = {}) {
    return this.pages.client.post(`${this.at}/nodes/${node_id}/publish`, order);
  }

  async publish(node_id: string, order: object = {}): Promise<Published> {
    return (await this.tryPublish(node_id, order).expect(200)).body as Published;
  }

  publishAll(order: object) {
    return this.pages.client.post(`${this.at}/publish`, order);
  }

  tryUnpublish(node_id: string, order: object = {}) {
    return this.pages.client.post(`${this.at}/nodes/${node_id}/unpublish`, order);
  }

  async unpublish(node_id: string, order: object = {}): Promise<void> {
    await this.tryUnpublish(node_id, order).expect(200);
  }

  stateOf({ node_locales }: PageNode, locale: string): string | undefined {
    return node_locales.find((one) => one.locale === locale)?.state;
  }

  async seq(): Promise<number> {
    return ((await this.pages.client.get(this.at).expect(200)).body as { site_seq: number }).site_seq;
  }

  async redirects(): Promise<[string, string][]> {
    const { data } = (await this.pages.client.get(`${this.at}/redirects`).expect(200)).body as {
      data: { red_from: string; red_kind: string }[];
    };
    return data.map(({ red_from, red_kind }) => [red_from, red_kind]);
  }

  async newestVersion(node_id: string): Promise<number> {
    const { data } = (await this.pages.client.get(`${this.at}/nodes/${node_id}/versions`).expect(200)).body as {
      data: { ver_number: number }[];
    };
    return data[0]?.ver_number ?? 0;
  }

  async countPublications(): Promise<number> {
    const [row] = await this.api.sql<{ n: number }>(`SELECT count(*)::int AS n FROM page_publication WHERE np_site = $1`, [
      this.pages.site.site_id,
    ]);
    return row?.n ?? 0;
  }

  /** What was live as of a number, as the rows say it. */
  asOf(seq: number): Promise<readonly { node: string; locale: string; kind: string; path: string; snapshot: string | null }[]> {
    return this.api.sql(
      `SELECT np_node AS node, np_locale AS locale, np_kind AS kind, np_path AS path, np_snapshot AS snapshot FROM page_publication
       WHERE np_site = $1 AND np_from_seq <= $2 AND (np_to_seq IS NULL OR np_to_seq > $2) ORDER BY np_node, np_locale`,
      [this.pages.site.site_id, seq],
    );
  }
}
