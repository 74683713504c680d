// npm run bench -- retention [--rows N] [--rounds N]: the slowest twentieth of plain GETs while retention removes N rows (10^6) of
// the access log, beside the same before and after, while nothing is due; on one machine, in one run, as a ratio.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3921;
const CALLERS = 4;
const QUIET_MS = 4_000;
const SETTLE_MS = 3_000;
const MOST = 1.5;

const { values: options } = parseArgs({ allowPositionals: true, options: { rows: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '1' }, json: { type: 'boolean' } } });
const [rows, rounds] = [Number(options.rows), Number(options.rounds)];

await onBenchService({ port: PORT, settings: { RATE_LIMITS: 'read=100000000,workspace=100000000' } }, run);

async function run({ owner, launch, startApi, workspace }) {
  const home = await workspace('Kept');
  await owner.query("SELECT make_month('access_log', 'log_timestamp', now() - interval '400 days' - m * interval '28 days') FROM generate_series(0, 1) m");
  await owner.query('UPDATE workspace SET ws_timezone = $2 WHERE tenant_id = $1', [home.ws_id, noon()]);
  // Somebody keeps more, or the months would go as a whole.
  await owner.query("WITH other AS (INSERT INTO workspace (tenant_id, ws_name, ws_slug) VALUES (gen_random_uuid(), 'Long', 'long') RETURNING tenant_id) INSERT INTO retention_policy (tenant_id, ret_key, ret_days) SELECT tenant_id, 'access_logs', 1825 FROM other");
  await startApi();
  await slowest(home, pause(SETTLE_MS));

  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    await seedDue(owner, home);
    const before = await besideWorker(launch, () => settled(home));
    await makeDue(owner, home);
    const [busy, after] = await besideWorker(launch, async () => {
      await removed(owner, home, (run) => run?.run_removed > 0);
      return [await slowest(home, removed(owner, home, (run) => run?.run_status === 'completed')), await settled(home)];
    });
    const quiet = (before.p95 + after.p95) / 2;
    ratios.push(busy.p95 / quiet);
    console.log(`round ${round + 1}: p95 ${busy.p95.toFixed(1)} ms of ${busy.calls} reads while ${rows.toLocaleString('en')} rows went in ${(busy.ms / 1_000).toFixed(1)} s, ${before.p95.toFixed(1)} ms before and ${after.p95.toFixed(1)} ms after`);
  }
  const ratio = ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)];
  console.log(`p95 of a plain GET while retention runs: ${ratio.toFixed(2)}x of without (at most ${MOST})${ratio > MOST ? '  BEYOND ITS LIMIT' : ''}`);
  if (options.json) console.log(JSON.stringify({ retention_p95: Math.round(ratio * 100) / 100 }));
  if (ratio > MOST) process.exitCode = 1;
}

/** Reads while nothing is due, once what was begun before has come to rest. */
async function settled(home) {
  await pause(SETTLE_MS);
  return slowest(home, pause(QUIET_MS));
}

/** Name of a zone where it is about noon: what is due is due there now. */
function noon() {
  const offset = ((12 - new Date().getUTCHours() + 36) % 24) - 12;
  return offset === 0 ? 'UTC' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

/** Rows that will be due; retention has run today. Each with its searched text, which else a trigger would make. */
async function seedDue(owner, { ws_id }) {
  await owner.query(
    `INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_principal, log_method, log_url, log_status, log_duration_ms, log_request_id, log_text)
     SELECT $1, gen_random_uuid(), now() - interval '400 days' - n * interval '1 millisecond', 'person', 'GET', '/api/v1/albums', 200, random() * 20, gen_random_uuid(), '/api/v1/albums' FROM generate_series(1, $2::integer) n`,
    [ws_id, rows],
  );
  await owner.query('VACUUM ANALYZE access_log');
  await owner.query(
    `INSERT INTO retention_run (tenant_id, run_id, ret_key, run_date, run_before, run_started, run_finished, run_status)
     SELECT $1, gen_random_uuid(), 'access_logs', (now() AT TIME ZONE $2)::date, now(), now(), now(), 'completed' ON CONFLICT DO NOTHING`,
    [ws_id, noon()],
  );
}

/** As if it had not. */
async function makeDue(owner, { ws_id }) {
  await owner.query('DELETE FROM retention_run WHERE tenant_id = $1', [ws_id]);
  await owner.query("UPDATE schedule SET sch_due = now() WHERE sch_name = 'governance.retention'");
}

async function besideWorker(launch, work) {
  const worker = launch([...HOST_FLAGS, hostProgram('worker')], { env: { PORT: String(PORT + 1) } });
  try {
    return await work();
  } finally {
    worker.kill('SIGTERM');
    if (worker.exitCode === null) await once(worker, 'exit');
  }
}

/** Waits until the run of the policy is as wanted. */
async function removed(owner, { ws_id }, wanted) {
  for (let n = 0; n < 6_000; n++) {
    const { rows: found } = await owner.query("SELECT run_removed::integer AS run_removed, run_status FROM retention_run WHERE tenant_id = $1 AND ret_key = 'access_logs'", [ws_id]);
    if (wanted(found[0])) return;
    await pause(50);
  }
  throw new Error('Retention did not get there.');
}

/** Reads by some callers, one after the other each, until `over`; how long the slowest twentieth took at least. */
async function slowest({ headers }, over) {
  const spent = [];
  const began = performance.now();
  let ended = false;
  const end = Promise.resolve(over).finally(() => (ended = true));
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!ended) {
      const started = performance.now();
      const answer = await fetch(`http://127.0.0.1:${PORT}/api/v1/albums?limit=50`, { headers });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`A read was answered ${answer.status}.`);
      spent.push(performance.now() - started);
    }
  });
  await Promise.all([end, ...callers]);
  return { p95: spent.sort((a, b) => a - b)[Math.floor(spent.length * 0.95)], calls: spent.length, ms: performance.now() - began };
}
