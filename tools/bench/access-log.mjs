// npm run bench -- access-log [--seconds N] [--rounds N] [--only get,list] [--json]: what the access log costs. One API, whose
// log is on and off by turns: its throughput with the log as a ratio to that without it, and the processor time of the API
// and of PostgreSQL that a request takes with and without, which other programs on the machine change less.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../project.mjs';
import { load } from './load.mjs';
import { seedFiles } from './seed.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3941;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const CONNECTIONS = 32;
const FILES = 20_000;
const FLOOR = 0.95;

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '8' },
    only: { type: 'string', default: 'get,list,create' },
    json: { type: 'boolean' },
  },
});
const [seconds, rounds] = [Number(options.seconds), Number(options.rounds)];
const wanted = options.only.split(',');

await onBenchService({ port: PORT, settings: { RATE_LIMITS: 'read=100000000,write=100000000,workspace=100000000' } }, run);

async function run({ owner, startApi, workspace }) {
  const world = await workspace('Access log', ['--all-modules']);
  await seedFiles(owner, world, FILES);
  await owner.query('VACUUM ANALYZE');
  const files = (await owner.query('SELECT file_id FROM file ORDER BY random() LIMIT 2000')).rows.map(({ file_id }) => file_id);
  const api = await startApi({ program: join(projectRoot, 'tools/bench/logged-api.cjs') });
  const postgres = parentOf((await owner.query('SELECT pg_backend_pid() AS pid')).rows[0].pid);
  const headers = { 'x-api-key': world.key, 'x-tenant-id': world.ws_id };
  const operations = {
    get: () => ({ method: 'GET', path: `/api/v1/files/${files[Math.floor(Math.random() * files.length)]}`, headers }),
    list: () => ({ method: 'GET', path: '/api/v1/files?repo_type=media&limit=50', headers }),
    create: () => ({
      method: 'POST',
      path: '/api/v1/albums',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ album_name: `Bench ${Math.random()}` }),
    }),
  };
  const results = {};
  for (const name of wanted) results[name] = await compare(name, operations[name], [api.pid, postgres]);
  const {
    rows: [{ rows }],
  } = await owner.query('SELECT count(*)::integer AS rows FROM access_log');
  console.log(`${rows.toLocaleString('en')} rows were written`);
  if (options.json) console.log(JSON.stringify(results));
  if (Object.values(results).some(({ ratio }) => ratio < FLOOR)) process.exitCode = 1;
}

/** Medians over rounds of two turns; which of the two comes first changes, so that a machine at work slows both. */
async function compare(name, next, processes) {
  const [on, off] = [[], []];
  for (let round = -1; round < rounds; round++) {
    for (const logged of round % 2 === 0 ? [true, false] : [false, true]) {
      const turn = await turnOf(logged, next, processes);
      if (round >= 0) (logged ? on : off).push(turn);
    }
  }
  const ratio = median(on.map(({ rate }, i) => rate / off[i].rate));
  const [api, postgres] = [0, 1].map((i) => ({
    with: median(on.map(({ spent }) => spent[i])),
    without: median(off.map(({ spent }) => spent[i])),
  }));
  const cpu = (api.without + postgres.without) / (api.with + postgres.with);
  const told = ({ with: more, without }) => `${without.toFixed(0)} + ${(more - without).toFixed(0)}`;
  console.log(
    `${name.padEnd(7)} ${ratio.toFixed(3)}x of the throughput without the log (at least ${FLOOR}); by processor time ${cpu.toFixed(3)}x: microseconds a request, without + for the log: API ${told(api)}, PostgreSQL ${told(postgres)}`,
  );
  return { ratio: round3(ratio), cpu: round3(cpu) };
}

/** One turn under load: requests a second, and what each of the processes spent on one, in microseconds; what is written afterwards belongs to it. */
async function turnOf(logged, next, processes) {
  await fetch(`${ORIGIN}/access-log/${logged ? 'on' : 'off'}`, { method: 'POST' });
  const before = processes.map(spentBy);
  const started = performance.now();
  const rate = await load(ORIGIN, next, { connections: CONNECTIONS, seconds });
  const elapsed = (performance.now() - started) / 1_000;
  await fetch(`${ORIGIN}/access-log/${logged ? 'on' : 'off'}`, { method: 'POST' });
  return { rate, spent: processes.map((pid, i) => (spentBy(pid) - before[i]) / (rate * elapsed)) };
}

/** Processor time of a process, its threads and its children that live, in microseconds. */
function spentBy(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child.trim() !== '');
  return [pid, ...children].reduce((sum, each) => sum + ticksOf(each) * 10_000, 0);
}

function statOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
}

function ticksOf(pid) {
  try {
    return statOf(pid)
      .slice(11, 13)
      .reduce((sum, part) => sum + Number(part), 0);
  } catch {
    return 0;
  }
}

function parentOf(pid) {
  return Number(statOf(pid)[1]);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function round3(value) {
  return Math.round(value * 1_000) / 1_000;
}
