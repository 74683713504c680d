import { Client } from 'pg';

/** The one shape of the policy of every tenant table, as PostgreSQL prints it. */
const POLICY = "(tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)";

/** Definer functions, by owner: each works across workspaces (`atrium_definer`) or searches one (`atrium_search`). */
export const DEFINER_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  atrium_definer: [
    'auth_enter', 'auth_facts', 'auth_find_key', 'auth_find_account', 'auth_find_session', 'auth_memberships', 'auth_start_session', 'auth_rotate_refresh',
    'auth_end_session', 'auth_end_session_of_token', 'auth_signing_keys', 'auth_add_signing_key', 'auth_touch', 'ws_provision', 'ws_add_user', 'ws_list',
    'files_due', 'outbox_claim', 'outbox_overdue', 'outbox_sent', 'outbox_fan_out', 'outbox_prune', 'stream_event_trim', 'access_log_append', 'access_log_prepare',
  ],
  atrium_search: ['files_named_like', 'albums_matching'],
};

interface Check {
  readonly what: string;
  readonly sql: string;
}

const TENANT_TABLES = `pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public' JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p')`;

const CHECKS: readonly Check[] = [
  { what: 'the runtime role may bypass row-level security or is a superuser', sql: `SELECT rolname AS name FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)` },
  { what: 'the runtime role owns', sql: `SELECT relname AS name FROM pg_class WHERE relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user)` },
  { what: 'the runtime role is a member of', sql: `SELECT r.rolname AS name FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.roleid WHERE m.member = (SELECT oid FROM pg_roles WHERE rolname = current_user)` },
  { what: 'row-level security is not forced on', sql: `SELECT c.relname AS name FROM ${TENANT_TABLES} AND NOT c.relispartition AND NOT (c.relrowsecurity AND c.relforcerowsecurity)` },
  {
    what: 'the tenant policy is missing or has another shape on',
    sql: `SELECT c.relname AS name FROM ${TENANT_TABLES} AND NOT c.relispartition AND NOT EXISTS (
            SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant' AND p.polcmd = '*' AND p.polpermissive AND p.polroles = '{0}'
              AND pg_get_expr(p.polqual, p.polrelid) = '${POLICY.replaceAll("'", "''")}' AND pg_get_expr(p.polwithcheck, p.polrelid) = '${POLICY.replaceAll("'", "''")}')`,
  },
  {
    what: 'a second policy that is not the search policy stands on',
    sql: `SELECT c.relname || '.' || p.polname AS name FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
          WHERE p.polname <> 'tenant' AND NOT (p.polname = 'search' AND p.polcmd = 'r' AND p.polroles = ARRAY[(SELECT oid FROM pg_roles WHERE rolname = 'atrium_search')])`,
  },
  { what: 'a partition can be read past its parent', sql: `SELECT c.relname AS name FROM ${TENANT_TABLES} AND c.relispartition AND has_table_privilege(current_user, c.oid, 'SELECT, INSERT, UPDATE, DELETE')` },
  {
    what: 'a reference between tenant tables does not hold the workspace',
    sql: `SELECT k.conname AS name FROM pg_constraint k WHERE k.contype = 'f'
            AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attname = 'tenant_id') AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = k.confrelid AND a.attname = 'tenant_id')
            AND NOT EXISTS (SELECT FROM generate_subscripts(k.conkey, 1) i
              JOIN pg_attribute f ON f.attrelid = k.conrelid AND f.attnum = k.conkey[i] AND f.attname = 'tenant_id' JOIN pg_attribute t ON t.attrelid = k.confrelid AND t.attnum = k.confkey[i] AND t.attname = 'tenant_id')`,
  },
  {
    what: 'the primary key does not begin with the workspace on',
    sql: `SELECT c.relname AS name FROM ${TENANT_TABLES} AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'p' AND k.conkey[1] = a.attnum)`,
  },
  {
    what: 'a table without a workspace is open to the runtime role',
    sql: `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public' WHERE c.relkind IN ('r', 'p', 'v', 'm') AND c.relname <> 'atrium_migration'
            AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id') AND has_table_privilege(current_user, c.oid, 'SELECT, INSERT, UPDATE, DELETE')`,
  },
  {
    what: 'a definer function is not on the list, has another owner, or no pinned search path',
    sql: `SELECT p.proname AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace AND n.nspname = 'public' WHERE p.prosecdef AND NOT (
            ${Object.entries(DEFINER_FUNCTIONS).map(([owner, names]) => `(pg_get_userbyid(p.proowner) = '${owner}' AND p.proname IN (${names.map((name) => `'${name}'`).join(', ')}))`).join(' OR ')})
          OR p.prosecdef AND n.nspname = 'public' AND NOT coalesce(p.proconfig::text LIKE '%search_path=%', false)`,
  },
  { what: 'everybody may execute the definer function', sql: `SELECT p.proname AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace AND n.nspname = 'public' WHERE p.prosecdef AND has_function_privilege('public', p.oid, 'EXECUTE')` },
];

/** What breaks the isolation of workspaces in this database, one sentence a fault; empty when nothing does. Asked as the runtime role. */
export async function inspectIsolation(runtimeUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: runtimeUrl, application_name: 'atrium-isolation' });
  await client.connect();
  try {
    const faults: string[] = [];
    for (const { what, sql } of CHECKS) {
      const { rows } = await client.query<{ name: string }>(sql);
      if (rows.length > 0) faults.push(`${what} ${rows.map((row) => row.name).join(', ')}`);
    }
    return faults;
  } finally {
    await client.end();
  }
}
