import { OperatorGate } from '@atrium/platform/access';
import { Keyring, type SettingValues } from '@atrium/platform/config';
import { inspectIsolation, pendingSteps, unpreparedRights } from '@atrium/platform/database';
import { SystemClock } from '@atrium/platform/kernel';
import { openQueues } from '@atrium/platform/messaging';
import { createObjectStore } from '@atrium/platform/storage';
import { Client } from 'pg';

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail?: string;
}

const MAX_CLOCK_SKEW_MS = 2_000;

/** Everything an operator wants to know before trusting an installation, one line a check. */
export async function diagnose(settings: SettingValues, migrations: string): Promise<Finding[]> {
  const findings = [await attempt('settings', () => Promise.resolve(operators(settings)))];
  findings.push(await attempt('database reachable', () => skew(settings.DATABASE_URL)));
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
  try {
    const detail = await work();
    return detail === '' ? { check, ok: true } : { check, ok: false, detail };
  } catch (error) {
    return { check, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** What no type can tell of a setting, the part that reads it does. */
function operators(settings: SettingValues): string {
  new OperatorGate(settings);
  return '';
}

async function skew(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    const difference = Math.abs((rows[0]?.now.getTime() ?? 0) - Date.now());
    return difference > MAX_CLOCK_SKEW_MS ? `the clocks of this host and the database differ by ${difference} ms` : '';
  } finally {
    await client.end();
  }
}

async function unapplied(url: string, migrations: string): Promise<string> {
  const pending = await pendingSteps(url, migrations);
  return pending.length === 0 ? '' : `not applied: ${pending.join(', ')}; run: atrium migrate`;
}

/** Rights that belong to the server and not to the schema: a restored dump comes without them. */
async function unprepared(url: string): Promise<string> {
  const statements = await unpreparedRights(url);
  return statements.length === 0 ? '' : `${statements.join('; ')}; run: atrium migrate`;
}

/** Rows that lie in no month: a worker makes the months ahead of time, hourly. */
async function outsideOfMonths(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ part_table: string; rows: string }>('SELECT part_table, part_default_rows AS rows FROM partitions_overview() WHERE part_default_rows > 0');
    return rows.length === 0 ? '' : `rows in no month: ${rows.map(({ part_table, rows: count }) => `${count} in ${part_table}`).join(', ')}; is a worker running?`;
  } finally {
    await client.end();
  }
}

async function storage(settings: SettingValues): Promise<string> {
  await (await createObjectStore(settings, new Keyring(settings.MASTER_KEY), new SystemClock())).check();
  return '';
}

async function queue(settings: SettingValues): Promise<string> {
  const queues = await openQueues({ redisUrl: settings.REDIS_URL, databaseUrl: settings.DATABASE_URL });
  await queues.close();
  return '';
}
