// npm run bench -- usage [--rows N]: reports of usage at N entries (10^7) beside a tenth and a hundredth of them, beside a bare
// SUM … GROUP BY over the entries, the roller beside eight writers, and a charge with its hold beside a bare insert; in one
// run, on one machine, as ratios.
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { compareCharges } from './charging.mjs';
import { onBenchService } from './service.mjs';
import { seedUsage } from './usage-seed.mjs';

const PORT = 3911;
const ROUNDS = 30;
/** Turns before any is measured: a service that has just started still compiles itself. */
const WARMING = 20;
const WRITERS = 8;
const WRITING_MS = 8_000;

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '10000000' }, json: { type: 'boolean' } },
});
const rows = Number(options.rows);
const results = [];

await onBenchService({ port: PORT, settings: { RATE_LIMITS: 'admin-report=1000000,workspace=1000000' } }, run);

async function run(service) {
  const { owner, startApi, workspace } = service;
  const workspaces = [];
  for (const name of ['large', 'middle', 'small']) workspaces.push(await workspace(`Usage ${name}`));
  const [large, middle, small] = workspaces;
  say(`seeding ${rows.toLocaleString('en')} entries, a tenth and a hundredth of it …`);
  const { agents } = await seedUsage(
    owner,
    workspaces.map(({ ws_id }) => ws_id),
    [rows, Math.ceil(rows / 10), Math.ceil(rows / 100)],
  );
  await startApi();

  await comparePivots(owner, large, middle);
  const details = (agent) =>
    `/admin/usage/details?agent_id=${agent}&usage_timestamp=${dateBefore(90)}&usage_timestamp=${dateBefore(10)}&limit=50`;
  const [deep, shallow] = await taking(
    () => get(large, details(agents[3])),
    () => get(small, details(agents[3])),
  );
  tell('details', `first page at ${count(rows)} entries: ${ratio(deep, shallow)}x the time at ${count(rows / 100)}`, deep / shallow, 2);
  await rollBesideWriters(service, middle);
  for (const [name, sentence, value] of await compareCharges(service)) tell(name, sentence, value, Infinity);
  if (options.json) console.log(JSON.stringify(Object.fromEntries(results)));
}

/** Each pivot at all entries and at a tenth of them, and against the bare GROUP BY it spares. */
async function comparePivots(owner, large, middle) {
  const range = `usage_timestamp=${dateBefore(34)}&usage_timestamp=${dateBefore(5)}`;
  const bare = (zone, key) => () =>
    owner.query(
      `SELECT ${key} AS key, usage_param, count(*), sum(usage_consumed_units), sum(usage_consumed_credits) FROM usage_entry
       WHERE tenant_id = $1 AND usage_timestamp >= $2::date::timestamp AT TIME ZONE '${zone}' AND usage_timestamp < ($3::date + 1)::timestamp AT TIME ZONE '${zone}' GROUP BY 1, 2`,
      [large.ws_id, dateBefore(34), dateBefore(5)],
    );
  const pivots = [
    [
      'by date',
      `/admin/usage/pivot?group_by=date&tz=UTC&${range}`,
      bare('UTC', "date_trunc('day', usage_timestamp AT TIME ZONE 'UTC')"),
      50,
    ],
    [
      'by member, Kathmandu',
      `/admin/usage/pivot?group_by=usage_user&tz=Asia/Kathmandu&${range}`,
      bare('Asia/Kathmandu', 'usage_user'),
      undefined,
    ],
    [
      'by agent, Kathmandu',
      `/admin/usage/pivot?group_by=agent_name&tz=Asia/Kathmandu&${range}`,
      bare('Asia/Kathmandu', 'usage_agent'),
      undefined,
    ],
  ];
  for (const [name, path, direct, least] of pivots) {
    const [at, tenth] = await taking(
      () => get(large, path),
      () => get(middle, path),
    );
    tell(
      `pivot ${name}`,
      `30 days at ${count(rows)} entries: ${ratio(at, tenth)}x the time at ${count(rows / 10)} (${at.toFixed(1)} ms)`,
      at / tenth,
      1.5,
    );
    const [whole] = await taking(direct, undefined, 3, 1);
    const times = whole / at;
    say(`  a bare GROUP BY over the entries takes ${times.toFixed(1)}x as long${least ? ` (at least ${least} at 10^7)` : ''}`);
    results.push([`bare ${name}`, round(times)]);
  }
}

/** A worker's roller against eight writers that charge as fast as they can; then the roller by itself. */
async function rollBesideWriters({ env, owner, connect, launch }, { ws_id }) {
  const worker = launch([...HOST_FLAGS, hostProgram('worker')], { env: { PORT: String(PORT + 1) } });
  await pause(3_000);
  if (worker.exitCode !== null) throw new Error('The worker did not start.');
  let [over, highest] = [false, 0];
  const watch = (async () => {
    for (; !over; await pause(100))
      highest = Math.max(highest, Number((await owner.query('SELECT count(*) AS waiting FROM usage_delta')).rows[0].waiting));
  })();
  const written = await Promise.all(
    Array.from({ length: WRITERS }, async () => charge(await connect(env.DATABASE_URL), ws_id, WRITING_MS)),
  );
  over = true;
  await watch;
  const writtenPerSecond = written.reduce((sum, n) => sum + n, 0) / (WRITING_MS / 1_000);
  worker.kill('SIGTERM');
  if (worker.exitCode === null) await once(worker, 'exit');

  const backlog = 100_000;
  await owner.query(
    `INSERT INTO usage_delta (tenant_id, usage_timestamp, usage_param, usage_details, usage_user, usage_agent, usage_consumed_units, usage_consumed_credits)
     SELECT tenant_id, usage_timestamp, usage_param, usage_details, usage_user, usage_agent, usage_consumed_units, usage_consumed_credits FROM usage_entry WHERE tenant_id = $1 ORDER BY usage_timestamp DESC LIMIT $2`,
    [ws_id, backlog],
  );
  const roller = await connect(env.DATABASE_URL);
  const started = performance.now();
  let moved = 0;
  for (let batch = 1; batch > 0; moved += batch) batch = (await roller.query('SELECT usage_roll(5000) AS moved')).rows[0].moved;
  const rolledPerSecond = moved / ((performance.now() - started) / 1_000);
  await roller.end();
  tell(
    'roller',
    `moves ${ratio(rolledPerSecond, writtenPerSecond)}x the rows a second that ${WRITERS} writers write (at least 3)`,
    writtenPerSecond / rolledPerSecond,
    1 / 3,
  );
  tell('backlog', `${highest.toLocaleString('en')} rows at most waited while they wrote (20,000 at most)`, highest, 20_000);
}

/** One writer: a charge a transaction, of something that costs nothing, so that no balance slows it. */
async function charge(client, tenant, milliseconds) {
  const until = performance.now() + milliseconds;
  let done = 0;
  for (; performance.now() < until; done++) {
    const line = {
      usage_id: randomUUID(),
      param: 'ai.tool_calls',
      details: '',
      units: 1,
      person: null,
      agent: null,
      prompt: null,
      key: null,
      extension: null,
      ref: {},
      at: new Date(),
      source: randomUUID(),
      hold: null,
      keep: false,
    };
    await client.query(`START TRANSACTION; SET LOCAL app.tenant_id = '${tenant}'`);
    await client.query("SELECT usage_charge($1::jsonb, '{}'::jsonb)", [JSON.stringify([line])]);
    await client.query('COMMIT');
  }
  await client.end();
  return done;
}

/** Median milliseconds of each, taking turns. */
async function taking(one, other, rounds = ROUNDS, warming = WARMING) {
  const spent = [[], []];
  for (let n = -warming; n < rounds; n++) {
    for (const [i, work] of [one, other].entries()) {
      if (!work) continue;
      const started = performance.now();
      await work();
      if (n >= 0) spent[i].push(performance.now() - started);
    }
  }
  return spent.map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]);
}

function tell(name, sentence, value, most) {
  say(`${sentence}${value > most ? '  BEYOND ITS LIMIT' : ''}`);
  results.push([name, round(value)]);
}

async function get({ headers }, path) {
  const answer = await fetch(`http://127.0.0.1:${PORT}/api/v1${path}`, { headers });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${body}`);
  return body;
}

function say(line) {
  console.log(line);
}

function dateBefore(days) {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

function count(value) {
  return Math.ceil(value).toLocaleString('en');
}

function ratio(one, other) {
  return (one / other).toFixed(2);
}

function round(value) {
  return Math.round(value * 1_000) / 1_000;
}
