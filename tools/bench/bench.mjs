// npm run bench [-- --json] [--seconds N] [--only get,list] [--profile FOLDER]: what a request costs the API, as ratios to a
// bare server that does the same transactions on the same rows, in one run, taking turns: processor time of host and
// database, throughput, the wait of the slowest hundredth. Processor time has bounds, because other programs on the machine
// hardly change it. `--only routes` compares the API with itself and 600 routes more.
import '../setup/node-version.mjs';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../project.mjs';
import { CORES } from './cores.mjs';
import { compare, CONNECTIONS, median, postmasterOf, ROUNDS, shown } from './costs.mjs';
import { GENERATOR, load } from './load.mjs';
import { seed } from './seed.mjs';
import { onBenchService } from './service.mjs';

const DEPTH = 50_000;
const EXPORTED = 2_000;
/** An export answers after seconds where 32 callers ask at once, so its turns last so many times as long. */
const EXPORT_TURNS = 6;
/** V8 gives back what starting took once nothing was asked of it for a while. */
const IDLE_MS = 60_000;
const API = 'http://127.0.0.1:3901';
const BARE = 'http://127.0.0.1:3902';
/** Processor time a request that API and database take together, at most, as ratios to the bare server's. */
const CEILINGS = { get: 3, list: 1.8, filter: 1.6, deep_cursor: 1.6, offset: 1.6, export: 1.4, update: 3.5, create: 3 };
/** How long the slowest hundredth of requests waits at most, as a ratio to the bare server's. */
const SLOWEST = 3;

/** Benches of one area, each a program of its own: `npm run bench -- usage`. */
const AREAS = {
  usage: './usage.mjs',
  ingest: './ingest.mjs',
  library: './library.mjs',
  publication: './publication.mjs',
  'access-log': './access-log.mjs',
  retention: './retention.mjs',
  retrieval: './retrieval.mjs',
  answers: './answers.mjs',
  extraction: './extraction.mjs',
  fairness: './fairness.mjs',
  'first-words': './first-words.mjs',
  streams: './streams.mjs',
  threads: './threads.mjs',
  import: './import.mjs',
  objects: './objects.mjs',
  website: './website.mjs',
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  strict: !(process.argv[2] in AREAS),
  options: { json: { type: 'boolean' }, seconds: { type: 'string', default: '3' }, only: { type: 'string' }, profile: { type: 'string' } },
});
const seconds = Number(options.seconds);
const wanted = options.only?.split(',') ?? Object.keys(CEILINGS);
const EXTRA_ROUTES = 600;

if (positionals[0] in AREAS) {
  await import(AREAS[positionals[0]]);
  process.exit();
}

await onBenchService({ port: 3901, settings: { RATE_LIMITS: 'read=100000000,write=100000000,workspace=100000000' } }, run);

async function run(service) {
  const { env, launch, owner, startApi } = service;
  const world = await seed(env, env.DATABASE_OWNER_URL);
  const started = performance.now();
  const api = await startApi({ core: CORES.server, flags: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [] });
  const start_s = (performance.now() - started) / 1000;
  const program = join(projectRoot, 'tools/bench/bare-server.mjs');
  const bare = launch([program, '3902', env.DATABASE_URL, world.ws_id, world.owner_user_id], { core: CORES.server });
  await once(bare.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const rss_idle_mib = residentMib(api.pid);
  console.log(
    `load by ${GENERATOR}, ${CONNECTIONS} callers${CORES.load === undefined ? '' : `, on core ${CORES.load}; servers on core ${CORES.server}`}`,
  );
  const ratios = await measure(world, { api, bare, postmaster: await postmasterOf(owner) });
  if (wanted.includes('routes')) await compareCrowded(service, world);
  const summary = { ratios, start_s: round(start_s), rss_idle_mib, rss_after_mib: residentMib(api.pid) };
  report(summary);
  if (options.json) console.log(JSON.stringify(summary));
}

async function measure(world, hosts) {
  const headers = { 'x-api-key': world.key, 'x-tenant-id': world.ws_id };
  const ours = (method, path, body) => () => request(method, `/api/v1${path()}`, headers, body?.());
  const bare = (method, path, body) => () => request(method, path(), {}, body?.());
  const pick = (list) => list[Math.floor(Math.random() * list.length)];
  const name = () => ({ album_name: `Bench ${Math.random()}` });
  const deep = wanted.includes('deep_cursor') ? await cursorAt(headers, DEPTH) : '';
  const pairs = {
    get: [ours('GET', () => `/files/${pick(world.files)}`), bare('GET', () => `/get?id=${pick(world.files)}`)],
    list: [ours('GET', () => '/files?repo_type=media&limit=50'), bare('GET', () => '/list?limit=50')],
    filter: [
      ours('GET', () => '/files?repo_type=media&file_status=approved&sort=-file_size'),
      bare('GET', () => '/filter?status=approved'),
    ],
    deep_cursor: [ours('GET', () => `/files?repo_type=media&limit=50&cursor=${deep}`), bare('GET', () => `/after?${placeOf(deep)}`)],
    offset: [ours('GET', () => `/files?repo_type=media&limit=50&offset=${DEPTH}`), bare('GET', () => `/offset?offset=${DEPTH}`)],
    export: [ours('GET', () => `/files?repo_type=media&limit_extended=${EXPORTED}`), bare('GET', () => `/list?limit=${EXPORTED}`)],
    update: [ours('PATCH', () => `/albums/${pick(world.albums)}`, name), bare('PATCH', () => `/update?id=${pick(world.albums)}`, name)],
    create: [ours('POST', () => '/albums', name), bare('POST', () => '/create', name)],
  };
  const ratios = {};
  for (const [operation, [atrium, other]] of Object.entries(pairs)) {
    if (!wanted.includes(operation)) continue;
    ratios[operation] = await compare(
      { pid: hosts.api.pid, origin: API, next: atrium },
      { pid: hosts.bare.pid, origin: BARE, next: other },
      { ...hosts, span: operation === 'export' ? seconds * EXPORT_TURNS : seconds },
    );
    console.log(line(operation, ratios[operation]));
  }
  return ratios;
}

function line(operation, { throughput, processor, api, database, p99, p99_ms }) {
  return (
    `${operation.padEnd(12)} processor a request ${shown(processor)} of the bare server (at most ${CEILINGS[operation]}x): API ${shown(api)}, database ${shown(database)}; ` +
    `throughput ${shown(throughput)}, slowest hundredth ${Math.round(p99_ms)} ms (${shown(p99)}, at most ${SLOWEST}x)`
  );
}

/** The same request to the API as it is and to one with 600 routes more. */
async function compareCrowded({ launch, untilOk }, world) {
  launch([join(projectRoot, 'tools/bench/crowded-api.cjs'), String(EXTRA_ROUTES)], { env: { PORT: '3903' } });
  await untilOk('http://127.0.0.1:3903/health/ready');
  const read = () => request('GET', `/api/v1/files/${world.files[0]}`, { 'x-api-key': world.key, 'x-tenant-id': world.ws_id });
  console.log(
    `with ${EXTRA_ROUTES} routes more: ${(await ratio(['http://127.0.0.1:3903', read], [API, read])).toFixed(2)}x of our own throughput`,
  );
}

/** Median of the throughput over rounds in which both sides take turns, after a turn each to warm up. */
async function ratio(ours, theirs) {
  const rate = ([origin, next], span) => load(origin, next, { connections: CONNECTIONS, seconds: span });
  for (const side of [theirs, ours]) await rate(side, 1);
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) {
    const base = await rate(theirs, seconds);
    rounds.push((await rate(ours, seconds)) / base);
  }
  return round(median(rounds));
}

function request(method, path, headers, body) {
  if (!body) return { method, path, headers };
  return { method, path, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function cursorAt(headers, depth) {
  let cursor = '';
  for (let at = 0; at < depth; at += 1_000) {
    const page = await (await fetch(`${API}/api/v1/files?repo_type=media&limit=1000${cursor && `&cursor=${cursor}`}`, { headers })).json();
    cursor = page.next_cursor;
  }
  return cursor;
}

/** Where a cursor of ours points, for the bare server. */
function placeOf(cursor) {
  const [, created, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  return new URLSearchParams({ created, id }).toString();
}

function residentMib(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
}

function round(value) {
  return Math.round(value * 100) / 100;
}

function report({ ratios, start_s, rss_idle_mib, rss_after_mib }) {
  const over = Object.entries(ratios).filter(([operation, { processor, p99 }]) => processor > CEILINGS[operation] || p99 > SLOWEST);
  console.log(
    `first answer after ${start_s} s (at most 2); resident ${rss_idle_mib} MiB idle (at most 150), ${rss_after_mib} MiB after the run (at most 250)`,
  );
  if (over.length > 0) console.log(`over the bounds: ${over.map(([operation]) => operation).join(', ')}`);
}
