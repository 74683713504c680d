// npm run bench -- threads [--rows N] [--json]: lists of threads and messages of a workspace with N threads (10^6) beside one with a
// hundred: how long each takes as a ratio of the two, and its throughput as a ratio to a bare server that reads as many rows in the
// order of an index; and which large tables are read from end to end.
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../project.mjs';
import { load } from './load.mjs';
import { onBenchService } from './service.mjs';
import { BRANCH, seedThreads } from './threads-seed.mjs';

const PORT = 3961;
const BARE_PORT = 3962;
const OURS = `http://127.0.0.1:${PORT}`;
const BARE = `http://127.0.0.1:${BARE_PORT}`;
const SMALL = 100;
const ROUNDS = 15;
/** Rounds of load, in which both sides take turns. */
const TURNS = 3;
const LOAD = { connections: 8, seconds: 2 };
/** A list takes at most so many times as long as in a small workspace. */
const CEILING = 2;
const LARGE = ['thread', 'thread_grant', 'message'];

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '1000000' }, json: { type: 'boolean' } },
});
const rows = Number(options.rows);
const results = {};

const ORDERED = 'ORDER BY thread_updated DESC, thread_id DESC LIMIT 51';

/** Each list: its path, and what a bare server reads instead. */
const LISTS = [
  [
    'own threads',
    () => '/threads?limit=50',
    ({ ws_id, owner_user_id }) => [
      `SELECT * FROM thread WHERE tenant_id = $1 AND thread_user = $2 AND thread_active ${ORDERED}`,
      [ws_id, owner_user_id],
    ],
  ],
  [
    'threads, page 20',
    () => '/threads?limit=50&cursor=',
    ({ ws_id, owner_user_id, place }) => [
      `SELECT * FROM thread WHERE tenant_id = $1 AND thread_user = $2 AND thread_active AND (thread_updated, thread_id) < ($3, $4) ${ORDERED}`,
      [ws_id, owner_user_id, ...place],
    ],
  ],
  [
    'threads by title',
    () => '/threads?limit=50&sort=thread_title',
    ({ ws_id, owner_user_id }) => [
      'SELECT * FROM thread WHERE tenant_id = $1 AND thread_user = $2 AND thread_active ORDER BY thread_title_key, thread_id LIMIT 51',
      [ws_id, owner_user_id],
    ],
  ],
  [
    'newest 50 of a branch',
    ({ long }) => `/threads/${long}/messages?limit=50&sort=-msg_id`,
    ({ ws_id, long }) => ['SELECT * FROM message WHERE tenant_id = $1 AND msg_thread = $2 ORDER BY msg_id DESC LIMIT 51', [ws_id, long]],
  ],
  [
    'oldest 50 of a branch',
    ({ long }) => `/threads/${long}/messages?limit=50`,
    ({ ws_id, long }) => ['SELECT * FROM message WHERE tenant_id = $1 AND msg_thread = $2 ORDER BY msg_id LIMIT 51', [ws_id, long]],
  ],
  [
    'messages of all branches',
    ({ long }) => `/threads/${long}/messages?limit=50&branch=all`,
    ({ ws_id, long }) => ['SELECT * FROM message WHERE tenant_id = $1 AND msg_thread = $2 ORDER BY msg_id LIMIT 51', [ws_id, long]],
  ],
  [
    'search',
    () => '/threads/search?q=harbour+crane',
    ({ ws_id }) => [
      "SELECT * FROM message WHERE tenant_id = $1 AND msg_id IN (SELECT search_messages_text('harbour crane')) ORDER BY msg_id DESC LIMIT 51",
      [ws_id],
    ],
  ],
];

await onBenchService({ port: PORT, settings: { RATE_LIMITS: 'read=100000000,search=100000000,workspace=100000000' } }, run);

async function run({ env, owner, connect, launch, startApi, workspace }) {
  const [large, small] = [await workspace('Threads large'), await workspace('Threads small')];
  const started = performance.now();
  for (const [world, count] of [
    [large, rows],
    [small, SMALL],
  ])
    Object.assign(world, await seedThreads(owner, world, count));
  await owner.query('VACUUM ANALYZE');
  console.log(
    `seeded ${rows.toLocaleString('en')} threads and ${SMALL}, with branches of ${BRANCH} messages, in ${Math.round((performance.now() - started) / 1000)} s`,
  );
  await startApi({ program: join(projectRoot, 'tools/bench/recorded-api.cjs') });
  const bare = launch([join(projectRoot, 'tools/bench/replaying-server.mjs'), String(BARE_PORT), env.DATABASE_URL, large.ws_id]);
  await once(bare.stdout, 'data');
  for (const world of [large, small]) Object.assign(world, await twentiethPage(world));
  const service = await connect(env.DATABASE_URL);
  for (const [name, path, direct] of LISTS) {
    const of = (world) => `${path(world)}${name.includes('page 20') ? world.cursor : ''}`;
    await measure(service, { large, small }, { name, of, direct });
  }
  await service.end();
  if (options.json) console.log(JSON.stringify(results));
}

/** The place from which the twentieth page goes on: few rows deep in a small workspace. */
async function twentiethPage(world) {
  const { data, next_cursor } = JSON.parse(await get(world, '/threads?limit=50&offset=40'));
  const last = data.at(-1);
  return { cursor: next_cursor, place: [last.thread_updated, last.thread_id] };
}

async function measure(service, { large, small }, { name, of, direct }) {
  const [at, few] = await taking(
    () => get(large, of(large)),
    () => get(small, of(small)),
  );
  const scanned = await scansOf(service, large, of(large));
  const [text, values] = direct(large);
  await fetch(`${BARE}/statements`, { method: 'PUT', body: JSON.stringify([{ text, values }]) });
  const of_bare = await throughput(() => ({ method: 'GET', path: `/api/v1${of(large)}`, headers: large.headers }));
  results[name] = { ms: round(at), of_small: round(at / few), of_bare, seq_scans: scanned };
  console.log(
    `${name.padEnd(26)} ${at.toFixed(1).padStart(7)} ms   ${(at / few).toFixed(2)}x of ${SMALL} threads${at / few > CEILING ? ` (OVER ${CEILING})` : ''}   ` +
      `${of_bare.toFixed(2)}x of the throughput of the bare statement${scanned.length > 0 ? `   SEQ SCAN of ${scanned.join(', ')}` : ''}`,
  );
}

/** Throughput as a ratio of the bare server's: the median over turns, after a turn each to warm up. */
async function throughput(next) {
  const ratios = [];
  for (let n = 0; n <= TURNS; n++) {
    const theirs = await load(BARE, () => ({ method: 'GET', path: '/' }), LOAD);
    const ratio = (await load(OURS, next, LOAD)) / theirs;
    if (n > 0) ratios.push(ratio);
  }
  return round(ratios.sort((a, b) => a - b)[Math.floor(TURNS / 2)]);
}

/** Which large tables the statements of one request read from end to end. */
async function scansOf(service, world, path) {
  await (await fetch(`${OURS}/statements`)).json();
  await get(world, path);
  const sent = await (await fetch(`${OURS}/statements`)).json();
  const scanned = new Set();
  for (const { text, values } of sent.filter((one) => /^\s*(SELECT|WITH)\b/.test(one.text) && /\b(thread|message)\b/.test(one.text))) {
    await service.query(`START TRANSACTION READ ONLY; SET LOCAL app.tenant_id = '${world.ws_id}'`);
    const {
      rows: [plan],
    } = await service.query({ text: `EXPLAIN (FORMAT JSON) ${text}`, values });
    await service.query('COMMIT');
    walk(plan['QUERY PLAN'][0].Plan, (node) => {
      if (node['Node Type'] === 'Seq Scan' && LARGE.includes(node['Relation Name'])) scanned.add(node['Relation Name']);
    });
  }
  return [...scanned].sort();
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
      if (n > 2) spent[i].push(performance.now() - started);
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
