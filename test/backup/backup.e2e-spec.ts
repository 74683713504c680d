import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectIsolation, migrateDatabase } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { createEmptyDatabase, dropTestDatabase, type RunningApi, type TestDatabase } from '@atrium/platform/testing';
import { asAdmin, ask } from '../architecture/asking';
import { Hosts } from '../faults/hosts';
import { settled, upload } from '../files/uploading';
import { startAtriumWithWorker } from '../support/api';
import { commandLine, type Ended } from '../support/command-line';
import { contentsOf, lawsOf } from './contents';
import { fill, type Filled } from './filled';

const MIGRATIONS = join(__dirname, '../../migrations');

let api: RunningApi;
let ours: Filled;
let theirs: Filled;
let folder: string;
const hosts = new Hosts();
const targets: { readonly database: TestDatabase; readonly DATA_DIR: string }[] = [];

/** An installation that holds nothing: an empty database and an empty folder. */
async function emptyTarget(): Promise<{
  readonly database: TestDatabase;
  readonly env: Readonly<Record<string, string>> & { readonly DATA_DIR: string };
}> {
  const database = await createEmptyDatabase();
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'atrium-target-'));
  targets.push({ database, DATA_DIR });
  return { database, env: { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, DATA_DIR } };
}

/** Every object of a store by its path, with the hash of its bytes. */
async function objectsIn(dataDir: string): Promise<Record<string, string>> {
  const root = join(dataDir, 'objects/objects');
  const paths = existsSync(root) ? (await readdir(root, { recursive: true })).filter((path) => path.endsWith('.bin')) : [];
  return Object.fromEntries(
    await Promise.all(
      paths.map(
        async (path) =>
          [
            path,
            createHash('sha256')
              .update(await readFile(join(root, path)))
              .digest('hex'),
          ] as const,
      ),
    ),
  );
}

const backup = (file: string): Promise<Ended> => commandLine(['backup', file, '--json']);
const tablesIn = async (database: TestDatabase): Promise<number> =>
  (await ask(asAdmin(database), "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'")).length;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-backups-'));
  api = await startAtriumWithWorker();
  [ours, theirs] = [await fill(api, 'harbour'), await fill(api, 'meadow')];
}, 120_000);
afterAll(async () => {
  await hosts.close();
  for (const { database, DATA_DIR } of targets) {
    await dropTestDatabase(database);
    await rm(DATA_DIR, { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true });
}, 60_000);

describe('a backup', () => {
  it('made while files come and go holds the bytes of every file that it lists, and reports its progress on standard error', async () => {
    const { client } = ours.workspace.owner;
    let over = false;
    const work = async (name: string): Promise<void> => {
      for (let n = 0; !over; n++) {
        const { file_id } = await upload(client, `${name} ${n}.txt`, Buffer.from(`${name} ${n} ${newId()}`));
        if (n % 2 === 0) continue;
        await client.delete(`/files/${file_id}`);
        await client.post('/files/actions/purge', { file_ids: [file_id] });
      }
    };
    const working = [work('coming'), work('going')];
    const file = join(folder, 'live.backup');
    const { code, out, complaint } = await backup(file);
    over = true;
    await Promise.all(working);
    expect({ code, complaint }).toEqual({
      code: 0,
      complaint: expect.stringMatching(/table file: \d+ rows\n[\s\S]*objects: \d+, \d+ bytes/),
    });
    expect(JSON.parse(out)).toMatchObject({ file, missing: [] });

    const { database, env } = await emptyTarget();
    expect(await commandLine(['restore', file], { env })).toMatchObject({ code: 0 });
    const rows = await ask<{ key: string; hash: string | null }>(
      asAdmin(database),
      'SELECT blob_key AS key, blob_hash AS hash FROM file_blob WHERE blob_refs > 0',
    );
    const objects = await objectsIn(env.DATA_DIR);
    expect(rows.length).toBeGreaterThan(3);
    expect(
      rows.filter(({ key, hash }) => objects[`${key}.bin`] === undefined || (hash !== null && objects[`${key}.bin`] !== hash)),
    ).toEqual([]);
    expect(await inspectIsolation(database.appUrl)).toEqual([]);
  }, 300_000);

  it('is restored with every row, right, rule and object, and hosts work on it, for each workspace alone', async () => {
    await api.app.close();
    await api.worker.close();
    const file = join(folder, 'quiet.backup');
    expect(await backup(file)).toMatchObject({ code: 0 });
    const { database, env } = await emptyTarget();
    const answer = await commandLine(['restore', file, '--json'], { env });
    expect(answer).toMatchObject({ code: 0 });

    const [wanted, found] = [await contentsOf(asAdmin(api.database)), await contentsOf(asAdmin(database))];
    // The ledger says when each step ran here.
    expect({ ...found, atrium_migration: '' }).toEqual({ ...wanted, atrium_migration: '' });
    expect(await lawsOf(asAdmin(database))).toEqual(await lawsOf(asAdmin(api.database)));
    const objects = await objectsIn(env.DATA_DIR);
    expect(objects).toEqual(await objectsIn(api.dataDir));
    expect(JSON.parse(answer.out)).toMatchObject({ objects: Object.keys(objects).length });
    expect((await commandLine(['doctor'], { env })).code).toBe(0);

    await hosts.witness(async () => {
      const host = await hosts.api(env);
      await hosts.worker(env);
      for (const { workspace, picture, text } of [ours, theirs]) {
        const client = host.client(workspace.owner.client);
        const url = (await client.get(`/files/${text}/download-url`).expect(200)).body as string;
        expect(await (await fetch(url)).text()).toContain('The harbour of');
        const { file_id } = await upload(client, 'after.txt', Buffer.from('after the restore'));
        expect(await settled(client, file_id)).toMatchObject({ file_processing: 'ready' });
        await client.get(`/files/${picture}`).expect(200);
      }
      await host.client(ours.workspace.owner.client).get(`/files/${theirs.picture}`).expect(404);
    });
    await hosts.close();

    const again = await commandLine(['restore', file], { env });
    expect(again).toMatchObject({ code: 1, complaint: expect.stringContaining('contains objects') });
    const elsewhere = await mkdtemp(join(tmpdir(), 'atrium-target-'));
    expect(await commandLine(['restore', file], { env: { ...env, DATA_DIR: elsewhere } })).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('The database contains data'),
    });
    await rm(elsewhere, { recursive: true });
  }, 180_000);

  it('never replaces a file, and leaves none behind that is not whole', async () => {
    const file = join(folder, 'taken.backup');
    await writeFile(file, 'mine');
    expect(await backup(file)).toMatchObject({ code: 1, complaint: expect.stringContaining('already exists') });
    expect(await readFile(file, 'utf8')).toBe('mine');
    const away = { env: { DATABASE_OWNER_URL: 'postgres://nobody@127.0.0.1:1/none' } };
    expect((await commandLine(['backup', join(folder, 'away.backup')], away)).code).toBe(1);
    expect((await readdir(folder)).filter((name) => name.startsWith('away'))).toEqual([]);
  });
});

describe('an archive is refused before anything is written', () => {
  const spoil = async (name: string, how: (file: string, size: number) => Promise<void>): Promise<string> => {
    const file = join(folder, `${name}.backup`);
    await copyFile(join(folder, 'quiet.backup'), file);
    await how(file, (await readFile(file)).length);
    return file;
  };
  const flip = async (file: string, at: number): Promise<void> => {
    const bytes = await readFile(file);
    expect(at).toBeGreaterThan(0);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(file, bytes);
  };

  it.each([
    ['that is cut off in its middle', (file: string, size: number) => truncate(file, Math.floor(size / 2))],
    [
      'that lacks its last block with the manifest',
      (file: string, size: number) => truncate(file, Math.floor(size / 512) * 512 - 512 * 40),
    ],
    ['of which one byte of the rows has changed', (file: string) => flip(file, 700)],
    // Objects come behind the rows, which have the words of the text too.
    [
      'of which one byte of the objects has changed',
      async (file: string) => flip(file, (await readFile(file)).lastIndexOf('The harbour of')),
    ],
    ['that is something else', (file: string) => writeFile(file, 'PK no archive of ours'.repeat(100))],
  ])(
    '%s',
    async (title, how) => {
      const file = await spoil(title.replaceAll(' ', '-'), how);
      const { database, env } = await emptyTarget();
      expect(await commandLine(['restore', file], { env })).toMatchObject({
        code: 1,
        complaint: expect.stringContaining('is not a complete backup archive'),
      });
      expect(await tablesIn(database)).toBe(0);
      expect(await readdir(env.DATA_DIR)).toEqual([]);
    },
    60_000,
  );

  it('by an installation with another master key', async () => {
    const { database, env } = await emptyTarget();
    const other = { ...env, MASTER_KEY: Buffer.alloc(32, 9).toString('base64') };
    expect(await commandLine(['restore', join(folder, 'quiet.backup')], { env: other })).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('another MASTER_KEY'),
    });
    expect(await tablesIn(database)).toBe(0);
  });
});

describe('an archive of an earlier version', () => {
  it('is restored at that version and then brought up to date', async () => {
    const [source, target] = [await emptyTarget(), await emptyTarget()];
    await migrateDatabase(source.database.ownerUrl, MIGRATIONS, undefined, { until: '0042-definer-policies.sql' });
    const tenant = newId();
    await ask(asAdmin(source.database), "INSERT INTO workspace (tenant_id, ws_name, ws_slug) VALUES ($1, 'Old', 'old')", {
      values: [tenant],
    });
    const file = join(folder, 'old.backup');
    expect(await commandLine(['backup', file], { env: source.env })).toMatchObject({ code: 0 });
    expect(await commandLine(['restore', file], { env: target.env })).toMatchObject({ code: 0 });
    expect(await ask(asAdmin(target.database), 'SELECT tenant_id, ws_slug FROM workspace')).toEqual([
      { tenant_id: tenant, ws_slug: 'old' },
    ]);
    expect(await migrateDatabase(target.database.ownerUrl, MIGRATIONS)).toBe(0);
  }, 60_000);
});
