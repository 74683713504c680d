import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { loadSettings } from '@atrium/platform/config';
import { SystemClock, type JsonObject } from '@atrium/platform/kernel';
import { GuardedHttp, OutboundRetries, RequestPaces } from '@atrium/platform/outbound';
import { ContentfulServer, GARBAGE, type ContentfulRow } from '@atrium/platform/testing';
import type { CmsCall, MappingContext, OutgoingAsset, RemoteSummary, WebhookRequest } from '../../domain/cms-port';
import { SchemaBook } from '../../domain/cms-schema';
import type { PageDocument } from '../../../content/domain/page-document';
import { CmsHosts } from '../cms-hosts';
import { CmsHttp } from '../cms-http';
import { ContentfulApi } from './contentful-api';
import { ContentfulPort } from './contentful-port';
import { ContentfulReader } from './contentful-reader';
import { ContentfulWebhooks } from './contentful-webhooks';
import { ContentfulWriter } from './contentful-writer';

class Hasty extends OutboundRetries {
  override readonly pauseMs = 1;
}
class Quick extends ContentfulPort {
  override readonly pollMs = 1;
}

const SETTINGS = { DATABASE_URL: 'postgres://x@127.0.0.1/x', MASTER_KEY: Buffer.alloc(32).toString('base64'), OUTBOUND_ALLOW: '127.0.0.1' };
const http = new GuardedHttp(loadSettings(SETTINGS));
let server: ContentfulServer;
let port: ContentfulPort;

const entries = {
  type: 'Array',
  items: { type: 'Link', linkType: 'Entry', validations: [{ linkContentType: ['teaser', 'group'] }] },
} as const;
const PAGE = [
  { id: 'title', name: 'Title', type: 'Symbol', required: true, localized: true },
  { id: 'slug', name: 'Slug', type: 'Symbol', required: true, localized: true },
  { id: 'parent', name: 'Parent', type: 'Link', linkType: 'Entry', validations: [{ linkContentType: ['page'] }] },
  { id: 'sections', name: 'Sections', ...entries },
  { id: 'text', name: 'Text', type: 'RichText', localized: true },
  { id: 'picture', name: 'Picture', type: 'Link', linkType: 'Asset' },
  { id: 'place', name: 'Place', type: 'Location' },
];
const TYPES = [{ id: 'page', slug: 'slug', title: 'title', parent: 'parent', blocks: ['sections'] }];

beforeEach(async () => {
  server = await ContentfulServer.start();
  server.locales = [
    { code: 'en-US', name: 'English', default: true, fallbackCode: null },
    { code: 'de', name: 'German', default: false, fallbackCode: 'en-US' },
  ];
  server.addContentType('page', PAGE, { name: 'Page', displayField: 'title' });
  server.addContentType('teaser', [{ id: 'headline', name: 'Headline', type: 'Symbol', localized: true }]);
  server.addContentType('group', [{ id: 'items', name: 'Items', ...entries }]);
  const hosts = new CmsHosts(loadSettings({ ...SETTINGS, CONTENTFUL_BASE: server.url, CONTENTFUL_UPLOAD_BASE: server.url }));
  const api = new ContentfulApi(new CmsHttp(http, new RequestPaces(new SystemClock()), new Hasty()), hosts);
  const reader = new ContentfulReader(api);
  port = new Quick(api, reader, new ContentfulWriter(api, reader), new ContentfulWebhooks(api));
});
afterEach(() => server.stop());

const call = (settings: JsonObject = {}, token = server.token): CmsCall => ({
  connection: { settings: { spaceId: server.spaceId, rate: 100, contentTypes: TYPES, ...settings }, secrets: { token } },
  signal: new AbortController().signal,
});

const contextOf = async (): Promise<MappingContext> => ({
  default_locale: 'en',
  locales: { en: 'en-US', de: 'de' },
  schemas: new SchemaBook(port.mapping.toSchemas(await port.listSchemas(call()), [], call().connection.settings)),
  settings: call().connection.settings,
});

const link = (linkType: string, id: string) => ({ sys: { type: 'Link', linkType, id } });
const inEnglish = <T>(value: T) => ({ 'en-US': value });
const entry = (slug: string, fields: ContentfulRow['fields'] = {}): ContentfulRow =>
  server.addEntry('page', { title: inEnglish(`Page ${slug}`), slug: inEnglish(slug), ...fields });

/** A page with a group that holds a teaser. */
function nested(slug = 'lamp'): { page: ContentfulRow; group: ContentfulRow; teaser: ContentfulRow } {
  const teaser = server.addEntry('teaser', { headline: { 'en-US': 'Light', de: 'Licht' } });
  const group = server.addEntry('group', { items: inEnglish([link('Entry', teaser.id)]) });
  const page = entry(slug, { sections: inEnglish([link('Entry', group.id)]) });
  return { page, group, teaser };
}

async function listAll(asked = call()): Promise<RemoteSummary[]> {
  const pages: RemoteSummary[] = [];
  for (let cursor: JsonObject | null | undefined; cursor !== null;) {
    const list = await port.listPages(asked, cursor ?? null);
    pages.push(...list.pages);
    cursor = list.next;
  }
  return pages;
}

const retitled = (document: PageDocument, title: string): PageDocument => ({ ...document, content: { ...document.content, title } });

const DOCUMENT: PageDocument = {
  name: 'Lamp',
  slugs: { en: 'lamp', de: 'lampe' },
  parent: null,
  template: 'page',
  kind: 'page',
  content: {
    _uid: 'page-root',
    component: 'page',
    sections: [{ _uid: 'group-001', component: 'group', items: [{ _uid: 'teaser-01', component: 'teaser', headline: 'Light' }] }],
  },
  overlays: { de: { 'teaser-01.headline': 'Licht' } },
  seo: {},
  order: null,
};

describe('a connection to Contentful', () => {
  it('reads the space, its locales and content types, and guesses which of them are pages', async () => {
    const space = await port.verifyConnection({
      ...call(),
      connection: { settings: { spaceId: server.spaceId, rate: 100 }, secrets: { token: server.token } },
    });
    expect(space).toMatchObject({
      id: server.spaceId,
      locales: [
        { code: 'en-US', isDefault: true },
        { code: 'de', isDefault: false },
      ],
      capabilities: { version_lock: true, draft_events: true, publish_by_locale: false },
      settings: { environment: 'master', contentTypes: TYPES },
    });
  });

  it('names the step at which a token is refused, or the space or environment unknown', async () => {
    await expect(port.verifyConnection(call({}, 'wrong'))).rejects.toMatchObject({ reason: 'unauthorized', field: 'space' });
    await expect(port.verifyConnection(call({ spaceId: 'other' }))).rejects.toMatchObject({ reason: 'not_found', field: 'space' });
    await expect(port.verifyConnection(call({ environment: 'other' }))).rejects.toMatchObject({ reason: 'not_found', field: 'space' });
  });

  it('may read with a token that may not write', async () => {
    const { id } = entry('lamp');
    await expect(port.removePage(call({}, server.readToken), id)).rejects.toMatchObject({ reason: 'missing_scope', isRevoked: true });
  });

  it.each([
    [{}, 'settings.spaceId'],
    [{ spaceId: 'a/../b' }, 'settings.spaceId'],
    [{ spaceId: 'a', environment: '' }, 'settings.environment'],
    [{ spaceId: 'a', contentTypes: [{ id: 'page' }] }, 'settings.contentTypes.0.slug'],
    [{ spaceId: 'a', startsWith: 'x' }, 'settings.startsWith'],
  ])('refuses the settings %j', (settings, path) => {
    expect(() => port.checkSettings(settings as JsonObject)).toThrow(
      expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ path })] }),
    );
  });
});

describe('the list of entries', () => {
  it('has every page once, in pages of 200, also where many are of one moment', async () => {
    for (let at = 0; at < 450; at++) entry(`lamp-${at}`);
    const rows = [...server.entries.rows.values()];
    for (const row of rows.slice(100, 420)) Object.assign(row, { createdAt: rows[100]?.createdAt });
    const pages = await listAll();
    expect(pages).toHaveLength(450);
    expect(new Set(pages.map(({ external_id }) => external_id)).size).toBe(450);
  });

  it('asks for fewer where the answer is too big', async () => {
    server.mostAnswered = 60_000;
    for (let at = 0; at < 150; at++) entry(`lamp-${at}`);
    expect(await listAll()).toHaveLength(150);
    expect(server.calls.some(({ status, route }) => status === 400 && route.endsWith('/entries'))).toBe(true);
  });

  it('ends with a problem where it repeats its pages', async () => {
    for (let at = 0; at < 401; at++) entry(`lamp-${at}`);
    server.repeatsPages = true;
    await expect(listAll()).rejects.toMatchObject({ reason: 'endless_list' });
  });

  it('has another version where a block of a page changed', async () => {
    const { teaser } = nested();
    const [before] = await listAll();
    server.editEntry(teaser, { headline: inEnglish('Brighter') });
    const [after] = await listAll();
    expect(after?.external_version).not.toBe(before?.external_version);
    expect(after?.external_version.split('.')[0]).toBe(before?.external_version.split('.')[0]);
  });

  it('knows the states and the pages above', async () => {
    const above = entry('products');
    const draft = entry('draft', { parent: inEnglish(link('Entry', above.id)) });
    const live = entry('live');
    server.publishEntry(live);
    const changed = entry('changed');
    server.publishEntry(changed);
    server.editEntry(changed, {});
    const gone = entry('gone');
    server.entries.archive(gone, true);
    const pages = new Map((await listAll()).map((page) => [page.external_id, page]));
    expect(pages.get(draft.id)).toMatchObject({ parent: above.id, external_path: 'products/draft', states: { '*': 'draft' } });
    expect(pages.get(live.id)?.states).toEqual({ '*': 'published' });
    expect(pages.get(changed.id)?.states).toEqual({ '*': 'changed' });
    expect(pages.get(gone.id)?.isDeleted).toBe(true);
  });

  it('asks for the pages above many at once, and not for those that it has listed', async () => {
    const above = entry('shop');
    const shelf = entry('shelf', { parent: inEnglish(link('Entry', above.id)) });
    for (let at = 0; at < 300; at++) entry(`lamp-${at}`, { parent: inEnglish(link('Entry', shelf.id)) });
    server.forgetCalls();
    const pages = await listAll();
    expect(pages.at(-1)?.external_path).toBe('shop/shelf/lamp-299');
    expect(server.countCalls('GET /environments/:env/entries')).toBe(2);
  });

  it('leaves a page that has too many blocks to itself', async () => {
    const many = Array.from({ length: 2_001 }, (_, at) => server.addEntry('teaser', { headline: inEnglish(`Teaser ${at}`) }));
    const heavy = entry('heavy', { sections: inEnglish(many.map(({ id }) => link('Entry', id))) });
    entry('light');
    expect((await listAll()).map(({ external_path }) => external_path)).toEqual(['heavy', 'light']);
    await expect(port.readPage(call(), heavy.id)).rejects.toMatchObject({ reason: 'too_large', endsRun: false });
  });

  it('takes the page above from the path where no field links to it', async () => {
    const settings = { contentTypes: [{ id: 'page', slug: 'slug', title: 'title', blocks: ['sections'] }] };
    const above = entry('products');
    entry('products/lamp');
    expect((await listAll(call(settings)))[1]).toMatchObject({ parent: above.id, external_path: 'products/lamp' });
  });
});

describe('an answer', () => {
  it.each([
    ['a page of html', GARBAGE.html],
    ['half of a JSON', GARBAGE.brokenJson],
    ['300 levels', GARBAGE.deep],
    ['12 MB', GARBAGE.large],
    ['JSON of something else', { garbage: '{"sys":{"id":1}}' }],
  ])('of %s fails the page at once', async (_what, fault) => {
    const { id } = entry('lamp');
    server.plan(fault);
    await expect(port.readPage(call(), id)).rejects.toMatchObject({ reason: 'upstream_invalid', endsRun: false });
    expect(server.countCalls()).toBe(1);
  });

  it('is waited for as long as a limit asks', async () => {
    const { id } = entry('lamp');
    server.plan({ status: 429, headers: { 'x-contentful-ratelimit-reset': '0' } }, { times: 2 });
    expect((await port.readPage(call(), id)).external_id).toBe(id);
    server.plan({ status: 429, headers: { 'x-contentful-ratelimit-reset': '7' } });
    await expect(port.readPage({ ...call(), once: true }, id)).rejects.toMatchObject({ reason: 'rate_limited', retryAfter: 7 });
  });
});

describe('a page', () => {
  it('is created with its blocks first, under an id that derives from the node, and is what was sent', async () => {
    const context = await contextOf();
    const page = await port.createPage(call(), { node_id: 'n1', draft: port.mapping.toRemote(DOCUMENT, null, context) });
    expect(server.calls.filter(({ route }) => route.startsWith('PUT')).map(({ path }) => path.split('/').at(-1))).toEqual([
      'teaser-01',
      'group-001',
      'atrium-n1',
    ]);
    expect(page).toMatchObject({ external_id: 'atrium-n1', external_path: 'lamp', name: 'Lamp' });
    const read = port.mapping.toDocument(page, context);
    expect(read.unsupported).toEqual([]);
    expect(read.document).toEqual({ ...DOCUMENT, content: { ...DOCUMENT.content, title: 'Lamp' } });
  });

  it('is there once although answers were lost and the run began again', async () => {
    const context = await contextOf();
    const draft = port.mapping.toRemote(DOCUMENT, null, context);
    server.plan({ cut: 'applied' }, { times: 2, route: 'PUT /environments/:env/entries/:id' });
    await port.createPage(call(), { node_id: 'n1', draft });
    await port.createPage(call(), { node_id: 'n1', draft });
    expect([...server.entries.rows.values()].map(({ version }) => version)).toEqual([1, 1, 1]);
    await expect(
      port.createPage(call(), { node_id: 'n1', draft: port.mapping.toRemote({ ...DOCUMENT, name: 'Other' }, null, context) }),
    ).rejects.toMatchObject({ reason: 'conflict_version' });
  });

  it('keeps what has no place here, and writes the entries that changed alone', async () => {
    const { page, teaser } = nested();
    server.entries.change(page, { ...page.fields, place: inEnglish({ lat: 1.5, lon: 2 }) });
    const [context, seen] = [await contextOf(), await port.readPage(call(), page.id)];
    const { document } = port.mapping.toDocument(seen, context);
    const text = JSON.stringify(document.content).replace('Light', 'Bright');
    const changed = { ...document, content: JSON.parse(text) as JsonObject, overlays: { de: { [`${teaser.id}.headline`]: 'Hell' } } };
    const draft = port.mapping.toRemote(changed, seen, context);
    server.forgetCalls();
    await port.changePage(call(), { seen, draft, force: false });
    expect(server.calls.filter(({ route }) => route.startsWith('PUT')).map(({ path }) => path.split('/').at(-1))).toEqual([teaser.id]);
    expect(teaser.fields).toEqual({ headline: { 'en-US': 'Bright', de: 'Hell' } });
    const after = await port.readPage(call(), page.id);
    const renamed = port.mapping.toRemote(retitled(port.mapping.toDocument(after, context).document, 'Renamed'), after, context);
    await port.changePage(call(), { seen: after, draft: renamed, force: false });
    expect(page.fields).toMatchObject({ title: inEnglish('Renamed'), place: inEnglish({ lat: 1.5, lon: 2 }) });
  });

  it('is not overwritten once it, or a block of it, changed; a lost answer is no change of others', async () => {
    const { page, teaser } = nested();
    const [context, seen] = [await contextOf(), await port.readPage(call(), page.id)];
    const { document } = port.mapping.toDocument(seen, context);
    const renamed = port.mapping.toRemote(retitled(document, 'New'), seen, context);
    server.plan({ cut: 'applied' }, { route: 'PUT /environments/:env/entries/:id' });
    expect((await port.changePage(call(), { seen, draft: renamed, force: false })).name).toBe('New');
    await expect(
      port.changePage(call(), { seen, draft: port.mapping.toRemote(retitled(document, 'Newer'), seen, context), force: true }),
    ).rejects.toMatchObject({
      reason: 'conflict_version',
    });
    const now = await port.readPage(call(), page.id);
    server.editEntry(teaser, { headline: inEnglish('Theirs') });
    const content = JSON.parse(JSON.stringify(document.content).replace('Light', 'Ours')) as JsonObject;
    const draft = port.mapping.toRemote({ ...port.mapping.toDocument(now, context).document, content }, now, context);
    await expect(port.changePage(call(), { seen: now, draft, force: false })).rejects.toMatchObject({ reason: 'conflict_version' });
    expect(teaser.fields['headline']).toEqual(inEnglish('Theirs'));
  });

  it('changes a block that another page uses with force only', async () => {
    const { page, group, teaser } = nested();
    server.addEntry('group', { items: inEnglish([link('Entry', teaser.id)]) });
    expect(group.id).not.toBe(teaser.id);
    const [context, seen] = [await contextOf(), await port.readPage(call(), page.id)];
    const { document } = port.mapping.toDocument(seen, context);
    const content = JSON.parse(JSON.stringify(document.content).replace('Light', 'Ours')) as JsonObject;
    const draft = port.mapping.toRemote({ ...document, content }, seen, context);
    await expect(port.changePage(call(), { seen, draft, force: false })).rejects.toMatchObject({
      reason: 'shared_block',
      field: teaser.id,
    });
    await port.changePage(call(), { seen, draft, force: true });
    expect(teaser.fields['headline']).toEqual({ 'en-US': 'Ours', de: 'Licht' });
  });

  it('leaves the entries of removed blocks where they are, and says which', async () => {
    const { page, group, teaser } = nested();
    const [context, seen] = [await contextOf(), await port.readPage(call(), page.id)];
    const { document } = port.mapping.toDocument(seen, context);
    const { sections: _sections, ...content } = document.content;
    const draft = port.mapping.toRemote({ ...document, content, overlays: {} }, seen, context);
    expect([...draft.left].toSorted()).toEqual([group.id, teaser.id].toSorted());
    await port.changePage(call(), { seen, draft, force: false });
    expect(page.fields['sections']).toBeUndefined();
    expect(server.entries.rows.size).toBe(3);
  });

  it('is published after its blocks, unpublished, and removed', async () => {
    const { page, group, teaser } = nested();
    const published = await port.publishPage(call(), { page: await port.readPage(call(), page.id), locales: null });
    expect(published.states).toEqual({ '*': 'published' });
    const order = server.calls.filter(({ route }) => route.endsWith('/published')).map(({ path }) => path.split('/').at(-2));
    expect(order).toEqual([teaser.id, group.id, page.id]);
    expect((await port.unpublishPage(call(), { page: published, locales: null })).states).toEqual({ '*': 'draft' });
    await port.publishPage(call(), { page: await port.readPage(call(), page.id), locales: null });
    await port.removePage(call(), page.id);
    await port.removePage(call(), page.id);
    expect(server.entries.rows.has(page.id)).toBe(false);
  });

  it('is published by locale where the environment does', async () => {
    server.publishesLocales = true;
    const row = entry('lamp', { slug: { 'en-US': 'lamp', de: 'lampe' } });
    const page = await port.readPage(call(), row.id);
    const published = await port.publishPage(call(), { page, locales: ['de'] });
    expect(published.states).toEqual({ 'en-US': 'draft', de: 'published' });
    expect((await port.unpublishPage(call(), { page: published, locales: ['de'] })).states).toEqual({ 'en-US': 'draft', de: 'draft' });
  });

  it('is refused at publishing where a required field is missing, which it names', async () => {
    const row = server.addEntry('page', { slug: inEnglish('lamp') });
    const page = await port.readPage(call(), row.id);
    await expect(port.publishPage(call(), { page, locales: null })).rejects.toMatchObject({
      reason: 'refused_content',
      field: 'fields.title.en-US',
    });
  });

  it('of more than 1 MB is not sent', async () => {
    const context = await contextOf();
    const content = { ...DOCUMENT.content, title: 'x'.repeat(1024 * 1024) };
    const draft = port.mapping.toRemote({ ...DOCUMENT, content }, null, context);
    await expect(port.createPage(call(), { node_id: 'n1', draft })).rejects.toMatchObject({ reason: 'too_large' });
    expect(server.entries.rows.has('atrium-n1')).toBe(false);
  });

  it('is found by its path', async () => {
    const above = entry('products');
    const row = entry('lamp', { parent: inEnglish(link('Entry', above.id)) });
    expect((await port.findPage(call(), 'products/lamp'))?.external_id).toBe(row.id);
    expect(await port.findPage(call(), 'lamp')).toBeNull();
  });
});

describe('content types', () => {
  it('are sent as they are where nothing changed, and published with the changes where something did', async () => {
    const context = await contextOf();
    for (const known of context.schemas.schemas) expect(port.mapping.toRemoteSchema(known, context.schemas).raw).toEqual(known.remote.raw);
    const known = context.schemas.findByKey('teaser')!;
    const fields = known.tpl_config['fields'] as JsonObject[];
    const draft = { ...known, tpl_config: { version: 1, fields: [...fields, { key: 'lead', type: 'rich_text', label: 'Lead' }] } };
    const written = await port.writeSchema(call(), port.mapping.toRemoteSchema(draft, context.schemas).raw, known.remote);
    expect(server.contentTypes.get('teaser')).toMatchObject({ version: 4, publishedVersion: 3 });
    const [again] = port.mapping.toSchemas([written], [], {});
    expect(again?.tpl_config).toEqual({ version: 1, fields: [...fields, { key: 'lead', type: 'rich_text', label: 'Lead' }] });
    await expect(port.writeSchema(call(), written.raw, known.remote)).rejects.toMatchObject({ reason: 'conflict_version' });
  });
});

describe('a file', () => {
  const bytes = Buffer.from('a picture');
  const asset = (): OutgoingAsset => ({
    hash: 'hash', name: 'lamp.jpg', type: 'image/jpeg', length: bytes.length, alt: 'A lamp', open: async () => Readable.from([bytes]),
  }); // prettier-ignore

  it('is uploaded once, processed and published', async () => {
    server.processingReads = 3;
    const first = await port.sendAsset(call(), asset());
    expect(first.url).toBe(`https://images.ctfassets.net/${server.spaceId}/${first.external_id}/lamp.jpg`);
    expect([...server.uploads.values()]).toEqual([bytes]);
    expect(server.assets.rows.get(first.external_id)?.publishedVersion).not.toBeNull();
    expect(await port.sendAsset(call(), asset())).toEqual(first);
    expect(server.uploads.size).toBe(1);
  });
});

describe('a webhook', () => {
  const WISH = { site_id: 'site-1', url: 'https://atrium.example/hooks/cms/key?x=1', secret: 'a secret' };
  const KEY = 'k'.repeat(64);

  const received = async (): Promise<WebhookRequest> => {
    await server.delivered();
    const { headers, body } = server.deliveries.at(-1)!;
    return { method: 'POST', path: '/hooks/cms/key?x=1', headers, body: Buffer.from(body) };
  };

  it('is one for a site, with a secret header of ours', async () => {
    await port.createWebhook(call(), WISH);
    const hook = await port.createWebhook(call(), { ...WISH, secret: 'newer' });
    expect(hook).toMatchObject({ external_id: 'atrium-site-1', signed: true });
    expect([...server.webhooks.values()]).toEqual([
      expect.objectContaining({ url: WISH.url, headers: [{ key: 'x-atrium-secret', value: 'newer', secret: true }] }),
    ]);
    expect(await port.findWebhook(call(), WISH)).toEqual(hook);
    await port.removeWebhook(call(), hook.external_id);
    await port.removeWebhook(call(), hook.external_id);
    expect(await port.findWebhook(call(), WISH)).toBeNull();
  });

  it('names pages, drafts among them, and is refused where anything that is signed differs', async () => {
    server.signingSecret = KEY;
    server.hookOrigin = 'http://127.0.0.1:9';
    await port.createWebhook(call(), WISH);
    const row = entry('lamp');
    server.editEntry(row, {});
    const request = await received();
    const secrets = { secret: WISH.secret, signed: true, signingSecret: KEY };
    const now = new Date();
    expect(port.isAuthentic(request, secrets, now)).toBe(true);
    expect(port.isAuthentic(request, { ...secrets, signingSecret: null }, now)).toBe(true);
    const others: WebhookRequest[] = [
      { ...request, method: 'PUT' },
      { ...request, path: '/hooks/cms/other' },
      { ...request, body: Buffer.from('{}') },
      { ...request, headers: { ...request.headers, 'x-contentful-topic': 'ContentManagement.Entry.delete' } },
      { ...request, headers: { ...request.headers, 'x-contentful-signature': '' } },
      { ...request, headers: { ...request.headers, 'x-atrium-secret': 'wrong' } },
    ];
    for (const other of others) expect(port.isAuthentic(other, secrets, now)).toBe(false);
    expect(port.isAuthentic(request, secrets, new Date(now.getTime() + 301_000))).toBe(false);
    expect(port.readEvent(call(), request)).toEqual({
      key: request.headers['x-contentful-idempotency-key'],
      pages: [{ external_id: row.id, external_path: null }],
    });
  });

  it('whose signature does not cover its time is refused', async () => {
    const headers: Record<string, string> = {
      'x-atrium-secret': 's',
      'x-contentful-timestamp': String(Date.now()),
      'x-contentful-signed-headers': 'x-atrium-secret',
    };
    const text = ['POST', '/', 'x-atrium-secret:s', '{}'].join('\n');
    headers['x-contentful-signature'] = createHmac('sha256', KEY).update(text).digest('hex');
    expect(
      port.isAuthentic(
        { method: 'POST', path: '/', headers, body: Buffer.from('{}') },
        { secret: 's', signed: true, signingSecret: KEY },
        new Date(),
      ),
    ).toBe(false);
  });

  it('names nothing for blocks, other environments and what is no event', async () => {
    const event = (body: string): WebhookRequest => ({ method: 'POST', path: '/', headers: {}, body: Buffer.from(body) });
    const { shown } = {
      shown: (contentType: string, env: string) =>
        JSON.stringify({
          sys: { id: 'a', type: 'Entry', contentType: link('ContentType', contentType), environment: link('Environment', env) },
        }),
    };
    expect(port.readEvent(call(), event(shown('page', 'master'))).pages).toHaveLength(1);
    for (const body of ['', '[]', 'x', shown('teaser', 'master'), shown('page', 'other')])
      expect(port.readEvent(call(), event(body)).pages).toEqual([]);
  });
});
