// How soon something of an answer is seen: the first event after the question was posted, the first one that its worker sends, and its
// first word, beside the event of a job that does nothing and went through the same outbox and queue; and what a run takes besides
// its model and its statements. Part of `npm run bench -- streams`.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from '../project.mjs';
import { HOST_FLAGS } from '../start/operator.mjs';
import { benchClient } from './client.mjs';

const TURNS = 40;
const WARMING = 10;
const LONGEST_MS = 30_000;
/** The first event of an answer takes at most so many times as long as that of the bare job. */
const FACTOR = 2;
const BY = '{"actor": {"kind": "system", "user_id": null}, "request": "bench", "trace": null}';
const PROGRAM = join(projectRoot, 'tools/bench/bare-jobs.cjs');

export async function compareFirstEvents({ owner, launch, untilOk }, world, taken) {
  const port = taken + 5;
  await giveCredits(owner, world);
  launch([...HOST_FLAGS, PROGRAM, 'api'], { env: { PORT: String(port) } });
  await slowly(() => untilOk(`http://127.0.0.1:${port}/health/ready`));
  const worker = launch([...HOST_FLAGS, PROGRAM, 'worker'], { env: { PORT: String(port + 1) } });
  await once(worker.stdout, 'data');
  const { call } = benchClient(port, world);
  await call('POST', '/agents', { agent_name: 'Harbour', agent_default: true, agent_tools: [{ tool: 'search_knowledge' }] });
  const runs = [];
  createInterface({ input: worker.stdout }).on('line', (line) => line.startsWith('{') && runs.push(JSON.parse(line)));
  const times = { bare: [], event: [], start: [], word: [] };
  for (let n = 0; n < WARMING + TURNS; n++) {
    const thread_id = randomUUID();
    await call('POST', '/threads', { thread_id });
    const heard = await follow(port, world, thread_id);
    const bare = await heard.after(() => fetch(`http://127.0.0.1:${port}/bare/${world.ws_id}/${thread_id}`, { method: 'POST' }), {
      bare: ({ op }) => op === 'step',
    });
    const asked = await heard.after(() => call('POST', `/threads/${thread_id}/messages`, { msg_text: 'When does the harbour open?' }), {
      event: () => true,
      start: ({ op }) => op === 'start',
      word: ({ op }) => op === 'delta' || op === 'part',
    });
    heard.leave();
    if (n >= WARMING) for (const [name, ms] of Object.entries({ ...bare, ...asked })) times[name].push(ms);
  }
  const [bare, event, start, word] = [times.bare, times.event, times.start, times.word].map(median);
  const told = { bare_ms: round(bare), event: round(event / bare), start: round(start / bare), word: round(word / bare) };
  const judged = (ratio) => `${ratio.toFixed(2)}x${ratio > FACTOR ? ' OVER' : ''}`;
  console.log(
    `after a question: its first event ${event.toFixed(1)} ms, ${judged(told.event)} of a bare job (${bare.toFixed(1)} ms; at most ${FACTOR}x); ` +
      `the first of its worker ${start.toFixed(1)} ms, ${judged(told.start)}; first word or tool ${word.toFixed(1)} ms, ${told.word.toFixed(2)}x`,
  );
  return { ...told, run: overheadOf(runs.slice(WARMING)) };
}

/** A run that answers by searching: everything it takes, and what of that is neither its model nor a statement. */
function overheadOf(runs) {
  const of = (name) => median(runs.map((run) => run[name]));
  const told = { all_ms: round(of('all_ms')), own_ms: round(of('own_ms')), cpu_ms: round(of('cpu_ms')), statements: of('statements') };
  console.log(
    `a run in its worker ${told.all_ms.toFixed(1)} ms with ${told.statements} statements; besides these and the model ${told.own_ms.toFixed(1)} ms; ` +
      `processor ${told.cpu_ms.toFixed(1)} ms`,
  );
  return told;
}

/** Programs that are not put into one script take their time to start on a busy machine. */
async function slowly(wait) {
  for (let left = 4; left > 0; left--)
    if (
      await wait().then(
        () => true,
        () => false,
      )
    )
      return;
  return wait();
}

/** A client of a thread: `after(act, wanted)` answers in how many milliseconds after the act each wanted event came first. */
export async function follow(port, { headers }, thread_id, longestMs = LONGEST_MS) {
  const request = get({ host: '127.0.0.1', port, path: `/api/v1/threads/${thread_id}/events`, headers });
  const [response] = await once(request, 'response');
  const listeners = new Set();
  let rest = '';
  response.setEncoding('utf8');
  response.on('error', () => undefined);
  response.on('data', (chunk) => {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const kind = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (kind && data && kind !== 'presence') for (const listener of listeners) listener(JSON.parse(data), kind);
    }
  });
  // The state of the thread comes first.
  await new Promise((resolve) => listeners.add((_, kind) => kind === 'lock' && resolve()));
  listeners.clear();
  const after = async (act, wanted) => {
    const found = {};
    const began = performance.now();
    const all = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`Not heard: ${Object.keys(wanted).filter((name) => !(name in found))}.`)), longestMs);
      listeners.add((data) => {
        for (const [name, is] of Object.entries(wanted)) if (!(name in found) && is(data)) found[name] = performance.now() - began;
        const isFree = !('event' in wanted) || data.locked === false;
        if (!isFree || Object.keys(found).length < Object.keys(wanted).length) return;
        clearTimeout(late);
        resolve();
      });
    });
    await Promise.all([act(), all]);
    listeners.clear();
    return found;
  };
  return { after, leave: () => request.destroy() };
}

/** Answers cost credits. */
async function giveCredits(owner, { ws_id }) {
  const grant = {
    grant_id: randomUUID(),
    grant_credits: 1_000_000_000,
    grant_priority: 50,
    grant_source: 'plan',
    grant_recurs: 'none',
    grant_starts_at: new Date(),
  };
  await owner.query('BEGIN');
  await owner.query("SELECT set_config('app.tenant_id', $1, true)", [ws_id]);
  await owner.query('SELECT credit_give($1::jsonb, $2::jsonb)', [JSON.stringify(grant), BY]);
  await owner.query('COMMIT');
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function round(value) {
  return Math.round(value * 100) / 100;
}
