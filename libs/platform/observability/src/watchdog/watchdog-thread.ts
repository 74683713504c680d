import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { Client } from 'pg';
import type { WatchdogOrder } from './loop-watch';
import { MainThread, type Caught } from './main-thread';
import type { WorkAtHand } from './work-at-hand';

const LOOK_MS = 100;
const CATCH_MS = 3_000;
const STRIKE_MS = 10_000;
/** Native code cannot be ended from within: after this the process is killed. */
const EXIT_MS = 3_000;
/** "Internal software error": the supervisor starts the host again. */
const EXIT_CODE = 70;
const STDOUT = 1;

/**
 * The watchdog, in a thread of its own. It counts its own turns in which the event loop has made none, so that a process that was
 * stopped as a whole, or a machine that slept, is not taken for a blocked loop.
 */
async function watch(order: WatchdogOrder): Promise<never> {
  const counter = new Int32Array(order.ticks);
  const main = new MainThread();
  let last = Atomics.load(counter, 0);
  let still = 0;
  let caught: Caught | undefined;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const now = Atomics.load(counter, 0);
    if (now !== last) {
      [last, still, caught] = [now, 0, undefined];
      continue;
    }
    // It counts from the first tick: while a host loads its modules nothing turns.
    if (last === 0) continue;
    still += LOOK_MS;
    if (still >= order.reportMs && still - LOOK_MS < order.reportMs) {
      caught = await main.catchRunning(CATCH_MS);
      log(order, 'error', { msg: 'the event loop is blocked', blocked_ms: still, ...factsOf(caught) });
    }
    if (order.endMs === 0 || still < order.endMs) continue;
    caught = (await main.catchRunning(CATCH_MS)) ?? caught;
    if (Atomics.load(counter, 0) !== last) continue;
    const strikes = caught?.work ? await strike(order, caught.work) : null;
    log(order, 'fatal', {
      msg: 'the event loop was blocked for too long: the process ends',
      blocked_ms: still,
      strikes,
      ...factsOf(caught),
    });
    await main.exit(EXIT_CODE, EXIT_MS);
    await new Promise((resolve) => setTimeout(resolve, EXIT_MS));
    process.kill(process.pid, 'SIGKILL');
  }
}

/** How often this work has blocked a process by now; null where it cannot be written down. */
async function strike({ databaseUrl }: WatchdogOrder, { kind, tenant_id, id, operation }: WorkAtHand): Promise<number | null> {
  if (databaseUrl === '' || kind === 'schedule') return null;
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: STRIKE_MS, query_timeout: STRIKE_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await (kind === 'job'
      ? client.query<{ strikes: number | null }>('SELECT outbox_strike($1, $2) AS strikes', [tenant_id, id])
      : client.query<{ strikes: number | null }>('SELECT request_strike($1, $2) AS strikes', [id, operation]));
    return rows[0]?.strikes ?? null;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const factsOf = (caught: Caught | undefined): object => {
  const { work, stack } = caught ?? { work: null, stack: ['(native code)'] };
  return {
    operation: work?.operation ?? null,
    tenant_id: work?.tenant_id ?? null,
    request_id: work?.request_id ?? null,
    job_id: work?.kind === 'job' ? work.id : undefined,
    stack,
  };
};

const LEVELS = { error: 50, fatal: 60 } as const;

/** As the process logs, but written here: its own log waits for the event loop. */
function log({ service }: WatchdogOrder, level: keyof typeof LEVELS, facts: object): void {
  const line = JSON.stringify({ level: LEVELS[level], time: new Date().toISOString(), service, pid: process.pid, ...facts });
  writeSync(STDOUT, `${line}\n`);
}

void watch(workerData as WatchdogOrder);
