// npm run bench [-- --json] [--seconds N] [--only get,list] [--profile FOLDER]: throughput of the API as a ratio to a bare server that does
// the same transactions on the same rows, in one run, taking turns. `--only routes` compares the API with itself and 600
// routes more.
import '../setup/node-version.mjs';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../project.mjs';
import { load } from './load.mjs';
import { seed } from './seed.mjs';
import { onBenchService } from './service.mjs';

const CONNECTIONS = 32;
const ROUNDS = 3;
const DEPTH = 50_000;
const EXPORTED = 2_000;
/** V8 gives back what starting took once nothing was asked of it for a while. */
const IDLE_MS = 60_000;
const FLOORS = { get: 0.4, list: 0.7, filter: 0.7, create: 0.35, update: 0.35, deep_cursor: 0.9, export: 0.9 };

/** Benches of one area, each a program of its own: `npm run bench -- usage`. */
const AREAS = {
  usage: './usage.mjs',
  ingest: './ingest.mjs',
  library: './library.mjs',
  publication: './publication.mjs',
  'access-log': './access-log.mjs',
  retention: './retention.mjs',
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  strict: !(process.argv[2] in AREAS),
  options: { json: { type: 'boolean' }, seconds: { type: 'string', default: '3' }, only: { type: 'string' }, profile: { type: 'string' } },
});
const seconds = Number(options.seconds);
const wanted = options.only?.split(',') ?? Object.keys(FLOORS);
const EXTRA_ROUTES = 600;

if (positionals[0] in AREAS) {
  await import(AREAS[positionals[0]]);
  process.exit();
}

await onBenchService({ port: 3901, settings: { RATE_LIMITS: 'read=100000000,write=100000000,workspace=100000000' } }, run);

async function run(service) {
  const { env, launch, startApi } = service;
  const world = await seed(env, env.DATABASE_OWNER_URL);
  const started = performance.now();
  const api = await startApi({ flags: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [] });
  const start_s = (performance.now() - started) / 1000;
  const bare = launch([join(projectRoot, 'tools/bench/bare-server.mjs'), '3902', env.DATABASE_URL, world.ws_id, world.owner_user_id]);
  await once(bare.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const rss_idle_mib = residentMib(api.pid);
  const ratios = await measure(world, { api, bare });
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
    create: [ours('POST', () => '/albums', name), bare('POST', () => '/create', name)],
    update: [ours('PATCH', () => `/albums/${pick(world.albums)}`, name), bare('PATCH', () => `/update?id=${pick(world.albums)}`, name)],
    deep_cursor: [ours('GET', () => `/files?repo_type=media&limit=50&cursor=${deep}`), null],
    export: [ours('GET', () => `/files?repo_type=media&limit_extended=${EXPORTED}`), bare('GET', () => `/list?limit=${EXPORTED}`)],
  };
  const ratios = {};
  for (const [operation, [atrium, other]] of Object.entries(pairs)) {
    if (!wanted.includes(operation)) continue;
    const baseline = other ? ['http://127.0.0.1:3902', other] : ['http://127.0.0.1:3901', pairs.list[0]];
    if (process.env.BENCH_CPU) await printCpu(operation, hosts, atrium, other);
    ratios[operation] = await ratio(['http://127.0.0.1:3901', atrium], baseline);
    console.log(
      `${operation.padEnd(12)} ${ratios[operation].toFixed(2)}x of ${other ? 'the bare server' : 'our own first page'} (at least ${FLOORS[operation]})`,
    );
  }
  return ratios;
}

/** The same request to the API as it is and to one with 600 routes more. */
async function compareCrowded({ launch, untilOk }, world) {
  launch([join(projectRoot, 'tools/bench/crowded-api.cjs'), String(EXTRA_ROUTES)], { env: { PORT: '3903' } });
  await untilOk('http://127.0.0.1:3903/health/ready');
  const read = () => request('GET', `/api/v1/files/${world.files[0]}`, { 'x-api-key': world.key, 'x-tenant-id': world.ws_id });
  console.log(
    `with ${EXTRA_ROUTES} routes more: ${(await ratio(['http://127.0.0.1:3903', read], ['http://127.0.0.1:3901', read])).toFixed(2)}x of our own throughput`,
  );
}

/** Median over rounds in which both sides take turns, after a turn each to warm up. */
async function ratio([origin, next], [baseOrigin, baseNext]) {
  await load(baseOrigin, baseNext, { connections: CONNECTIONS, seconds: 1 });
  await load(origin, next, { connections: CONNECTIONS, seconds: 1 });
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) {
    const theirs = await load(baseOrigin, baseNext, { connections: CONNECTIONS, seconds });
    rounds.push((await load(origin, next, { connections: CONNECTIONS, seconds })) / theirs);
  }
  return round(rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]);
}

function request(method, path, headers, body) {
  if (!body) return { method, path, headers };
  return { method, path, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function cursorAt(headers, depth) {
  let cursor = '';
  for (let at = 0; at < depth; at += 1_000) {
    const page = await (
      await fetch(`http://127.0.0.1:3901/api/v1/files?repo_type=media&limit=1000${cursor && `&cursor=${cursor}`}`, { headers })
    ).json();
    cursor = page.next_cursor;
  }
  return cursor;
}

/** Processor time of each host a request, which other programs on the machine do not change. */
async function printCpu(operation, { api, bare }, ours, theirs) {
  const cost = async (child, origin, next) => {
    const ticks = () =>
      readFileSync(`/proc/${child.pid}/stat`, 'utf8')
        .split(') ')[1]
        .split(' ')
        .slice(11, 13)
        .reduce((sum, part) => sum + Number(part), 0);
    await load(origin, next, { connections: CONNECTIONS, seconds: 2 });
    const before = ticks();
    const rate = await load(origin, next, { connections: CONNECTIONS, seconds: 3 });
    return Math.round(((ticks() - before) * 10_000) / (rate * 3));
  };
  console.log(
    `${operation}: ${await cost(api, 'http://127.0.0.1:3901', ours)} microseconds of the API a request${theirs ? `, ${await cost(bare, 'http://127.0.0.1:3902', theirs)} of the bare server` : ''}`,
  );
}

function residentMib(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
}

function round(value) {
  return Math.round(value * 100) / 100;
}

function report({ ratios, start_s, rss_idle_mib, rss_after_mib }) {
  const short = Object.entries(ratios).filter(([operation, value]) => value < FLOORS[operation]);
  console.log(
    `first answer after ${start_s} s (at most 2); resident ${rss_idle_mib} MiB idle (at most 150), ${rss_after_mib} MiB after the run (at most 250)`,
  );
  if (short.length > 0) console.log(`below their floor: ${short.map(([operation, value]) => `${operation} ${value}`).join(', ')}`);
}
