// npm run bench -- retention [--rows N] [--rounds N]: the slowest twentieth of plain GETs while retention removes N rows (10^6) of
// the access log, beside the same while its worker is stopped; in turns of two seconds until all are gone, as a ratio.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3921;
const CALLERS = 4;
const TURN_MS = 2_000;
const SETTLE_MS = 3_000;
const MOST = 1.5;

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '1' }, json: { type: 'boolean' } },
});
const [rows, rounds] = [Number(options.rows), Number(options.rounds)];

await onBenchService({ port: PORT, settings: { RATE_LIMITS: 'read=100000000,workspace=100000000' } }, run);

async function run({ owner, launch, startApi, workspace }) {
  const home = await workspace('Kept');
  await owner.query(
    "SELECT make_month('access_log', 'log_timestamp', now() - interval '400 days' - m * interval '28 days') FROM generate_series(0, 1) m",
  );
  await owner.query('UPDATE workspace SET ws_timezone = $2 WHERE tenant_id = $1', [home.ws_id, noon()]);
  // Somebody keeps more, or the months would go as a whole.
  await owner.query(
    "WITH other AS (INSERT INTO workspace (tenant_id, ws_name, ws_slug) VALUES (gen_random_uuid(), 'Long', 'long') RETURNING tenant_id) INSERT INTO retention_policy (tenant_id, ret_key, ret_days) SELECT tenant_id, 'access_logs', 1825 FROM other",
  );
  await startApi();
  await inTurns(home, undefined, pause(SETTLE_MS));

  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    await seedDue(owner, home);
    const started = performance.now();
    const { going, standing } = await besideWorker(launch, async (worker) => {
      await removed(owner, home, (run) => run?.run_removed > 0);
      return inTurns(
        home,
        worker,
        removed(owner, home, (run) => run?.run_status === 'completed'),
      );
    });
    ratios.push(p95(going) / p95(standing));
    const seconds = ((performance.now() - started) / 1_000).toFixed(0);
    console.log(
      `round ${round + 1}: ${rows.toLocaleString('en')} rows went in turns within ${seconds} s; p95 ${p95(going).toFixed(1)} ms of ${going.length} reads meanwhile, ${p95(standing).toFixed(1)} ms of ${standing.length} while the worker stood still`,
    );
  }
  const ratio = ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)];
  console.log(
    `p95 of a plain GET while retention runs: ${ratio.toFixed(2)}x of without (at most ${MOST})${ratio > MOST ? '  BEYOND ITS LIMIT' : ''}`,
  );
  if (options.json) console.log(JSON.stringify({ retention_p95: Math.round(ratio * 100) / 100 }));
  if (ratio > MOST) process.exitCode = 1;
}

/** Name of a zone where it is about noon: what is due is due there now. */
function noon() {
  const offset = ((12 - new Date().getUTCHours() + 36) % 24) - 12;
  return offset === 0 ? 'UTC' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

/** Rows that are due, as if retention had not run today. Each with its searched text, which else a trigger would make. */
async function seedDue(owner, { ws_id }) {
  await owner.query(
    `INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_principal, log_method, log_url, log_status, log_duration_ms, log_request_id, log_text)
     SELECT $1, gen_random_uuid(), now() - interval '400 days' - n * interval '1 millisecond', 'person', 'GET', '/api/v1/albums', 200, random() * 20, gen_random_uuid(), '/albums' FROM generate_series(1, $2::integer) n`,
    [ws_id, rows],
  );
  await owner.query('VACUUM ANALYZE access_log');
  await owner.query('DELETE FROM retention_run WHERE tenant_id = $1', [ws_id]);
  await owner.query("UPDATE schedule SET sch_due = now() WHERE sch_name = 'governance.retention'");
}

async function besideWorker(launch, work) {
  const worker = launch([...HOST_FLAGS, hostProgram('worker')], { env: { PORT: String(PORT + 1) } });
  try {
    return await work(worker);
  } finally {
    // A stopped process handles no other signal.
    worker.kill('SIGCONT');
    worker.kill('SIGTERM');
    if (worker.exitCode === null) await once(worker, 'exit');
  }
}

/** Waits until the run of the policy is as wanted. */
async function removed(owner, { ws_id }, wanted) {
  for (let n = 0; n < 6_000; n++) {
    const { rows: found } = await owner.query(
      "SELECT run_removed::integer AS run_removed, run_status FROM retention_run WHERE tenant_id = $1 AND ret_key = 'access_logs'",
      [ws_id],
    );
    if (wanted(found[0])) return;
    await pause(50);
  }
  throw new Error('Retention did not get there.');
}

/** Reads by some callers, one after the other each, until `over`: how long those took that a turn of the worker held from begin to end. */
async function inTurns({ headers }, worker, over) {
  const spent = { going: [], standing: [] };
  let [turn, ended] = ['going', false];
  const end = Promise.resolve(over).finally(() => (ended = true));
  const turns = (async () => {
    while (worker && !ended) {
      await Promise.race([pause(TURN_MS), end]);
      worker.kill(turn === 'going' && !ended ? 'SIGSTOP' : 'SIGCONT');
      turn = turn === 'going' ? 'standing' : 'going';
    }
  })();
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!ended) {
      const [started, began] = [performance.now(), turn];
      const answer = await fetch(`http://127.0.0.1:${PORT}/api/v1/albums?limit=50`, { headers });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`A read was answered ${answer.status}.`);
      if (began === turn) spent[began].push(performance.now() - started);
    }
  });
  await Promise.all([end, turns, ...callers]);
  return spent;
}

function p95(spent) {
  return [...spent].sort((a, b) => a - b)[Math.floor(spent.length * 0.95)];
}
