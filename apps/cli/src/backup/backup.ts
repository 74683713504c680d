import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Keyring, type SettingValues } from '@atrium/platform/config';
import { Client } from 'pg';
import { ArchiveWriter, type Manifest, type TableRecord } from './archive';
import { HeldObjects } from './stored-objects';
import { StoredRows } from './stored-rows';
import { storesOf } from './stores';

const PROGRESS_BYTES = 1024 ** 3;
const MOST_ATTEMPTS = 3;
/** Bytes that rows refer to, in the service's own store; other providers keep their own. */
const NAMED_OBJECTS = "SELECT blob_key AS key FROM file_blob WHERE blob_refs > 0 AND blob_key NOT LIKE 'p/%'";

export interface BackupOutcome {
  readonly file: string;
  readonly tables: number;
  readonly rows: number;
  readonly objects: number;
  readonly bytes: number;
  /** Bytes that rows name and that were in the store neither before nor after. */
  readonly missing: readonly string[];
}

/** Identifies the master key without revealing it. */
export const keyNameOf = (settings: SettingValues): string => new Keyring(settings.MASTER_KEY).key('backup').toString('hex').slice(0, 16);

export async function stepsIn(client: Client): Promise<Record<string, string>> {
  const { rows: known } = await client.query<{ name: string | null }>("SELECT to_regclass('public.atrium_migration')::text AS name");
  if (!known[0]?.name) return {};
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM public.atrium_migration ORDER BY name',
  );
  return Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]));
}

/**
 * The database as of one moment and the objects that its rows name, in one file. The service can keep running: objects
 * are held before and after that moment, so that none which a row names can be missing.
 */
export async function backUp(
  settings: SettingValues,
  ownerUrl: string,
  target: string,
  report: (line: string) => void,
): Promise<BackupOutcome> {
  const file = resolve(target);
  if (
    await lstat(file).then(
      () => true,
      () => false,
    )
  )
    throw new Error(`${file} already exists. Name another file.`);
  const client = new Client({ connectionString: ownerUrl, application_name: 'atrium-backup' });
  await client.connect();
  const stores = storesOf(settings).map(({ name, root }) => ({ name, held: new HeldObjects(root) }));
  const archive = new ArchiveWriter(file);
  try {
    const { rows, missing } = await snapshot(client, ownerUrl, stores);
    const tables = await writeRows(rows, archive, report);
    const [partitions, sequences] = [await rows.partitions(), await rows.sequences()];
    const steps = await stepsIn(client);
    await client.query('COMMIT');
    const { objects, bytes } = await writeObjects(stores, archive, report);
    const manifest: Omit<Manifest, 'format' | 'digest'> = {
      made: new Date().toISOString(),
      steps,
      tables,
      partitions,
      sequences,
      key: keyNameOf(settings),
      objects,
      bytes,
      inBucket: stores.length === 0,
    };
    await archive.finish(manifest);
    return {
      file,
      tables: Object.keys(tables).length,
      rows: Object.values(tables).reduce((sum, table) => sum + Number(table.rows), 0),
      objects,
      bytes,
      missing,
    };
  } catch (error) {
    await archive.abandon();
    throw error;
  } finally {
    for (const { held } of stores) await held.releaseObjects();
    await client.end();
  }
}

type Stores = readonly { readonly name: string; readonly held: HeldObjects }[];

/** Opens the snapshot such that all objects which its rows name are held; where one was deleted in that very moment, another. */
async function snapshot(
  client: Client,
  ownerUrl: string,
  stores: Stores,
): Promise<{ readonly rows: StoredRows; readonly missing: readonly string[] }> {
  const rows = new StoredRows(client);
  for (let attempt = 1; ; attempt++) {
    for (const { held } of stores) await held.holdObjects();
    await rows.begin('read');
    await client.query('SELECT 1 FROM atrium_migration LIMIT 1');
    for (const { held } of stores) await held.holdObjects();
    const missing = await missingOf(client, stores);
    const lost = missing.length === 0 ? [] : await stillNamed(ownerUrl, missing);
    // No longer referred to: they were deleted between the two passes, together with their rows.
    if (lost.length === missing.length || attempt === MOST_ATTEMPTS) return { rows, missing: lost };
    await client.query('ROLLBACK');
  }
}

async function missingOf(client: Client, stores: Stores): Promise<string[]> {
  const home = stores[0]?.held;
  if (!home) return [];
  const missing: string[] = [];
  const { rows } = await client.query<{ key: string }>(NAMED_OBJECTS);
  for (const { key } of rows) if (!(await home.hasObject(`${key}.bin`))) missing.push(key);
  return missing;
}

async function stillNamed(ownerUrl: string, keys: readonly string[]): Promise<string[]> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'atrium-backup' });
  await client.connect();
  try {
    return (await client.query<{ key: string }>(`${NAMED_OBJECTS} AND blob_key = ANY ($1)`, [keys])).rows.map((row) => row.key);
  } finally {
    await client.end();
  }
}

async function writeRows(rows: StoredRows, archive: ArchiveWriter, report: (line: string) => void): Promise<Record<string, TableRecord>> {
  const tables: Record<string, TableRecord> = {};
  for (const table of await rows.tables()) {
    const record = (tables[table] = await rows.record(table));
    if (record.rows === '0') continue;
    let count = 0;
    for await (const piece of rows.pieces(table))
      await archive.add(`database/${table}/${String(++count).padStart(6, '0')}.json.gz`, piece.length, [piece]);
    report(`table ${table}: ${record.rows} rows`);
  }
  return tables;
}

async function writeObjects(
  stores: Stores,
  archive: ArchiveWriter,
  report: (line: string) => void,
): Promise<{ objects: number; bytes: number }> {
  const sum = { objects: 0, bytes: 0 };
  let told = 0;
  for (const { name, held } of stores) {
    for await (const { path, size } of held.listObjects()) {
      await archive.add(`${name}/${path}`, size, size === 0 ? [] : held.readObject(path));
      sum.objects++;
      sum.bytes += size;
      if (sum.bytes - told < PROGRESS_BYTES) continue;
      told = sum.bytes;
      report(`objects: ${sum.objects}, ${(sum.bytes / 1024 ** 3).toFixed(1)} GiB`);
    }
  }
  report(`objects: ${sum.objects}, ${sum.bytes} bytes`);
  return sum;
}
