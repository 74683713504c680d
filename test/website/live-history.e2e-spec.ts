import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import fc from 'fast-check';
import { repeated } from '../support/repeated';
import { sharedAtrium } from '../support/shared-atrium';
import { LiveSite } from './live-site';
import { makeLibrary, makeSite, Pages, type Library } from './pages';

const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_130);
const RUNS = repeated('LIVE_HISTORIES', { usual: 5, deep: 25 });
const COMMANDS = 30;
/** Kinds and parents of the nodes, by their places. */
const TREE = [
  { kind: 'folder', parent: null },
  { kind: 'page', parent: 0 },
  { kind: 'page', parent: 1 },
  { kind: 'page', parent: null },
  { kind: 'folder', parent: 3 },
  { kind: 'page', parent: 4 },
] as const;
const LOCALES = [['en'], ['de'], ['en', 'de']] as const;
/** Few slugs, so that pages take those of others. */
const SLUGS = ['a', 'b', 'c'] as const;

type Command =
  | { readonly kind: 'publish'; readonly node: number; readonly locales: readonly string[]; readonly subtree: boolean }
  | { readonly kind: 'publish several'; readonly nodes: readonly number[]; readonly locales: readonly string[] }
  | { readonly kind: 'unpublish'; readonly node: number; readonly locales: readonly string[]; readonly gone: boolean }
  | { readonly kind: 'edit'; readonly node: number; readonly headline: string }
  | { readonly kind: 'rename'; readonly node: number; readonly locale: string; readonly slug: string }
  | { readonly kind: 'move'; readonly node: number; readonly parent: number | null }
  | { readonly kind: 'trash'; readonly node: number; readonly children: 'delete' | 'reparent' }
  | { readonly kind: 'restore'; readonly node: number };

const node = fc.nat(TREE.length - 1);
const locales = fc.constantFrom(...LOCALES);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('publish'), node, locales, subtree: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('publish several'), nodes: fc.uniqueArray(node, { minLength: 1, maxLength: 4 }), locales }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unpublish'), node, locales, gone: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit'), node, headline: fc.constantFrom('One', 'Two', 'Three') }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('rename'),
      node,
      locale: fc.constantFrom('en', 'de'),
      slug: fc.constantFrom(...SLUGS),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move'), node, parent: fc.option(node) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('trash'), node, children: fc.constantFrom('delete', 'reparent') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore'), node }) },
);

let api: RunningApi;
let ours: TestWorkspace;
let library: Library;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace([]);
  library = await makeLibrary(ours.owner.client);
});
afterAll(() => api.close());

/** A site whose nodes random commands publish, move and remove. */
class Story {
  private readonly node_ids: string[] = [];
  private readonly seen = new Map<number, unknown>();

  private constructor(
    private readonly pages: Pages,
    private readonly live: LiveSite,
  ) {}

  static async begin(): Promise<Story> {
    const { client } = ours.owner;
    const pages = new Pages(client, await makeSite(client, library), library);
    const story = new Story(pages, await LiveSite.of(api, pages));
    for (const [at, { kind, parent }] of TREE.entries()) {
      const more = { node_parent: parent === null ? null : story.node_ids[parent] };
      const made =
        kind === 'folder'
          ? await pages.folder(`Folder ${at}`, more)
          : await pages.make(`Page ${at}`, { ...more, node_content: { headline: `Page ${at}` } });
      story.node_ids.push(made.node_id);
    }
    return story;
  }

  private id(place: number): string {
    return this.node_ids[place] ?? '';
  }

  /** Commands that the state of a page does not allow are refused, and change nothing. */
  async carryOut(said: Command): Promise<void> {
    const answer = await this.send(said);
    // Below a page in the trash nothing can be moved.
    const refusals = said.kind === 'move' ? [400, 409] : [409];
    if (![200, 204, ...refusals].includes(answer.status)) throw new Error(`${JSON.stringify(said)}: ${answer.status} ${answer.text}`);
    const seq = await this.live.seq();
    const now = await this.live.asOf(seq);
    if (refusals.includes(answer.status)) expect(now).toEqual(this.seen.get(seq) ?? []);
    this.seen.set(seq, now);
    expect([said, await this.findFaults()]).toEqual([said, []]);
  }

  private send(said: Command) {
    const { pages, live } = this;
    if (said.kind === 'publish several')
      return live.publishAll({ node_ids: said.nodes.map((place) => this.id(place)), locales: said.locales });
    const id = this.id(said.node);
    if (said.kind === 'publish') return live.tryPublish(id, { locales: said.locales, subtree: said.subtree });
    if (said.kind === 'unpublish') return live.tryUnpublish(id, { locales: said.locales, gone: said.gone });
    if (said.kind === 'edit')
      return pages.change(id, TREE[said.node]?.kind === 'page' ? { node_seo: { title: said.headline } } : { node_name: said.headline });
    if (said.kind === 'rename')
      return pages.change(id, said.locale === 'en' ? { node_slug: said.slug } : { node_slugs: { de: said.slug } });
    if (said.kind === 'move') return pages.change(id, { node_parent: said.parent === null ? null : this.id(said.parent) });
    return said.kind === 'trash' ? pages.remove(id, `?children=${said.children}`) : pages.restore(id);
  }

  /** What is never true of what is live. */
  private findFaults(): Promise<readonly object[]> {
    return api.sql(
      `WITH live AS (SELECT * FROM page_publication WHERE np_site = $1 AND np_to_seq IS NULL)
       SELECT 'not below its parent' AS fault, c.np_node, c.np_locale, c.np_path FROM live c
         LEFT JOIN live p ON p.np_node = c.np_parent AND p.np_locale = c.np_locale
         WHERE c.np_lineage <> coalesce(p.np_lineage, '') || replace(c.np_node::text, '-', '')
           OR c.np_path <> CASE WHEN p.np_path IS NULL OR p.np_path = '/' THEN '' ELSE p.np_path END || '/' || c.np_slug OR (p.np_node IS NULL) <> (c.np_parent IS NULL)
       UNION ALL SELECT 'not at the hash of its path', np_node, np_locale, np_path FROM live WHERE np_path_hash <> encode(sha256(convert_to(np_path, 'UTF8')), 'hex')
       UNION ALL SELECT 'two pages at one path', min(np_node::text)::uuid, np_locale, np_path FROM live WHERE np_kind = 'page' GROUP BY np_locale, np_path HAVING count(*) > 1
       UNION ALL SELECT 'a segment that leads nowhere', s.np_node, s.np_locale, s.np_path FROM live s WHERE s.np_kind = 'segment'
         AND NOT EXISTS (SELECT FROM live b WHERE b.np_locale = s.np_locale AND b.np_kind <> 'segment' AND b.np_lineage LIKE s.np_lineage || '_%')
       UNION ALL SELECT 'another state', nl_node, nl_locale, nl_status FROM node_locale l LEFT JOIN live p ON p.np_node = nl_node AND p.np_locale = nl_locale AND p.np_kind <> 'segment'
         WHERE nl_site = $1 AND (p.np_node IS NOT NULL) <> (nl_status IN ('published', 'changed'))
       UNION ALL SELECT 'published, though it differs', nl_node, nl_locale, nl_status FROM node_locale l JOIN live p ON p.np_node = nl_node AND p.np_locale = nl_locale AND p.np_kind <> 'segment'
         WHERE nl_site = $1 AND (nl_status = 'published') <> (p.np_hash = nl_hash)
       UNION ALL SELECT 'live in the trash', np_node, np_locale, np_path FROM live JOIN node ON node_id = np_node WHERE np_kind <> 'segment' AND NOT node_active`,
      [this.pages.site.site_id],
    );
  }

  async assertHistory(): Promise<void> {
    for (const [seq, then] of this.seen) expect([seq, await this.live.asOf(seq)]).toEqual([seq, then]);
  }

  async assertDelivered(): Promise<void> {
    const seq = await this.live.seq();
    const isPage = ({ kind }: { readonly kind: string }): boolean => kind === 'page';
    for (const { node: node_id, locale, path } of (await this.live.asOf(seq)).filter(isPage)) {
      const { body } = await this.live.page(this.fullPath(locale, path)).expect(200);
      expect([body.kind, body.node_id, body.locale, body.path]).toEqual(['page', node_id, locale, this.fullPath(locale, path)]);
    }
    const former = new Set<string>();
    for (let then = 1; then <= seq; then++)
      for (const { locale, path } of (await this.live.asOf(then)).filter(isPage)) former.add(this.fullPath(locale, path));
    for (const path of former) {
      const { status, body } = await this.live.page(path);
      expect([path, [200, 404, 410].includes(status)]).toEqual([path, true]);
      if (body.kind !== 'redirect') continue;
      const there = await this.live.page(body.location as string);
      expect([path, body.location, there.status, there.body.kind]).toEqual([path, body.location, 200, 'page']);
    }
  }

  private fullPath(locale: string, path: string): string {
    return locale === 'en' ? path : path === '/' ? '/de' : `/de${path}`;
  }
}

describe('what was live as of a number of the site', () => {
  it('stays what it was, whatever is published, moved and removed, and no address that ever was live leads astray', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS }), async (commands) => {
        const story = await Story.begin();
        for (const said of commands) await story.carryOut(said);
        await story.assertHistory();
        await story.assertDelivered();
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
  }, 600_000);
});
