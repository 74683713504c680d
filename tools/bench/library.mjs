// npm run bench -- library [--rows N] [--only <view>]…: the media library at N files (10^6) beside a tenth of them: how long each view of it
// takes as a ratio of the two; the throughput of its first page as a ratio to a bare server that sends the same statements, and of
// a deep page as a ratio of the first one; and what the plans of its statements are made of under the service's own role.
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../project.mjs';
import { seedLibraries } from './library-seed.mjs';
import { load } from './load.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3921;
const BARE_PORT = 3922;
const OURS = `http://127.0.0.1:${PORT}`;
const BARE = `http://127.0.0.1:${BARE_PORT}`;
const ROUNDS = 9;
/** Rounds of load, in which both sides take turns. */
const TURNS = 3;
/** Callers, and seconds a turn: of views that answer at once, and of those that take their time. */
const LOAD = { connections: 8, seconds: 1 };
const SLOW_MS = 100;
const SLOW_LOAD = { connections: 1, seconds: 4 };
const FLOORS = { of_bare: 0.7, deep: 0.9 };
const PUBLISHING = ['--module', 'module-publication'];

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '1000000' }, only: { type: 'string', multiple: true }, json: { type: 'boolean' } },
});
const rows = Number(options.rows);
const results = {};

const json = (value) => encodeURIComponent(JSON.stringify(value));
const TAG = (group, n) => `tag=${group}:Value%20${n}`;

/** Each view of the library: its path, and whether it has pages that go deep. */
const VIEWS = [
  ['list', () => '/media-files?limit=50', true],
  ['by name', () => '/media-files?limit=50&sort=file_name', true],
  ['by time taken', () => '/media-files?limit=50&sort=-taken', true],
  ['filter', () => '/media-files?limit=50&kind=video&file_status=approved', true],
  ['name search', () => `/media-files?limit=50&file_name=market%20${Math.floor(rows / 23)}`],
  ['name as typed', () => '/files/search?q=market'],
  ['name with errors', () => `/files/search?q=market%20${Math.floor(rows / 23)}`],
  ['errors alone', () => `/files/search?q=harbuor%20${Math.floor(rows / 23)}`],
  ['words', () => '/media-files?limit=50&q=garden%201234'],
  ['three tags', () => `/media-files?limit=50&${TAG('Subject', 1)}&${TAG('Season', 2)}&${TAG('Client', 3)}`],
  [
    'query',
    () =>
      `/media-files?limit=50&query=${json({
        where: {
          all: [
            { field: 'camera', op: 'eq', value: 'Camera 7' },
            { field: 'taken', op: 'within', value: 'P1Y' },
          ],
        },
      })}`,
    true,
  ],
  ['album', ({ album }) => `/albums/${album}/files?limit=50`, true],
  ['album in its order', ({ album }) => `/albums/${album}/files?limit=50&sort=af_position`, true],
  ['smart album', ({ smart }) => `/albums/${smart}/files?limit=50`, true],
  ['memberships', ({ album }) => `/albums/memberships?limit=50&af_album=${album}`, true],
  ['albums, 20 smart', () => '/albums?limit=50'],
  ['likeness', ({ picture }) => `/media-files?limit=50&similar_to=${picture}&similarityThreshold=0.85`],
  ['facets', () => '/media-files/facets?kind=image'],
  ['timeline', () => '/media-files/timeline?by=month'],
  ['formats', () => '/media-files/formats'],
  ['publications', () => '/publications?limit=50', true],
  ['publications live', () => '/publications?limit=50&pub_state=published', true],
  ['publications stale', () => '/publications?limit=50&pub_stale=true', true],
  ['publication search', () => `/publications?limit=50&search=market%20${Math.floor(rows / 23)}`],
  ['publication words', () => '/publications?limit=50&search=harbour'],
];

const chosen = VIEWS.filter(([name]) => !options.only || options.only.includes(name));
if (chosen.length === 0) throw new Error(`--only takes views: ${VIEWS.map(([name]) => name).join(', ')}.`);

/** Tables that no view may read from end to end. */
const LARGE = ['file', 'album_file', 'file_tag', 'file_phash_band', 'file_search_text', 'file_version', 'file_word', 'publication'];

await onBenchService({ port: PORT, settings: { RATE_LIMITS: 'read=1000000,write=1000000,workspace=1000000' } }, run);

async function run({ env, owner, connect, launch, startApi, workspace }) {
  const [large, small] = [await workspace('Library large', PUBLISHING), await workspace('Library small', PUBLISHING)];
  const started = performance.now();
  await seedLibraries(
    owner,
    [
      [large, rows],
      [small, Math.ceil(rows / 10)],
    ],
    { publications: chosen.some(([name]) => name.startsWith('publication')) },
  );
  console.log(`seeded ${rows.toLocaleString('en')} files, and a tenth of them, in ${Math.round((performance.now() - started) / 1000)} s`);
  await startApi({ program: join(projectRoot, 'tools/bench/recorded-api.cjs') });
  const bare = launch([join(projectRoot, 'tools/bench/replaying-server.mjs'), String(BARE_PORT), env.DATABASE_URL, large.ws_id]);
  await once(bare.stdout, 'data');
  const service = await connect(env.DATABASE_URL);
  for (const [name, path, deep] of chosen) await measure(service, { large, small }, { name, path, deep });
  await service.end();
  if (options.json) console.log(JSON.stringify(results));
}

async function measure(service, { large, small }, { name, path, deep }) {
  const [at, tenth] = await taking(
    () => get(large, path(large)),
    () => get(small, path(small)),
  );
  const { nodes, scanned, statements } = await plansOf(service, large, path(large));
  await fetch(`${BARE}/statements`, { method: 'PUT', body: JSON.stringify(statements) });
  const how = at > SLOW_MS ? SLOW_LOAD : LOAD;
  const ratios = { of_bare: await throughput([OURS, asked(large, path(large))], [BARE, () => ({ method: 'GET', path: '/' })], how) };
  const cursor = deep && JSON.parse(await get(large, `${path(large)}&offset=${Math.floor((rows / 10) * 0.2)}`)).next_cursor;
  if (cursor)
    ratios.deep = await throughput([OURS, asked(large, `${path(large)}&cursor=${cursor}`)], [OURS, asked(large, path(large))], how);
  results[name] = { ms: round(at), of_a_tenth: round(at / tenth), ...ratios, seq_scans: scanned };
  const deepText = cursor ? `   deep ${told('deep', ratios)} of the first page` : '';
  console.log(
    `${name.padEnd(18)} ${at.toFixed(1).padStart(8)} ms   ${(at / tenth).toFixed(2)}x of a tenth of the files   ${told('of_bare', ratios)} of the bare server${deepText}`,
  );
  console.log(`${''.padEnd(18)} ${nodes.join(', ')}${scanned.length > 0 ? `  SEQ SCAN of ${scanned.join(', ')}` : ''}`);
}

function told(name, ratios) {
  return `${ratios[name].toFixed(2)}x${ratios[name] < FLOORS[name] ? ` (BELOW ${FLOORS[name]})` : ''}`;
}

function asked({ headers }, path) {
  return () => ({ method: 'GET', path: `/api/v1${path}`, headers });
}

/** Throughput of one as a ratio of the other's: the median over turns, after a turn each to warm up. */
async function throughput([origin, next], [otherOrigin, otherNext], how) {
  const ratios = [];
  for (let n = 0; n <= TURNS; n++) {
    const theirs = await load(otherOrigin, otherNext, how);
    const ratio = (await load(origin, next, how)) / theirs;
    if (n > 0) ratios.push(ratio);
  }
  return round(ratios.sort((a, b) => a - b)[Math.floor(TURNS / 2)]);
}

/** One request's statements, what their plans are made of, and which large tables they read from end to end. */
async function plansOf(service, world, path) {
  await (await fetch(`${OURS}/statements`)).json();
  await get(world, path);
  const sent = await (await fetch(`${OURS}/statements`)).json();
  const statements = sent.filter(({ text }) => /^\s*(SELECT|WITH)\b/.test(text) && /\b(files?|albums?|publications?)(_\w+)?\b/.test(text));
  const [nodes, scanned] = [new Set(), new Set()];
  for (const { text, values } of statements) {
    await service.query(`START TRANSACTION READ ONLY; SET LOCAL app.tenant_id = '${world.ws_id}'`);
    const {
      rows: [plan],
    } = await service.query({ text: `EXPLAIN (FORMAT JSON) ${text}`, values });
    await service.query('COMMIT');
    walk(plan['QUERY PLAN'][0].Plan, (node) => {
      nodes.add(node['Node Type']);
      if (node['Node Type'] === 'Seq Scan' && LARGE.includes(node['Relation Name'])) scanned.add(node['Relation Name']);
    });
  }
  return { nodes: [...nodes].sort(), scanned: [...scanned].sort(), statements };
}

function walk(node, look) {
  look(node);
  for (const child of node.Plans ?? []) walk(child, look);
}

/** Median milliseconds of each, taking turns after a turn each to warm up. */
async function taking(one, other) {
  const spent = [[], []];
  for (let n = 0; n <= ROUNDS; n++) {
    for (const [i, work] of [one, other].entries()) {
      const started = performance.now();
      await work();
      if (n > 0) spent[i].push(performance.now() - started);
    }
  }
  return spent.map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]);
}

async function get({ headers }, path) {
  const answer = await fetch(`${OURS}/api/v1${path}`, { headers });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${body}`);
  return body;
}

function round(value) {
  return Math.round(value * 1_000) / 1_000;
}
