import { fieldsOf, resourceOf } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { startAtrium } from '../support/api';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { DataSource } from 'typeorm';
import { ask } from './asking';
import { productResources } from './product-resources';

const TENANT_TABLES = `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public' JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`;
const GLOBAL_TABLES = ['account', 'account_session', 'refresh_token', 'signing_key'];
const REFUSED = '42501';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let tables: string[];

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace(['module-design']);
  theirs = await api.workspace(['module-design']);
  for (const { owner } of [ours, theirs])
    await owner.client.with({ 'Idempotency-Key': newId() }).post('/albums', { album_name: 'Harbour' }).expect(201);
  tables = (await api.sql<{ name: string }>(TENANT_TABLES)).map(({ name }) => name);
});
afterAll(() => api.close());

const count = async (table: string, tenant?: string): Promise<number> =>
  (
    await ask<{ count: number }>(api.database.appUrl, `SELECT count(*)::int AS count FROM ${table}`, tenant === undefined ? {} : { tenant })
  )[0]!.count;
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

describe('the role of the service', () => {
  it('[identity 28] sees no row of any tenant table without a workspace and may write none; accounts are closed to it', async () => {
    expect(tables).toEqual(
      expect.arrayContaining([
        'album',
        'api_key',
        'file',
        'idempotency_key',
        'licence',
        'outbox',
        'role',
        'upload',
        'user_role_link',
        'workspace',
        'workspace_user',
      ]),
    );
    for (const table of tables) {
      expect({ table, rows: await count(table) }).toEqual({ table, rows: 0 });
      expect({ table, rows: await count(table, '') }).toEqual({ table, rows: 0 });
      const insert = ask(api.database.appUrl, `INSERT INTO ${table} (tenant_id) VALUES ($1)`, { values: [ours.tenant_id] });
      expect({ table, code: await insert.then(() => 'written', codeOf) }).toEqual({ table, code: REFUSED });
    }
    for (const table of GLOBAL_TABLES) {
      for (const statement of [`SELECT FROM ${table}`, `DELETE FROM ${table}`, `INSERT INTO ${table} DEFAULT VALUES`]) {
        expect({ statement, code: await ask(api.database.appUrl, statement).then(() => 'done', codeOf) }).toEqual({
          statement,
          code: REFUSED,
        });
      }
    }
  });

  it('sees the rows of its workspace and of no other', async () => {
    for (const table of ['album', 'api_key', 'licence', 'role', 'user_role_link', 'workspace', 'workspace_user']) {
      const seen = await ask<{ tenant_id: string }>(api.database.appUrl, `SELECT DISTINCT tenant_id FROM ${table}`, {
        tenant: ours.tenant_id,
      });
      expect({ table, seen }).toEqual({ table, seen: [{ tenant_id: ours.tenant_id }] });
      expect({ table, rows: await count(table, newId()) }).toEqual({ table, rows: 0 });
    }
  });

  it('can neither move a row to another workspace, nor write into one, nor change or delete what is there', async () => {
    for (const table of tables) {
      const insert = ask(api.database.appUrl, `INSERT INTO ${table} (tenant_id) VALUES ($1)`, {
        values: [theirs.tenant_id],
        tenant: ours.tenant_id,
      });
      expect({ table, code: await insert.then(() => 'written', codeOf) }).toEqual({ table, code: REFUSED });
    }
    const move = ask(api.database.appUrl, 'UPDATE album SET tenant_id = $1', { values: [theirs.tenant_id], tenant: ours.tenant_id });
    expect(await move.then(() => 'moved', codeOf)).toBe(REFUSED);
    await ask(api.database.appUrl, 'UPDATE album SET album_name = $1 WHERE tenant_id = $2', {
      values: ['taken'],
      tenant: ours.tenant_id,
    }).catch(() => undefined);
    await ask(api.database.appUrl, `DELETE FROM album WHERE tenant_id = '${theirs.tenant_id}'`, { tenant: ours.tenant_id });
    expect(await ask(api.database.ownerUrl, `SELECT album_name FROM album`, { tenant: theirs.tenant_id })).toContainEqual({
      album_name: 'Harbour',
    });
  });

  it('does not refer to a row of another workspace', async () => {
    const [foreign] = await api.sql<{ album_id: string }>('SELECT album_id FROM album WHERE tenant_id = $1', [theirs.tenant_id]);
    const statement = `UPDATE album SET album_parent = '${foreign!.album_id}' WHERE tenant_id = '${ours.tenant_id}'`;
    expect(await ask(api.database.appUrl, statement, { tenant: ours.tenant_id }).then(() => 'referred', codeOf)).toBe('23503');
  });

  it('leaves nothing of a workspace on a connection it gives back', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, i) => (i % 2 ? ours : theirs).owner.client.get('/me').expect(200)));
    const settings = await api.app.get(DataSource).query("SELECT current_setting('app.tenant_id', true) AS tenant");
    expect(settings).toEqual([{ tenant: '' }]);
  });
});

describe('the columns of a resource', () => {
  interface Column {
    readonly table: string;
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
  }
  /** Null in general, yet never in the one list that is sorted by it. */
  const SET_WHERE_SORTED = ['file.file_deleted'];
  let columns: Map<string, Column>;

  // What a view shows cannot be declared; the tables behind it are looked at themselves.
  beforeAll(async () => {
    const rows = await api.sql<Column>(
      `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull OR c.relkind = 'v' AS required
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public' WHERE a.attnum > 0 AND NOT a.attisdropped`,
    );
    columns = new Map(rows.map((row) => [`${row.table}.${row.name}`, row]));
  });

  it('that lists are sorted by are never null, and points in time have milliseconds, as cursors do', () => {
    for (const type of productResources()) {
      const { table } = resourceOf(type);
      for (const field of fieldsOf(type).values()) {
        if (!field.sort || field.computed || SET_WHERE_SORTED.includes(`${table}.${field.name}`)) continue;
        const twin = typeof field.sort === 'string' ? field.sort : `${field.name}_key`;
        const column = columns.get(`${table}.${twin}`) ?? columns.get(`${table}.${field.name}`);
        expect({ table, field: field.name, required: column?.required }).toEqual({ table, field: field.name, required: true });
        if (field.kind === 'stamp')
          expect({ table, field: field.name, type: column?.type }).toEqual({
            table,
            field: field.name,
            type: 'timestamp(3) with time zone',
          });
      }
    }
  });

  it('exist as declared', () => {
    for (const type of productResources()) {
      const { table } = resourceOf(type);
      expect(columns.get(`${table}.tenant_id`)).toMatchObject({ type: 'uuid', required: true });
      for (const field of fieldsOf(type).values())
        if (!field.computed)
          expect(columns.has(`${table}.${field.name}`) ? 'declared' : `${table}.${field.name} has no column`).toBe('declared');
    }
  });
});

describe('a unique key of a tenant table', () => {
  /** Known to be unique across workspaces, and looked up before there is one. */
  const ACROSS = [
    'workspace_ws_slug_key',
    'workspace_ws_external_id_key',
    'api_key_key_public_id_key',
    'publication_pub_key_key',
    'share_link_id',
    'share_link_share_token_hash_key',
    'site_site_key_key',
    'cms_connection_cms_hook_key_key',
    'share_token_st_hash_key',
  ];

  it('begins with the workspace, so that nobody learns of rows elsewhere', async () => {
    const loose = await api.sql<{ name: string }>(
      `SELECT i.relname AS name FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid AND NOT c.relispartition JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' WHERE x.indisunique AND x.indkey[0] <> a.attnum ORDER BY 1`,
    );
    expect(loose.map(({ name }) => name).filter((name) => !ACROSS.includes(name))).toEqual([]);
  });
});
