import { randomBytes } from 'node:crypto';
import { inspectIsolation } from '@atrium/platform/database';
import { createTestDatabase, dropTestDatabase, type TestDatabase } from '@atrium/platform/testing';
import { ask, asAdmin } from './asking';

/** A migrated database; rights on the database itself are not copied from a template, so they are set as the first migration sets them. */
async function migrated(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await ask(database.ownerUrl, `REVOKE CREATE, TEMPORARY ON DATABASE ${database.name} FROM PUBLIC`);
  return database;
}

describe('the migrated database', () => {
  it('keeps workspaces apart', async () => {
    const database = await migrated();
    expect(await inspectIsolation(database.appUrl)).toEqual([]);
    await dropTestDatabase(database);
  });
});

/** What breaks, the statements that break it (as the owner), and what the inspection says. */
const BREAKS: readonly [title: string, statements: string, fault: string][] = [
  ['row-level security that is not forced', 'ALTER TABLE role NO FORCE ROW LEVEL SECURITY', 'row-level security is not forced on role'],
  ['row-level security that is switched off', 'ALTER TABLE role DISABLE ROW LEVEL SECURITY', 'row-level security is not forced on role'],
  [
    'a new tenant table without any policy',
    'CREATE TABLE loose (tenant_id uuid, id uuid, PRIMARY KEY (tenant_id, id))',
    'row-level security is not forced on loose',
  ],
  ['a policy that is gone', 'DROP POLICY tenant ON licence', 'the tenant policy is missing or has another shape on licence'],
  [
    'a policy of another shape',
    'ALTER POLICY tenant ON licence USING (true)',
    'the tenant policy is missing or has another shape on licence',
  ],
  [
    'a policy that lets rows be written elsewhere',
    'ALTER POLICY tenant ON licence WITH CHECK (true)',
    'the tenant policy is missing or has another shape on licence',
  ],
  [
    'a policy for one role only',
    'ALTER POLICY tenant ON licence TO atrium_app',
    'the tenant policy is missing or has another shape on licence',
  ],
  [
    'a second policy',
    'CREATE POLICY wide ON api_key FOR SELECT USING (true)',
    'there is a second policy that is not the search policy on api_key.wide',
  ],
  [
    'a search policy for everybody',
    'CREATE POLICY search ON api_key FOR SELECT USING (true)',
    'there is a second policy that is not the search policy on api_key.search',
  ],
  [
    'a search policy that writes',
    'CREATE POLICY search ON api_key TO atrium_search USING (true)',
    'there is a second policy that is not the search policy on api_key.search',
  ],
  [
    'a definer policy for everybody',
    'DROP POLICY definer ON api_key; CREATE POLICY definer ON api_key USING (true)',
    'there is a second policy that is not the search policy on api_key.definer',
  ],
  ['a definer policy that is gone', 'DROP POLICY definer ON api_key', 'the definer role sees no rows of api_key'],
  [
    'a partition that is open by itself',
    `CREATE TABLE parted (tenant_id uuid, id uuid, PRIMARY KEY (tenant_id, id)) PARTITION BY HASH (id); CALL make_tenant_table('parted');
     CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 1, REMAINDER 0); GRANT SELECT ON parted_0 TO atrium_app`,
    'a partition can be read past its parent parted_0',
  ],
  [
    'a reference that crosses workspaces',
    `CREATE UNIQUE INDEX role_alone ON role (role_id); ALTER TABLE user_role_link ADD CONSTRAINT crossing FOREIGN KEY (role_id) REFERENCES role (role_id)`,
    'a reference between tenant tables does not include the workspace crossing',
  ],
  [
    'a key that does not begin with the workspace',
    `CREATE TABLE keyed (id uuid PRIMARY KEY, tenant_id uuid NOT NULL); CALL make_tenant_table('keyed')`,
    'the primary key does not begin with the workspace on keyed',
  ],
  [
    'a right on a table without a workspace',
    'GRANT SELECT ON account TO atrium_app',
    'a table without a workspace is open to the runtime role account',
  ],
  [
    'a right on one column of it',
    'GRANT SELECT (acc_password_hash) ON account TO atrium_app',
    'a table without a workspace is open to the runtime role account',
  ],
  [
    'a right to rewrite the ledger of migrations',
    'GRANT DELETE ON atrium_migration TO atrium_app',
    'a table without a workspace is open to the runtime role atrium_migration',
  ],
  [
    'a view with the rights of its owner',
    'CREATE VIEW everyone AS SELECT * FROM workspace_user; GRANT SELECT ON everyone TO atrium_app',
    'a view shows the runtime role what only its owner may see everyone',
  ],
  [
    'a right to truncate',
    'GRANT TRUNCATE ON workspace_user TO atrium_app',
    'the runtime role may truncate, reference or create triggers on workspace_user',
  ],
  [
    'a right to refer',
    'GRANT REFERENCES (tenant_id) ON workspace_user TO atrium_app',
    'the runtime role may truncate, reference or create triggers on workspace_user',
  ],
  ['a search role that writes', 'GRANT UPDATE ON album TO atrium_search', 'the search role may do more than read album'],
  [
    'a definer function nobody listed',
    `CREATE FUNCTION peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS 'SELECT count(*) FROM account'; REVOKE ALL ON FUNCTION peek() FROM PUBLIC`,
    'a definer function is not on the list or has another owner peek',
  ],
  [
    'a definer function of another owner',
    'ALTER FUNCTION auth_enter(uuid, uuid) OWNER TO CURRENT_USER',
    'a definer function is not on the list or has another owner auth_enter',
  ],
  [
    'a definer function without a search path',
    'ALTER FUNCTION auth_enter(uuid, uuid) RESET search_path',
    'a definer function has no pinned search path auth_enter',
  ],
  [
    'a definer function with an open search path',
    `ALTER FUNCTION auth_enter(uuid, uuid) SET search_path = "$user", public`,
    'a definer function has no pinned search path auth_enter',
  ],
  [
    'a definer function for everybody',
    'GRANT EXECUTE ON FUNCTION auth_find_account(text) TO PUBLIC',
    'every role may execute the definer function auth_find_account',
  ],
  ['a search function that may write', 'ALTER FUNCTION albums_matching(text) VOLATILE', 'a search function may write albums_matching'],
  [
    'a table of the runtime role',
    'CREATE TABLE mine (id int); GRANT CREATE ON SCHEMA public TO atrium_app; ALTER TABLE mine OWNER TO atrium_app; REVOKE CREATE ON SCHEMA public FROM atrium_app',
    'the runtime role owns table mine',
  ],
  ['a schema to build in', 'GRANT CREATE ON SCHEMA public TO atrium_app', 'the runtime role may create objects in schema public'],
];

describe('the inspection of a database finds', () => {
  it.each(BREAKS)('%s', async (_title, statements, fault) => {
    const database = await migrated();
    await ask(asAdmin(database), statements.replaceAll('CURRENT_USER', 'atrium_owner'));
    expect(await inspectIsolation(database.appUrl)).toContain(fault);
    await dropTestDatabase(database);
  });

  it('nothing in what extensions bring', async () => {
    const database = await migrated();
    await ask(asAdmin(database), 'CREATE EXTENSION pg_stat_statements; CREATE EXTENSION pg_buffercache; CREATE EXTENSION xml2');
    expect(await inspectIsolation(database.appUrl)).toEqual([]);
    await dropTestDatabase(database);
  });

  it('temporary tables', async () => {
    const database = await migrated();
    await ask(database.ownerUrl, `GRANT TEMPORARY ON DATABASE ${database.name} TO atrium_app`);
    expect(await inspectIsolation(database.appUrl)).toEqual([`the runtime role may create objects in database ${database.name}`]);
    await dropTestDatabase(database);
  });

  // Roles belong to the whole server: one of its own replaces the runtime role, so that no other test sees it broken.
  it.each([
    ['BYPASSRLS', 'the runtime role is a superuser, may bypass row-level security or may create roles or databases'],
    ['CREATEDB', 'the runtime role is a superuser, may bypass row-level security or may create roles or databases'],
    ['IN ROLE atrium_definer', 'the runtime role is a member of atrium_definer'],
  ])('a runtime role with %s', async (attribute, fault) => {
    const database = await migrated();
    const role = `runtime_${randomBytes(4).toString('hex')}`;
    await ask(asAdmin(database), `CREATE ROLE ${role} LOGIN PASSWORD 'x' ${attribute}`);
    const url = new URL(database.appUrl);
    url.username = role;
    url.password = 'x';
    expect((await inspectIsolation(url.href)).join('\n')).toContain(fault);
    await dropTestDatabase(database);
    await ask(process.env.TEST_PG_ADMIN_URL!, `DROP ROLE ${role}`);
  });
});
