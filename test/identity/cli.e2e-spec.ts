import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { MODULES, operatorTokenHash, PERMISSIONS } from '@atrium/platform/access';
import { newId } from '@atrium/platform/kernel';
import { Client, createEmptyDatabase, dropTestDatabase, eventually, ofThisFile, type RunningApi } from '@atrium/platform/testing';
import { commandLine, type Ended, type Given } from '../support/command-line';
import { startAtrium } from '../support/api';
import { bearing, signIn } from './signing-in';

jest.setTimeout(120_000);

const PROJECT = join(__dirname, '../..');
const PASSWORD = 'correct horse battery staple';

async function node(args: readonly string[], { input = '', env = {} }: Given = {}): Promise<Ended> {
  const child = ofThisFile(
    spawn(process.execPath, args, { cwd: PROJECT, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] }),
  );
  const ended = { out: '', complaint: '' };
  child.stdout.on('data', (chunk: Buffer) => (ended.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (ended.complaint += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...ended };
}

const PROGRAM = join(PROJECT, 'dist/apps/cli/src/main.js');

/** A command in a process of its own, as it is built. */
const program = (args: readonly string[], given?: Given): Promise<Ended> => node([PROGRAM, ...args], given);
/** The same program within this process. */
const atrium = commandLine;
const json = async <T>(args: readonly string[], input = ''): Promise<T> => {
  const ended = await atrium([...args, '--json'], { input });
  expect(ended).toMatchObject({ code: 0, complaint: '' });
  return JSON.parse(ended.out) as T;
};

let api: RunningApi;
let made = 0;

beforeAll(async () => {
  const build = await node([
    '--input-type=module',
    '-e',
    `import { ensureBuilt } from ${JSON.stringify(join(PROJECT, 'tools/setup/build.mjs'))}; await ensureBuilt();`,
  ]);
  expect(build).toMatchObject({ code: 0 });
  api = await startAtrium();
});
afterAll(() => api.close());

const creation = (slug: string, ...more: string[]): string[] => [
  'workspace',
  'create',
  '--name',
  'Acme',
  '--slug',
  slug,
  '--owner-email',
  `owner@${slug}.example`,
  '--owner-name',
  'Ada Owner',
  ...more,
];

async function workspace(...more: string[]): Promise<{ ws_id: string; owner_user_id: string; email: string }> {
  const slug = `cli-${++made}`;
  const answer = await json<{ ws_id: string; owner_user_id: string }>(creation(slug, ...more), `${PASSWORD}\n`);
  return { ...answer, email: `owner@${slug}.example` };
}

const keyFor = async (ws_id: string, email: string, ...more: string[]): Promise<Client> => {
  const { key_secret } = await json<{ key_secret: string }>([
    'key',
    'create',
    '--workspace',
    ws_id,
    '--user-email',
    email,
    '--name',
    'cli',
    ...more,
  ]);
  return new Client(api.url, { 'X-Api-Key': key_secret, 'X-Tenant-Id': ws_id });
};

describe('atrium workspace', () => {
  it('[identity 1] create takes the password of the owner from standard input; the owner signs in and may do everything', async () => {
    const everything: readonly string[] = MODULES;
    for (const modules of [['module-design', 'module-ppt'], everything]) {
      const { ws_id, owner_user_id, email } = await workspace(...(modules === everything ? ['--all-modules'] : ['--module', ...modules]));
      const tokens = await signIn(api, email, PASSWORD);
      const me = await bearing(api, tokens.access_token, ws_id).get('/me').expect(200);
      expect(me.body).toMatchObject({
        user: { user_id: owner_user_id, user_name: 'Ada Owner' },
        workspace: { ws_id, ws_name: 'Acme' },
        permissions: PERMISSIONS,
        modules: [...modules].sort(),
      });
    }
  });

  it('create begins a workspace with all that the contexts begin one with', async () => {
    const { ws_id, email } = await workspace();
    const owner = await keyFor(ws_id, email);
    const listed = async (path: string): Promise<object[]> => ((await owner.get(path).expect(200)).body as { data: object[] }).data;
    expect(await listed('/admin/media-status-flows')).toMatchObject([{ msf_name: 'Standard', msf_active: true }]);
    expect(await listed('/agents?agent_default=true')).toMatchObject([{ agent_name: 'Assistant', agent_active: true }]);
    const templates = await listed('/knowledge-base-schemas?template=true&limit=50');
    expect(templates).toEqual(
      expect.arrayContaining([expect.objectContaining({ form_metadata: expect.objectContaining({ template: 'faq' }) as object })]),
    );
  });

  it('create refuses a taken slug with 4, bad values with 2 and makes nothing then', async () => {
    const { ws_id } = await workspace();
    expect(await atrium(creation(`cli-${made}`), { input: `${PASSWORD}\n` })).toMatchObject({
      code: 4,
      out: '',
      complaint: `The slug cli-${made} is taken.\n`,
    });
    const before = await json<object[]>(['workspace', 'list']);
    const bad = [
      creation('Acme!'),
      creation('fine-1', '--module', 'module-none'),
      creation('fine-2', '--owner-email', 'no address'),
      creation('fine-3', '--name', ' '),
    ];
    const refused = await Promise.all([
      ...bad.map((args) => atrium(args, { input: `${PASSWORD}\n` })),
      atrium(creation('fine-4'), { input: 'short\n' }),
      atrium(creation('fine-5'), { input: '' }),
    ]);
    expect(refused.map(({ code, out }) => ({ code, out }))).toEqual(refused.map(() => ({ code: 2, out: '' })));
    expect(refused.map(({ complaint }) => complaint.split(':')[0])).toEqual([
      'ws_slug',
      'ws_modules',
      'user_email',
      'ws_name',
      'owner.password',
      'owner.password',
    ]);
    expect(await json<object[]>(['workspace', 'list'])).toEqual(before);
    expect(before).toContainEqual(expect.objectContaining({ ws_id, ws_status: 'active' }));
  });

  it('grant and suspend hold from the next request on', async () => {
    const { ws_id, email } = await workspace();
    const client = await keyFor(ws_id, email);
    expect((await client.get('/me').expect(200)).body.modules).toEqual([]);
    expect(await json(['module', 'grant', ws_id, 'module-objects', '--source', 'contract'])).toMatchObject({
      lic_module: 'module-objects',
      lic_active: true,
      lic_source: 'contract',
    });
    expect((await client.get('/me').expect(200)).body.modules).toEqual(['module-objects']);
    expect(await json(['module', 'list', ws_id])).toMatchObject([{ lic_module: 'module-objects', lic_active: true }]);
    await json(['module', 'revoke', ws_id.toUpperCase(), 'module-objects']);
    expect((await client.get('/me').expect(200)).body.modules).toEqual([]);
    expect(await json(['workspace', 'suspend', ws_id])).toEqual({ ws_id, ws_status: 'suspended' });
    await client.get('/me').expect(403);
    await json(['workspace', 'resume', ws_id]);
    await client.get('/me').expect(200);
  });

  it('answers 3 for a workspace that does not exist and 2 for what names none', async () => {
    const calls = [
      ['workspace', 'suspend', newId()],
      ['workspace', 'suspend', 'acme'],
      ['workspace', 'show', newId()],
      ['module', 'grant', newId(), 'module-design'],
      ['module', 'grant', newId(), 'module-none'],
      ['module', 'list', 'acme'],
    ];
    const ended = await Promise.all(calls.map((args) => atrium(args)));
    expect(ended.map(({ code, out }) => [code, out])).toEqual([3, 2, 3, 3, 2, 2].map((code) => [code, '']));
  });
});

describe('the life of a workspace at the command line', () => {
  it('is shown, changed, deleted, restored, and refused with 4 what its state does not allow', async () => {
    const { ws_id } = await workspace('--seats', '7', '--timezone', 'Europe/Lisbon', '--external-id', `cli-ext-${made + 1}`);
    expect(await json(['workspace', 'show', ws_id])).toMatchObject({
      ws_id,
      ws_status: 'active',
      ws_seat_limit: 7,
      ws_timezone: 'Europe/Lisbon',
      users: 1,
      purge: null,
    });
    expect(await json(['workspace', 'update', ws_id, '--name', 'Harbour', '--seats', 'none'])).toMatchObject({
      ws_name: 'Harbour',
      ws_seat_limit: null,
    });
    expect(await atrium(['workspace', 'update', ws_id])).toMatchObject({ code: 2, complaint: 'Name at least one option to change.\n' });
    expect(await json(['workspace', 'suspend', ws_id, '--reason', 'unpaid'])).toEqual({ ws_id, ws_status: 'suspended' });
    expect(await json(['workspace', 'delete', ws_id, '--grace-days', '3'])).toEqual({
      ws_id,
      ws_status: 'deleting',
      ws_delete_after: expect.any(String),
    });
    expect(await json(['workspace', 'restore', ws_id])).toEqual({ ws_id, ws_status: 'suspended' });
    expect(await json(['workspace', 'resume', ws_id])).toEqual({ ws_id, ws_status: 'active' });
    const refused = await Promise.all(
      [
        ['resume', ws_id],
        ['restore', ws_id],
        ['delete', ws_id, '--grace-days', '91'],
        ['delete', ws_id, '--grace-days', 'soon'],
        ['delete', newId()],
      ].map((args) => atrium(['workspace', ...args])),
    );
    expect(refused.map(({ code }) => code)).toEqual([4, 4, 2, 2, 3]);
    const audited = await api.sql<{ aud_type: string }>(
      `SELECT aud_type FROM audit_event WHERE tenant_id = $1 AND aud_actor_name = 'operator:cli' ORDER BY aud_timestamp, aud_id`,
      [ws_id],
    );
    expect(audited.map(({ aud_type }) => aud_type)).toEqual([
      'workspace.created',
      'workspace.changed',
      'workspace.suspended',
      'workspace.deletion_planned',
      'workspace.restored',
      'workspace.resumed',
    ]);
  });

  it('begins with an owner who is invited by a link, where no password is to be given', async () => {
    const { ws_id, invite_url } = await json<{ ws_id: string; invite_url: string }>(creation(`cli-${++made}`, '--invite'));
    await api.stranger.get(`/auth/invitations/${invite_url.split('/').at(-1)}`).expect(200);
    expect(await json(['user', 'list', '--workspace', ws_id])).toMatchObject([
      { user_email: `owner@cli-${made}.example`, user_status: 'invited', roles: ['owner'] },
    ]);
  });
});

describe('atrium user', () => {
  it('lists members, sets their roles with an owner left, gives a password, and takes no second factor that is none', async () => {
    const { ws_id, email } = await workspace();
    await json(['user', 'create', '--workspace', ws_id, '--email', 'mia@example.com', '--name', 'Mia'], `${PASSWORD}\n`);
    const set = (who: string, ...roles: string[]): string[] => [
      'user',
      'set-roles',
      '--workspace',
      ws_id,
      '--email',
      who,
      '--role',
      ...roles,
    ];
    expect(await json(set('mia@example.com', 'owner', 'Editor'))).toMatchObject({ roles: ['editor', 'owner'] });
    expect(await json(set('mia@example.com', 'viewer'))).toMatchObject({ roles: ['viewer'] });
    const refused = await Promise.all(
      [
        set(email, 'viewer'),
        set('mia@example.com', 'king'),
        set('nobody@example.com', 'viewer'),
        ['user', 'disable-mfa', '--workspace', ws_id, '--email', email],
      ].map((args) => atrium(args)),
    );
    expect(refused.map(({ code }) => code)).toEqual([4, 2, 3, 4]);
    const tokens = await signIn(api, email, PASSWORD);
    const reset = ['user', 'reset-password', '--workspace', ws_id, '--email', email];
    expect(await atrium(reset, { input: 'password1234\n' })).toMatchObject({ code: 2, out: '' });
    await json(reset, 'seven hulls under a green lamp\n');
    await bearing(api, tokens.access_token, ws_id).get('/me').expect(401);
    await signIn(api, email, 'seven hulls under a green lamp');
    expect(
      (await json<{ user_email: string; roles: string[] }[]>(['user', 'list', '--workspace', ws_id])).map(({ user_email, roles }) => [
        user_email,
        roles,
      ]),
    ).toEqual([
      [email, ['owner']],
      ['mia@example.com', ['viewer']],
    ]);
  });
});

describe('atrium key revoke', () => {
  it('ends a key by what lists show of it, from the next request on; a second time there is none', async () => {
    const { ws_id, email } = await workspace();
    const client = await keyFor(ws_id, email);
    await client.get('/me').expect(200);
    const prefix = client.headers['X-Api-Key']!.split('_').slice(0, 2).join('_');
    await json(['key', 'revoke', prefix, '--workspace', ws_id]);
    await client.get('/me').expect(401);
    expect(await atrium(['key', 'revoke', prefix, '--workspace', ws_id])).toMatchObject({ code: 3 });
  });
});

describe('atrium operator-token and signing-keys', () => {
  it('prints a token that the operator API takes, and the line for the environment; rotates the keys', async () => {
    const { token, entry } = await json<{ token: string; entry: string }>(['operator-token', 'create', 'night-shift']);
    expect(token).toMatch(/^aop_night-shift_[0-9A-Za-z]{43}$/);
    expect(entry).toBe(`night-shift:${operatorTokenHash(token)}`);
    expect((await atrium(['operator-token', 'create', 'Night Shift'])).code).toBe(2);
    const [first, second] = [
      await json<{ active: string; next: string }>(['signing-keys', 'rotate']),
      await json<{ active: string; retired: string[] }>(['signing-keys', 'rotate']),
    ];
    expect(second.active).toBe(first.next);
    expect(second.retired).toContain(first.active);
  });
});

describe('atrium user create', () => {
  it('adds a member with roles; the same person in two workspaces is one account', async () => {
    const [first, second] = [await workspace(), await workspace()];
    const args = (ws_id: string, ...more: string[]): string[] => [
      'user',
      'create',
      '--workspace',
      ws_id,
      '--email',
      'Grace@Example.com',
      '--name',
      'Grace',
      ...more,
    ];
    const one = await json<{ user_id: string }>(args(first.ws_id, '--role', 'editor', 'contributor'), `${PASSWORD}\n`);
    expect(await json(args(second.ws_id), `${PASSWORD}\n`)).toEqual(one);
    const tokens = await signIn(api, 'grace@example.com', PASSWORD);
    expect(tokens.workspaces).toHaveLength(2);
    const me = await bearing(api, tokens.access_token, first.ws_id).get('/me').expect(200);
    expect(me.body.roles.map((role: { role_key: string }) => role.role_key)).toEqual(['contributor', 'editor']);
    const refused = await Promise.all(
      [args(first.ws_id), args(newId()), args(first.ws_id, '--role', 'king')].map((wrong) => atrium(wrong, { input: `${PASSWORD}\n` })),
    );
    expect(refused.map(({ code }) => code)).toEqual([4, 3, 2]);
  });
});

describe('atrium key create', () => {
  it('prints the key once, narrowed by its scopes', async () => {
    const { ws_id, email } = await workspace();
    const client = await keyFor(ws_id, email, '--scope', 'media:view', 'task:*');
    expect((await client.get('/me').expect(200)).body.permissions).toEqual([
      'media:view',
      'task:complete',
      'task:edit',
      'task:form:edit',
      'task:view',
    ]);
    const wrong = [[email, '--scope', 'media:fly'], ['nobody@example.com']].map(([who, ...more]) => [
      'key',
      'create',
      '--workspace',
      ws_id,
      '--name',
      'x',
      '--user-email',
      who!,
      ...more,
    ]);
    expect((await Promise.all(wrong.map((args) => atrium(args)))).map(({ code }) => code)).toEqual([2, 3]);
  });
});

describe('atrium in a process of its own', () => {
  it('takes a secret from standard input, says what it made and ends with 0; with 3 and a line on standard error what is not there', async () => {
    const slug = `cli-${++made}`;
    const [created, unknown] = await Promise.all([
      program([...creation(slug), '--json'], { input: `${PASSWORD}\n` }),
      program(['workspace', 'show', newId()]),
    ]);
    expect(created).toMatchObject({ code: 0, complaint: '' });
    const { ws_id } = JSON.parse(created.out) as { ws_id: string };
    expect((await signIn(api, `owner@${slug}.example`, PASSWORD)).workspaces).toMatchObject([{ ws_id }]);
    expect(unknown).toMatchObject({ code: 3, out: '', complaint: expect.stringMatching(/^[^\n]+\n$/) });
  });

  it('ends at once by a signal while it waits for a secret, and makes nothing', async () => {
    const slug = `cli-${++made}`;
    const child = ofThisFile(spawn(process.execPath, [PROGRAM, ...creation(slug)], { cwd: PROJECT, stdio: ['pipe', 'ignore', 'ignore'] }));
    // It is connected by now, and stays so until it has read the password.
    await eventually(
      () => api.sql(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'atrium-cli' AND datname = current_database()`),
      (found) => found.length > 0,
      30_000,
    );
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([null, 'SIGTERM']);
    expect(await api.sql('SELECT 1 FROM workspace WHERE ws_slug = $1', [slug])).toEqual([]);
  });
});

describe('atrium', () => {
  it('takes no secret as an argument, and ends wrong usage with 2 and help with 0', async () => {
    const calls = [
      [...creation('fine-6'), '--owner-password', PASSWORD],
      ['workspace', 'create', '--name', 'x'],
      ['levitate'],
      ['migrate'],
      ['--help'],
    ];
    const ended: Ended[] = [];
    for (const args of calls) ended.push(await atrium(args, { env: { DATABASE_OWNER_URL: '' } }));
    expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2, 0]);
    const said = ['unknown option', 'required option', 'unknown command', 'DATABASE_OWNER_URL'];
    expect(ended.slice(0, 4).map(({ complaint }, i) => complaint.includes(said[i]!))).toEqual([true, true, true, true]);
    expect(ended[4]?.out).toContain('doctor');
  });

  it('migrates an empty database, once; doctor finds it sound, and says what is not', async () => {
    const database = await createEmptyDatabase();
    const env = { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl };
    const unmigrated = await atrium(['doctor', '--json'], { env });
    expect(unmigrated.code).toBe(1);
    expect(JSON.parse(unmigrated.out)).toContainEqual({ check: 'migrations applied', ok: false, detail: expect.any(String) });
    const first = await atrium(['migrate', '--json'], { env });
    expect(first).toMatchObject({ code: 0, complaint: '' });
    expect((JSON.parse(first.out) as { applied: string[] }).applied[0]).toBe('0001-platform.sql');
    expect(await atrium(['migrate'], { env })).toEqual({ code: 0, out: 'nothing to apply\n', complaint: '' });
    const sound = await atrium(['doctor', '--json'], { env });
    expect(JSON.parse(sound.out)).toEqual(
      [
        'settings',
        'database reachable',
        'prepared statements',
        'database listens',
        'migrations applied',
        'rights of the database',
        'workspaces isolated',
        'tables by month',
        'object store',
        'queue',
      ].map((check) => ({ check, ok: true })),
    );
    expect(sound.code).toBe(0);
    const { Client: Postgres } = await import('pg');
    const owner = new Postgres({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query('ALTER TABLE role NO FORCE ROW LEVEL SECURITY');
    await owner.query(
      "INSERT INTO audit_event (tenant_id, aud_id, aud_timestamp, aud_type, aud_actor_kind, aud_target_type) VALUES (gen_random_uuid(), gen_random_uuid(), now() + interval '1 year', 'a.b', 'system', 'a')",
    );
    await owner.end();
    const unsound = await program(['doctor'], { env });
    expect(unsound).toMatchObject({
      code: 1,
      out: expect.stringContaining('FAIL workspaces isolated: row-level security is not forced on role'),
    });
    expect(unsound.out).toContain('FAIL tables by month: rows in no monthly partition: 1 in audit_event');
    await dropTestDatabase(database);
  });

  it('says in one line that the database cannot be reached', async () => {
    const ended = await atrium(['workspace', 'list'], { env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } });
    expect(ended.code).toBe(1);
    expect(ended.complaint.trim().split('\n')).toHaveLength(1);
  });
});
