import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { Client } from 'pg';
import { LOOK_MS, LoopGuard } from './loop-guard';
import { DEBUGGED, TICKS, type WatchdogOrder } from './watchdog-order';
import { MainThread } from './main-thread';
import type { WorkAtHand } from './work-at-hand';

const CATCH_MS = 3_000;
const STRIKE_MS = 10_000;
/** Native code cannot be ended from within: after this the process is killed. */
const EXIT_MS = 3_000;
/** "Internal software error": the supervisor starts the host again. */
const EXIT_CODE = 70;
const STDOUT = 1;

/** The watchdog, in a thread of its own. */
async function watch(order: WatchdogOrder): Promise<never> {
  const counters = new Int32Array(order.counters);
  const main = new MainThread();
  const guard = new LoopGuard(order, {
    ticks: () => Atomics.load(counters, TICKS),
    spentMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    isDebugged: () => Atomics.load(counters, DEBUGGED) !== 0,
    catchRunning: () => main.catchRunning(CATCH_MS),
    recordStrike: (work) => strike(order, work),
    log: (level, facts) => log(order, level, facts),
    endProcess: async () => {
      await main.exitProcess(EXIT_CODE, EXIT_MS);
      await new Promise((resolve) => setTimeout(resolve, EXIT_MS));
      process.kill(process.pid, 'SIGKILL');
    },
  });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    await guard.checkLoop();
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

const LEVELS = { warn: 40, error: 50, fatal: 60 } as const;

/** As the process logs, but written here: its own log waits for the event loop. */
function log({ service }: WatchdogOrder, level: keyof typeof LEVELS, facts: object): void {
  const line = JSON.stringify({ level: LEVELS[level], time: new Date().toISOString(), service, pid: process.pid, ...facts });
  writeSync(STDOUT, `${line}\n`);
}

void watch(workerData as WatchdogOrder);
