// npm run fuzz: thousands of bad requests, made from the OpenAPI document. No answer may be a failure of the service.
import '../setup/node-version.mjs';
import { parseArgs } from 'node:util';
import { say, sinceStart } from '../console/steps.mjs';
import { findTarget } from '../tour/target.mjs';
import { Oracle } from './oracle.mjs';
import { Chance } from './random.mjs';
import { rawRequests, sendRaw } from './raw-requests.mjs';
import { asCurl, makeRequest, onTheWire, operationsOf } from './requests.mjs';
import { Harvest, Sampler } from './sample.mjs';
import { closeConnections, send } from './sending.mjs';

const USAGE = `npm run fuzz -- [options]

  --requests N     how many (20000)
  --seed N         the same seed makes the same requests (7)
  --from N         begin with request number N; with --cost too
  --concurrency N  at the same time (8); 1 repeats a run most exactly
  --only TEXT      only operations whose "METHOD /path" holds the text
  --url URL        a service other than the demo workspace's; with ATRIUM_KEY and ATRIUM_TENANT
  --cost           instead: fields and bodies as large as they may be, in eighteen shapes that programs are slow on, one at a time.
                   None may take the API more than 50 ms of processor time or 20 MB. Then files of the same shapes: no job may
                   hold the event loop of its worker for more than 100 ms of processor time. Starts a service of its own.
  --jobs           with --cost, the jobs alone
  --one-each       with --cost, of each operation only the request with the largest body, each with the next of the shapes;
                   of each job and format one file
  --brief          with --cost and --jobs, of each job the one file that is measured in CI
  --cases N        with --cost, so many of the requests, chosen by the seed (all)
  --size MB        with --cost, the size of files (20)
  --port N         with --cost, the first of four ports of that service (3931)
  --meter PORT     with --cost and --url, the port on which that host was started with tools/fuzz/metered-host.cjs: the API, or the worker
  --worker URL     with --cost, --jobs and --url, the address of the worker's own endpoints`;
const MOST_REPORTS_OF_A_KIND = 2;

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '7' },
    from: { type: 'string', default: '0' },
    concurrency: { type: 'string', default: '8' },
    only: { type: 'string' },
    url: { type: 'string' },
    cost: { type: 'boolean' },
    cases: { type: 'string' },
    'one-each': { type: 'boolean' },
    brief: { type: 'boolean' },
    jobs: { type: 'boolean' },
    size: { type: 'string', default: '20' },
    port: { type: 'string', default: '3931' },
    meter: { type: 'string' },
    worker: { type: 'string' },
    help: { type: 'boolean' },
  },
});

async function main() {
  if (options.help) return say(USAGE);
  if (options.cost) return (await import('./cost.mjs')).fuzzCost(options);
  if (options.url) process.env.ATRIUM_URL = options.url;
  const target = findTarget();
  const origin = new URL(target.base_url).origin;
  const document = await (await fetch(`${origin}/openapi.json`)).json();
  const operations = operationsOf(document).filter(({ name }) => !options.only || name.includes(options.only));
  if (operations.length === 0) throw new Error(`No operation matches "${options.only}".`);
  const [seed, from, count] = [Number(options.seed), Number(options.from), Number(options.requests)];
  say(`${operations.length} operations of ${origin}, ${count} requests from number ${from}, seed ${seed}`);

  const run = new Run({ target, origin, document, operations, seed, spared: await ownKey(target) });
  await run.requests(from, count, Number(options.concurrency));
  if (!options.only) await run.rawSockets();
  await run.stillAlive();
  closeConnections();
  run.report();
}

/** The key the run calls with must outlive it. */
async function ownKey({ base_url, api_key, tenant_id }) {
  const answer = await fetch(`${base_url}/me`, { headers: { 'X-Api-Key': api_key, 'X-Tenant-Id': tenant_id } });
  const { key } = await answer.json();
  return key ? [key.key_id] : [];
}

/** One run: sends, judges, and keeps what was wrong. */
class Run {
  #failures = [];
  #statuses = new Map();

  constructor({ target, origin, document, operations, seed, spared }) {
    Object.assign(this, { target, origin, operations, seed });
    this.harvest = new Harvest(spared);
    this.sampler = new Sampler(document, this.harvest);
    this.oracle = new Oracle(document, operations);
  }

  async requests(from, count, concurrency) {
    let next = from;
    const lane = async () => {
      for (let number = next++; number < from + count; number = next++) await this.#one(number);
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
  }

  async #one(number) {
    const chance = new Chance(this.seed, number);
    const request = makeRequest(this.target, this.sampler, this.operations[number % this.operations.length], chance);
    const answer = await this.#sent(request);
    const fault = this.oracle.faultIn(answer, request);
    if (fault)
      this.#fail(
        `request ${number} (npm run fuzz -- --seed ${this.seed} --from ${number} --requests 1), ${request.operation}`,
        fault,
        asCurl(this.origin, request),
      );
  }

  async #sent(request) {
    try {
      const answer = await send(this.origin, onTheWire(request));
      this.#statuses.set(answer.status ?? 'lost', (this.#statuses.get(answer.status ?? 'lost') ?? 0) + 1);
      if (answer.status < 300 && answer.whole && answer.type.includes('json')) this.harvest.gather(JSON.parse(answer.text || 'null'));
      return answer;
    } catch (error) {
      if (error.code === 'ERR_INVALID_CHAR' || error.code === 'ERR_UNESCAPED_CHARACTERS' || error.code === 'ERR_HTTP_INVALID_HEADER_VALUE')
        return { status: 400, type: 'application/problem+json', requestId: 'not sent', text: NOT_SENT, milliseconds: 0 };
      throw error;
    }
  }

  /** A problem, a plain success, or silence; never a 500. */
  async rawSockets() {
    for (const [title, bytes] of rawRequests(this.target)) {
      const text = await sendRaw(this.origin, bytes);
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
      for (const status of statuses) this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
      const wrong = statuses.some(
        (status) => (status >= 500 && status !== 501) || (status >= 400 && !text.includes('application/problem+json')),
      );
      if (wrong) this.#fail(`raw request: ${title}`, text.split('\r\n\r\n')[0].slice(0, 300), '');
    }
  }

  async stillAlive() {
    const answer = await fetch(`${this.origin}/health/ready`).then(
      (response) => response.status,
      (error) => error.message,
    );
    if (answer !== 200) this.#fail('after the run', `the service is not ready: ${answer}`, '');
    const list = await fetch(`${this.target.base_url}/me`, {
      headers: { 'X-Api-Key': this.target.api_key, 'X-Tenant-Id': this.target.tenant_id },
    }).then(
      (response) => response.status,
      (error) => error.message,
    );
    if (list !== 200) this.#fail('after the run', `the key does not work any more: ${list}`, '');
  }

  #fail(where, fault, curl) {
    const kind = fault.slice(0, 40).replace(/\d+/g, '#');
    this.#failures.push(kind);
    if (this.#failures.filter((other) => other === kind).length <= MOST_REPORTS_OF_A_KIND) say(`\n✗ ${where}\n  ${fault}\n  ${curl}`);
  }

  report() {
    const statuses = [...this.#statuses]
      .sort(([a], [b]) => (a > b ? 1 : -1))
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ');
    say(`\nAnswers by status: ${statuses}`);
    if ((this.#statuses.get(429) ?? 0) > 0)
      say(
        'Some requests met the rate limits instead of what was to be tried: start the service with RATE_LIMITS=read=1000000,write=1000000,upload=1000000,search=1000000,admin-report=1000000,auth=1000000,workspace=1000000.',
      );
    if (this.oracle.surprises.size > 0)
      say(
        `Codes the document does not mention:\n${[...this.oracle.surprises]
          .map(([what, count]) => `  ${what} (${count})`)
          .sort()
          .join('\n')}`,
      );
    say(`${this.#failures.length === 0 ? 'No failure' : `${this.#failures.length} failures`} in ${sinceStart()}.`);
    process.exitCode = this.#failures.length === 0 ? 0 : 1;
  }
}

/** Node's client refuses some headers before they are sent: nothing to judge. */
const NOT_SENT = JSON.stringify({
  type: '/problems/validation_failed',
  title: '',
  status: 400,
  detail: '',
  instance: '',
  code: 'validation_failed',
  request_id: '',
});

main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});
