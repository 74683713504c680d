import { Readable } from 'node:stream';
import { loadSettings } from '@atrium/platform/config';
import { SystemClock, type JsonObject } from '@atrium/platform/kernel';
import { GuardedHttp, OutboundRetries, RequestPaces } from '@atrium/platform/outbound';
import { GARBAGE, StoryblokServer, type Story } from '@atrium/platform/testing';
import type { CmsCall, MappingContext, RemotePage, RemoteSummary } from '../../domain/cms-port';
import { SchemaBook } from '../../domain/cms-schema';
import { CmsHosts } from '../cms-hosts';
import { CmsHttp } from '../cms-http';
import { StoryblokApi } from './storyblok-api';
import { StoryblokPort } from './storyblok-port';
import { StoryblokStories } from './storyblok-stories';

class Hasty extends OutboundRetries {
  override readonly pauseMs = 1;
}

const SETTINGS = { DATABASE_URL: 'postgres://x@127.0.0.1/x', MASTER_KEY: Buffer.alloc(32).toString('base64'), OUTBOUND_ALLOW: '127.0.0.1' };
const http = new GuardedHttp(loadSettings(SETTINGS));
let server: StoryblokServer;
let port: StoryblokPort;

beforeEach(async () => {
  server = await StoryblokServer.start();
  server.languages.push({ code: 'de', name: 'German' }, { code: 'pt-br', name: 'Portuguese' });
  const hosts = new CmsHosts(loadSettings({ ...SETTINGS, STORYBLOK_BASE: `${server.url}/v1` }));
  const api = new StoryblokApi(new CmsHttp(http, new RequestPaces(new SystemClock()), new Hasty()), hosts);
  port = new StoryblokPort(api, new StoryblokStories(api));
  server.addComponent('page', PAGE, { is_root: true, is_nestable: false });
  server.addComponent('teaser', { headline: { type: 'text', translatable: true, pos: 0 } });
});
afterEach(() => server.stop());

const PAGE = {
  title: { type: 'text', translatable: true, required: true, pos: 0 },
  body: { type: 'bloks', pos: 1 },
  text: { type: 'richtext', pos: 2 },
  picture: { type: 'asset', pos: 3 },
  seo: { type: 'custom', field_type: 'seo-metatags', pos: 4 },
};

const call = (settings: JsonObject = {}, token = server.token): CmsCall => ({
  connection: { settings: { spaceId: String(server.spaceId), rate: 50, ...settings }, secrets: { token } },
  signal: new AbortController().signal,
});

async function listAll(asked = call()): Promise<RemoteSummary[]> {
  const pages: RemoteSummary[] = [];
  for (let cursor: JsonObject | null | undefined; cursor !== null;) {
    const list = await port.listPages(asked, cursor ?? null);
    pages.push(...list.pages);
    cursor = list.next;
  }
  return pages;
}

const contextOf = async (): Promise<MappingContext> => ({
  default_locale: 'en',
  locales: { en: '[default]', de: 'de', 'pt-BR': 'pt-br' },
  schemas: new SchemaBook(port.mapping.toSchemas(await port.listSchemas(call()), [], {})),
  settings: {},
});

const story = (more: Partial<Parameters<StoryblokServer['addStory']>[0]> = {}): Story =>
  server.addStory({ name: 'Lamp', slug: 'lamp', content: { _uid: 'root-0001', component: 'page', title: 'Lamp' }, ...more });

const contentOf = (page: RemotePage): JsonObject => (page.raw['story'] as JsonObject)['content'] as JsonObject;

describe('a connection to Storyblok', () => {
  it('reads the space, its languages, a page and the schemas', async () => {
    server.publishesLanguages = true;
    const space = await port.verifyConnection(call());
    expect(space).toMatchObject({
      id: String(server.spaceId),
      name: 'Loopback space',
      locales: [
        { code: '[default]', isDefault: true },
        { code: 'de', isDefault: false },
        { code: 'pt-br', isDefault: false },
      ],
      capabilities: { publish_by_locale: true, version_lock: false, draft_events: false },
    });
    expect(server.calls.map(({ route }) => route)).toEqual(['GET ', 'GET /stories', 'GET /components']);
  });

  it('names the step at which a token is refused, or a space unknown', async () => {
    await expect(port.verifyConnection(call({}, 'wrong'))).rejects.toMatchObject({
      reason: 'unauthorized',
      field: 'space',
      isRevoked: true,
    });
    await expect(port.verifyConnection(call({ spaceId: '1' }))).rejects.toMatchObject({ reason: 'not_found', field: 'space' });
    expect(server.countCalls()).toBe(2);
  });

  it('may read with a token that may not write', async () => {
    story();
    const [page] = await listAll(call({}, server.readToken));
    await expect(port.removePage(call({}, server.readToken), page?.external_id ?? '')).rejects.toMatchObject({
      reason: 'missing_scope',
      endsRun: true,
    });
    expect(server.stories.rows.size).toBe(1);
  });

  it.each([
    [{}, 'settings.spaceId'],
    [{ spaceId: 'a b' }, 'settings.spaceId'],
    [{ spaceId: '1', region: 'mars' }, 'settings.region'],
    [{ spaceId: '1', rate: 0 }, 'settings.rate'],
    [{ spaceId: '1', token: 'x' }, 'settings.token'],
  ])('refuses the settings %j', (settings, path) => {
    expect(() => port.checkSettings(settings as JsonObject)).toThrow(
      expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ path })] }),
    );
  });
});

describe('the list of stories', () => {
  it('has every story once, with folders, paths, parents and states, in pages of a hundred', async () => {
    const folder = server.addStory({ name: 'Products', slug: 'products', is_folder: true });
    for (let at = 0; at < 250; at++) story({ slug: `lamp-${at}`, parent_id: folder.id, published: at % 2 === 0 });
    const pages = await listAll();
    expect(pages).toHaveLength(251);
    expect(new Set(pages.map(({ external_id }) => external_id)).size).toBe(251);
    expect(pages[2]).toMatchObject({ external_path: 'products/lamp-1', parent: folder.uuid, states: { '*': 'draft' } });
    expect(pages[1]?.states).toEqual({ '*': 'published' });
    expect(server.calls.map(({ route }) => route)).toEqual(['GET /stories', 'GET /stories', 'GET /stories']);
  });

  it('is passed once more where stories come in the meantime, and no more often', async () => {
    for (let at = 0; at < 101; at++) story({ slug: `lamp-${at}` });
    const first = await port.listPages(call(), null);
    story({ slug: 'new' });
    const second = await port.listPages(call(), first.next);
    expect(second.next).toMatchObject({ page: 1, isRepeated: true });
    const third = await port.listPages(call(), second.next);
    story({ slug: 'newer' });
    expect((await port.listPages(call(), third.next)).next).toBeNull();
  });

  it('ends with a problem where it repeats its pages', async () => {
    for (let at = 0; at < 201; at++) story({ slug: `lamp-${at}` });
    server.repeatsPages = true;
    await expect(listAll()).rejects.toMatchObject({ reason: 'endless_list', endsRun: true });
    expect(server.countCalls('GET /stories')).toBe(2);
  });

  it('begins in the folder of the connection, which is no page itself', async () => {
    const folder = server.addStory({ name: 'Site', slug: 'site', is_folder: true });
    story({ slug: 'inside', parent_id: folder.id });
    story({ slug: 'outside' });
    expect(await listAll(call({ startsWith: 'site/' }))).toEqual([expect.objectContaining({ external_path: 'site/inside', parent: null })]);
  });
});

describe('an answer', () => {
  it.each([
    ['a page of html', GARBAGE.html],
    ['half of a JSON', GARBAGE.brokenJson],
    ['300 levels', GARBAGE.deep],
    ['12 MB', GARBAGE.large],
    ['JSON of something else', { garbage: '{"story":{"id":"one"}}' }],
  ])('of %s fails the page at once', async (_what, fault) => {
    const { uuid } = story();
    await listAll();
    server.forgetCalls();
    server.plan(fault, { route: 'GET /stories/:id' });
    await expect(port.readPage(call(), uuid)).rejects.toMatchObject({ reason: 'upstream_invalid', endsRun: false, mayPass: false });
    expect(server.countCalls()).toBe(1);
  });

  it('is asked for six times where the server fails, is cut off or too busy', async () => {
    const { uuid } = story();
    await listAll();
    server.plan({ status: 503 }, { times: 2 });
    server.plan({ cut: 'before' });
    server.plan({ status: 429, headers: { 'retry-after': '0' } });
    server.plan({ status: 500 });
    expect((await port.readPage(call(), uuid)).external_id).toBe(uuid);
    server.forgetCalls();
    server.plan({ status: 502 }, { times: 6 });
    await expect(port.readPage(call(), uuid)).rejects.toMatchObject({ reason: 'unavailable' });
    expect(server.countCalls()).toBe(6);
  });

  it('does not lead elsewhere', async () => {
    const { uuid } = story();
    await listAll();
    server.plan({ status: 302, headers: { location: 'http://169.254.169.254/latest' } }, { route: 'GET /stories/:id' });
    await expect(port.readPage(call(), uuid)).rejects.toMatchObject({ reason: 'upstream_invalid' });
  });
});

describe('a story', () => {
  it('is created below its folder, with slugs of languages, and is what was sent', async () => {
    const folder = server.addStory({ name: 'Products', slug: 'products', is_folder: true });
    await listAll();
    const context = await contextOf();
    const document = {
      name: 'Lamp',
      slugs: { en: 'lamp', de: 'lampe' },
      parent: folder.uuid,
      template: 'page',
      kind: 'page' as const,
      content: {
        _uid: 'root-0001',
        component: 'page',
        title: 'Lamp',
        body: [{ _uid: 'teaser-01', component: 'teaser', headline: 'Light' }],
      },
      overlays: { de: { 'teaser-01.headline': 'Licht' }, 'pt-BR': { 'root-0001.title': 'Luz' } },
      seo: {},
      order: null,
    };
    const page = await port.createPage(call(), { node_id: 'n', draft: port.mapping.toRemote(document, null, context) });
    expect(page).toMatchObject({ external_path: 'products/lamp', parent: folder.uuid, states: { '*': 'draft' } });
    expect(contentOf(page)).toEqual({
      _uid: 'root-0001',
      component: 'page',
      title: 'Lamp',
      title__i18n__pt_br: 'Luz',
      body: [{ _uid: 'teaser-01', component: 'teaser', headline: 'Light', headline__i18n__de: 'Licht' }],
    });
    const read = port.mapping.toDocument(page, context);
    expect(read.unsupported).toEqual([]);
    expect({ ...read.document, order: null }).toEqual(document);
  });

  it('is there once although the answer to its creation was lost', async () => {
    server.plan({ cut: 'applied' }, { route: 'POST /stories' });
    const raw = { story: { name: 'Lamp', slug: 'lamp', content: { _uid: 'root-0001', component: 'page' } }, parent: null };
    const page = await port.createPage(call(), { node_id: 'n', draft: { raw, left: [] } });
    expect(server.stories.rows.size).toBe(1);
    expect(page.external_path).toBe('lamp');
    expect(server.countCalls('POST /stories')).toBe(1);
  });

  it('is refused where its slug is taken, or its component unknown', async () => {
    story();
    const create = (content: JsonObject, slug: string): Promise<RemotePage> =>
      port.createPage(call(), { node_id: 'n', draft: { raw: { story: { name: 'Lamp', slug, content }, parent: null }, left: [] } });
    await expect(create({ component: 'page' }, 'lamp')).rejects.toMatchObject({ reason: 'slug_taken', endsRun: false });
    await expect(create({ component: 'none' }, 'other')).rejects.toMatchObject({
      reason: 'refused_content',
      detail: expect.stringContaining('none'),
    });
  });

  it('keeps what has no place here, and is not overwritten once it changed', async () => {
    const written = story({
      content: { _uid: 'root-0001', component: 'page', title: 'Lamp', seo: { b: 1, a: [2] }, unknown: 'kept', _editable: '<!-- -->' },
      tag_list: ['a'],
      more: { path: '/preview', disable_fe_editor: true },
    });
    await listAll();
    const [context, seen] = [await contextOf(), await port.readPage(call(), written.uuid)];
    const { document } = port.mapping.toDocument(seen, context);
    const changed = { ...document, content: { ...document.content, title: 'Bright lamp' } };
    const draft = port.mapping.toRemote(changed, seen, context);
    const page = await port.changePage(call(), { seen, draft, force: false });
    expect(JSON.stringify(contentOf(page))).toBe(JSON.stringify({ ...(contentOf(seen) as object), title: 'Bright lamp' }));
    expect(page.raw['story']).toMatchObject({ tag_list: ['a'], path: '/preview', disable_fe_editor: true });
    await expect(port.changePage(call(), { seen, draft, force: true })).rejects.toMatchObject({ reason: 'conflict_version' });
    expect(server.countCalls('PUT /stories/:id')).toBe(1);
  });

  it('counts as changed once where the answer was lost, and as a conflict where another person was faster', async () => {
    const written = story();
    await listAll();
    const [context, seen] = [await contextOf(), await port.readPage(call(), written.uuid)];
    const { document } = port.mapping.toDocument(seen, context);
    const draft = port.mapping.toRemote({ ...document, name: 'New' }, seen, context);
    server.plan({ cut: 'applied' }, { route: 'PUT /stories/:id' });
    const page = await port.changePage(call(), { seen, draft, force: false });
    expect(page.name).toBe('New');
    expect(server.countCalls('PUT /stories/:id')).toBe(1);
    server.plan({ cut: 'before' }, { route: 'PUT /stories/:id' });
    server.plan({ meanwhile: () => server.stories.change(written, { name: 'Theirs' }) }, { route: 'GET /stories/:id' });
    await expect(port.changePage(call(), { seen: page, draft, force: false })).rejects.toMatchObject({ reason: 'conflict_version' });
    expect(written.name).toBe('Theirs');
  });

  it('that a person edits is changed with force only', async () => {
    const written = story();
    await listAll();
    const [context, seen] = [await contextOf(), await port.readPage(call(), written.uuid)];
    written.lockedBy = 'ada';
    const draft = port.mapping.toRemote({ ...port.mapping.toDocument(seen, context).document, name: 'New' }, seen, context);
    await expect(port.changePage(call(), { seen, draft, force: false })).rejects.toMatchObject({ reason: 'locked' });
    expect((await port.changePage(call(), { seen, draft, force: true })).name).toBe('New');
  });

  it('is published and unpublished, by language where the space does', async () => {
    server.publishesLanguages = true;
    const written = story();
    await listAll();
    const page = await port.readPage(call(), written.uuid);
    const published = await port.publishPage(call(), { page, locales: ['[default]', 'de'] });
    expect(published.states).toEqual({ '[default]': 'published', de: 'published' });
    server.stories.change(written, { name: 'New' });
    expect((await port.readPage(call(), written.uuid)).states).toEqual({ '[default]': 'changed', de: 'changed' });
    const after = await port.unpublishPage(call(), { page, locales: ['[default]'] });
    expect(after.states).toEqual({ '[default]': 'draft', de: 'changed' });
    await expect(port.publishPage(call(), { page, locales: ['fr'] })).rejects.toMatchObject({ reason: 'refused_content' });
  });

  it('is gone after it was removed, also the second time', async () => {
    const written = story({ published: true });
    await port.removePage(call(), written.uuid);
    await port.removePage(call(), written.uuid);
    expect(server.stories.rows.size).toBe(0);
    await expect(port.readPage(call(), written.uuid)).rejects.toMatchObject({ reason: 'not_found' });
  });
});

describe('schemas', () => {
  it('are sent as they are where nothing changed, and with the changes where something did', async () => {
    const [remote] = await port.listSchemas(call());
    const [known] = port.mapping.toSchemas(await port.listSchemas(call()), [], {});
    const book = new SchemaBook(known ? [known] : []);
    expect(port.mapping.toRemoteSchema(known!, book).raw).toEqual(remote?.raw);
    const fields = known?.tpl_config['fields'] as JsonObject[];
    const wider = {
      ...known!,
      tpl_config: { version: 1, fields: [...fields, { key: 'lead', type: 'long_text', label: 'Lead', localized: true }] },
    };
    const written = await port.writeSchema(call(), port.mapping.toRemoteSchema(wider, book).raw, remote ?? null);
    expect(written.raw['schema']).toEqual({
      ...PAGE,
      lead: { pos: 5, type: 'textarea', display_name: 'Lead', translatable: true },
    });
    await expect(port.writeSchema(call(), written.raw, remote ?? null)).rejects.toMatchObject({ reason: 'conflict_version' });
  });

  it('are created once although the answer was lost', async () => {
    server.plan({ cut: 'applied' }, { route: 'POST /components' });
    const draft = {
      tpl_key: 'quote',
      tpl_name: 'Quote',
      tpl_kind: 'block' as const,
      tpl_config: { version: 1, fields: [{ key: 'text', type: 'text', label: 'Text' }] },
    };
    await port.writeSchema(call(), port.mapping.toRemoteSchema(draft, new SchemaBook([])).raw, null);
    expect([...server.components.values()].filter(({ name }) => name === 'quote')).toHaveLength(1);
  });
});

describe('a file', () => {
  it('is signed, stored with its length, and finished', async () => {
    const bytes = Buffer.from('a picture');
    const asset = await port.sendAsset(call(), {
      hash: 'h', name: 'lamp.jpg', type: 'image/jpeg', length: bytes.length, width: 4, height: 3, open: async () => Readable.from([bytes]),
    }); // prettier-ignore
    const stored = server.assets.get(Number(asset.external_id));
    expect(stored).toMatchObject({ finished: true, filename: asset.url });
    expect(stored?.bytes?.equals(bytes)).toBe(true);
    expect(asset.url).toContain('/4x3/');
    expect(server.calls.find(({ route }) => route === 'POST ~/s3')?.status).toBe(204);
  });
});

describe('a webhook', () => {
  const WISH = { site_id: 's', url: 'https://atrium.example/hooks/cms/key', secret: 'a secret' };

  it('signs its events, which name a page and never its content', async () => {
    const hook = await port.createWebhook(call(), WISH);
    expect(hook.signed).toBe(true);
    expect(await port.findWebhook(call(), WISH)).toMatchObject({ external_id: hook.external_id });
    const written = story();
    server.hookOrigin = 'http://127.0.0.1:9';
    server.publishStory(written);
    await server.delivered();
    const [delivery] = server.deliveries;
    const request = { method: 'POST', path: '/hooks/cms/key', headers: delivery?.headers ?? {}, body: Buffer.from(delivery?.body ?? '') };
    const secrets = { secret: WISH.secret, signed: true, signingSecret: null };
    expect(port.isAuthentic(request, secrets, new Date())).toBe(true);
    expect(port.isAuthentic({ ...request, body: Buffer.from(`${delivery?.body} `) }, secrets, new Date())).toBe(false);
    expect(port.isAuthentic(request, { ...secrets, secret: 'another' }, new Date())).toBe(false);
    expect(port.isAuthentic({ ...request, headers: {} }, secrets, new Date())).toBe(false);
    server.forgetCalls();
    expect(port.readEvent(call(), request)).toEqual({ key: null, pages: [{ external_id: null, external_path: 'lamp' }] });
    expect(server.countCalls()).toBe(0);
    await listAll();
    expect(port.readEvent(call(), request)).toEqual({ key: null, pages: [{ external_id: written.uuid, external_path: 'lamp' }] });
  });

  it('names a story that is gone by its path', async () => {
    await port.createWebhook(call(), WISH);
    const written = story();
    server.hookOrigin = 'http://127.0.0.1:9';
    server.removeStory(written);
    await server.delivered();
    const body = Buffer.from(server.deliveries[0]?.body ?? '');
    expect(port.readEvent(call(), { method: 'POST', path: '/', headers: {}, body })).toEqual({
      key: null,
      pages: [{ external_id: null, external_path: 'lamp' }],
    });
  });

  it('is unsigned where the plan has no secrets, one for an address, and gone when it was removed', async () => {
    server.allowsSecrets = false;
    await port.createWebhook(call(), WISH);
    const hook = await port.createWebhook(call(), WISH);
    expect(hook.signed).toBe(false);
    expect(server.webhooks.size).toBe(1);
    expect(
      port.isAuthentic(
        { method: 'POST', path: '/', headers: {}, body: Buffer.from('{}') },
        { secret: '', signed: false, signingSecret: null },
        new Date(),
      ),
    ).toBe(true);
    await port.removeWebhook(call(), hook.external_id);
    await port.removeWebhook(call(), hook.external_id);
    expect(server.webhooks.size).toBe(0);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'no json'],
    ['a list', '[]'],
    ['no story', '{"action":"published"}'],
    ['300 levels', GARBAGE.deep.garbage],
  ])('that says %s names no page', async (_what, body) => {
    expect(port.readEvent(call(), { method: 'POST', path: '/', headers: {}, body: Buffer.from(body) })).toEqual({
      key: null,
      pages: [],
    });
  });
});

describe('the pace', () => {
  it('stays below the limit of the server', async () => {
    server.rate = 20;
    for (let at = 0; at < 30; at++) story({ slug: `lamp-${at}` });
    const pages = await listAll(call({ rate: 20 }));
    for (const { external_id } of pages) await port.readPage(call({ rate: 20 }), external_id);
    expect(server.limited).toBeLessThan(3);
    expect(server.countCalls('GET /stories/:id')).toBeGreaterThanOrEqual(30);
  });
});
