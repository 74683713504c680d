import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectIsolation, unpreparedRights } from '@atrium/platform/database';
import { eventually, type RunningApi } from '@atrium/platform/testing';
import { Client } from 'pg';
import { startAtriumWithWorker } from '../support/api';
import { commandLine } from '../support/command-line';
import { Hosts } from '../faults/hosts';
import { settled, upload } from '../files/uploading';
import { contentsOf, lawsOf } from './contents';
import { DistributionPostgres } from './distribution-postgres';
import { fill, quiet, type Filled } from './filled';

const here = DistributionPostgres.isInstalled() ? describe : describe.skip;
const RESTORED = 'restored';

let postgres: DistributionPostgres;
let folder: string;
let api: RunningApi;
let ours: Filled;
let theirs: Filled;
/** The filled database, as the superuser and as its owner reach it. */
let admin: string;
let owner: string;
let contents: Record<string, string>;
let laws: readonly string[];
const hosts = new Hosts();

const at = (url: string, database: string): string => Object.assign(new URL(url), { pathname: `/${database}` }).href;

async function asAdmin(...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: postgres.adminUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** An empty database of the owner, as `createdb -O atrium_owner` makes it. */
const anew = (): Promise<void> =>
  asAdmin(`DROP DATABASE IF EXISTS ${RESTORED} WITH (FORCE)`, `CREATE DATABASE ${RESTORED} OWNER atrium_owner`);

here('a dump of a filled database of PostgreSQL 15', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-dumps-'));
    postgres = await DistributionPostgres.start();
    process.env.TEST_PG_ADMIN_URL = postgres.adminUrl;
    api = await startAtriumWithWorker();
    [ours, theirs] = [await fill(api, 'harbour'), await fill(api, 'meadow')];
    await quiet(api);
    // No host writes while the tables are compared.
    await api.app.close();
    await api.worker.close();
    admin = at(postgres.adminUrl, api.database.name);
    owner = api.database.ownerUrl;
    [contents, laws] = [await contentsOf(admin), await lawsOf(admin)];
    await postgres.run('pg_dump', ['-f', join(folder, 'plain.sql'), admin]);
    await postgres.run('pg_dump', ['-Fc', '-f', join(folder, 'custom.dump'), admin]);
    // Row-level security binds the owner too: it dumps what the policies of its roles show, which is all.
    await postgres.run('pg_dump', ['--enable-row-security', '-f', join(folder, 'plain-by-owner.sql'), owner]);
    await postgres.run('pg_dump', ['--enable-row-security', '-Fc', '-f', join(folder, 'custom-by-owner.dump'), owner]);
  }, 240_000);
  afterAll(async () => {
    await hosts.close();
    await rm(folder, { recursive: true, force: true });
    await postgres.stop();
  }, 60_000);
  afterEach(() => hosts.close());

  it('holds rows of two workspaces in the tables of every part of the product', () => {
    const filled = Object.entries(contents)
      .filter(([name, digest]) => !name.startsWith('sequence') && !digest.startsWith('0 '))
      .map(([name]) => name);
    expect(filled).toEqual(
      expect.arrayContaining([
        'account',
        'album',
        'album_file',
        'api_key',
        'file',
        'file_blob',
        'file_version',
        'file_word_delta',
        'outbox',
        'publication',
        'share_link',
        'workspace',
        'workspace_user',
      ]),
    );
    expect(filled.length).toBeGreaterThan(40);
  });

  it.each([
    ['a superuser', 'psql', 'plain.sql'],
    ['a superuser', 'pg_restore', 'custom.dump'],
    ['a superuser', 'psql', 'plain-by-owner.sql'],
    ['the owner', 'psql', 'plain.sql'],
    ['the owner', 'pg_restore', 'custom-by-owner.dump'],
  ])(
    'is restored by %s with %s from %s, every row, right and rule of it, and hosts work on it',
    async (who, program, file) => {
      await anew();
      const target = at(who === 'the owner' ? owner : postgres.adminUrl, RESTORED);
      const env = { DATABASE_OWNER_URL: at(owner, RESTORED), DATABASE_URL: at(api.database.appUrl, RESTORED) };
      if (who === 'the owner')
        expect(await commandLine(['prepare'], { env })).toMatchObject({
          code: 0,
          out: expect.stringContaining('GRANT USAGE, CREATE ON SCHEMA public TO atrium_definer'),
        });
      const words =
        program === 'psql'
          ? ['-q', '-v', 'ON_ERROR_STOP=1', '-d', target, '-f', join(folder, file)]
          : ['--exit-on-error', '-d', target, join(folder, file)];
      await postgres.run(program, words);
      expect(await contentsOf(at(postgres.adminUrl, RESTORED))).toEqual(contents);
      expect(await lawsOf(at(postgres.adminUrl, RESTORED))).toEqual(laws);

      // What belongs to the database and not to its schema is in no dump: it is named, and put right.
      if (who === 'a superuser') {
        expect((await unpreparedRights(env.DATABASE_URL)).join('\n')).toContain('REVOKE CREATE, TEMPORARY ON DATABASE');
        const doctor = await commandLine(['doctor'], { env });
        expect(doctor.out).toContain(`FAIL rights of the database: REVOKE CREATE, TEMPORARY ON DATABASE ${RESTORED} FROM PUBLIC`);
        expect(doctor.out).toContain('run: atrium migrate');
        expect(await commandLine(['migrate'], { env })).toMatchObject({ code: 0 });
      }
      expect(await unpreparedRights(env.DATABASE_URL)).toEqual([]);
      expect(await inspectIsolation(env.DATABASE_URL)).toEqual([]);

      if (file.startsWith('custom') || who === 'the owner') await use(env);
    },
    240_000,
  );

  it('is taken and restored by the commands of the guide, as written, although another extension is in the database', async () => {
    await asAdmin(`DROP DATABASE IF EXISTS ${RESTORED} WITH (FORCE)`);
    const source = new Client({ connectionString: admin });
    await source.connect();
    await source.query('CREATE EXTENSION pg_stat_statements');
    await source.end();
    const page = await readFile(join(__dirname, '../../docs/guide/backup.md'), 'utf8');
    const section = page.split(/^## /m).find((part) => part.startsWith('Production: the database')) ?? '';
    const commands = [...section.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');
    const server = (url: string): string => url.replace(/\/[^/]*$/, '');
    const env = { BACKUPS: folder, SERVER: server(postgres.adminUrl), OWNER: server(owner), APP: server(api.database.appUrl) };
    expect(await postgres.shell(commands.replaceAll('/atrium"', `/${api.database.name}"`), env)).toEqual({
      code: 0,
      out: expect.stringMatching(/ok\s+rights of the database\nok\s+workspaces isolated/),
    });
    expect(await contentsOf(at(postgres.adminUrl, RESTORED))).toEqual(contents);
    expect(await lawsOf(at(postgres.adminUrl, RESTORED))).toEqual(laws);
  }, 120_000);

  it('is brought to another cluster by pg_upgrade, every row, right and rule of it', async () => {
    const dump = join(folder, 'plain.sql');
    await chmod(folder, 0o755);
    const upgraded = await DistributionPostgres.startUpgraded(dump);
    try {
      expect(await contentsOf(upgraded.adminUrl)).toEqual(contents);
      expect(await lawsOf(upgraded.adminUrl)).toEqual(laws);
    } finally {
      await upgraded.stop();
    }
  }, 120_000);

  it('is restored on the PostgreSQL that comes with the product too', async () => {
    const next = new Client({ connectionString: NEXT_ADMIN });
    await next.connect();
    await next.query(`DROP DATABASE IF EXISTS ${RESTORED} WITH (FORCE)`);
    for (const role of ['atrium_owner LOGIN CREATEROLE', "atrium_app LOGIN PASSWORD 'atrium-app'", 'atrium_search', 'atrium_definer'])
      await next.query(`CREATE ROLE ${role}`).catch(() => undefined);
    await next.query(`CREATE DATABASE ${RESTORED} OWNER atrium_owner`);
    await postgres.run('psql', ['-q', '-v', 'ON_ERROR_STOP=1', '-d', at(NEXT_ADMIN, RESTORED), '-f', join(folder, 'plain.sql')]);
    expect(await contentsOf(at(NEXT_ADMIN, RESTORED))).toEqual(contents);
    await next.query(`DROP DATABASE ${RESTORED} WITH (FORCE)`);
    await next.end();
  }, 120_000);
});

/** The server of the run, of the version that comes with the product. */
const NEXT_ADMIN = process.env.TEST_PG_ADMIN_URL ?? '';

/** Hosts on the restored database and a copy of the objects: what was there is there, and work goes on, for each workspace alone. */
async function use(env: Readonly<Record<string, string>>): Promise<void> {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'atrium-restored-'));
  try {
    await cp(api.dataDir, DATA_DIR, { recursive: true });
    await hosts.witness(async () => {
      const host = await hosts.api({ ...env, DATA_DIR });
      await hosts.worker({ ...env, DATA_DIR });
      for (const { workspace, picture, text, album } of [ours, theirs]) {
        const client = host.client(workspace.owner.client);
        const members = (await client.get(`/albums/${album}/files`).expect(200)).body as { data: { file_id: string }[] };
        expect(members.data.map(({ file_id }) => file_id).sort()).toEqual([picture, text].sort());
        const url = (await client.get(`/files/${text}/download-url`).expect(200)).body as string;
        expect(await (await fetch(url)).text()).toContain('The harbour of');
        const { file_id } = await upload(client, 'after.txt', Buffer.from('after the restore'));
        expect(await settled(client, file_id)).toMatchObject({ file_processing: 'ready' });
        await eventually(
          () => client.get('/files?repo_type=media').then((answer) => (answer.body as { data: unknown[] }).data.length),
          (count) => count === 3,
        );
      }
      await host.client(ours.workspace.owner.client).get(`/files/${theirs.picture}`).expect(404);
      await host.client(theirs.workspace.owner.client).get(`/albums/${ours.album}`).expect(404);
    });
  } finally {
    await hosts.close();
    await rm(DATA_DIR, { recursive: true, force: true });
  }
}
