// npm run fuzz -- --cost: what the largest and strangest requests cost the process that answers them, and such files their worker.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clientOf } from '../bench/document-uploads.mjs';
import { onBenchService } from '../bench/service.mjs';
import { say, sinceStart } from '../console/steps.mjs';
import { projectRoot } from '../project.mjs';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { boundsOf, verdictOf } from './cost-verdict.mjs';
import { EXCEPTIONS, NOT_CREATED } from './cost-exceptions.mjs';
import { CostlyJobs } from './costly-jobs.mjs';
import { CostlyRequests } from './costly-requests.mjs';
import { JobCostRun } from './job-cost.mjs';
import { KnownRows } from './known-rows.mjs';
import { Meter } from './meter.mjs';
import { Oracle } from './oracle.mjs';
import { SHAPES } from './costly-shapes.mjs';
import { Chance } from './random.mjs';
import { asCurl, onTheWire, operationsOf } from './requests.mjs';
import { closeConnections, send } from './sending.mjs';

const MIB = 1024 * 1024;
const LIMITLESS = ['read', 'write', 'ai', 'upload', 'search', 'admin-report', 'auth', 'workspace']
  .map((kind) => `${kind}=100000000`)
  .join(',');
const METERED = ['--require', join(projectRoot, 'tools/fuzz/metered-host.cjs')];
const ROUNDS_OF_ROWS = 2;
/** So often is a usual request sent with what was learned from the refusal before. */
const MOST_LESSONS = 6;
/** A host that had too much to do answers again after so long. */
const RELIEF_MS = 1_000;
const MOST_SHOWN = 60;
const SAID_EVERY = 500;

/**
 * Measures a service of its own, which is gone afterwards; or, at `url`, one whose hosts were started with the meter: its requests,
 * and with `jobs` its worker instead.
 */
export async function fuzzCost(options) {
  if (options.url) return fuzzThere(options);
  const port = Number(options.port);
  const [meter, worker, workerMeter] = [port + 1, port + 2, port + 3];
  const settings = {
    RATE_LIMITS: LIMITLESS,
    METER_PORT: String(meter),
    AUTH_PASSWORD_MEMORY_KIB: '1024',
    WATCHDOG_SECONDS: '60',
    OUTBOUND_ALLOW: '127.0.0.1/32',
  };
  await onBenchService({ port, settings }, async ({ workspace, startApi, launch, untilOk }) => {
    await startApi({ flags: METERED });
    const origin = `http://127.0.0.1:${port}`;
    const flags = ['--all-modules', '--credits', '1000000'];
    const hasRequests =
      !options.jobs && (await fuzzRequests({ origin, headers: (await workspace('Cost', flags)).headers, meter }, options));
    const url = `http://127.0.0.1:${worker}`;
    launch([...METERED, ...HOST_FLAGS, hostProgram('worker')], { env: { WORKER_PORT: String(worker), METER_PORT: String(workerMeter) } });
    await untilOk(`${url}/health/ready`);
    const hasJobs = await fuzzJobs(
      { origin, headers: (await workspace('Jobs', flags)).headers, meter: workerMeter, metricsUrl: `${url}/metrics` },
      options,
    );
    if (!hasRequests && !hasJobs) throw unmatched(options);
  });
}

const unmatched = ({ only }) => new Error(`No operation and no job matches "${only}".`);

async function fuzzThere(options) {
  const { ATRIUM_KEY, ATRIUM_TENANT } = process.env;
  const headers = { 'X-Api-Key': ATRIUM_KEY, 'X-Tenant-Id': ATRIUM_TENANT };
  const there = { origin: new URL(options.url).origin, headers, meter: Number(options.meter) };
  const has = options.jobs
    ? await fuzzJobs({ ...there, metricsUrl: new URL('/metrics', options.worker).href }, options)
    : await fuzzRequests(there, options);
  if (!has) throw unmatched(options);
}

/** Measures jobs that read files; false where `only` names none of them. */
async function fuzzJobs({ origin, headers, meter, metricsUrl }, { only, size, 'one-each': isOneEach, brief: isBrief }) {
  const jobs = new CostlyJobs(clientOf(origin, { headers }), { size: Number(size) * MIB });
  const run = new JobCostRun({ meter: new Meter(meter), metricsUrl });
  const all = (isBrief ? jobs.brief() : jobs.cases()).filter(({ name }) => !only || name.includes(only));
  if (all.length === 0) return false;
  await jobs.prepare();
  const nameOf = ({ operation, place }) => `${operation} · ${place}`;
  const variants = [...new Set(all.map(nameOf))].map((name) => [name, all.filter((each) => nameOf(each) === name)]);
  const isFew = isOneEach || isBrief;
  say(`${isFew ? variants.length : all.length} of ${all.length} jobs at ${origin}, after ${sinceStart()}`);
  const nextShapes = variants.map(([, cases], n) => cases[n % cases.length]);
  try {
    if (isBrief) await run.judgeEach(all);
    else if (isOneEach)
      for (const job of new Set(nextShapes.map(({ operation }) => operation)))
        await run.judge(
          job,
          nextShapes.filter(({ operation }) => operation === job),
        );
    else for (const [name, cases] of variants) await run.judge(name, cases);
    await run.demandAll();
  } finally {
    run.close();
  }
  run.report();
  return true;
}

async function fuzzRequests({ origin, headers, meter }, { only, seed, cases, from, 'one-each': isOneEach }) {
  const document = await (await fetch(`${origin}/openapi.json`)).json();
  const run = new CostRun({ origin, headers, document, meter: new Meter(meter) });
  await run.plant();
  const all = run.casesOf((name) => !only || name.includes(only));
  if (all.length === 0) return false;
  const wanted = isOneEach ? oneOfEach(all) : all;
  const chosen = (cases === undefined ? wanted : someOf(wanted, Number(cases), Number(seed))).slice(Number(from));
  const operations = new Set(chosen.map(({ operation }) => operation)).size;
  say(
    `${chosen.length} of ${all.length} requests, to ${operations} operations of ${origin}, seed ${seed}; ${run.rows.size} rows are known after ${sinceStart()}`,
  );
  for (const [n, each] of chosen.entries()) {
    if (n > 0 && n % SAID_EVERY === 0) say(`  ${Number(from) + n} after ${sinceStart()}`);
    await run.judge(each);
  }
  run.close();
  run.report();
  return true;
}

/** So many of them, the same for the same seed, in their order. */
function someOf(all, count, seed) {
  const chance = new Chance(seed, 0);
  return all
    .map((each, place) => ({ each, place, lot: chance.word() }))
    .sort((a, b) => a.lot - b.lot)
    .slice(0, count)
    .sort((a, b) => a.place - b.place)
    .map(({ each }) => each);
}

/** Of each operation the request with the largest body, or the longest address: the next of the shapes in each, so that all are met. */
function oneOfEach(all) {
  return [...new Set(all.map(({ operation }) => operation))].map((operation, n) => {
    const { name } = SHAPES[n % SHAPES.length];
    const shaped = all.filter((each) => each.operation === operation && each.shape === name);
    // A body that is one shape as a whole is refused for its fields; one with a large field is looked at.
    const inFields = shaped.filter(({ place }) => place !== 'body');
    return (inFields.length > 0 ? inFields : shaped)
      .map((each) => ({ each, size: sizeOf(each) }))
      .reduce((a, b) => (b.size > a.size ? b : a)).each;
  });
}

function sizeOf(each) {
  const { bytes, path } = onTheWire(each.request(0));
  return (bytes?.length ?? 0) + path.length;
}

/** What changes the rules of the workspace comes after all else, and what removes something comes last. */
const placeInRun = ({ method, path }) =>
  method === 'DELETE' || /\/(?:merge|delete|logout|revoke|erase)$/.test(path)
    ? 2
    : method !== 'GET' && /\/api\/v1\/(?:admin|me|auth)\b/.test(path)
      ? 1
      : 0;

/** One run: sends one request after the other, and keeps what each took. */
class CostRun {
  #failures = [];
  #statuses = new Map();
  #costliest = [];
  /** Of operations whose usual request was sent, the statuses that answered it, each with the beginning of the answer. */
  #usual = new Map();
  #before;

  constructor({ origin, headers, document, meter }) {
    Object.assign(this, { origin, headers, meter });
    this.operations = operationsOf(document);
    this.rows = new KnownRows([...new Set(this.operations.map(({ path }) => path))]);
    this.requests = new CostlyRequests(document, this.rows, headers);
    // A busy machine lets a request wait; what counts here is its processor time.
    this.oracle = new Oracle(document, this.operations, { slowMs: Infinity });
  }

  casesOf(isWanted) {
    const wanted = this.operations.filter(({ name }) => isWanted(name));
    return wanted.sort((a, b) => placeInRun(a) - placeInRun(b)).flatMap((operation) => this.requests.casesOf(operation));
  }

  /** Rows of each kind, so that requests find something: creates what the document shows as examples. */
  async plant() {
    const creating = this.operations.filter(({ method, operation }) => method === 'POST' && operation.responses['201']);
    const others = this.operations.filter((each) => each.operation.requestBody && !creating.includes(each) && placeInRun(each) === 0);
    const listing = this.operations.filter(({ method, query }) => method === 'GET' && query.some(({ name }) => name === 'cursor'));
    const reading = this.operations.filter(({ method }) => method === 'GET');
    for (let round = 0; round < ROUNDS_OF_ROWS; round++) {
      for (const operation of [...creating, ...(round > 0 ? others : [])]) await this.#accepted(operation, round);
      for (const operation of round > 0 ? reading : listing) await this.#accepted(operation, round);
    }
    const refused = creating.filter(({ name }) => !this.#isAnswered(name) && !(name in NOT_CREATED)).map(({ name }) => name);
    for (const name of refused)
      this.#fail(
        name,
        `creates nothing as it is meant: ${[...this.#usual.get(name)].map(([status, text]) => `${status} ${text.slice(0, 600)}`).join(', ')}`,
      );
    this.#statuses.clear();
  }

  /** Sends the usual request, without the fields for which it is refused. */
  async #accepted(operation, round) {
    for (let left = MOST_LESSONS; left > 0; left--) {
      const answer = await this.#sent(this.requests.usual(operation, round), 0);
      this.#usual.set(operation.name, (this.#usual.get(operation.name) ?? new Map()).set(answer.status ?? 'lost', answer.text ?? ''));
      if (answer.status !== 400 || !this.requests.learn(operation, answer.text)) return;
    }
  }

  #isAnswered(name) {
    return [...(this.#usual.get(name)?.keys() ?? [])].some((status) => status < 400);
  }

  async judge(each) {
    let last;
    const first = each.request(0);
    const verdict = await verdictOf(
      async (attempt, fromCleanHeap) => {
        last = await this.#measured(attempt === 0 ? first : each.request(attempt), fromCleanHeap);
        return last.taken;
      },
      boundsOf({ ...each, bytes: onTheWire(first).bytes?.length }, EXCEPTIONS),
    ).catch((error) => ({ isOver: true, lost: error.message, least: { processor_ms: Infinity, memory: 0 } }));
    this.#costliest.push({ name: each.name, status: last?.answer.status, ...verdict.least });
    const fault = last && this.oracle.faultIn(last.answer, last.request);
    if (!verdict.isOver && !fault) return;
    const why = verdict.isOver ? (verdict.lost ?? shown(verdict.least)) : fault;
    this.#fail(each.name, `${why} (${last?.answer.status ?? last?.answer.lost})\n  ${last ? asCurl(this.origin, last.request) : ''}`);
  }

  #fail(name, why) {
    this.#failures.push(name);
    if (this.#failures.length <= MOST_SHOWN) say(`\n✗ ${name}: ${why}`);
  }

  async #measured(request, fromCleanHeap) {
    const before = fromCleanHeap ? await this.meter.collected() : (this.#before ?? (await this.meter.read()));
    const answer = await this.#sent(request);
    const after = await this.meter.read();
    this.#before = after;
    const taken = { processor_ms: after.processor_ms - before.processor_ms, memory: after.memory - before.memory };
    return { request, answer, taken };
  }

  async #sent(request, again = 1) {
    for (let left = again; ; left--) {
      const answer = await send(this.origin, onTheWire(request)).catch(notSent);
      this.#statuses.set(answer.status ?? 'lost', (this.#statuses.get(answer.status ?? 'lost') ?? 0) + 1);
      this.rows.gather(request, answer);
      if (answer.status !== 503 || left === 0) return answer;
      await pause(RELIEF_MS);
    }
  }

  close() {
    this.meter.close();
    closeConnections();
  }

  report() {
    const statuses = [...this.#statuses]
      .sort(([a], [b]) => (a > b ? 1 : -1))
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ');
    say(`\nAnswers by status: ${statuses}`);
    const unanswered = [...this.#usual.keys()].filter((name) => !this.#isAnswered(name));
    if (unanswered.length > 0)
      say(
        `The usual request of ${unanswered.length} of ${this.#usual.size} operations is refused, so that what is looked at late in them is not measured:\n${unanswered
          .map((name) => `  ${name}: ${[...this.#usual.get(name).keys()].join(', ')}`)
          .join('\n')}`,
      );
    const worst = this.#costliest.sort((a, b) => b.processor_ms - a.processor_ms).slice(0, 10);
    say(`What took most:\n${worst.map(({ name, ...least }) => `  ${shown(least)}  ${name}`).join('\n')}`);
    say(
      `${this.#failures.length === 0 ? 'No request was over its bound' : `${this.#failures.length} requests were over their bounds`} in ${sinceStart()}.`,
    );
    if (this.#failures.length > 0) process.exitCode = 1;
  }
}

const shown = ({ processor_ms, memory }) => `${processor_ms.toFixed(0)} ms of processor time, ${(memory / MIB).toFixed(1)} MB`;

/** Node's client refuses some requests before they are sent. */
function notSent(error) {
  if (String(error.code).startsWith('ERR_')) return { lost: error.code, status: undefined };
  throw error;
}
