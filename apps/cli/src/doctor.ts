import { OperatorGate } from '@atrium/platform/access';
import { Keyring, type SettingValues } from '@atrium/platform/config';
import { inspectIsolation, pendingSteps, unpreparedRights } from '@atrium/platform/database';
import { SystemClock } from '@atrium/platform/kernel';
import { directUrl, openQueues, queueAddress } from '@atrium/platform/messaging';
import { createObjectStore, isS3 } from '@atrium/platform/storage';
import { Client, type QueryConfig } from 'pg';

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail?: string;
}

const MAX_CLOCK_SKEW_MS = 2_000;
const CONNECT_MS = 3_000;
const ANSWER_MS = 10_000;
/** How long a frozen or very slow server is given before the check fails. */
const LIMIT_MS = 15_000;
const HEARD_WITHIN_MS = 2_000;

/** The checks of an installation, one line each. */
export async function diagnose(settings: SettingValues, migrations: string): Promise<Finding[]> {
  const findings = [await attempt('settings', () => Promise.resolve(operators(settings)))];
  findings.push(await attempt('database reachable', () => skew(settings.DATABASE_URL)));
  if (settings.DATABASE_PREPARED) findings.push(await attempt('prepared statements', () => preparedStatements(settings.DATABASE_URL)));
  // With Redis, signals are sent there and no process listens in the database.
  if (!settings.REDIS_URL || settings.DATABASE_LISTEN_URL) findings.push(await attempt('database listens', () => listening(settings)));
  findings.push(await attempt('migrations applied', () => unapplied(settings.DATABASE_URL, migrations)));
  findings.push(await attempt('rights of the database', () => unprepared(settings.DATABASE_URL)));
  findings.push(await attempt('workspaces isolated', async () => (await inspectIsolation(settings.DATABASE_URL)).join('; ')));
  findings.push(await attempt('tables by month', () => outsideOfMonths(settings.DATABASE_URL)));
  findings.push(await attempt('object store', () => storage(settings)));
  findings.push(await attempt('queue', () => queue(settings)));
  return findings;
}

/** A check answers what is wrong, or an empty text. */
async function attempt(check: string, work: () => Promise<string>): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const limit = new Promise<string>(
      (resolve) => (timer = setTimeout(resolve, LIMIT_MS, `no response within ${LIMIT_MS / 1_000} seconds`)),
    );
    const detail = await Promise.race([work(), limit]);
    return detail === '' ? { check, ok: true } : { check, ok: false, detail };
  } catch (error) {
    return { check, ok: false, detail: sentenceOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** Several addresses of one name fail with an error that has no words of its own. */
function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentenceOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** A connection for the time of the work. */
async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: 'atrium-doctor',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Settings whose validity no type can check are checked by the code that reads them. */
function operators(settings: SettingValues): string {
  new OperatorGate(settings);
  return '';
}

const skew = (url: string): Promise<string> =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    const difference = Math.abs((rows[0]?.now.getTime() ?? 0) - Date.now());
    return difference > MAX_CLOCK_SKEW_MS ? `the clocks of this host and the database differ by ${difference} ms` : '';
  });

/** Callers name their statements alike and share the connections of a pooler, which has to keep them apart. */
async function preparedStatements(url: string): Promise<string> {
  const statement: QueryConfig = { name: 'atrium_doctor', text: 'SELECT $1::integer AS n', values: [1] };
  try {
    await connected(url, (first) =>
      connected(url, async (second) => {
        for (const client of [first, second, first, second]) await client.query(statement);
      }),
    );
    return '';
  } catch (error) {
    if (!/prepared statement/.test(sentenceOf(error))) throw error;
    return `the pooler does not keep prepared statements (${sentenceOf(error)}): use PgBouncer 1.21 or later with max_prepared_statements above 0, or set DATABASE_PREPARED=false`;
  }
}

/** Whether a notification on one connection arrives at another that listens. */
const listening = (settings: SettingValues): Promise<string> =>
  connected(directUrl(settings), async (listener) => {
    const heard = new Promise<boolean>((resolve) => listener.once('notification', () => resolve(true)));
    await listener.query('LISTEN atrium_doctor');
    await connected(settings.DATABASE_URL, (client) => client.query(`NOTIFY atrium_doctor`));
    // A statement brings along what has arrived at the server before.
    await listener.query('SELECT 1');
    let timer: NodeJS.Timeout | undefined;
    const arrived = await Promise.race([heard, new Promise<boolean>((resolve) => (timer = setTimeout(resolve, HEARD_WITHIN_MS, false)))]);
    clearTimeout(timer);
    return arrived
      ? ''
      : 'LISTEN does not receive notifications: set DATABASE_LISTEN_URL to a direct address of the database, without a transaction pooler';
  });

async function unapplied(url: string, migrations: string): Promise<string> {
  const pending = await pendingSteps(url, migrations);
  return pending.length === 0 ? '' : `not applied: ${pending.join(', ')}; run: atrium migrate`;
}

/** Rights that belong to the server and not to the schema: a restored dump comes without them. */
async function unprepared(url: string): Promise<string> {
  const statements = await unpreparedRights(url);
  return statements.length === 0 ? '' : `${statements.join('; ')}; run: atrium migrate`;
}

/** Rows in no monthly partition: a worker creates the partitions ahead of time, hourly. */
const outsideOfMonths = (url: string): Promise<string> =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ part_table: string; rows: string }>(
      'SELECT part_table, part_default_rows AS rows FROM partitions_overview() WHERE part_default_rows > 0',
    );
    return rows.length === 0
      ? ''
      : `rows in no monthly partition: ${rows.map(({ part_table, rows: count }) => `${count} in ${part_table}`).join(', ')}; is a worker running?`;
  });

async function storage(settings: SettingValues): Promise<string> {
  const store = await createObjectStore(settings, new Keyring(settings.MASTER_KEY), new SystemClock());
  if (isS3(store)) await store.prepare({ createBucket: false });
  await store.check();
  return '';
}

/** The queue is tried, not only named: its server may be unavailable, or accept connections without responding. */
async function queue(settings: SettingValues): Promise<string> {
  const queues = await openQueues(queueAddress(settings));
  try {
    await queues.check();
    return '';
  } finally {
    await queues.close();
  }
}
