// npm run bench -- streams [--listeners 1,100,500 | 0] [--events N] [--json]: what it costs the API to send one event of a thread to one
// listener, in processor time, beside a bare node:http server of server-sent events with as many listeners; memory a listener,
// and after the events; and how soon the first event of an answer comes after its question, beside a bare job through the same queue.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomUUID } from 'node:crypto';
import { projectRoot } from '../project.mjs';
import { CORES } from './cores.mjs';
import { compareFirstEvents } from './first-event.mjs';
import { processMs } from './processor.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3951;
const BARE_PORT = 3952;
const ROUNDS = 3;
/** An agent writes up to 25 events a second in a thread. */
const GAP_MS = 20;
/** Streams of one thread that one caller may have open. */
const EACH = 10;
const LONGEST_MS = 60_000;
const SETTLING_MS = 5_000;

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { listeners: { type: 'string', default: '1,100,500' }, events: { type: 'string', default: '300' }, json: { type: 'boolean' } },
});
const counts = options.listeners.split(',').map(Number).filter(Boolean);
const events = Number(options.events);
const UNLIMITED = 'read=100000000,write=100000000,ai=100000000,workspace=100000000';
const TEXT = 'The harbour opens at six. ';
const ANSWER = randomUUID();
const summary = { listeners: {} };

await onBenchService({ port: PORT, settings: { RATE_LIMITS: UNLIMITED } }, run);

async function run(service) {
  const { owner, launch, startApi, workspace } = service;
  const world = await workspace('Streams');
  const people = await readers(owner, world, Math.ceil(Math.max(0, ...counts) / EACH));
  const api = await startApi({ core: CORES.server });
  const bare = launch([join(projectRoot, 'tools/bench/bare-streams.mjs'), String(BARE_PORT)], { core: CORES.server });
  await once(bare.stdout, 'data');
  for (const listeners of counts) await measure({ owner, world, people, api, bare }, listeners);
  summary.first_event = await compareFirstEvents(service, world, PORT);
  if (options.json) console.log(JSON.stringify(summary));
}

async function measure({ owner, world, people, api, bare }, listeners) {
  const thread = await openThread(owner, world, people);
  const before = residentKib(api.pid);
  const ours = await connectAll(listeners, (at) => [PORT, `/api/v1/threads/${thread}/events`, people[Math.floor(at / EACH)].headers]);
  const theirs = await connectAll(listeners, () => [BARE_PORT, '/events', {}]);
  await pause(SETTLING_MS);
  const open = residentKib(api.pid);
  const spent = { ours: [], theirs: [] };
  for (let n = 0; n <= ROUNDS; n++) {
    const [one, other] = [
      await costOf(api.pid, ours, (at) => append(owner, world, thread, at)),
      await costOf(bare.pid, theirs, (at) => emit(thread, at)),
    ];
    // The first turn is for warming up.
    if (n > 0) [spent.ours.push(one), spent.theirs.push(other)];
  }
  const after = residentKib(api.pid);
  for (const { agent } of [ours, theirs]) agent.destroy();
  const [micros, bareMicros] = [median(spent.ours), median(spent.theirs)].map((ms) => (ms * 1_000) / (events * listeners));
  const kib = (open - before) / listeners;
  summary.listeners[listeners] = {
    micros: round(micros),
    ratio: round(micros / bareMicros),
    kib_each: round(kib),
    kib_after: after - open,
  };
  console.log(
    `${String(listeners).padStart(5)} listeners: ${micros.toFixed(1)} µs of processor an event and listener, ${(micros / bareMicros).toFixed(2)}x of the bare server; ` +
      `${kib.toFixed(0)} KiB a listener, ${((after - open) / 1024).toFixed(1)} MiB more after ${events * (ROUNDS + 1)} events`,
  );
  await pause(SETTLING_MS);
}

/** Processor time of a server in milliseconds, while it sends all events to all who listen. */
async function costOf(pid, { heard }, send) {
  const [began, wanted] = [processMs(pid), heard.count + events * heard.listeners];
  for (let at = 0; at < events; at++) {
    await send(at);
    await pause(GAP_MS);
  }
  const deadline = performance.now() + LONGEST_MS;
  while (heard.count < wanted) {
    if (performance.now() > deadline) throw new Error(`${wanted - heard.count} of ${wanted} events did not arrive.`);
    await pause(20);
  }
  if (heard.count > wanted) throw new Error(`${heard.count - wanted} events arrived twice.`);
  return processMs(pid) - began;
}

/** Connections that count the events they receive by their ids. */
async function connectAll(listeners, target) {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const heard = { count: 0, listeners };
  for (let at = 0; at < listeners; at++) {
    const [port, path, headers] = target(at);
    const [response] = await once(get({ port, path, headers, agent, host: '127.0.0.1' }), 'response');
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}.`);
    let rest = '';
    response.setEncoding('utf8');
    response.on('error', () => undefined);
    response.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) if (line.startsWith('id: ')) heard.count++;
    });
  }
  return { agent, heard };
}

function event(thread_id, at) {
  return {
    op: 'delta',
    thread_id,
    msg_id: ANSWER,
    run_id: ANSWER,
    attempt: 1,
    part: 0,
    kind: 'text',
    offset: at * TEXT.length,
    text: TEXT,
  };
}

/** One event as a worker appends it: a row, and a signal to who follows. */
async function append(owner, { ws_id }, thread, at) {
  const entry = { kind: 'assistant_message', data: event(thread, at) };
  await owner.query(
    `INSERT INTO stream_event (tenant_id, se_stream, se_id, se_event) VALUES ($1, $2, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint, $3)`,
    [ws_id, `thread/${thread}`, JSON.stringify(entry)],
  );
  await owner.query('SELECT pg_notify($1, $2)', ['atrium_signals', JSON.stringify([`${ws_id}/stream/thread/${thread}`, {}])]);
}

async function emit(thread, at) {
  const answer = await fetch(`http://127.0.0.1:${BARE_PORT}/emit`, { method: 'POST', body: JSON.stringify(event(thread, at)) });
  if (!answer.ok) throw new Error(`The bare server answered ${answer.status}.`);
}

/** People of the workspace with a key each, as rows. */
async function readers(owner, { ws_id, owner_user_id }, count) {
  const { mintKey } = createRequire(import.meta.url)(join(projectRoot, 'dist/libs/identity/src/keys/domain/api-key.js'));
  const made = [];
  for (let at = 0; at < count; at++) {
    const [user_id, key] = [randomUUID(), mintKey()];
    await owner.query(`INSERT INTO workspace_user (tenant_id, user_id, user_kind, user_name) VALUES ($1, $2, 'service', $3)`, [
      ws_id,
      user_id,
      `Reader ${at}`,
    ]);
    await owner.query(
      'INSERT INTO user_role_link (tenant_id, user_id, role_id) SELECT tenant_id, $3, role_id FROM user_role_link WHERE tenant_id = $1 AND user_id = $2',
      [ws_id, owner_user_id, user_id],
    );
    await owner.query(
      `INSERT INTO api_key (tenant_id, key_id, key_name, key_public_id, key_hash, key_user) VALUES ($1, gen_random_uuid(), 'bench', $2, $3, $4)`,
      [ws_id, key.public_id, key.hash, user_id],
    );
    made.push({ user_id, headers: { 'x-api-key': key.value, 'x-tenant-id': ws_id } });
  }
  return made;
}

async function openThread(owner, { ws_id, owner_user_id }, people) {
  const thread = randomUUID();
  const users = Object.fromEntries(people.map(({ user_id }) => [user_id, 'view']));
  await owner.query('INSERT INTO thread (tenant_id, thread_id, thread_user, thread_acl) VALUES ($1, $2, $3, $4)', [
    ws_id,
    thread,
    owner_user_id,
    JSON.stringify({ users }),
  ]);
  return thread;
}

function residentKib(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function round(value) {
  return Math.round(value * 100) / 100;
}
