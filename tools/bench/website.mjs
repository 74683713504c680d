// npm run bench -- website [--pages N] [--seconds N] [--only <view>]… [--profile FOLDER] [--json]: a site of N live pages (10^5). What a
// page and a 304 of the delivery cost in processor time, as ratios to a bare server that reads the one row; how long lists, trees,
// searches and the sitemap take as ratios to a site of a tenth of the pages.
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../project.mjs';
import { benchClient } from './client.mjs';
import { CORES } from './cores.mjs';
import { compare, postmasterOf, shown } from './costs.mjs';
import { onBenchService } from './service.mjs';
import { chosenViews, compareViews } from './views.mjs';
import { hashOf, pathOf, seedSites } from './website-seed.mjs';

const PORT = 3941;
// The one behind the port is that of the server that views are compared with.
const BARE_PORT = 3943;
const ORIGIN = `http://127.0.0.1:${PORT}`;
/** Processor time a request that API and database take together, at most, as ratios to the bare server's. */
const CEILINGS = { page: 2.5, not_modified: 1.5 };
/** Pages that visitors ask for: more of them are in no cache of a process. */
const ASKED = 2_000;
const SITEMAPS = 3;

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', multiple: true },
    profile: { type: 'string' },
    json: { type: 'boolean' },
  },
});
const pages = Number(options.pages);
const wanted = (name) => !options.only || options.only.includes(name);

const addressOf = ({ site_key }, path) => `/api/v1/delivery/${site_key}/page?path=${encodeURIComponent(path)}`;
const pick = (list) => list[Math.floor(Math.random() * list.length)];

const listed = ({ site_key }) => `/delivery/${site_key}/pages?locale=en&limit=25`;
const drafts = ({ site_id }) => `/sites/${site_id}/nodes?limit=50`;
/** Each view of a site: its path, and whether it has pages that go deep. */
const VIEWS = [
  ['live pages', listed, true],
  ['live by name', (world) => `${listed(world)}&sort=name`, true],
  ['live of a template', (world) => `${listed(world)}&template=article`, true],
  ['live with a tag', (world) => `${listed(world)}&tags=guide`],
  ['live below a page', (world) => `${listed(world)}&under=${world.section}`],
  ['live menu', ({ site_key }) => `/delivery/${site_key}/tree?locale=en&depth=1`],
  ['drafts', drafts, true],
  ['drafts by name', (world) => `${drafts(world)}&sort=node_name`, true],
  ['drafts by state', (world) => `${drafts(world)}&state=published&locale=en`],
  ['drafts below a page', (world) => `${drafts(world)}&node_parent=${world.section}`],
  ['name search', (world) => `${drafts(world)}&node_name=market%20123`],
  ['tree of drafts', ({ site_id, section }) => `/sites/${site_id}/tree?under=${section}&locale=en`],
];
const COSTS = ['page', 'not_modified'];
const viewNames = options.only?.filter((name) => ![...COSTS, 'sitemap'].includes(name));
const chosen =
  viewNames?.length === 0
    ? []
    : chosenViews(
        VIEWS.map(([name, path, deep]) => ({ name, path, deepAt: deep ? Math.floor(pages / 50) : 0 })),
        viewNames,
      );
const LARGE = ['node', 'node_locale', 'page_publication', 'page_snapshot', 'page_snapshot_ref'];

await onBenchService({ port: PORT, settings: { RATE_LIMITS: 'read=100000000,write=100000000,workspace=100000000' } }, run);

async function run(service) {
  const { owner, workspace, startApi } = service;
  const [large, small] = [await workspace('Website large'), await workspace('Website small')];
  const api = await startApi({ core: CORES.server, flags: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [] });
  for (const world of [large, small]) await addSite(world);
  const started = performance.now();
  await seedSites(owner, [
    [large, pages],
    [small, Math.ceil(pages / 10)],
  ]);
  console.log(`seeded ${pages.toLocaleString('en')} pages, and a tenth of them, in ${Math.round((performance.now() - started) / 1000)} s`);
  const costs = await measureCosts(service, large, api);
  const results = { ...costs, ...(wanted('sitemap') && { sitemap: await measureSitemap(owner, large, small) }) };
  const ended = once(api, 'exit');
  api.kill('SIGTERM');
  await ended;
  if (chosen.length > 0)
    Object.assign(
      results,
      await compareViews(
        service,
        { large, small },
        { port: PORT, views: chosen, told: 'a tenth of the pages', statements: /\b(node|page)(_\w+)?\b/, tables: LARGE },
      ),
    );
  if (options.json) console.log(JSON.stringify(results));
}

async function addSite(world) {
  const { call } = benchClient(PORT, world);
  const locales = [
    { code: 'en', prefix: '' },
    { code: 'de', prefix: 'de' },
  ];
  const site = await call('POST', '/sites', { site_name: 'Bench', site_base_url: 'https://www.example.com', site_locales: locales });
  const { data } = await call('GET', `/content-schemas?tpl_library=${site.site_library}&tpl_key=article`);
  Object.assign(world, { site_id: site.site_id, site_key: site.site_key, template: data[0].tpl_id });
}

async function measureCosts({ env, launch, owner }, world, api) {
  const program = join(projectRoot, 'tools/bench/bare-site.mjs');
  const bare = launch([program, String(BARE_PORT), env.DATABASE_URL, world.ws_id, world.site_id], { core: CORES.server });
  await once(bare.stdout, 'data');
  const paths = Array.from({ length: Math.min(ASKED, pages) }, (_, n) => pathOf(Math.floor((n * pages) / ASKED)));
  const tags = new Map();
  for (const path of paths) tags.set(path, (await fetch(`${ORIGIN}${addressOf(world, path)}`)).headers.get('etag'));
  const known = (path) => ({ headers: { 'if-none-match': tags.get(path) } });
  const pairs = {
    page: [(path) => ({ path: addressOf(world, path) }), (path) => ({ path: `/page?hash=${hashOf(path)}` })],
    not_modified: [(path) => ({ path: addressOf(world, path), ...known(path) }), (path) => ({ path: `/known?hash=${hashOf(path)}` })],
  };
  const postmaster = await postmasterOf(owner);
  const results = {};
  for (const name of COSTS.filter(wanted)) {
    const [ours, other] = pairs[name].map((make) => () => ({ method: 'GET', headers: {}, ...make(pick(paths)) }));
    const sides = [
      { pid: api.pid, origin: ORIGIN, next: ours },
      { pid: bare.pid, origin: `http://127.0.0.1:${BARE_PORT}`, next: other },
    ];
    results[name] = await compare(...sides, { postmaster, span: Number(options.seconds) });
    console.log(lineOf(name, results[name]));
  }
  return results;
}

function lineOf(name, { processor, api, database, throughput, p99, p99_ms }) {
  const over = processor > CEILINGS[name] ? ' OVER' : '';
  return `${name.padEnd(14)} processor a request ${shown(processor)} of the bare server (at most ${CEILINGS[name]}x${over}): API ${shown(api)}, database ${shown(database)}; throughput ${shown(throughput)}, slowest hundredth ${Math.round(p99_ms)} ms (${shown(p99)})`;
}

/** Milliseconds a page that a whole sitemap takes, of the large site as a ratio to the small one. */
async function measureSitemap(owner, large, small) {
  const [at, few] = [await sitemapMs(owner, large), await sitemapMs(owner, small)];
  const ratio = Math.round((at / pages / (few / Math.ceil(pages / 10))) * 100) / 100;
  console.log(`sitemap        ${Math.round(at)} ms, a page ${shown(ratio)} of a site of a tenth of the pages`);
  return { ms: Math.round(at), of_small: ratio };
}

/** The best of some, each after a change of what is live, so that none is answered from memory. */
async function sitemapMs(owner, { ws_id, site_id, site_key }) {
  const spent = [];
  for (let n = 0; n < SITEMAPS; n++) {
    await owner.query('SELECT set_config($1, $2, false)', ['app.tenant_id', ws_id]);
    await owner.query('UPDATE site SET site_seq = site_seq + 1 WHERE tenant_id = $1 AND site_id = $2', [ws_id, site_id]);
    const started = performance.now();
    const text = await textAt(`${ORIGIN}/w/${site_key}/sitemap.xml`);
    for (const [, part] of text.matchAll(/<loc>[^<]*(\/sitemap\/[^<]+)<\/loc>/g)) await textAt(`${ORIGIN}/w/${site_key}${part}`);
    spent.push(performance.now() - started);
  }
  return Math.min(...spent);
}

async function textAt(url) {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}.`);
  return answer.text();
}
