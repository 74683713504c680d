import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { issuesOf, makePages, type Block, type PageNode, type Pages } from './pages';

let api: RunningApi;
let ours: TestWorkspace;
let pages: Pages;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace([]);
  pages = await makePages(ours.owner.client);
});
afterAll(() => api.close());

const quote = (words: string, more: object = {}): object => ({ component: 'quote', words, ...more });
const article = (headline: string, body: readonly object[] = [], more: object = {}): object => ({ headline, body, ...more });
const bodyOf = ({ node_content }: PageNode): Block[] => node_content.body ?? [];
const faultsOf = (body: { errors?: { path: string; code: string }[] }): string[] =>
  (body.errors ?? []).map(({ path, code }) => `${code} ${path}`);
const localeOf = ({ node_locales }: PageNode, code: string) => node_locales.find(({ locale }) => locale === code);

describe('translations', () => {
  it('come from the default locale until they are there, and are stale when their source changes', async () => {
    const page = await pages.make('Translated', { node_content: article('Lamps', [quote('Light')], { teaser: 'Bright' }) });
    const [block] = bodyOf(page);
    const before = await pages.read(page.node_id, '?locale=de');
    expect(before.node_content).toMatchObject({ headline: 'Lamps', teaser: 'Bright', body: [{ words: 'Light' }] });
    expect(localeOf(before, 'de')).toMatchObject({ missing: 3, stale: 0 });

    const written = await pages
      .write(page.node_id, { ...before.node_content, headline: 'Lampen', body: [{ ...block, words: 'Licht' }] }, { locale: 'de' })
      .expect(200);
    expect(written.body.node_content).toMatchObject({ headline: 'Lampen', teaser: 'Bright', body: [{ words: 'Licht' }] });
    expect(issuesOf(written.body as PageNode)).toEqual(['warning missing node_content.teaser']);
    expect((await pages.read(page.node_id)).node_content).toMatchObject({ headline: 'Lamps', body: [{ words: 'Light' }] });

    await pages.operate(page.node_id, [{ op: 'set', uid: block?._uid, key: 'words', value: 'Lights' }]).expect(200);
    const after = await pages.read(page.node_id, '?locale=de');
    expect(after.node_content).toMatchObject({ headline: 'Lampen', body: [{ words: 'Licht' }] });
    expect(issuesOf(after)).toEqual(['warning missing node_content.teaser', 'warning stale node_content.body[0].words']);
    expect(localeOf(after, 'de')).toMatchObject({ missing: 1, stale: 1 });
    expect(await pages.names('stale=de')).toEqual(['Translated']);

    await pages.operate(page.node_id, [{ op: 'set', uid: block?._uid, key: 'words', value: 'Licht' }], { locale: 'de' }).expect(200);
    expect(localeOf(await pages.read(page.node_id), 'de')).toMatchObject({ stale: 0 });
    await pages.operate(page.node_id, [{ op: 'unset', uid: block?._uid, key: 'words' }], { locale: 'de' }).expect(200);
    expect((await pages.read(page.node_id, '?locale=de')).node_content).toMatchObject({ body: [{ words: 'Lights' }] });
  });

  it('of metadata for search engines are those of their locale', async () => {
    const page = await pages.make('Found', { node_seo: { title: 'Lamps', noindex: true } });
    const translated = await pages.change(page.node_id, { locale: 'de', node_seo: { title: 'Lampen', noindex: true } }).expect(200);
    expect(translated.body.node_seo).toEqual({ title: 'Lampen', noindex: true });
    expect((await pages.read(page.node_id)).node_seo).toEqual({ title: 'Lamps', noindex: true });
    await pages.change(page.node_id, { locale: 'de', node_name: 'x' }).expect(400, /not_localized/);
  });

  it('of blocks that are removed are dropped and named', async () => {
    const page = await pages.make('Dropped', { node_content: article('Lamps', [quote('Light')]) });
    const [block] = bodyOf(page);
    await pages.operate(page.node_id, [{ op: 'set', uid: block?._uid, key: 'words', value: 'Licht' }], { locale: 'de' }).expect(200);
    const etag = await pages.etag(page.node_id, '?locale=de');
    const saved = await pages.write(page.node_id, article('Lamps')).expect(200);
    expect((saved.body as PageNode).node_issues.filter(({ code }) => code === 'dropped')).toEqual([
      expect.objectContaining({ severity: 'warning', locale: 'de', path: `${block?._uid}.words` }),
    ]);
    expect(await pages.etag(page.node_id, '?locale=de')).toBe(etag);
  });
});

describe('[website 4] content of another locale', () => {
  it('is refused with one entry where a field that is the same in every locale differs', async () => {
    const page = await pages.make('Same', { node_content: article('Lamps', [quote('Light', { by: 'Ada' })], { layout: 'wide' }) });
    const refused = async (content: object, expected: readonly string[]): Promise<void> => {
      const { body } = await pages.write(page.node_id, content, { locale: 'de' }).expect(400);
      expect(faultsOf(body)).toEqual(expected);
    };
    const [block] = bodyOf(page);
    await refused({ ...page.node_content, layout: 'narrow' }, ['not_localized node_content.layout']);
    await refused({ ...page.node_content, headline: 'Lampen', body: [{ ...block, by: 'Grace' }] }, [
      'not_localized node_content.body[0].by',
    ]);
    await refused({ ...page.node_content, body: [] }, ['not_localized node_content.body']);
    await refused({ ...page.node_content, body: [block, quote('More')] }, ['not_localized node_content.body']);
    await pages
      .operate(page.node_id, [{ op: 'set', uid: page.node_content._uid, key: 'layout', value: 'x' }], { locale: 'de' })
      .expect(400, /not_localized/);
    await pages.operate(page.node_id, [{ op: 'remove', uid: block?._uid }], { locale: 'de' }).expect(400, /not_localized/);
  });
});

describe('changes of a page by several people', () => {
  it('[website 5] of different blocks all apply, and a save with an old version is refused in its own locale alone', async () => {
    const page = await pages.make('Together', { node_content: article('Lamps', [quote('One'), quote('Two')]) });
    const [one, two] = bodyOf(page);
    const [english, german] = [await pages.etag(page.node_id), await pages.etag(page.node_id, '?locale=de')];
    expect(english).not.toBe(german);
    const editor = pages.as((await ours.member('editor')).client);
    await Promise.all([
      pages.operate(page.node_id, [{ op: 'set', uid: one?._uid, key: 'words', value: 'First' }]).expect(200),
      editor.operate(page.node_id, [{ op: 'set', uid: two?._uid, key: 'words', value: 'Second' }]).expect(200),
    ]);
    expect(bodyOf(await pages.read(page.node_id)).map(({ words }) => words)).toEqual(['First', 'Second']);
    const crowd = await pages.make('Crowd', {
      node_content: article(
        'Lamps',
        Array.from({ length: 20 }, (_, at) => quote(`Old ${at}`)),
      ),
    });
    await Promise.all(
      bodyOf(crowd).map(({ _uid }, at) =>
        (at % 2 === 0 ? pages : editor).operate(crowd.node_id, [{ op: 'set', uid: _uid, key: 'words', value: `New ${at}` }]).expect(200),
      ),
    );
    expect(bodyOf(await pages.read(crowd.node_id)).map(({ words }) => words)).toEqual(Array.from({ length: 20 }, (_, at) => `New ${at}`));
    await pages.write(page.node_id, article('Old')).set('If-Match', english).expect(412);
    await pages
      .operate(page.node_id, [{ op: 'unset', uid: one?._uid, key: 'by' }])
      .set('If-Match', english)
      .expect(412);

    const current = await pages.etag(page.node_id);
    const shown = (await pages.read(page.node_id, '?locale=de')).node_content;
    await pages
      .write(page.node_id, { ...shown, headline: 'Lampen' }, { locale: 'de' })
      .set('If-Match', german)
      .expect(200);
    expect(await pages.etag(page.node_id)).toBe(current);
    await pages
      .write(page.node_id, { ...shown, headline: 'Leuchten' }, { locale: 'de' })
      .set('If-Match', german)
      .expect(412);
    await pages.change(page.node_id, { node_name: 'Still' }).set('If-Match', current).expect(200);
  });

  it('let one of two whole saves with the same version through, and both of different locales', async () => {
    const page = await pages.make('At once', { node_content: article('Lamps') });
    const etag = await pages.etag(page.node_id);
    const answers = await Promise.all(['A', 'B'].map((text) => pages.write(page.node_id, article(text)).set('If-Match', etag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const { node_content } = await pages.read(page.node_id);
    const both = await Promise.all([
      pages.write(page.node_id, { ...node_content, teaser: 'New' }),
      pages.operate(page.node_id, [{ op: 'set', uid: node_content._uid, key: 'headline', value: 'Lampen' }], { locale: 'de' }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await pages.read(page.node_id, '?locale=de')).node_content).toMatchObject({ headline: 'Lampen', teaser: 'New' });
  });
});

describe('operations on blocks', () => {
  it('are made in their order, and return the blocks that they add', async () => {
    const page = await pages.make('Ops', { node_content: article('Lamps', [quote('One'), quote('Two')]) });
    const [one, two] = bodyOf(page);
    const root = page.node_content._uid;
    const answer = await pages
      .operate(page.node_id, [
        { op: 'insert', value: quote('Zero'), before: one?._uid },
        { op: 'duplicate', uid: two?._uid },
        { op: 'move', uid: one?._uid, parent_uid: root, key: 'body' },
        { op: 'set', uid: root, key: 'headline', value: 'Changed' },
        { op: 'remove', uid: two?._uid },
      ])
      .expect(200);
    const body = bodyOf(answer.body as PageNode);
    expect(body.map(({ words }) => words)).toEqual(['Zero', 'Two', 'One']);
    expect(answer.body.new_uids).toEqual([body[0]?._uid, body[1]?._uid]);
    expect(body[2]?._uid).toBe(one?._uid);
    expect(answer.body.node_content.headline).toBe('Changed');
  });

  it('change nothing where one of them names a block that does not exist', async () => {
    const page = await pages.make('Nothing', { node_content: article('Lamps', [quote('One')]) });
    const { body } = await pages
      .operate(page.node_id, [
        { op: 'set', uid: page.node_content._uid, key: 'headline', value: 'Changed' },
        { op: 'remove', uid: 'no-such-block' },
      ])
      .expect(409);
    expect(body).toMatchObject({ code: 'invalid_state', detail: expect.stringContaining('no-such-block') as string });
    expect((await pages.read(page.node_id)).node_content.headline).toBe('Lamps');
  });

  it.each([
    ['no operations', { ops: [] }],
    ['201 operations', { ops: Array.from({ length: 201 }, () => ({ op: 'remove', uid: 'x'.repeat(8) })) }],
    ['an unknown operation', { ops: [{ op: 'swap', uid: 'x'.repeat(8) }] }],
    ['an operation without a block', { ops: [{ op: 'remove' }] }],
    ['an unknown locale', { ops: [{ op: 'remove', uid: 'x'.repeat(8) }], locale: 'fr' }],
  ])('refuse %s', async (_, body) => {
    const page = await pages.make(`Bad ${newId()}`);
    await pages.client.post(`${pages.path}/${page.node_id}/content/ops`, body).expect(400);
  });
});

describe('[website 6] incomplete and malformed content', () => {
  it('is saved with its issues where something is missing, and not published', async () => {
    const page = await pages.make('Incomplete', { node_content: { teaser: 'No headline' } });
    expect(issuesOf(page)).toEqual(['error required node_content.headline']);
    const incomplete = await pages.write(page.node_id, { teaser: 'Still none' }).expect(200);
    expect(issuesOf(incomplete.body as PageNode)).toEqual(['error required node_content.headline']);
    const refused = await pages.client.post(`${pages.path}/${page.node_id}/publish`, { locales: ['en'] }).expect(422);
    expect(faultsOf(refused.body)).toEqual(['required node_content.headline']);
    const saved = await pages.write(page.node_id, article('Complete')).expect(200);
    expect(issuesOf(saved.body as PageNode)).toEqual([]);
  });

  it.each<[string, () => object, string]>([
    ['an unknown component', () => article('x', [{ component: 'carousel' }]), 'option node_content.body[0].component'],
    ['a page as a block', () => article('x', [{ component: 'plain' }]), 'option node_content.body[0].component'],
    [
      'a _uid twice',
      () => article('x', [quote('a', { _uid: 'same-uid-1' }), quote('b', { _uid: 'same-uid-1' })]),
      'unique node_content.body[1]._uid',
    ],
    ['a _uid of other characters', () => article('x', [quote('a', { _uid: 'a b c d e f' })]), 'format node_content.body[0]._uid'],
    ['an unknown field', () => article('x', [], { subtitle: 'y' }), 'unknown_field node_content.subtitle'],
    ['a number as a text', () => ({ headline: 7 }), 'type node_content.headline'],
    [
      'a link to a script',
      () => article('x', [quote('a', { target: { kind: 'url', url: 'javascript:alert(1)' } })]),
      'format node_content.body[0].target.url',
    ],
    ['a page that does not exist', () => article('x', [], { related: newId() }), 'reference node_content.related'],
  ])('is refused where it has %s', async (_, content, expected) => {
    const { body } = await pages.create({ node_content: content() }).expect(400);
    expect(faultsOf(body)).toEqual([expected]);
  });

  it('is refused where it nests deeper than 8 blocks, has more than 2,000, or more than 1 MB', async () => {
    const nested = (depth: number): object => (depth === 0 ? quote('deep') : { component: 'box', items: [nested(depth - 1)] });
    await pages.create({ node_content: article('x', [nested(7)]) }).expect(201);
    await pages.create({ node_content: article('x', [nested(8)]) }).expect(400, /node_content\.body/);
    const full = (last: number): object[] =>
      Array.from({ length: 10 }, (_, at) => ({ component: 'box', items: Array.from({ length: at === 9 ? last : 199 }, () => quote('a')) }));
    await pages.create({ node_content: article('x', full(199)) }).expect(201);
    await pages.create({ node_content: article('x', full(200)) }).expect(400, /at most 2,000 blocks/);
    await pages
      .create({
        node_content: article(
          'x',
          Array.from({ length: 1_100 }, () => quote('a'.repeat(1_000))),
        ),
      })
      .expect(413);
  });

  it('of another site refers to nothing of this one', async () => {
    const other = await makePages(ours.owner.client);
    const foreign = await other.make('Foreign', { node_content: article('x') });
    const { body } = await pages.create({ node_content: article('x', [], { related: foreign.node_id }) }).expect(400);
    expect(faultsOf(body)).toEqual(['reference node_content.related']);
  });
});

describe('links between pages', () => {
  it('are warned of until their page is published, and are resolved to its path', async () => {
    const target = await pages.make('Target', { node_slug: 'target', node_slugs: { de: 'ziel' } });
    const page = await pages.make('Linking', {
      node_content: article('x', [quote('a', { target: { kind: 'page', ref: target.node_id } })], { related: target.node_id }),
    });
    expect(issuesOf(page)).toEqual(['warning page_not_live node_content.related', 'warning page_not_live node_content.body[0].target.ref']);
    const resolved = await pages.read(page.node_id, '?resolve=links&locale=de');
    expect(bodyOf(resolved)[0]?.target).toMatchObject({ kind: 'page', ref: target.node_id, url: '/de/ziel' });
    expect(bodyOf(await pages.read(page.node_id))[0]?.target).toEqual({ kind: 'page', ref: target.node_id });
  });
});

describe('a change of the template', () => {
  it('keeps values of equal keys and types in every locale', async () => {
    const page = await pages.make('Template', { node_content: article('Lamps', [quote('gone')], { layout: 'wide' }) });
    await pages
      .operate(page.node_id, [{ op: 'set', uid: page.node_content._uid, key: 'headline', value: 'Lampen' }], { locale: 'de' })
      .expect(200);
    const changed = await pages.change(page.node_id, { node_template: pages.library.plain }).expect(200);
    expect(changed.body.node_content).toEqual({ _uid: page.node_content._uid, component: 'plain', headline: 'Lamps' });
    expect((await pages.read(page.node_id, '?locale=de')).node_content.headline).toBe('Lampen');
  });
});
