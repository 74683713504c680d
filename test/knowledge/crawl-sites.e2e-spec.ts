import { type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { html, WebSite, type Answer } from '../support/web-site';
import { Crawling, text } from './crawling';
import { recordsOf, textBase, type RecordAnswer } from './filling';

let api: RunningApi;
let ours: TestWorkspace;
let site: WebSite;
let other: WebSite;
let crawling: Crawling;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace();
  [site, other] = await Promise.all([WebSite.start(), WebSite.start()]);
  crawling = new Crawling(ours, await textBase(ours.owner.client), site);
});
afterEach(async () => {
  await Promise.all([site.stop(), other.stop()]);
});
afterAll(() => api.close());

const records = (): Promise<RecordAnswer[]> => recordsOf(ours.owner.client, crawling.base, '&rec_status=published');
const plain =
  (body: string | Buffer, type = 'text/html', headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(body);
const to =
  (status: number, location: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { location, ...headers }).end();
const asked = (of: WebSite): string[] => of.seen.map(({ path }) => path).filter((path) => !/robots|sitemap/.test(path));
const byAddress = async (crw_id: string): Promise<Record<string, { state: string; reason: string | null }>> => {
  const { data } = (await ours.owner.client.get(`${crawling.path}/${crw_id}/pages?limit=1000`).expect(200)).body as {
    data: { url: string; state: string; reason: string | null }[];
  };
  return Object.fromEntries(data.map((page) => [page.url, page]));
};

describe('a crawl of a site whose first page leads on', () => {
  const page = (links: readonly string[] = []): string => html('Harbour', text('the harbour'), { links });
  const moved = (): void => {
    other
      .at('/', page(['/fees', '/private']))
      .at('/fees', html('Fees', text('fees')))
      .at('/private', html('Private', text('what is private')))
      .at('/mapped', html('Mapped', text('the map')))
      .at('/robots.txt', plain(`User-agent: *\nDisallow: /private\nSitemap: /map.txt\n`, 'text/plain'))
      .at('/map.txt', plain(`${other.url}/mapped\n`, 'text/plain'));
  };
  const frames = (source: string): Answer =>
    plain(`<html><head><title>x</title></head><frameset rows="*"><frame src="${source}"></frameset></html>`);
  const refresh = (content: string): Answer =>
    plain(`<html><head><meta http-equiv="Refresh" content="${content}"></head><body>Moved.</body></html>`);

  it.each([
    ['301', (): Answer => to(301, `${other.url}/`)],
    ['302', (): Answer => to(302, `${other.url}/`)],
    ['307', (): Answer => to(307, `${other.url}/`)],
    ['308', (): Answer => to(308, `${other.url}/`)],
    ['a refresh', (): Answer => refresh(`0; URL='${other.url}/'`)],
    ['a header', (): Answer => plain('<html><body>Moved.</body></html>', 'text/html', { refresh: `0;url=${other.url}/` })],
    ['a frameset', (): Answer => frames(`${other.url}/`)],
  ])('goes on where it leads by %s, by the rules and the sitemap of the site there', async (_, answer) => {
    moved();
    site.at('/', answer()).at('/sitemap.xml', plain(`${site.url}/left`, 'text/plain'));
    const { crw_id, job } = await crawling.crawl();
    expect(job).toMatchObject({ status: 'completed', created: 3, error: null, result: { site: other.url } });
    expect((await records()).map(({ rec_url }) => rec_url).sort()).toEqual(['/', '/fees', '/mapped'].map((path) => other.url + path));
    expect([asked(site), other.asked('/private')]).toEqual([['/'], 0]);
    expect((await byAddress(crw_id))[`${other.url}/private`]).toMatchObject({ state: 'skipped' });
    expect(await crawling.again(crw_id)).toMatchObject({ status: 'completed', unchanged: 3, removed: 0 });
  });

  it('keeps the pages of the site there while the first page cannot be had', async () => {
    moved();
    site.at('/', to(301, `${other.url}/`));
    const { crw_id } = await crawling.crawl();
    site.at('/', (_, response) => response.writeHead(403).end());
    expect(await crawling.again(crw_id)).toMatchObject({ unchanged: 2, failed: 1, removed: 0 });
  });

  it('takes the page there alone where it takes one page, and goes nowhere its robots.txt forbids', async () => {
    moved();
    site.at('/', to(301, `${other.url}/`));
    expect((await crawling.crawl({ mode: 'page' })).job).toMatchObject({ status: 'completed', created: 1, total: 1 });
    site.at('/', to(301, `${other.url}/private`));
    const { job } = await crawling.crawl();
    expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('robots.txt') as string });
    expect(other.asked('/private')).toBe(0);
  });

  it('follows no later page to another site', async () => {
    moved();
    site
      .at('/', page(['/away', '/away-too', '/frames']))
      .at('/away', to(301, `${other.url}/`))
      .at('/away-too', refresh(`0; url=${other.url}/`))
      .at('/frames', frames(`${other.url}/`));
    const { crw_id } = await crawling.crawl();
    expect(await crawling.states(crw_id)).toEqual({ '/': 'fetched', '/away': 'skipped', '/away-too': 'skipped', '/frames': 'skipped' });
    expect(other.seen).toEqual([]);
  });

  it('reads the pages that a frameset of its own shows, and follows refreshes within it', async () => {
    site
      .at('/', frames('start.html'))
      .at('/start.html', html('Start', text('the start'), { links: ['/old'] }))
      .at('/old', refresh('0;url=/new'))
      .at('/new', html('New', text('the new')));
    const { crw_id } = await crawling.crawl();
    expect(await crawling.states(crw_id)).toEqual({ '/': 'skipped', '/start.html': 'fetched', '/old': 'fetched' });
    expect((await records()).map(({ rec_url }) => rec_url)).toEqual([`${site.url}/new`, `${site.url}/start.html`]);
  });
});

describe('a crawl', () => {
  it('reads a sitemap as far as it can be read, and says what was left out', async () => {
    site.at('/', html('Start', text('the start')));
    for (const name of ['a', 'b']) site.at(`/${name}`, html(name, text(name)));
    site.at('/sitemap.xml', plain(`\n<?xml version="1.0"?>\n<urlset><url><loc>${site.url}/a</loc></url></urlset>`, 'application/xml'));
    const first = await crawling.crawl();
    expect(first.job).toMatchObject({ status: 'completed', created: 2, error: null });
    site.at('/sitemap.xml', plain(`<urlset><url><loc>${site.url}/b</loc></url><url><loc>?</loc></url></urlset>`, 'application/xml'));
    const flawed = await crawling.again(first.crw_id);
    expect(flawed).toMatchObject({
      created: 1,
      error: expect.stringContaining(`${site.url}/sitemap.xml could not be read completely`) as string,
    });
    site.at('/sitemap.xml', html('Not found', text('what is not there')));
    expect(await crawling.again(first.crw_id)).toMatchObject({ status: 'completed', error: null });
    site.at('/robots.txt', plain(`Sitemap: ${site.url}/none.xml`, 'text/plain'));
    expect(await crawling.again(first.crw_id)).toMatchObject({
      error: expect.stringContaining('The site returned the status 404.') as string,
    });
  });

  it('asks for pages as they are linked, each in one spelling', async () => {
    const links = ['/index.php?/Knowledgebase/Article/View/12', '/?p=3&amp;a', '/?a&amp;p=3', '/list?b=%2f,c&amp;utm_source=x', '/?'];
    site.at('/', html('Help', text('help'), { links }));
    site.at('/index.php?/Knowledgebase/Article/View/12', html('Twelve', text('article 12'), { links: ['/?a&amp;p=3'] }));
    site.at('/?p=3&a', html('Three', text('page 3'))).at('/list?b=%2f,c', html('List', text('the list')));
    const { crw_id, job } = await crawling.crawl();
    expect(job).toMatchObject({ status: 'completed', created: 4 });
    expect(asked(site)).toEqual(['/', '/index.php?/Knowledgebase/Article/View/12', '/?p=3&a', '/list?b=%2f,c']);
    expect((await records()).map(({ rec_url }) => rec_url)).toContain(`${site.url}/index.php?/Knowledgebase/Article/View/12`);
    site.forget();
    expect(await crawling.again(crw_id)).toMatchObject({ unchanged: 4, total: 4 });
    expect(asked(site)).toHaveLength(4);
  });

  it('keeps pages that all name the first one as canonical, where their texts differ', async () => {
    const head = '<link rel="canonical" href="/">';
    site.at('/', html('Harbour', text('the harbour'), { links: ['/fees', '/boats', '/fees?print=1', '/?from=mail'], head }));
    for (const name of ['fees', 'boats']) site.at(`/${name}`, html(name, text(name), { head }));
    site.at('/fees?print=1', html('fees', text('fees'), { head: '<link rel="canonical" href="/fees">' }));
    site.at('/?from=mail', html('Harbour', text('the harbour'), { links: ['/fees', '/boats', '/fees?print=1', '/?from=mail'], head }));
    const { crw_id, job } = await crawling.crawl();
    expect(job).toMatchObject({ status: 'completed', created: 3, result: { skipped: 2 } });
    expect((await records()).map(({ rec_name, rec_url }) => [rec_name, rec_url])).toEqual([
      ['Harbour', `${site.url}/`],
      ['boats', `${site.url}/boats`],
      ['fees', `${site.url}/fees`],
    ]);
    expect(await crawling.again(crw_id)).toMatchObject({ unchanged: 3, created: 0, updated: 0, removed: 0 });
  });

  it('gives an address back to the page that is there, and takes none that is missing', async () => {
    const canonical = (href: string): { head: string } => ({ head: `<link rel="canonical" href="${href}">` });
    site
      .at('/', html('Start', text('the start'), { links: ['/one', '/two', '/late', '/three', '/gone'] }))
      .at('/one', html('One', text('one'), canonical('/late')))
      .at('/late', html('Late', text('what comes late')))
      .at('/two', html('Two', text('two'), canonical('/gone')))
      .at('/three', plain(html('Three', text('three')), 'text/html', { link: '</third>; rel="canonical"' }));
    const { job } = await crawling.crawl({ concurrency: 1 });
    expect(job).toMatchObject({ status: 'partial', failed: 1 });
    expect((await records()).map(({ rec_name, rec_url }) => [rec_name, rec_url?.slice(site.url.length)])).toEqual([
      ['Late', '/late'],
      ['One', '/one'],
      ['Start', '/'],
      ['Three', '/third'],
      ['Two', '/two'],
    ]);
  });

  it('sends cookies back to the site that set them, within the run', async () => {
    const wall: Answer = (request, response) =>
      request.headers.cookie === 'seen=1'
        ? plain(html('Start', text('the start'), { links: ['/a'] }))(request, response)
        : to(302, '/', { 'set-cookie': 'seen=1; Path=/' })(request, response);
    site.at('/', wall).at('/robots.txt', wall);
    site.at('/a', (request, response) =>
      request.headers.cookie === 'seen=1' ? to(302, `${other.url}/`)(request, response) : response.writeHead(500).end(),
    );
    const { crw_id, job } = await crawling.crawl();
    expect(job).toMatchObject({ status: 'completed', created: 1 });
    expect((await crawling.pages(crw_id))['/a']).toMatchObject({
      state: 'skipped',
      reason: expect.stringContaining('another site') as string,
    });
    site.at('/', to(302, `${other.url}/`, { 'set-cookie': 'seen=1; Path=/' }));
    other.at('/', html('Other', text('the other')));
    await crawling.crawl();
    expect(other.seen.filter(({ headers }) => headers.cookie !== undefined)).toEqual([]);
  });

  it('knows no cookie of a run in the next one', async () => {
    site.at('/', (request, response) => {
      response.setHeader('set-cookie', 'seen=1; Path=/');
      return plain(html('Start', text('the start'), { links: ['/a'] }))(request, response);
    });
    site.at('/a', html('A', text('the other page')));
    const sent = (path: string): (string | undefined)[] =>
      site.seen.filter((one) => one.path === path).map(({ headers }) => headers.cookie);
    const { crw_id } = await crawling.crawl();
    expect([sent('/'), sent('/a')]).toEqual([[undefined], ['seen=1']]);
    site.forget();
    expect(await crawling.again(crw_id)).toMatchObject({ status: 'completed' });
    expect(sent('/')).toEqual([undefined]);
    expect(site.seen[0]?.headers.cookie).toBeUndefined();
  });

  it('takes no page for a program because its script has no blanks, nor HTML for none because of its type', async () => {
    const words = '海港办公室每天开放回答有关泊位引航员费用和开放时间的问题。';
    site
      .at(
        '/',
        plain(
          `<html lang="zh"><head><meta charset="utf-8"><title>海港</title><script>window.ga=1</script></head><body><main><h1>海港办公室</h1><p>${words}</p><a href="/plain">1</a><a href="/x">2</a><a href="/notes.txt">3</a></main></body></html>`,
        ),
      )
      .at('/plain', plain(html('Plain', text('what is plain')), 'text/plain'))
      .at(
        '/x',
        plain(
          `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title><script src="a.js"/></head><body><p>${text('the strict')}</p></body></html>`,
          'application/xhtml+xml',
        ),
      )
      .at('/notes.txt', plain('<b>Notes</b>', 'text/plain'));
    const { crw_id } = await crawling.crawl();
    expect(await crawling.states(crw_id)).toEqual({ '/': 'fetched', '/plain': 'fetched', '/x': 'fetched', '/notes.txt': 'skipped' });
    const start = (await records()).find(({ rec_url }) => rec_url === `${site.url}/`);
    expect(JSON.stringify(start?.rec_content)).toContain(words);
  });
});
