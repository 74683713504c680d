import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SettingValues } from '@atrium/platform/config';
import { migrateDatabase, readSteps } from '@atrium/platform/database';
import { migrateQueue } from '@atrium/platform/messaging';
import { Client } from 'pg';
import { readArchive, type Entry, type Manifest } from './archive';
import { keyNameOf, stepsIn } from './backup';
import { hasFiles } from './stored-objects';
import { StoredRows } from './stored-rows';
import { storesOf, type Store } from './stores';

const TABLE_ENTRY = /^database\/([a-z0-9_]+)\/\d{6}\.json\.gz$/;
const OBJECT_ENTRY = /^(objects|public)\/((?:[a-z0-9-]+\/)*[a-z0-9-]+\.bin)$/;

export interface RestoreOutcome {
  readonly made: string;
  readonly tables: number;
  readonly rows: number;
  readonly objects: number;
}

export interface RestoreOrder {
  readonly settings: SettingValues;
  readonly ownerUrl: string;
  readonly migrations: string;
  readonly file: string;
}

/** A store while it is filled: beside its place, which it takes in one step. */
interface Filling extends Store {
  readonly beside: string;
}

/**
 * Restores an archive into an empty installation. The archive is read to its end before anything is written; the
 * database is filled in one transaction, compared table by table, and committed when the objects are in their place.
 */
export async function restoreFrom(
  { settings, ownerUrl, migrations, file }: RestoreOrder,
  report: (line: string) => void,
): Promise<RestoreOutcome> {
  report('reading the archive');
  const manifest = await readArchive(file);
  if (manifest.key !== keyNameOf(settings))
    throw new Error(
      'This archive was created with another MASTER_KEY, which is needed to read its credentials and signatures. Set the MASTER_KEY of that installation (secrets.json in its data folder) first. Nothing was changed.',
    );
  const last = lastStep(manifest, migrations);
  const stores = storesOf(settings);
  if (stores.length === 0 && !manifest.inBucket)
    throw new Error(
      'The archive contains objects, but S3_ENDPOINT is set. Restore them into a disk store (leave S3_ENDPOINT empty). Nothing was changed.',
    );
  await assertEmpty(ownerUrl, stores, manifest);

  await migrateDatabase(ownerUrl, migrations, undefined, { until: last });
  const filling = stores.map((store) => ({ ...store, beside: join(store.root, 'temporary', `restore-${randomBytes(8).toString('hex')}`) }));
  const client = new Client({ connectionString: ownerUrl, application_name: 'atrium-restore' });
  await client.connect();
  try {
    await fill(new StoredRows(client), { file, manifest, filling }, report);
    for (const store of filling) await takePlace(store);
    await client.query('COMMIT');
  } finally {
    for (const { beside } of filling) await rm(beside, { recursive: true, force: true });
    await client.end();
  }
  report('updating the schema');
  await migrateDatabase(ownerUrl, migrations);
  await migrateQueue(ownerUrl);
  await analyze(ownerUrl);
  return {
    made: manifest.made,
    tables: Object.keys(manifest.tables).length,
    rows: Object.values(manifest.tables).reduce((sum, table) => sum + Number(table.rows), 0),
    objects: manifest.objects,
  };
}

/** The migration step of the archive; this release must know it and all earlier steps unchanged. */
function lastStep({ steps }: Manifest, migrations: string): string {
  const known = new Map(readSteps(migrations).map((step) => [step.name, step.checksum]));
  const foreign = Object.keys(steps).filter((name) => known.get(name) !== steps[name]);
  if (foreign.length > 0)
    throw new Error(
      `The archive was created by another release: this release does not know its migration ${foreign.join(', ')}. Restore it with that release or a later one. Nothing was changed.`,
    );
  const last = Object.keys(steps).sort().at(-1);
  const skipped = [...known.keys()].find((name) => last !== undefined && name <= last && !(name in steps));
  if (last === undefined || skipped)
    throw new Error(`The archive was created before its migrations were complete (${skipped ?? 'none had run'}). Nothing was changed.`);
  return last;
}

async function assertEmpty(ownerUrl: string, stores: readonly Store[], manifest: Manifest): Promise<void> {
  for (const { root } of stores)
    if (await hasFiles(join(root, 'objects')))
      throw new Error(`${join(root, 'objects')} contains objects. Restore a backup into an empty installation.`);
  const client = new Client({ connectionString: ownerUrl, application_name: 'atrium-restore' });
  await client.connect();
  try {
    const steps = await stepsIn(client);
    if (Object.keys(steps).length === 0) {
      const { rows } = await client.query<{ name: string }>(
        "SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e') LIMIT 3",
      );
      if (rows.length > 0)
        throw new Error(
          `The database contains other tables (${rows.map((row) => row.name).join(', ')} …). Restore a backup into an empty database.`,
        );
      return;
    }
    // Whether rows are visible is a matter of policies, how much the tables take is not.
    const { rows } = await client.query<{ held: boolean }>(
      "SELECT coalesce(sum(pg_relation_size(to_regclass('public.' || name))), 0) > 0 AS held FROM unnest(ARRAY['workspace', 'account', 'file', 'outbox']) name",
    );
    if (rows[0]?.held) throw new Error('The database contains data. Restore a backup into an empty installation.');
    const later = Object.keys(steps).filter((name) => !(name in manifest.steps));
    if (later.length > 0)
      throw new Error(
        `The database is at a later version than the archive (${later[0]}). Restore into an empty database. Nothing was changed.`,
      );
  } finally {
    await client.end();
  }
}

async function fill(
  rows: StoredRows,
  { file, manifest, filling }: { readonly file: string; readonly manifest: Manifest; readonly filling: readonly Filling[] },
  report: (line: string) => void,
): Promise<void> {
  await rows.begin('write');
  await rows.makePartitions(manifest.partitions);
  const tables = await rows.tables();
  const differing = [...new Set([...tables, ...Object.keys(manifest.tables)])].filter(
    (table) => !tables.includes(table) || !manifest.tables[table],
  );
  if (differing.length > 0) throw new Error(`The archive has other tables than this schema: ${differing.join(', ')}.`);
  for (const table of tables)
    if ((await rows.record(table)).columns !== manifest.tables[table]?.columns)
      throw new Error(`The archive has other columns in ${table} than this schema.`);
  const close = await rows.laidOpen(tables);
  let objects = 0;
  const read = await readArchive(file, async (entry) => {
    const [, table] = TABLE_ENTRY.exec(entry.name) ?? [];
    if (table !== undefined && tables.includes(table)) return rows.insertPiece(table, await whole(entry));
    await placeBeside(entry, filling);
    if (++objects % 1_000 === 0) report(`objects: ${objects} of ${manifest.objects}`);
  });
  if (read.digest !== manifest.digest) throw new Error('The archive was changed while it was restored.');
  for (const table of tables) {
    const [found, wanted] = [await rows.record(table), manifest.tables[table]];
    if (found.rows !== wanted?.rows || found.sum !== wanted.sum)
      throw new Error(`Table ${table} does not contain the rows of the archive (${found.rows} of ${wanted?.rows}). Nothing was changed.`);
    if (found.rows !== '0') report(`table ${table}: ${found.rows} rows`);
  }
  await rows.setSequences(manifest.sequences);
  await close();
}

async function whole({ content }: Entry): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function placeBeside(entry: Entry, filling: readonly Filling[]): Promise<void> {
  const [, name, path = ''] = OBJECT_ENTRY.exec(entry.name) ?? [];
  const store = filling.find((one) => one.name === name);
  if (!store) throw new Error(`The archive contains ${entry.name}, which has no place in this installation.`);
  const target = resolve(store.beside, path);
  if (!target.startsWith(store.beside + sep)) throw new Error(`The archive contains ${entry.name}, whose path leads out of its folder.`);
  await mkdir(dirname(target), { recursive: true });
  await pipeline(Readable.from(entry.content), createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }));
}

/** What is restored becomes the folder of the store, in which no file was. */
async function takePlace({ root, beside }: Filling): Promise<void> {
  await mkdir(beside, { recursive: true });
  await rm(join(root, 'objects'), { recursive: true, force: true });
  await rename(beside, join(root, 'objects'));
}

/** Statistics are no part of an archive; without them the first hours would be slow. */
async function analyze(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'atrium-restore' });
  await client.connect();
  await client.query('ANALYZE').finally(() => client.end());
}
