// npm run bench -- ingest [--pictures N] [--from FOLDER] [--processes P] [--only ingest,zip] [--json]: pictures brought in by the whole service
// (read, hashed, typed, rendered, described, told of) against sharp alone making the same renditions, on the same
// cores, taking turns; and an archive streamed by the API against `zip -0` of the same files.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { startThrowaway } from '../postgres/throwaway.mjs';
import { projectRoot } from '../project.mjs';
import { ensureBuilt } from '../setup/build.mjs';
import { ensureInstalled } from '../setup/install.mjs';
import { HOST_FLAGS, hostProgram, operate, operateJson } from '../start/operator.mjs';
import { benchPictures } from './bench-pictures.mjs';

const PORT = 3921;
const ROUNDS = 3;
const FLOORS = { ingest: 0.8, zip: 0.5 };

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { pictures: { type: 'string', default: '24' }, from: { type: 'string' }, processes: { type: 'string' }, only: { type: 'string', default: 'ingest,zip' }, json: { type: 'boolean' } },
});
const count = Number(options.pictures);
const processes = Number(options.processes ?? availableParallelism());
const wanted = options.only.split(',');

await ensureInstalled();
await ensureBuilt();
const postgres = await startThrowaway();
const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
const children = [];
try {
  await run();
} finally {
  for (const child of children) child.kill('SIGCONT') && child.kill('SIGTERM');
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run() {
  for (const name of ['originals', 'bare', 'data']) mkdirSync(join(folder, name));
  const env = {
    ...process.env, ...(await database()), DATA_DIR: join(folder, 'data'), MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), PORT: String(PORT), HOST: '127.0.0.1', LOG_LEVEL: 'warn',
    NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', MEDIA_PROCESSES: String(processes), WORKER_CONCURRENCY: String(processes * 2), RATE_LIMITS: 'read=1000000,write=1000000,workspace=1000000',
  };
  await operate(['migrate'], { env });
  const owner = await connect(env.DATABASE_OWNER_URL);
  await owner.query("ALTER ROLE atrium_app PASSWORD 'bench'");
  launch([...HOST_FLAGS, hostProgram('api')], env);
  await untilOk(`http://127.0.0.1:${PORT}/health/ready`);
  const world = await workspace(env);
  const paths = await benchPictures(join(folder, 'originals'), count, options.from);
  console.log(`${count} pictures of ${((await sizeOf(paths)) / count / 1e6).toFixed(1)} MB, ${processes} processes`);
  const ratios = {};
  if (wanted.includes('ingest')) ratios.ingest = await compareIngest(env, owner, world, paths);
  if (wanted.includes('zip')) ratios.zip = await compareZip(env, owner, world, paths);
  await owner.end();
  for (const [name, ratio] of Object.entries(ratios)) console.log(`${name.padEnd(8)} ${ratio.toFixed(2)}x (at least ${FLOORS[name]})${ratio < FLOORS[name] ? '  BELOW ITS FLOOR' : ''}`);
  if (options.json) console.log(JSON.stringify({ pictures: count, processes, ratios }));
}

/** The worker stands still while the bytes are sent, and the clock runs while it reads them. Each round has bytes of its own. */
async function compareIngest(env, owner, world, paths) {
  const worker = launch([...HOST_FLAGS, hostProgram('worker')], env);
  const bare = Array.from({ length: processes }, () => bareSharp());
  await Promise.all(bare.map((one) => one.ready));
  const shares = bare.map((one, at) => [one, paths.filter((_, n) => n % processes === at)]);
  const theirs = () => timed(() => Promise.all(shares.map(([one, part]) => one.render(part))));
  const ours = async (mark) => {
    await untilIdle(owner);
    worker.kill('SIGSTOP');
    for (const path of paths) await upload(world, `${mark}-${basename(path)}`, await marked(path, mark));
    return timed(async () => {
      worker.kill('SIGCONT');
      await untilIdle(owner);
    });
  };
  await ours('warm');
  await theirs();
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) {
    const [alone, service] = [await theirs(), await ours(`round-${n}`)];
    rounds.push(alone / service);
    console.log(`  sharp alone ${(count / alone / processes).toFixed(2)} pictures a second and core, the service ${(count / service / processes).toFixed(2)}`);
  }
  return median(rounds);
}

/** The archive as the API streams it, against the same bytes packed without compression by zip. */
async function compareZip(env, owner, world, paths) {
  const zip = await promisify(execFile)('zip', ['-v']).then(() => true, () => false);
  if (!zip) {
    console.log('zip is not installed: the comparison with `zip -0` is left out');
    return Number.NaN;
  }
  const ids = [];
  for (const path of paths) ids.push(await upload(world, basename(path), await marked(path, 'zip')));
  const worker = launch([...HOST_FLAGS, hostProgram('worker')], env);
  await untilIdle(owner);
  worker.kill('SIGTERM');
  const ours = () => timed(() => drain(world, ids));
  const theirs = () => timed(() => zipOf(paths));
  await ours();
  await theirs();
  const rounds = [];
  for (let n = 0; n < ROUNDS * 3; n++) rounds.push((await theirs()) / (await ours()));
  return median(rounds);
}

function zipOf(paths) {
  return new Promise((resolve, reject) => {
    const child = spawn('zip', ['-0', '-q', '-j', '-', ...paths], { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    child.once('error', reject);
    child.once('close', resolve);
  });
}

async function drain({ headers }, file_ids) {
  const answer = await fetch(api('/files/actions/download'), { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ file_ids }) });
  if (answer.status !== 200) throw new Error(`The archive answered ${answer.status}: ${await answer.text()}`);
  for await (const chunk of answer.body) if (chunk.length === 0) break;
}

/** One process of sharp alone. */
function bareSharp() {
  const child = spawn(process.execPath, [join(projectRoot, 'tools/bench/bare-renditions.mjs'), join(folder, 'bare')], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, MALLOC_ARENA_MAX: '2' } });
  children.push(child);
  return {
    ready: once(child.stdout, 'data'),
    render: async (part) => {
      child.stdin.write(`${JSON.stringify(part)}\n`);
      await once(child.stdout, 'data');
    },
  };
}

/** The bytes with a remark behind them that no decoder reads, so that no round finds bytes it knows. */
const marked = async (path, mark) => Buffer.concat([await readFile(path), Buffer.from(mark)]);

async function upload({ headers }, file_name, bytes) {
  const json = { ...headers, 'content-type': 'application/json' };
  const opened = await (await fetch(api('/uploads'), { method: 'POST', headers: json, body: JSON.stringify({ file_repo: { library: ['media'] }, file_name, file_size: bytes.length }) })).json();
  const sent = await fetch(opened.upl_url, { method: 'PUT', headers: opened.upl_headers, body: bytes });
  if (!sent.ok) throw new Error(`The store answered ${sent.status}.`);
  const finalized = await fetch(api(`/uploads/${opened.upl_id}/finalize`), { method: 'POST', headers });
  if (finalized.status !== 201) throw new Error(`Finalize answered ${finalized.status}: ${await finalized.text()}`);
  return (await finalized.json()).file_id;
}

async function untilIdle(owner) {
  for (;;) {
    const { rows } = await owner.query("SELECT count(*) FILTER (WHERE file_processing = 'pending')::integer AS pending, count(*) FILTER (WHERE file_processing = 'ready' AND file_replicas <> 'small,medium,large')::integer AS poor FROM file");
    if (rows[0].poor > 0) throw new Error('A picture has no renditions.');
    if (rows[0].pending === 0) return;
    await pause(20);
  }
}

async function workspace(env) {
  const made = await operateJson(['workspace', 'create', '--name', 'Ingest', '--slug', 'ingest', '--owner-email', 'owner@ingest.example', '--owner-name', 'Owner'], { env, input: 'a password for the bench\n' });
  const { key_secret } = await operateJson(['key', 'create', '--workspace', made.ws_id, '--user-email', 'owner@ingest.example', '--name', 'bench'], { env });
  return { headers: { 'x-api-key': key_secret, 'x-tenant-id': made.ws_id } };
}

async function database() {
  const admin = await connect(postgres.adminUrl);
  await admin.query('CREATE DATABASE atrium_bench');
  await admin.end();
  const url = new URL(postgres.adminUrl);
  url.pathname = '/atrium_bench';
  const runtime = new URL(url);
  [runtime.username, runtime.password] = ['atrium_app', 'bench'];
  return { DATABASE_OWNER_URL: url.href, DATABASE_URL: runtime.href };
}

async function connect(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  // The server is stopped before its last connections are.
  client.on('error', () => undefined);
  return client;
}

function launch(args, env) {
  const child = spawn(process.execPath, args, { env, cwd: projectRoot, stdio: ['ignore', 'ignore', 'inherit'] });
  children.push(child);
  return child;
}

async function untilOk(url) {
  for (let n = 0; n < 2_000; n++) {
    if (await fetch(url).then((answer) => answer.ok, () => false)) return;
    await pause(10);
  }
  throw new Error(`${url} did not answer.`);
}

async function timed(work) {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

async function sizeOf(paths) {
  return (await Promise.all(paths.map((path) => stat(path)))).reduce((sum, { size }) => sum + size, 0);
}

function api(path) {
  return `http://127.0.0.1:${PORT}/api/v1${path}`;
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
