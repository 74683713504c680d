import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { LiveSite } from './live-site';
import { insertLivePages } from './many-live-pages';
import type { PageNode, Pages } from './pages';
import { uploadedPhoto } from './photos';
import { standardPages } from './standard-pages';

let api: RunningApi;
let ours: TestWorkspace;
let pages: Pages;
let live: LiveSite;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace([]);
}, 60_000);
beforeEach(async () => {
  pages = await standardPages(ours.owner.client);
  live = await LiveSite.of(api, pages);
});
afterAll(() => api.close());

interface Preview {
  readonly token: string;
  readonly uses: () => Promise<number>;
}

async function preview(order: object = {}): Promise<Preview> {
  const links = `/sites/${pages.site.site_id}/preview-links`;
  const { prv_id, prv_url } = (await pages.client.post(links, order).expect(201)).body as { prv_id: string; prv_url: string };
  const uses = async (): Promise<number> => {
    const { data } = (await pages.client.get(links).expect(200)).body as { data: { prv_id: string; prv_uses: number }[] };
    return data.find((link) => link.prv_id === prv_id)?.prv_uses ?? -1;
  };
  return { token: new URL(prv_url).searchParams.get('token') ?? '', uses };
}

const draftOf = async (path: string, { token }: Preview) => (await live.page(path, `&version=draft&token=${token}`).expect(200)).body;
const withPhoto = (file: string): object => ({ title: 'P', body: [{ component: 'image', image: { file, alt: 'x' } }] });
const pictureOn = (page: { content: { body: { image: { url: string } }[] } }): string => page.content.body[0]?.image.url ?? '';
const statusAt = async (url: string): Promise<number> => {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
};

describe('an address that was asked for before', () => {
  /** What may differ from one answer to the next of the same page. */
  const CHANGING = ['date', 'x-request-id', 'ratelimit'];
  const lasting = (headers: Headers): object => Object.fromEntries([...headers].filter(([name]) => !CHANGING.includes(name)));

  it.each<readonly [string, RequestInit]>([
    ['as it is', {}],
    ['compressed', { headers: { 'Accept-Encoding': 'gzip' } }],
    ['without its body', { method: 'HEAD' }],
    ['from a page of another origin', { headers: { Origin: 'https://www.example.com' } }],
  ])('is answered as its route answers it, %s', async (_, request) => {
    const body = [
      {
        component: 'text',
        body: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Brass. '.repeat(500) }] }] },
      },
    ];
    const lamp = await pages.make('Lamp', { node_template: pages.library.plain, node_content: { title: 'Lamp', body } });
    await live.publish(lamp.node_id, { locales: ['en'] });
    const url = `${api.url}/api/v1/delivery/${live.site_key}/page?path=/lamp`;
    const seen: (readonly [number, object, string])[] = [];
    for (let time = 0; time < 3; time++) {
      const answer = await fetch(url, request);
      seen.push([answer.status, lasting(answer.headers), await answer.text()]);
      expect(answer.headers.get('ratelimit')).toMatch(/^"read";r=\d+/);
    }
    expect(seen[0]?.[0]).toBe(200);
    expect([seen[1], seen[2]]).toEqual([seen[0], seen[0]]);
  });

  it('counts each request once', async () => {
    const lamp = await pages.make('Lamp', { node_content: { title: 'Lamp' } });
    await live.publish(lamp.node_id, { locales: ['en'] });
    // An address that only this test has.
    const left = async (): Promise<number> => {
      const { headers } = await live.visitor.with({ 'X-Forwarded-For': '203.0.113.77' }).get(`/delivery/${live.site_key}/page?path=/lamp`);
      return Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
    };
    const first = await left();
    expect([await left(), await left()]).toEqual([first - 1, first - 2]);
  });

  it('is answered by what is live now: nothing, for ten seconds, a redirect, or another page', async () => {
    const lamp = await pages.make('Lamp', { node_content: { title: 'Lamp' } });
    await live.publish(lamp.node_id, { locales: ['en'] });
    const etag = (await live.page('/lamp').expect(200)).headers.etag ?? '';
    const again = (known: string) => live.visitor.with({ 'If-None-Match': known }).get(`/delivery/${live.site_key}/page?path=%2Flamp`);
    await again(etag).expect(304);
    await live.unpublish(lamp.node_id);
    for (let time = 0; time < 2; time++) {
      const { headers } = await again(etag).expect(404);
      expect(headers).toMatchObject({ 'cache-control': 'public, max-age=10', 'content-type': /problem\+json/ as unknown as string });
    }
    await live.publish(lamp.node_id, { locales: ['en'] });
    const { body, headers } = await again(etag).expect(200);
    expect([body.content.title, body.seq, headers.etag === etag]).toEqual(['Lamp', 3, false]);
    await again(headers.etag ?? '').expect(304);
    await pages.change(lamp.node_id, { node_slug: 'light' }).expect(200);
    await live.publish(lamp.node_id, { locales: ['en'] });
    expect((await again(headers.etag ?? '').expect(200)).body).toEqual({ kind: 'redirect', status: 301, location: '/light' });
  });

  it('is refused to who asks for a draft without a token, and is never the answer of a token', async () => {
    const lamp = await pages.make('Lamp', { node_content: { title: 'Lamp' } });
    await live.publish(lamp.node_id, { locales: ['en'] });
    await live.page('/lamp').expect(200);
    await live.page('/lamp', '&version=draft').expect(401);
    await live.page('/lamp', '&locale=fr').expect(400, /locale/);
    await live.page('/lamp', '&unknown=1').expect(400, /unknown/);
    await live.page('/lamp').expect(200);
  });
});

describe('a list of live pages', () => {
  const list = (query: string) => live.visitor.get(`/delivery/${live.site_key}/pages?locale=en&${query}`);

  it('is not sent again to who has it, until what it shows changes', async () => {
    const [lamp, desk] = [
      await pages.make('Lamp', { node_content: { title: 'Lamp' } }),
      await pages.make('Desk', { node_content: { title: 'Desk' } }),
    ];
    await live.publish(lamp.node_id, { locales: ['en'] });
    const { etag = '' } = (await list('limit=5').expect(200)).headers;
    const known = live.visitor.with({ 'If-None-Match': etag });
    await known.get(`/delivery/${live.site_key}/pages?locale=en&limit=5`).expect(304);
    await live.publish(desk.node_id, { locales: ['en'] });
    await known.get(`/delivery/${live.site_key}/pages?locale=en&limit=5`).expect(200);
  });

  it('ends before its contents are too many bytes, and goes on from there', async () => {
    const content = { component: 'article', _uid: 'root0001', text: 'x'.repeat(900_000) };
    await insertLivePages(api, { tenant_id: ours.tenant_id, site_id: pages.site.site_id, many: 12, content });
    const first = (await list('limit=50&sort=order').expect(200)).body as { data: { path: string }[]; next_cursor: string | null };
    expect([first.data.length, first.next_cursor === null]).toEqual([9, false]);
    const second = (await list(`limit=50&sort=order&cursor=${first.next_cursor ?? ''}`).expect(200)).body as typeof first;
    expect([second.data.map(({ path }) => path), second.next_cursor]).toEqual([['/page-000010', '/page-000011', '/page-000012'], null]);
  }, 60_000);
});

describe('a preview link', () => {
  it('shows the bytes that a file has now, and counts pages alone', async () => {
    const photo = await uploadedPhoto(ours.owner.client);
    const page = await pages.make('Page', { node_template: pages.library.plain, node_content: withPhoto(photo.file_id) });
    const link = await preview({ prv_node: page.node_id });
    const first = pictureOn(await draftOf('/page', link));
    expect([await statusAt(first), await statusAt(first), await link.uses()]).toEqual([200, 200, 1]);
    expect(await statusAt(first.replace(/\?token=.*/, ''))).toBe(404);

    await photo.replace();
    const second = pictureOn(await draftOf('/page', link));
    expect([second === first, await statusAt(second), await statusAt(first)]).toEqual([false, 200, 404]);
    const other = await uploadedPhoto(ours.owner.client);
    expect(await statusAt(second.replace(photo.file_id, other.file_id).replace(/[0-9a-f]{64}/, other.hash))).toBe(404);
    await pages.client.delete(`/files/${photo.file_id}`).expect(204);
    expect(await statusAt(second)).toBe(404);
  }, 60_000);

  it('of a version shows the files of that version', async () => {
    const [shown, later] = [await uploadedPhoto(ours.owner.client), await uploadedPhoto(ours.owner.client)];
    const page = await pages.make('Page', { node_template: pages.library.plain, node_content: withPhoto(shown.file_id) });
    await live.publish(page.node_id, { locales: ['en'] });
    const link = await preview({ prv_node: page.node_id, prv_version: await live.newestVersion(page.node_id) });
    await pages.write(page.node_id, withPhoto(later.file_id)).expect(200);
    await live.unpublish(page.node_id);
    const url = pictureOn(await draftOf('/page', link));
    expect([url.includes(shown.file_id), await statusAt(url)]).toEqual([true, 200]);
    expect(await statusAt(url.replace(shown.file_id, later.file_id).replace(shown.hash, later.hash))).toBe(404);
  }, 60_000);

  it('of one page names others only as far as they are live', async () => {
    const secret = await pages.make('Secret plans', { node_content: { title: 'Secret' } });
    const known = await pages.make('Known', { node_content: { title: 'Known' } });
    const linkTo = ({ node_id }: PageNode): object => ({ component: 'hero', headline: 'H', link: { kind: 'page', ref: node_id } });
    const page = await pages.make('Page', {
      node_parent: secret.node_id,
      node_template: pages.library.plain,
      node_content: { title: 'P', body: [linkTo(secret), linkTo(known)] },
    });
    await live.publish(known.node_id, { locales: ['en'] });
    await pages.change(known.node_id, { node_name: 'Renamed in the draft', node_slug: 'renamed' }).expect(200);
    const urls = (answer: { content: { body: { link: { url: string | null } }[] } }): unknown =>
      answer.content.body.map(({ link }) => link.url);

    const one = await draftOf('/secret-plans/page', await preview({ prv_node: page.node_id, prv_locale: 'en' }));
    expect([one.breadcrumbs, urls(one), one.alternates]).toEqual([[], [null, '/known'], [{ locale: 'en', path: '/secret-plans/page' }]]);
    const whole = await draftOf('/secret-plans/page', await preview());
    expect(whole.breadcrumbs).toEqual([{ node_id: secret.node_id, name: 'Secret plans', path: '/secret-plans' }]);
    expect([urls(whole), whole.alternates.length]).toEqual([['/secret-plans', '/renamed'], 2]);
  });
});

describe('an address outside of the API', () => {
  it('counts against the limit of who asks, and says no more than that nothing is there', async () => {
    const robots = await fetch(`${api.url}/w/${live.site_key}/robots.txt`);
    expect([robots.status, robots.headers.get('ratelimit-policy')]).toEqual([200, expect.stringMatching(/^"read";q=/)]);
    const missing = await fetch(`${api.url}/w/${live.site_key}/assets/x/y/z`);
    expect([missing.status, missing.headers.get('cache-control'), ((await missing.json()) as { code: string }).code]).toEqual([
      404,
      'public, max-age=10',
      'not_found',
    ]);
    const posted = await fetch(`${api.url}/w/${live.site_key}/robots.txt`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('is gone with its site at once, pictures included', async () => {
    const photo = await uploadedPhoto(ours.owner.client);
    const page = await pages.make('Page', { node_template: pages.library.plain, node_content: withPhoto(photo.file_id) });
    await live.publish(page.node_id, { locales: ['en'] });
    const url = pictureOn((await live.page('/page').expect(200)).body);
    expect(await statusAt(url)).toBe(200);
    await pages.client.delete(`/sites/${pages.site.site_id}`).expect(204);
    expect(await statusAt(url)).toBe(404);
    await pages.client.post(`/sites/${pages.site.site_id}/restore`).expect(200);
    expect(
      await eventually(
        () => statusAt(url),
        (status) => status === 200,
      ),
    ).toBe(200);
  }, 60_000);
});
