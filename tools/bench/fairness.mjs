// npm run bench -- fairness [--waiting N] [--minutes M] [--json]: how long one upload of a workspace takes while N files of another
// one wait, against the same upload on an idle service; then M minutes of uploads, albums, tags, publications and deletions
// in two workspaces, during which no job may wait longer than two seconds for its queue and none may be sent again. The bound is made of
// what is measured before the files wait: a bound from how long jobs take among them would grow with what it is to limit.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { benchClient } from './client.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3923;
const ALONE = 20;
/** Files that are sent at once to see how long all places of the worker take for one job each. */
const ROUNDS = 5;
const PLACES = 4;
const AMONG = 12;
const SENDERS = 8;
const ACTORS_PER_WORKSPACE = 2;
const BETWEEN_ACTS_MS = 1_000;
/** Files of a workspace that nothing is done with yet; those before them are ready. */
const KEPT = 20;
const SAMPLED_EVERY_MS = 100;
/** An upload among others takes at most so many times the idle one, besides one round of jobs that had the places when it came. */
const FACTOR = 2;
const LONGEST_WAIT_S = 2;
const SENT_AGAIN = 'jobs were lost by the queue and sent again';

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    waiting: { type: 'string', default: '5000' },
    minutes: { type: 'string', default: '10' },
    json: { type: 'boolean' },
  },
});
const waiting = Number(options.waiting);

const settings = { RATE_LIMITS: 'read=1000000,write=1000000,workspace=1000000', WORKER_CONCURRENCY: String(PLACES) };
await onBenchService({ port: PORT, settings }, run);

async function run({ owner, launch, startApi, workspace }) {
  await startApi();
  const worker = launch([...HOST_FLAGS, hostProgram('worker')]);
  const warnings = [];
  worker.stdout.on('data', (chunk) => warnings.push(...String(chunk).split('\n').filter(Boolean)));
  const [busy, quiet] = [await workspace('Busy', ['--all-modules']), await workspace('Quiet', ['--all-modules'])];
  const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#3a6' } })
    .jpeg()
    .toBuffer();
  const world = { owner, worker, warnings, busy: caller(busy, picture), quiet: caller(quiet, picture) };
  const summary = { ...(await turns(world)), ...(Number(options.minutes) > 0 ? await mixed(world) : {}) };
  if (options.json) console.log(JSON.stringify(summary));
}

function caller(made, picture) {
  const { call, upload } = benchClient(PORT, made);
  return { ...made, call, files: [], photo: () => upload(`${randomUUID()}.jpg`, Buffer.concat([picture, Buffer.from(randomUUID())])) };
}

/** One upload after another of the quiet workspace: alone, and while `waiting` files of the busy one are in the queue. */
async function turns({ owner, worker, busy, quiet }) {
  for (let n = 0; n < ALONE; n++) await ready(owner, await quiet.photo());
  const alone = [];
  for (let n = 0; n < ALONE; n++) alone.push(await timed(async () => ready(owner, await quiet.photo())));
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) rounds.push(await roundOf({ owner, worker, busy }));
  worker.kill('SIGSTOP');
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      for (let n = 0; n < waiting / SENDERS; n++) await busy.photo();
    }),
  );
  worker.kill('SIGCONT');
  const first = await pending(owner, busy.ws_id);
  const among = [];
  for (let n = 0; n < AMONG; n++) among.push(await timed(async () => ready(owner, await quiet.photo())));
  const left = await pending(owner, busy.ws_id);
  const round_s = median(rounds);
  const result = { idle_s: median(alone), among_s: median(among), worst_s: Math.max(...among), round_s, waiting_then: left };
  const most = FACTOR * result.idle_s + round_s;
  console.log(
    `one upload: ${shown(result.idle_s)} idle, ${shown(result.among_s)} (worst ${shown(result.worst_s)}) while ${left} to ${first} files of another workspace wait ` +
      `(at most ${shown(most)}: ${FACTOR} times idle, and ${shown(round_s)} for ${PLACES} files alone)${result.among_s > most ? '  ABOVE ITS BOUND' : ''}`,
  );
  await until(async () => (await pending(owner, busy.ws_id)) === 0);
  return result;
}

/** Seconds that as many files as the worker has places for take when nothing else waits. */
async function roundOf({ owner, worker, busy }) {
  worker.kill('SIGSTOP');
  for (let n = 0; n < PLACES; n++) await busy.photo();
  return timed(async () => {
    worker.kill('SIGCONT');
    await until(async () => (await pending(owner, busy.ws_id)) === 0);
  });
}

/** People at work in both workspaces; how long jobs wait from the moment they are due until they are in their queue. */
async function mixed({ owner, warnings, busy, quiet }) {
  const end = performance.now() + Number(options.minutes) * 60_000;
  warnings.length = 0;
  let acts = 0;
  const actors = [busy, quiet].flatMap((workspace) =>
    Array.from({ length: ACTORS_PER_WORKSPACE }, async () => {
      while (performance.now() < end) {
        await act(workspace, acts++);
        await pause(BETWEEN_ACTS_MS);
      }
    }),
  );
  let longest = 0;
  const late = new Map();
  const sampler = (async () => {
    while (performance.now() < end) {
      for (const { ev_id, ev_name, seconds } of await overdue(owner)) {
        longest = Math.max(longest, seconds);
        if (seconds > LONGEST_WAIT_S) late.set(ev_id, { ev_name, seconds });
      }
      await pause(SAMPLED_EVERY_MS);
    }
  })();
  await Promise.all([...actors, sampler]);
  const again = warnings.filter((line) => line.includes(SENT_AGAIN)).length;
  console.log(
    `${acts} acts in ${options.minutes} minutes: the longest wait of a job that was due was ${shown(longest)} (at most ${LONGEST_WAIT_S} s), ` +
      `${late.size} waited longer, jobs were sent again ${again} times (never)${late.size + again > 0 ? '  ABOVE ITS BOUND' : ''}`,
  );
  for (const { ev_name, seconds } of late.values()) console.log(`  ${ev_name} ${shown(seconds)}`);
  return { acts, longest_wait_s: longest, waited_longer: late.size, sent_again: again };
}

/** What somebody does in a library, in turn: a picture comes and is tagged, one that is ready is published, an album is made, an older file goes. */
async function act({ files, call, photo }, turn) {
  files.push(await photo());
  if (files.length <= KEPT) return;
  const file_id = files.shift();
  const steps = [
    () => call('POST', '/albums', { album_name: `Album ${randomUUID()}` }),
    () => call('POST', '/files/actions/media-tags', { file_ids: [file_id], add: { Subject: [`Harbour ${turn % 20}`] } }),
    () => call('POST', `/files/${file_id}/publication`, { distribution: 'worldwide' }),
    () => call('DELETE', `/files/${file_id}`),
  ];
  await steps[turn % steps.length]();
}

async function overdue(owner) {
  const { rows } = await owner.query(
    "SELECT ev_id, ev_name, extract(epoch FROM clock_timestamp() - ev_due)::float8 AS seconds FROM outbox WHERE ev_kind = 'job' AND ev_sent IS NULL AND ev_done IS NULL AND ev_parked IS NULL AND ev_due < clock_timestamp()",
  );
  return rows;
}

async function pending(owner, tenant) {
  const { rows } = await owner.query("SELECT count(*)::integer AS files FROM file WHERE tenant_id = $1 AND file_processing = 'pending'", [
    tenant,
  ]);
  return rows[0].files;
}

function ready(owner, file_id) {
  return until(async () => {
    const { rows } = await owner.query('SELECT file_processing FROM file WHERE file_id = $1', [file_id]);
    return rows[0].file_processing === 'ready';
  });
}

async function until(done) {
  while (!(await done())) await pause(10);
}

async function timed(work) {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function shown(seconds) {
  return `${seconds.toFixed(2)} s`;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
