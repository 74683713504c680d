// What a charge costs: credits set aside and the charge that settles them, beside a bare insert and update that keep no promise;
// and what one balance that all writers charge costs, beside fifty.
import { randomUUID } from 'node:crypto';

const ROUNDS = 400;
const WRITERS = 8;
const MANY = 50;
const WRITING_MS = 4_000;
const BY = '{"actor": {"kind": "system", "user_id": null}, "request": "bench", "trace": null}';

/** Name, sentence and value of each comparison. */
export async function compareCharges({ env, owner, connect }) {
  const tenants = await workspaces(owner);
  await owner.query(
    'CREATE TABLE bench_entry (id uuid PRIMARY KEY, at timestamptz NOT NULL, param text NOT NULL, units numeric(20,6) NOT NULL, credits numeric(20,6) NOT NULL)',
  );
  await owner.query('CREATE TABLE bench_balance (id uuid PRIMARY KEY, balance numeric(20,6) NOT NULL)');
  await owner.query('INSERT INTO bench_balance SELECT unnest($1::uuid[]), 1000000000', [tenants]);
  await owner.query('GRANT SELECT, INSERT, UPDATE ON bench_entry, bench_balance TO atrium_app');
  const client = await connect(env.DATABASE_URL);
  for (const tenant of tenants) await give(client, tenant);

  const [full, charged, bare] = await taking([
    () => holdAndSettle(client, tenants[0]),
    () => within(client, tenants[0], () => charge(client, null)),
    () => insert(client, tenants[0]),
  ]);
  await client.end();
  const one = await rate(env, connect, () => tenants[0]);
  const many = await rate(env, connect, (n) => tenants[n % MANY]);
  return [
    ['charge', `a charge takes ${times(charged, bare)} the time of a bare insert and update (${charged.toFixed(2)} ms)`, charged / bare],
    [
      'hold and charge',
      `credits set aside and the charge that settles them, in two transactions: ${times(full, bare)} that time (${full.toFixed(2)} ms)`,
      full / bare,
    ],
    [
      'one balance',
      `${WRITERS} writers charge ${MANY} workspaces ${times(many, one)} as fast as one (${Math.round(one)} a second)`,
      many / one,
    ],
  ];
}

/** Workspaces without people, which no charge asks for. */
async function workspaces(owner) {
  const { rows } = await owner.query(
    "INSERT INTO workspace (tenant_id, ws_name, ws_slug) SELECT gen_random_uuid(), 'Charged ' || n, 'charged-' || n FROM generate_series(1, $1) n RETURNING tenant_id",
    [MANY],
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

function give(client, tenant) {
  const grant = {
    grant_id: randomUUID(),
    grant_credits: 1_000_000_000,
    grant_priority: 50,
    grant_source: 'plan',
    grant_recurs: 'none',
    grant_starts_at: new Date(),
  };
  return within(client, tenant, () => client.query('SELECT credit_give($1::jsonb, $2::jsonb)', [JSON.stringify(grant), BY]));
}

async function holdAndSettle(client, tenant) {
  const hold_id = randomUUID();
  const hold = { hold_id, lines: [{ param: 'studio_video', details: '', units: 4 }], hold_source: `bench:${hold_id}` };
  const { rows } = await within(client, tenant, () =>
    client.query('SELECT credit_reserve($1::jsonb, $2::jsonb) AS outcome', [JSON.stringify(hold), BY]),
  );
  if (rows[0].outcome.hold_id !== hold_id) throw new Error(`No credits were set aside: ${JSON.stringify(rows[0].outcome)}`);
  await within(client, tenant, () => charge(client, hold_id));
}

async function charge(client, hold) {
  const line = {
    usage_id: randomUUID(),
    param: 'studio_video',
    details: '',
    units: 3,
    person: null,
    agent: null,
    prompt: null,
    key: null,
    extension: null,
    ref: {},
    at: new Date(),
    source: randomUUID(),
    hold,
    keep: false,
  };
  const { rows } = await client.query('SELECT usage_charge($1::jsonb, $2::jsonb) AS charged', [JSON.stringify([line]), BY]);
  if (rows[0].charged !== 1) throw new Error('Nothing was charged.');
}

function insert(client, tenant) {
  return within(client, tenant, async () => {
    await client.query("INSERT INTO bench_entry VALUES ($1, now(), 'studio_video', 3, 3)", [randomUUID()]);
    await client.query('UPDATE bench_balance SET balance = balance - 3 WHERE id = $1', [tenant]);
  });
}

async function within(client, tenant, work) {
  await client.query(`START TRANSACTION; SET LOCAL app.tenant_id = '${tenant}'`);
  const answer = await work();
  await client.query('COMMIT');
  return answer;
}

/** Median milliseconds of each, taking turns after some to warm up. */
async function taking(works) {
  const spent = works.map(() => []);
  for (let n = 0; n < ROUNDS; n++) {
    for (const [i, work] of works.entries()) {
      const started = performance.now();
      await work();
      if (n >= ROUNDS / 10) spent[i].push(performance.now() - started);
    }
  }
  return spent.map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]);
}

/** Charges a second of all writers together. */
async function rate(env, connect, tenantOf) {
  const until = performance.now() + WRITING_MS;
  const written = await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const client = await connect(env.DATABASE_URL);
      let done = 0;
      for (; performance.now() < until; done++) await within(client, tenantOf(done * WRITERS + writer), () => charge(client, null));
      await client.end();
      return done;
    }),
  );
  return written.reduce((sum, n) => sum + n, 0) / (WRITING_MS / 1_000);
}

const times = (one, other) => `${(one / other).toFixed(2)}x`;
