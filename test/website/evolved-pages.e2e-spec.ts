import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { LiveSite } from './live-site';
import { issuesOf, makePages, type PageNode, type Pages } from './pages';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let pages: Pages;
/** The same pages of somebody else, whose saves make versions of their own. */
let editor: Pages;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace([]);
  ({ client } = ours.owner);
}, 120_000);
beforeEach(async () => {
  pages = await makePages(client);
  editor = pages.as((await ours.member('editor')).client);
});
afterAll(() => api.close());

const HEADLINE = { key: 'headline', type: 'text', label: 'Headline', required: true, localized: true };
const TITLE = { key: 'title', type: 'text', label: 'Title', localized: true, renamed_from: 'headline' };
const BODY = { key: 'body', type: 'blocks', label: 'Body', components: ['quote', 'box'] };
const LAYOUT = { key: 'layout', type: 'text', label: 'Layout' };
const quote = (words: string, _uid: string): object => ({ component: 'quote', words, _uid });

/** Another configuration, once all drafts have followed it. */
async function evolve(tpl_id: string, ...fields: readonly object[]): Promise<void> {
  await client.patch(`/content-schemas/${tpl_id}`, { tpl_config: { fields } }).expect(200);
  await eventually(
    () => api.sql<{ tpl_moves: object[] }>(`SELECT tpl_moves FROM content_schema WHERE tpl_id = $1`, [tpl_id]),
    ([row]) => row?.tpl_moves.length === 0,
    60_000,
  );
}

const schemaOf = async (key: string): Promise<string> =>
  (
    (await client.get(`/content-schemas?tpl_library=${pages.library.lib_id}&tpl_key=${key}`).expect(200)).body.data as { tpl_id: string }[]
  )[0]?.tpl_id ?? '';
const versionsOf = async (node_id: string): Promise<{ ver_id: string; ver_number: number }[]> =>
  (await client.get(`${pages.path}/${node_id}/versions`).expect(200)).body.data as { ver_id: string; ver_number: number }[];
const restore = async (node_id: string, ver_id: string | undefined, body: object = {}): Promise<PageNode> =>
  (await client.post(`${pages.path}/${node_id}/versions/${ver_id}/restore`, body).expect(200)).body as PageNode;
const inGerman = (node_id: string, uid: string, key: string, value: string) =>
  pages.operate(node_id, [{ op: 'set', uid, key, value }], { locale: 'de' }).expect(200);

describe('pages whose content schema changes', () => {
  it('[website 17] name a field that is required now until it is filled, and keep the values of one that is renamed', async () => {
    const live = await LiveSite.of(api, pages);
    const page = await pages.make('Lamps', { node_content: { headline: 'Lamps' } });
    await inGerman(page.node_id, page.node_content._uid, 'headline', 'Lampen');
    await evolve(pages.library.article, HEADLINE, BODY, { ...LAYOUT, required: true });
    expect(issuesOf(await pages.read(page.node_id))).toEqual(['error required node_content.layout']);
    const refused = await live.tryPublish(page.node_id, { locales: ['en'] }).expect(422);
    expect(refused.body.errors).toMatchObject([{ path: 'node_content.layout', code: 'required' }]);
    await pages.write(page.node_id, { headline: 'Lamps', layout: 'wide' }).expect(200);
    await live.publish(page.node_id);

    await evolve(pages.library.article, TITLE, BODY, LAYOUT);
    expect((await pages.read(page.node_id)).node_content).toMatchObject({ title: 'Lamps', layout: 'wide' });
    expect((await pages.read(page.node_id, '?locale=de')).node_content.title).toBe('Lampen');
    const [row] = await api.sql(
      `SELECT n.node_tree, l.nl_overlay FROM node n JOIN node_locale l ON l.nl_node = n.node_id AND l.nl_locale = 'de' WHERE n.node_id = $1`,
      [page.node_id],
    );
    const { _uid } = page.node_content;
    expect(row).toEqual({
      node_tree: { _uid, component: 'article', title: 'Lamps', layout: 'wide' },
      nl_overlay: { [`${_uid}.title`]: 'Lampen' },
    });
    expect((await live.page('/lamps').expect(200)).body.content.headline).toBe('Lamps');
  });

  it('keep what is within a list of blocks that is renamed, at every level', async () => {
    const box = (_uid: string, ...items: readonly object[]): object => ({ component: 'box', _uid, items });
    const page = await pages.make('Boxes', {
      node_content: { headline: 'Boxes', body: [box('box-outer', box('box-inner', quote('Deep', 'quote-deep')))] },
    });
    await evolve(await schemaOf('box'), {
      key: 'parts',
      type: 'blocks',
      label: 'Parts',
      components: ['quote', 'box'],
      renamed_from: 'items',
    });
    const [outer] = (await pages.read(page.node_id)).node_content.body ?? [];
    expect(outer).toMatchObject({ parts: [{ _uid: 'box-inner', parts: [{ _uid: 'quote-deep', words: 'Deep' }] }] });
    expect(JSON.stringify(outer)).not.toContain('items');
  });

  it('have versions that follow the changes since: values of renamed fields are restored in every locale', async () => {
    const page = await pages.make('Versions', { node_content: { headline: 'First', body: [quote('One', 'block-one')] } });
    await inGerman(page.node_id, page.node_content._uid, 'headline', 'Erste');
    await editor.write(page.node_id, { headline: 'Second' }).expect(200);
    const first = (await versionsOf(page.node_id)).at(-1);
    await evolve(pages.library.article, TITLE, BODY, LAYOUT);
    await inGerman(page.node_id, page.node_content._uid, 'title', 'Zweite');
    const shown = await client.get(`${pages.path}/${page.node_id}/versions/${first?.ver_id}`).expect(200);
    expect(shown.body.ver_content).toMatchObject({ title: 'First', body: [{ words: 'One' }] });

    const restored = await restore(page.node_id, first?.ver_id);
    expect(restored.node_content).toMatchObject({ title: 'First', body: [{ words: 'One' }] });
    expect(restored.node_content).not.toHaveProperty('headline');
    expect(issuesOf(restored).filter((issue) => issue.includes('dropped'))).toEqual([]);
    expect((await pages.read(page.node_id, '?locale=de')).node_content.title).toBe('Erste');
    // A field of the old key that came later is another field: versions from then on keep their values under both.
    await evolve(pages.library.article, { ...TITLE, renamed_from: undefined }, { ...HEADLINE, required: false }, BODY, LAYOUT);
    await pages.write(page.node_id, { title: 'Third', headline: 'Another field' }, { note: 'Third' }).expect(200);
    const [third] = await versionsOf(page.node_id);
    await pages.write(page.node_id, { title: 'Fourth' }, { note: 'Fourth' }).expect(200);
    expect((await restore(page.node_id, third?.ver_id)).node_content).toMatchObject({ title: 'Third', headline: 'Another field' });
  });

  it('name what of a version fits no field any more, and keep the rest', async () => {
    const page = await pages.make('Misfits', { node_content: { headline: 'First', layout: 'wide' } });
    await editor.write(page.node_id, { headline: 'Second' }).expect(200);
    const first = (await versionsOf(page.node_id)).at(-1);
    await evolve(pages.library.article, HEADLINE, BODY, { key: 'layout', type: 'integer', label: 'Layout' });
    const restored = await restore(page.node_id, first?.ver_id);
    expect(restored.node_content.headline).toBe('First');
    expect(restored.node_content).not.toHaveProperty('layout');
    expect(restored.node_issues.filter(({ code }) => code === 'dropped')).toEqual([
      expect.objectContaining({ severity: 'warning', locale: 'en', path: 'node_content.layout' }),
    ]);
    expect(issuesOf(await pages.read(page.node_id))).toEqual([]);
    await pages.write(page.node_id, restored.node_content).expect(200);
  });
});
