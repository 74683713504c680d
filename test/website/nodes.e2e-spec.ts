import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { makeFlow } from './approving';
import { makePages, type Pages, type PageNode } from './pages';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let pages: Pages;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace([]);
  theirs = await api.workspace([]);
  pages = await makePages(ours.owner.client);
});
afterAll(() => api.close());

interface TreeNode {
  readonly node_name: string;
  readonly path: string;
  readonly has_more: boolean;
  readonly children: TreeNode[];
}

const tree = async (query = '', of = pages): Promise<TreeNode[]> =>
  (await of.client.get(`/sites/${of.site.site_id}/tree${query}`).expect(200)).body.data as TreeNode[];
const shape = (nodes: readonly TreeNode[]): unknown[] =>
  nodes.map(({ node_name, children }) => (children.length === 0 ? node_name : [node_name, ...shape(children)]));

describe('the tree of a site', () => {
  it('has pages, folders and links in the order that their authors give them, with paths in every locale', async () => {
    const own = await makePages(ours.owner.client);
    const home = await own.make('Home', { node_slug: '' });
    const products = await own.folder('Products', { node_slugs: { de: 'produkte' } });
    const lamp = await own.make('Desk lamps', { node_parent: products.node_id });
    const first = await own.make('Floor lamps', { node_parent: products.node_id, before: lamp.node_id });
    const link = (
      await own.client
        .post(own.path, {
          node_name: 'Shop',
          node_kind: 'link',
          node_link: { kind: 'url', url: 'https://shop.example.com' },
          after: home.node_id,
        })
        .expect(201)
    ).body as PageNode;

    expect(home.node_path).toEqual({ en: '/', de: '/de' });
    expect(lamp).toMatchObject({
      node_slug: 'desk-lamps',
      node_path: { en: '/products/desk-lamps', de: '/de/produkte/desk-lamps' },
      node_locales: [
        { locale: 'en', state: 'draft', path: '/products/desk-lamps', live_path: null },
        { locale: 'de', state: 'draft', path: '/de/produkte/desk-lamps', live_path: null },
      ],
    });
    expect(first.node_order < lamp.node_order).toBe(true);
    expect(shape(await tree('', own))).toEqual(['Home', 'Shop', ['Products', 'Floor lamps', 'Desk lamps']]);
    expect(await tree('?depth=1&locale=de', own)).toMatchObject([
      { path: '/de', has_more: false },
      { node_name: 'Shop', has_more: false },
      { path: '/de/produkte', has_more: true, children: [] },
    ]);
    expect(shape(await tree(`?under=${products.node_id}`, own))).toEqual(['Floor lamps', 'Desk lamps']);
    expect((await tree(`?under=${products.node_id}&locale=de`, own))[0]?.path).toBe('/de/produkte/floor-lamps');
    expect(link).toMatchObject({ node_template: null, node_content: {}, node_link: { kind: 'url', url: 'https://shop.example.com' } });
  });

  it('gives a derived slug that is taken a number, and refuses a given one', async () => {
    const [first, second, third] = [await pages.make('Über uns'), await pages.make('Über uns'), await pages.make('Über uns')];
    expect([first.node_slug, second.node_slug, third.node_slug]).toEqual(['uber-uns', 'uber-uns-2', 'uber-uns-3']);
    await pages.create({ node_slug: 'uber-uns' }).expect(409, /already_exists/);
    await pages.create({ node_slug: 'free', node_slugs: { de: 'uber-uns-2' } }).expect(409, /already_exists/);
    await pages.change(third.node_id, { node_slug: 'uber-uns' }).expect(409, /already_exists/);
    await pages.change(third.node_id, { node_name: 'Another name' }).expect(200);
    expect((await pages.read(third.node_id)).node_slug).toBe('uber-uns-3');
  });

  it('moves pages with all that is below them, and never below themselves', async () => {
    const [top, middle] = [await pages.folder('Top'), await pages.folder('Elsewhere')];
    const low = await pages.make('Low', { node_parent: top.node_id });
    const lowest = await pages.make('Lowest', { node_parent: low.node_id });

    expect((await pages.change(top.node_id, { node_parent: middle.node_id }).expect(200)).body.node_path.en).toBe('/elsewhere/top');
    expect((await pages.read(lowest.node_id)).node_path.en).toBe('/elsewhere/top/low/lowest');
    expect(await pages.names(`under=${middle.node_id}&sort=node_name`)).toEqual(['Low', 'Lowest', 'Top']);
    await pages.change(top.node_id, { node_parent: lowest.node_id }).expect(409, /invalid_move/);
    await pages.change(top.node_id, { node_parent: top.node_id }).expect(409, /invalid_move/);
    await pages.change(top.node_id, { node_parent: newId() }).expect(400, /reference/);
    await pages.change(lowest.node_id, { node_parent: null, before: low.node_id }).expect(400, /before/);
  });

  it('is fifteen levels deep at most', async () => {
    let parent: string | null = null;
    for (let level = 1; level <= 15; level += 1) parent = (await pages.folder(`Level ${level}`, { node_parent: parent })).node_id;
    await pages.create({ node_parent: parent }).expect(409, /invalid_move/);
    const two = await pages.folder('Two levels');
    await pages.folder('Below', { node_parent: two.node_id });
    const [fourteenth] = await pages.list('node_name=Level 14');
    await pages.change(two.node_id, { node_parent: fourteenth?.node_id }).expect(409, /invalid_move/);
  });
});

describe('lists of pages', () => {
  let own: Pages;
  let guides: PageNode;

  beforeAll(async () => {
    own = await makePages(ours.owner.client);
    guides = await own.folder('Guides');
    await own.make('Alpha', { node_parent: guides.node_id, node_tags: ['news', 'lamp'], node_content: { headline: 'Alpha' } });
    await own.make('beta', { node_parent: guides.node_id, node_tags: ['news'], node_template: own.library.plain });
    await own.make('Gamma');
  });

  it('are filtered by parent, branch, kind, template, name, tags, translation and state', async () => {
    const [alpha, gamma] = [(await own.list('node_name=alpha'))[0], (await own.list('node_name=GAMMA'))[0]];
    expect(await own.names('node_parent=root')).toEqual(['Guides', 'Gamma']);
    expect(await own.names(`node_parent=${guides.node_id}`)).toEqual(['Alpha', 'beta']);
    expect(await own.names(`under=${guides.node_id}&node_kind=page`)).toEqual(['Alpha', 'beta']);
    expect(await own.names('node_kind=folder')).toEqual(['Guides']);
    expect(await own.names(`node_template=${own.library.plain}`)).toEqual(['beta']);
    expect(await own.names('node_tags=news&node_tags=lamp')).toEqual(['Alpha']);
    expect(await own.names('missing=de')).toEqual(['Alpha']);
    expect(await own.names('stale=de')).toEqual([]);
    expect(await own.names('state=draft&locale=de&sort=node_name')).toEqual(['Alpha', 'beta', 'Gamma', 'Guides']);
    expect(await own.names('state=published')).toEqual([]);
    expect(await own.names('node_active=false')).toEqual([]);
    expect(alpha).not.toHaveProperty('node_content');
    await own.change(alpha?.node_id ?? '', { node_tags: ['old'] }).expect(200);
    expect((await own.names('sort=-node_updated'))[0]).toBe('Alpha');
    expect(gamma?.node_locales).toHaveLength(2);
  });

  it('refuses parameters that do not exist', async () => {
    for (const query of ['locale=de', 'state=draft&locale=fr', 'missing=fr', 'node_parent=top', 'node_kind=file', 'sort2=x', 'under=1'])
      await own.client.get(`${own.path}?${query}`).expect(400);
    await own.client.get(`/sites/${own.site.site_id}/tree?locale=fr`).expect(400, /locale/);
    await own.client.get(`/sites/${own.site.site_id}/tree?depth=16`).expect(400, /depth/);
    await own.client.get(`/sites/${own.site.site_id}/tree?under=${newId()}`).expect(404);
  });
});

describe('bad input', () => {
  it.each([
    ['a slug of dots', { node_slug: '..' }, 'node_slug'],
    ['a slug with a slash', { node_slug: 'a/b' }, 'node_slug'],
    ['a slug of 121 characters', { node_slug: 'a'.repeat(121) }, 'node_slug'],
    ['a slug that is the prefix of a locale', { node_slug: 'de' }, 'node_slug'],
    ['a slug of an unknown locale', { node_slugs: { fr: 'lampes' } }, 'node_slugs.fr'],
    ['a slug that is no text', { node_slugs: { de: 1 } }, 'node_slugs.de'],
    ['an unknown template', { node_template: newId() }, 'node_template'],
    ['no template', { node_template: null }, 'node_template'],
    ['a link of a page', { node_link: { kind: 'url', url: 'https://example.com' } }, 'node_link'],
    ['metadata of an unknown kind', { node_seo: { titel: 'x' } }, 'node_seo.titel'],
    ['a title for search engines that is too long', { node_seo: { title: 'x'.repeat(201) } }, 'node_seo.title'],
    ['both neighbours', { before: newId(), after: newId() }, 'after'],
    ['an unknown neighbour', { before: newId() }, 'before'],
    ['an unknown parent', { node_parent: newId() }, 'node_parent'],
    ['51 tags', { node_tags: Array.from({ length: 51 }, (_, at) => `t${at}`) }, 'node_tags'],
  ])('refuses %s', async (_, body, path) => {
    const { errors } = (await pages.create(body).expect(400)).body as { errors: { path: string }[] };
    expect(errors.map((error) => error.path)).toEqual([path]);
  });

  it('refuses links to scripts, and content of folders', async () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x'])
      await pages.client.post(pages.path, { node_name: 'x', node_kind: 'link', node_link: { kind: 'url', url } }).expect(400, /node_link/);
    await pages.client
      .post(pages.path, { node_name: 'x', node_kind: 'folder', node_content: { headline: 'x' } })
      .expect(400, /node_content/);
    const folder = await pages.folder('No content');
    await pages.write(folder.node_id, {}).expect(409, /invalid_state/);
    await pages
      .create({ node_parent: (await pages.client.post(pages.path, { node_name: 'link', node_kind: 'link' }).expect(201)).body.node_id })
      .expect(400, /node_parent/);
  });
});

describe('changes at once', () => {
  it('let one of two moves of pages below each other happen', async () => {
    const [a, b] = [await pages.folder(`A ${newId()}`), await pages.folder(`B ${newId()}`)];
    const answers = await Promise.all([
      pages.change(a.node_id, { node_parent: b.node_id }),
      pages.change(b.node_id, { node_parent: a.node_id }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('invalid_move');
  });

  it('give pages that are created at once slugs of their own', async () => {
    const name = `Race ${newId()}`;
    const made = await Promise.all([1, 2, 3, 4].map(() => pages.make(name)));
    expect(new Set(made.map(({ node_slug }) => node_slug)).size).toBe(4);
  });
});

describe('[website 33] what callers may do with drafts', () => {
  it('lets viewers read, contributors edit drafts without moving or publishing them, and editors do all of it', async () => {
    const page = await pages.make('Rights');
    const [viewer, contributor, editor] = await Promise.all(
      (['viewer', 'contributor', 'editor'] as const).map(async (role) => pages.as((await ours.member(role)).client)),
    );
    if (!viewer || !contributor || !editor) throw new Error('three members');
    await viewer.get(page.node_id).expect(200);
    await viewer.client.get(`${pages.path}?limit=1`).expect(200);
    await viewer.create().expect(403);
    await viewer.change(page.node_id, { node_name: 'x' }).expect(403);
    await viewer.write(page.node_id, {}).expect(403);
    await viewer.operate(page.node_id, [{ op: 'unset', uid: page.node_content._uid, key: 'headline' }]).expect(403);
    await viewer.remove(page.node_id).expect(403);
    await viewer.restore(page.node_id).expect(403);
    await viewer.duplicate(page.node_id).expect(403);

    await contributor.change(page.node_id, { node_name: 'Renamed' }).expect(200);
    await contributor.write(page.node_id, { headline: 'Written' }).expect(200);
    for (const body of [
      { node_slug: 'moved' },
      { node_parent: null },
      { node_menu: false },
      { node_template: pages.library.plain },
      { before: newId() },
    ])
      await contributor.change(page.node_id, body).expect(403, /site:edit/);
    const publish = (of: Pages) => of.client.post(`${of.path}/${page.node_id}/publish`, { locales: ['en'] });
    const publishAll = (of: Pages) => of.client.post(`/sites/${of.site.site_id}/publish`, { node_ids: [page.node_id], locales: ['en'] });
    for (const caller of [viewer, contributor]) {
      await publish(caller).expect(403, /site:publish/);
      await publishAll(caller).expect(403, /site:publish/);
      await caller.client.post(`${caller.path}/${page.node_id}/unpublish`).expect(403, /site:publish/);
    }
    await editor.change(page.node_id, { node_slug: 'moved', node_menu: false }).expect(200);
    await publish(editor).expect(200);
    await contributor.remove(page.node_id).expect(403);
  });

  it('answers like a site that does not exist to other workspaces, and to those that its access list leaves out', async () => {
    const page = await pages.make('Foreign');
    const other = await makePages(theirs.owner.client);
    const foreign = pages.as(theirs.owner.client);
    const stranger = new (pages.constructor as new (...of: unknown[]) => Pages)(theirs.owner.client, other.site, other.library);
    for (const seen of [foreign, stranger]) {
      await seen.get(page.node_id).expect(404);
      await seen.change(page.node_id, { node_name: 'x' }).expect(404);
      await seen.write(page.node_id, {}).expect(404);
      await seen.operate(page.node_id, [{ op: 'unset', uid: page.node_content._uid, key: 'headline' }]).expect(404);
      await seen.remove(page.node_id).expect(404);
      await seen.restore(page.node_id).expect(404);
      await seen.duplicate(page.node_id).expect(404);
      await seen.client.get(`${seen.path}/${page.node_id}/versions`).expect(404);
    }
    await foreign.client.get(pages.path).expect(404);
    await foreign.client.get(`/sites/${pages.site.site_id}/tree`).expect(404);
    await foreign.create().expect(404);

    const closed = await makePages(ours.owner.client, { site_acl: { users: { [ours.owner.user_id]: 'owner' } } });
    const inside = await closed.make('Inside');
    const editor = closed.as((await ours.member('editor')).client);
    await editor.get(inside.node_id).expect(404);
    await editor.write(inside.node_id, {}).expect(404);
  });

  it('answers 404 to another workspace for every id', async () => {
    const page = await pages.make('Everything', { node_content: { headline: 'x' } });
    const site = `/sites/${pages.site.site_id}`;
    const made = async (path: string, body: object, key: string): Promise<string> =>
      ((await ours.owner.client.post(path, body).expect(201)).body as Record<string, string>)[key] ?? '';
    const { data } = (await ours.owner.client.get(`${pages.path}/${page.node_id}/versions`).expect(200)).body as {
      data: { ver_id: string }[];
    };
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const schedule = await made(`${pages.path}/${page.node_id}/publish`, { at, locales: ['en'] }, 'sch_id');
    const preview = await made(`${site}/preview-links`, { prv_node: page.node_id }, 'prv_id');
    const redirect = await made(`${site}/redirects`, { red_from: `/from-${newId()}`, red_to: '/to' }, 'red_id');
    const flow = await makeFlow(ours.owner.client);
    const node = `${pages.path}/${page.node_id}`;
    const reads = [
      site,
      `${site}/nodes`,
      `${site}/tree`,
      `${site}/schedules`,
      `${site}/preview-links`,
      `${site}/redirects`,
      `${site}/cms`,
      `${site}/cms/links`,
      `${site}/cms/sync-jobs`,
      `${site}/schedules/${schedule}`,
      node,
      `${node}/versions`,
      `${node}/versions/${data[0]?.ver_id}`,
      `${node}/transitions`,
      `/content-schema-libraries/${pages.library.lib_id}`,
      `/content-schemas/${pages.library.article}`,
      `/content-approval-flows/${flow.caf_id}`,
    ];
    for (const path of reads) {
      await ours.owner.client.get(path).expect(200);
      expect([path, (await theirs.owner.client.get(path)).status]).toEqual([path, 404]);
    }
    const removals = [`${site}/schedules/${schedule}`, `${site}/preview-links/${preview}`, `${site}/redirects/${redirect}`, node, site];
    for (const path of removals) expect([path, (await theirs.owner.client.delete(path)).status]).toEqual([path, 404]);
    const acts = ['publish', 'unpublish', 'restore', 'duplicate', `versions/${data[0]?.ver_id}/restore`].map((act) => `${node}/${act}`);
    for (const path of acts) expect([path, (await theirs.owner.client.post(path, {})).status]).toEqual([path, 404]);
    const { site_key } = (await ours.owner.client.get(site).expect(200)).body as { site_key: string };
    const elsewhere = await makePages(theirs.owner.client);
    const secret = await elsewhere.make('Of B', { node_slug: 'of-b', node_content: { headline: 'Of B' } });
    await theirs.owner.client.post(`${elsewhere.path}/${secret.node_id}/publish`, { locales: ['en'] }).expect(200);
    await api.stranger.with({ 'X-Tenant-Id': theirs.tenant_id }).get(`/delivery/${site_key}/page?path=/of-b`).expect(404);
    const listed = await api.stranger.with({ 'X-Tenant-Id': theirs.tenant_id }).get(`/delivery/${site_key}/pages?locale=en`).expect(200);
    expect(JSON.stringify(listed.body)).not.toContain('Of B');
  });

  it('reads a page of another site of the workspace under its own site only', async () => {
    const other = await makePages(ours.owner.client);
    const page = await other.make('Of the other site');
    await pages.get(page.node_id).expect(404);
    await pages.create({ node_parent: page.node_id }).expect(400, /node_parent/);
  });
});
