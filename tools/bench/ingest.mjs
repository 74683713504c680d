// npm run bench -- ingest [--pictures N] [--from FOLDER] [--processes P] [--only ingest,zip] [--json]: pictures brought in by the whole service
// (read, hashed, typed, rendered, described, reported) against sharp alone making the same renditions, on the same
// cores, taking turns; and an archive streamed by the API against `zip -0` of the same files.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { projectRoot } from '../project.mjs';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { benchPictures } from './bench-pictures.mjs';
import { benchClient } from './client.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3921;
const ROUNDS = 3;
const FLOORS = { ingest: 0.8, zip: 0.5 };

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    pictures: { type: 'string', default: '24' },
    from: { type: 'string' },
    processes: { type: 'string' },
    only: { type: 'string', default: 'ingest,zip' },
    json: { type: 'boolean' },
  },
});
const count = Number(options.pictures);
const processes = Number(options.processes ?? availableParallelism());
const wanted = options.only.split(',');

const settings = {
  MALLOC_ARENA_MAX: '2',
  MEDIA_PROCESSES: String(processes),
  WORKER_CONCURRENCY: String(processes * 2),
  RATE_LIMITS: 'read=1000000,write=1000000,workspace=1000000',
};
await onBenchService({ port: PORT, settings }, run);

async function run(service) {
  const { folder, startApi, workspace } = service;
  for (const name of ['originals', 'bare']) mkdirSync(join(folder, name));
  await startApi();
  const made = await workspace('Ingest');
  const world = { ...made, ...benchClient(PORT, made) };
  const paths = await benchPictures(join(folder, 'originals'), count, options.from);
  console.log(`${count} pictures of ${((await sizeOf(paths)) / count / 1e6).toFixed(1)} MB, ${processes} processes`);
  const ratios = {};
  if (wanted.includes('ingest')) ratios.ingest = await compareIngest(service, world, paths);
  if (wanted.includes('zip')) ratios.zip = await compareZip(service, world, paths);
  for (const [name, ratio] of Object.entries(ratios))
    console.log(`${name.padEnd(8)} ${ratio.toFixed(2)}x (at least ${FLOORS[name]})${ratio < FLOORS[name] ? '  BELOW ITS FLOOR' : ''}`);
  if (options.json) console.log(JSON.stringify({ pictures: count, processes, ratios }));
}

/** The worker is stopped while the bytes are sent, and the clock runs while it reads them. Each round has bytes of its own. */
async function compareIngest({ folder, owner, launch }, world, paths) {
  const worker = launch([...HOST_FLAGS, hostProgram('worker')]);
  const bare = Array.from({ length: processes }, () => bareSharp(launch, join(folder, 'bare')));
  await Promise.all(bare.map((one) => one.ready));
  const shares = bare.map((one, at) => [one, paths.filter((_, n) => n % processes === at)]);
  const theirs = () => timed(() => Promise.all(shares.map(([one, part]) => one.render(part))));
  const ours = async (mark) => {
    await untilIdle(owner);
    worker.kill('SIGSTOP');
    for (const path of paths) await world.upload(`${mark}-${basename(path)}`, await marked(path, mark));
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
    console.log(
      `  sharp alone ${(count / alone / processes).toFixed(2)} pictures a second and core, the service ${(count / service / processes).toFixed(2)}`,
    );
  }
  return median(rounds);
}

/** The archive as the API streams it, against the same bytes packed without compression by zip. */
async function compareZip({ owner, launch }, world, paths) {
  const zip = await promisify(execFile)('zip', ['-v']).then(
    () => true,
    () => false,
  );
  if (!zip) {
    console.log('zip is not installed: the comparison with `zip -0` is left out');
    return Number.NaN;
  }
  const ids = [];
  for (const path of paths) ids.push(await world.upload(basename(path), await marked(path, 'zip')));
  const worker = launch([...HOST_FLAGS, hostProgram('worker')]);
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
  const answer = await fetch(`http://127.0.0.1:${PORT}/api/v1/files/actions/download`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ file_ids }),
  });
  if (answer.status !== 200) throw new Error(`The archive answered ${answer.status}: ${await answer.text()}`);
  for await (const chunk of answer.body) if (chunk.length === 0) break;
}

/** One process of sharp alone. */
function bareSharp(launch, folder) {
  const child = launch([join(projectRoot, 'tools/bench/bare-renditions.mjs'), folder], { stdin: 'pipe' });
  return {
    ready: once(child.stdout, 'data'),
    render: async (part) => {
      child.stdin.write(`${JSON.stringify(part)}\n`);
      await once(child.stdout, 'data');
    },
  };
}

/** The bytes with a remark behind them that no decoder reads, so that no round finds bytes it knows. */
async function marked(path, mark) {
  return Buffer.concat([await readFile(path), Buffer.from(mark)]);
}

async function untilIdle(owner) {
  for (;;) {
    const { rows } = await owner.query(
      "SELECT count(*) FILTER (WHERE file_processing = 'pending')::integer AS pending, count(*) FILTER (WHERE file_processing = 'ready' AND file_replicas <> 'small,medium,large')::integer AS poor FROM file",
    );
    if (rows[0].poor > 0) throw new Error('A picture has no renditions.');
    if (rows[0].pending === 0) return;
    await pause(20);
  }
}

async function timed(work) {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

async function sizeOf(paths) {
  return (await Promise.all(paths.map((path) => stat(path)))).reduce((sum, { size }) => sum + size, 0);
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
