// What a request costs on one side as ratios to another: processor time of host and database, throughput, and the wait of the
// slowest hundredth. Processor time hardly changes with what else the machine does.
import { measuredLoad } from './load.mjs';
import { databaseMs, processMs } from './processor.mjs';

export const CONNECTIONS = 32;
export const ROUNDS = 3;
const WARM_CALLS = 5_000;
const WARM_TURNS = 20;

/** Both sides, each `{ pid, origin, next }`, take turns of `span` seconds, each warm before. */
export async function compare(ours, theirs, { postmaster, span }) {
  const sides = [theirs, ours];
  for (const side of sides) await warm(side);
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) {
    const round = [];
    for (const side of sides) round.push(await costOf(side, postmaster, span));
    rounds.push(round);
  }
  const ratio = (value) => round(median(rounds.map(([bare, api]) => value(api) / value(bare))));
  return {
    processor: ratio(({ host, database }) => host + database),
    api: ratio(({ host }) => host),
    database: ratio(({ database }) => database),
    throughput: ratio(({ rate }) => rate),
    p99: ratio(({ p99 }) => p99),
    p99_ms: median(rounds.map(([, api]) => api.p99)),
  };
}

/** The process that all processes of the database descend from. */
export async function postmasterOf(owner) {
  const { rows } = await owner.query("SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1)::integer AS pid");
  return rows[0].pid;
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

export function shown(ratio) {
  return Number.isFinite(ratio) ? `${ratio.toFixed(2)}x` : 'unknown';
}

/** V8 has made of a handler what it will once it has been called some thousand times. */
async function warm({ origin, next }) {
  for (let [calls, turns] = [0, 0]; calls < WARM_CALLS && turns < WARM_TURNS; turns++)
    calls += (await measuredLoad(origin, next, { connections: CONNECTIONS, seconds: 1 })).requests;
}

/** Processor time a request in milliseconds, of the host and of the database, and how fast it goes. */
async function costOf({ pid, origin, next }, postmaster, asked) {
  const [host, database] = [processMs(pid), databaseMs(postmaster)];
  const { requests, seconds: span, p99 } = await measuredLoad(origin, next, { connections: CONNECTIONS, seconds: asked });
  return { host: (processMs(pid) - host) / requests, database: (databaseMs(postmaster) - database) / requests, rate: requests / span, p99 };
}

const round = (value) => Math.round(value * 100) / 100;
