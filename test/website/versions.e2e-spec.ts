import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { makePages, type Block, type PageNode, type Pages } from './pages';

let api: RunningApi;
let ours: TestWorkspace;
let pages: Pages;
let editor: Pages;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace([]);
  pages = await makePages(ours.owner.client);
  editor = pages.as((await ours.member('editor')).client);
});
afterAll(() => api.close());

interface Version {
  readonly ver_id: string;
  readonly ver_number: number;
  readonly ver_kind: string;
  readonly ver_locales: string[];
  readonly ver_note: string | null;
  readonly ver_created_by: string;
}

const versions = async ({ node_id }: PageNode): Promise<Version[]> =>
  (await pages.client.get(`${pages.path}/${node_id}/versions`).expect(200)).body.data as Version[];
const version = (node_id: string, ver_id: string, query = '') => pages.client.get(`${pages.path}/${node_id}/versions/${ver_id}${query}`);
const quote = (words: string, _uid: string): object => ({ component: 'quote', words, _uid });

describe('[website 10] versions', () => {
  it('are one for the saves of one person, and another for those of somebody else or with a note of their own', async () => {
    const page = await pages.make('Saved');
    await pages.write(page.node_id, { headline: 'One' }).expect(200);
    await pages.write(page.node_id, { headline: 'Two' }, { note: 'First note' }).expect(200);
    await editor.write(page.node_id, { headline: 'Three' }).expect(200);
    await pages.write(page.node_id, { headline: 'Four' }).expect(200);
    await pages.write(page.node_id, { headline: 'Five' }, { note: 'a' }).expect(200);
    await pages.write(page.node_id, { headline: 'Six' }, { note: 'b' }).expect(200);
    expect((await versions(page)).map(({ ver_number, ver_note }) => [ver_number, ver_note])).toEqual([
      [4, 'b'],
      [3, 'a'],
      [2, null],
      [1, 'First note'],
    ]);
    const read = await pages.read(page.node_id, '?version=2');
    expect(read.node_content.headline).toBe('Three');
    await pages.get(page.node_id, '?version=9').expect(404);
    await pages.get(page.node_id, '?version=0').expect(400);
    await pages.get(page.node_id, '?version=published').expect(409, /invalid_state/);
  });

  it('are compared by their blocks, and restored as another version', async () => {
    const page = await pages.make('Compared', {
      node_content: { headline: 'Lamps', body: [quote('One', 'block-one'), quote('Two', 'block-two'), quote('Three', 'block-three')] },
    });
    await editor
      .write(page.node_id, {
        headline: 'Lamps',
        body: [quote('Three', 'block-three'), quote('One more', 'block-one'), quote('Four', 'block-four')],
      })
      .expect(200);
    const [second, first] = await versions(page);
    const { body } = await version(page.node_id, second?.ver_id ?? '', `?against=${first?.ver_id}`).expect(200);
    expect(body.diff).toMatchObject({
      added: [{ uid: 'block-four', component: 'quote' }],
      removed: [{ uid: 'block-two', component: 'quote' }],
      moved: [{ uid: expect.stringMatching(/^block-(one|three)$/) as string }],
      changed: [{ path: 'block-one.words', from: 'One', to: 'One more' }],
    });
    expect((await version(page.node_id, first?.ver_id ?? '').expect(200)).body).toMatchObject({
      locale: 'en',
      diff: null,
      ver_content: { headline: 'Lamps' },
    });

    const restored = await pages.client.post(`${pages.path}/${page.node_id}/versions/${first?.ver_id}/restore`).expect(200);
    expect((restored.body as PageNode).node_content.body?.map(({ words }: Block) => words)).toEqual(['One', 'Two', 'Three']);
    expect((await versions(page)).map(({ ver_kind }) => ver_kind)).toEqual(['restored', 'saved', 'saved']);
  });

  it('give back the values of one locale alone', async () => {
    const page = await pages.make('Locales', { node_content: { headline: 'Lamps' } });
    const set = (of: Pages, value: string) =>
      of.operate(page.node_id, [{ op: 'set', uid: page.node_content._uid, key: 'headline', value }], { locale: 'de' }).expect(200);
    await set(editor, 'Lampen');
    await pages.write(page.node_id, { headline: 'Lights' }).expect(200);
    await set(editor, 'Leuchten');
    const [, , earlier] = await versions(page);
    const etag = await pages.etag(page.node_id);
    await pages.client.post(`${pages.path}/${page.node_id}/versions/${earlier?.ver_id}/restore`, { locales: ['de'] }).expect(200);
    expect((await pages.read(page.node_id, '?locale=de')).node_content.headline).toBe('Lampen');
    expect((await pages.read(page.node_id)).node_content.headline).toBe('Lights');
    expect(await pages.etag(page.node_id)).toBe(etag);
  });

  it('are kept, the newest 200 and all that were published', async () => {
    const page = await pages.make('Many', { node_content: { headline: 'Published' } });
    await pages.client.post(`${pages.path}/${page.node_id}/publish`, { locales: ['en'] }).expect(200);
    for (let at = 1; at <= 202; at += 1) await (at % 2 === 0 ? pages : editor).write(page.node_id, { headline: `Save ${at}` }).expect(200);
    const kept = (await pages.client.get(`${pages.path}/${page.node_id}/versions?limit=500`).expect(200)).body.data as Version[];
    expect(kept).toHaveLength(201);
    const [oldestSaved, published] = kept.slice(-2);
    expect([oldestSaved?.ver_kind, published?.ver_kind]).toEqual(['saved', 'published']);
    expect((oldestSaved?.ver_number ?? 0) - (published?.ver_number ?? 0)).toBe(3);
    expect((await version(page.node_id, oldestSaved?.ver_id ?? '').expect(200)).body.ver_content.headline).toBe('Save 3');
    expect((await version(page.node_id, published?.ver_id ?? '').expect(200)).body.ver_content.headline).toBe('Published');
  });

  it('are not taken along by a copy of a live page, which is a draft in every locale', async () => {
    const page = await pages.make('Live', { node_content: { headline: 'Live' } });
    await pages.client.post(`${pages.path}/${page.node_id}/publish`, {}).expect(200);
    const copy = (await pages.duplicate(page.node_id).expect(201)).body as PageNode;
    expect(copy.node_locales.map(({ locale, state, live_path }) => [locale, state, live_path])).toEqual([
      ['en', 'draft', null],
      ['de', 'draft', null],
    ]);
    expect(await versions(copy)).toHaveLength(1);
  });

  it('of other pages do not exist here', async () => {
    const [one, other] = [await pages.make('One'), await pages.make('Other')];
    const [first] = await versions(one);
    await version(other.node_id, first?.ver_id ?? '').expect(404);
    await version(one.node_id, newId()).expect(404);
    await version(one.node_id, first?.ver_id ?? '', '?against=x').expect(400);
    await version(one.node_id, first?.ver_id ?? '', `?against=${newId()}`).expect(400, /against/);
    await version(one.node_id, first?.ver_id ?? '', '?locale=fr').expect(400, /locale/);
    await pages.client.post(`${pages.path}/${other.node_id}/versions/${first?.ver_id}/restore`).expect(404);
    await pages
      .as((await ours.member('viewer')).client)
      .client.post(`${pages.path}/${one.node_id}/versions/${first?.ver_id}/restore`)
      .expect(403);
  });
});

describe('copies', () => {
  it('are drafts in every locale, whose blocks have identities of their own', async () => {
    const folder = await pages.folder('Source');
    const page = await pages.make('Copied', {
      node_parent: folder.node_id,
      node_content: { headline: 'Lamps', body: [quote('One', 'copied-one')] },
    });
    await pages.operate(page.node_id, [{ op: 'set', uid: 'copied-one', key: 'words', value: 'Eins' }], { locale: 'de' }).expect(200);
    const copy = (await pages.duplicate(page.node_id).expect(201)).body as PageNode;
    expect(copy).toMatchObject({
      node_slug: 'copied-2',
      node_parent: folder.node_id,
      node_content: { headline: 'Lamps', body: [{ words: 'One' }] },
    });
    expect(copy.node_content._uid).not.toBe(page.node_content._uid);
    expect(copy.node_content.body?.[0]?._uid).not.toBe('copied-one');
    expect((await pages.read(copy.node_id, '?locale=de')).node_content.body?.[0]?.words).toBe('Eins');
    expect(copy.node_locales.map(({ state }) => state)).toEqual(['draft', 'draft']);

    const branch = (await pages.duplicate(folder.node_id, { subtree: true, node_name: 'Branch' }).expect(201)).body as PageNode;
    expect(await pages.names(`under=${branch.node_id}`)).toEqual(['Copied', 'Copied']);
    expect((await pages.list(`under=${branch.node_id}`)).map(({ node_path }) => node_path.en)).toEqual([
      '/branch/copied',
      '/branch/copied-2',
    ]);
    await pages.duplicate(folder.node_id, { node_parent: newId() }).expect(400, /node_parent/);
  });
});
