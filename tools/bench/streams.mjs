// npm run bench -- streams [--listeners 1,100,500 | 0] [--events N] [--json]: what one event of a thread costs for one listener, in
// processor time of all that has a part in it: the process that writes it, PostgreSQL, which keeps it, and the server that sends it;
// beside a bare writer and a bare node:http server of server-sent events with as many listeners, which keep each event in the same
// PostgreSQL. What an event costs before it is sent is the larger part where few listen, so neither side is without it. What both servers
// do while nothing is written is taken off. Also memory a listener, and after the events; and how soon the first event of an answer comes
// after its question, beside a bare job through the same queue.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomUUID } from 'node:crypto';
import { projectRoot } from '../project.mjs';
import { HOST_FLAGS } from '../start/operator.mjs';
import { CORES } from './cores.mjs';
import { median, postmasterOf } from './costs.mjs';
import { compareFirstEvents } from './first-event.mjs';
import { databaseMs, processMs } from './processor.mjs';
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
  const { env, owner, launch, startApi, workspace } = service;
  const world = await workspace('Streams');
  const people = await readers(owner, world, Math.ceil(Math.max(0, ...counts) / EACH));
  await owner.query(
    'CREATE TABLE bare_event (be_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, be_stream text NOT NULL, be_event jsonb NOT NULL)',
  );
  await owner.query('GRANT SELECT, INSERT ON bare_event TO atrium_app');
  const api = await startApi({ core: CORES.server });
  const bare = launch([program('bare-streams.mjs'), String(BARE_PORT), env.DATABASE_URL], { core: CORES.server });
  await once(bare.stdout, 'data');
  const sides = {
    ours: { server: api, writer: await writer(launch, [...HOST_FLAGS, program('stream-writer.cjs')]) },
    theirs: { server: bare, writer: await writer(launch, [program('bare-stream-writer.mjs'), env.DATABASE_URL]) },
    postmaster: await postmasterOf(owner),
  };
  for (const listeners of counts) await measure({ owner, world, people, sides }, listeners);
  summary.first_event = await compareFirstEvents(service, world, PORT);
  if (options.json) console.log(JSON.stringify(summary));
}

async function measure({ owner, world, people, sides }, listeners) {
  const thread = await openThread(owner, world, people);
  const { ours, theirs, postmaster } = sides;
  const before = residentKib(ours.server.pid);
  const connected = {
    ours: await connectAll(listeners, (at) => [PORT, `/api/v1/threads/${thread}/events`, people[Math.floor(at / EACH)].headers]),
    theirs: await connectAll(listeners, () => [BARE_PORT, '/events', {}]),
  };
  await pause(SETTLING_MS);
  const open = residentKib(ours.server.pid);
  const idle = await idleCosts(sides);
  const spent = { ours: [], theirs: [] };
  for (let n = 0; n <= ROUNDS; n++) {
    const [one, other] = [
      await costOf({ ...ours, postmaster, idle: idle.ours }, connected.ours, (at) => entryOf(world, thread, at)),
      await costOf({ ...theirs, postmaster, idle: idle.theirs }, connected.theirs, (at) => entryOf(world, thread, at)),
    ];
    // The first turn is for warming up.
    if (n > 0) [spent.ours.push(one), spent.theirs.push(other)];
  }
  const after = residentKib(ours.server.pid);
  for (const { agent } of Object.values(connected)) agent.destroy();
  const micros = (rounds, part) => (median(rounds.map(part)) * 1_000) / (events * listeners);
  const ratio = (part) => micros(spent.ours, part) / micros(spent.theirs, part);
  const parts = { all: sum, writer: (cost) => cost.writer, store: (cost) => cost.store, server: (cost) => cost.server };
  const all = micros(spent.ours, sum);
  const ratios = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, round(ratio(part))]));
  const kib = (open - before) / listeners;
  summary.listeners[listeners] = { micros: round(all), ratios, kib_each: round(kib), kib_after: after - open };
  console.log(
    `${String(listeners).padStart(5)} listeners: ${all.toFixed(1)} µs of processor an event and listener, ${shown(ratios.all)} of the bare side ` +
      `(writer ${shown(ratios.writer)}, store ${shown(ratios.store)}, server ${shown(ratios.server)}); ` +
      `${kib.toFixed(0)} KiB a listener, ${((after - open) / 1024).toFixed(1)} MiB more after ${events * (ROUNDS + 1)} events`,
  );
  await pause(SETTLING_MS);
}

/** Processor time of one side, in milliseconds: its writer, PostgreSQL and its server. */
function spentBy({ writer: { pid }, server, postmaster }) {
  return { writer: processMs(pid), store: databaseMs(postmaster), server: processMs(server.pid) };
}

const sum = ({ writer, store, server }) => writer + store + server;

const lessThan = (later, earlier, idle) =>
  Object.fromEntries(Object.keys(later).map((part) => [part, Math.max(0, later[part] - earlier[part] - idle[part])]));

/** What either side takes in the time of one turn in which nothing is written. */
async function idleCosts({ ours, theirs, postmaster }) {
  const now = () => ({ ours: spentBy({ ...ours, postmaster }), theirs: spentBy({ ...theirs, postmaster }) });
  const none = { writer: 0, store: 0, server: 0 };
  const began = now();
  await pause(events * GAP_MS);
  const ended = now();
  return { ours: lessThan(ended.ours, began.ours, none), theirs: lessThan(ended.theirs, began.theirs, none) };
}

/** Processor time of a side in milliseconds, while all events are written and reach all who listen. */
async function costOf(side, { heard }, entry) {
  const [began, wanted] = [spentBy(side), heard.count + events * heard.listeners];
  for (let at = 0; at < events; at++) {
    const due = pause(GAP_MS);
    await side.writer.append(entry(at));
    await due;
  }
  const deadline = performance.now() + LONGEST_MS;
  while (heard.count < wanted) {
    if (performance.now() > deadline) throw new Error(`${wanted - heard.count} of ${wanted} events did not arrive.`);
    await pause(20);
  }
  if (heard.count > wanted) throw new Error(`${heard.count - wanted} events arrived twice.`);
  return lessThan(spentBy(side), began, side.idle);
}

const program = (name) => join(projectRoot, 'tools/bench', name);

/** A process that appends what it is given, one event after the other. */
async function writer(launch, args) {
  const child = launch(args, { stdin: 'pipe' });
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  const append = async (entry) => {
    const appended = once(lines, 'line');
    child.stdin.write(`${JSON.stringify(entry)}\n`);
    await appended;
  };
  return { pid: child.pid, append };
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

/** One event of an answer, as a writer is given it. */
function entryOf({ ws_id }, thread, at) {
  return { ws_id, stream: `thread/${thread}`, entry: { kind: 'assistant_message', data: event(thread, at) } };
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

function shown(ratio) {
  return `${ratio.toFixed(2)}x`;
}

function round(value) {
  return Math.round(value * 100) / 100;
}
