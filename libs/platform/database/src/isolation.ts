import { Client } from 'pg';
import { DEFINER_FUNCTIONS } from './definer-functions';

/** The one shape of the policy of every tenant table, as PostgreSQL prints it. */
const POLICY = "(tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)";

interface Check {
  readonly what: string;
  readonly sql: string;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const ME = '(SELECT oid FROM pg_roles WHERE rolname = current_user)';
const OURS = "n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'";
/** What an extension brings (pg_stat_statements, PostGIS) is its own: it knows no workspace and shows each role what PostgreSQL lets it see. */
const OF_NO_EXTENSION = (catalog: string, oid: string): string =>
  `NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = '${catalog}'::regclass AND e.objid = ${oid} AND e.deptype = 'e')`;
const PUBLIC_RELATIONS = `FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public' AND ${OF_NO_EXTENSION('pg_class', 'c.oid')}`;
const OF_A_TENANT = `EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)`;
const TENANT_TABLES = `${PUBLIC_RELATIONS} WHERE c.relkind IN ('r', 'p', 'f') AND ${OF_A_TENANT}`;
/** Partitions are reached through their parent, whose policy decides. */
const TENANT_TABLES_WITH_POLICY = `${TENANT_TABLES} AND NOT c.relispartition`;
const REACHABLE = `(has_table_privilege(current_user, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE') OR has_any_column_privilege(current_user, c.oid, 'SELECT, INSERT, UPDATE'))`;
const DEFINERS = `FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace AND ${OURS} WHERE p.prosecdef AND ${OF_NO_EXTENSION('pg_proc', 'p.oid')}`;
const LISTED = Object.entries(DEFINER_FUNCTIONS)
  .map(
    ([owner, names]) =>
      `(pg_get_userbyid(p.proowner) = ${literal(owner)} AND n.nspname = 'public' AND p.proname IN (${names.map(literal).join(', ')}))`,
  )
  .join(' OR ');

const ROLE_CHECKS: readonly Check[] = [
  {
    what: 'the runtime role is a superuser, may bypass row-level security or may create roles or databases',
    sql: `SELECT rolname AS name FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)`,
  },
  {
    what: 'the runtime role owns',
    sql: `SELECT pg_describe_object(classid, objid, objsubid) AS name FROM pg_shdepend
          WHERE refclassid = 'pg_authid'::regclass AND refobjid = ${ME} AND deptype = 'o' AND dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))`,
  },
  {
    what: 'the runtime role is a member of',
    sql: `SELECT r.rolname AS name FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.roleid WHERE m.member = ${ME}`,
  },
  {
    // A temporary table would be found before the real one by a function whose search path does not put it last.
    what: 'the runtime role may create objects in',
    sql: `SELECT 'database ' || current_database() AS name WHERE has_database_privilege(current_user, current_database(), 'CREATE, TEMPORARY')
          UNION ALL SELECT 'schema ' || n.nspname FROM pg_namespace n WHERE ${OURS} AND n.nspname = 'public' AND has_schema_privilege(current_user, n.oid, 'CREATE')`,
  },
  {
    what: 'a role without a login may log in, is a superuser or bypasses the policies',
    sql: `SELECT rolname AS name FROM pg_roles WHERE (rolname IN ('atrium_search', 'atrium_definer') AND (rolcanlogin OR rolsuper)) OR (rolname = 'atrium_search' AND rolbypassrls)`,
  },
];

const TABLE_CHECKS: readonly Check[] = [
  {
    what: 'row-level security is not forced on',
    sql: `SELECT c.relname AS name ${TENANT_TABLES_WITH_POLICY} AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
  },
  {
    what: 'the tenant policy is missing or has another shape on',
    sql: `SELECT c.relname AS name ${TENANT_TABLES_WITH_POLICY} AND NOT EXISTS (
            SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant' AND p.polcmd = '*' AND p.polpermissive AND p.polroles = '{0}'
              AND pg_get_expr(p.polqual, p.polrelid) = ${literal(POLICY)} AND pg_get_expr(p.polwithcheck, p.polrelid) = ${literal(POLICY)})`,
  },
  {
    what: 'there is a second policy that is not the search policy on',
    sql: `SELECT c.relname || '.' || p.polname AS name FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
          WHERE p.polname <> 'tenant' AND NOT (p.polname = 'search' AND p.polcmd = 'r' AND p.polroles = ARRAY[(SELECT oid FROM pg_roles WHERE rolname = 'atrium_search')])
            AND NOT (p.polname = 'definer' AND p.polroles = ARRAY[(SELECT oid FROM pg_roles WHERE rolname = 'atrium_definer')])`,
  },
  {
    // Without it the functions that work across workspaces see no rows, and nothing reports it.
    what: 'the definer role sees no rows of',
    sql: `SELECT c.relname AS name ${TENANT_TABLES_WITH_POLICY} AND NOT EXISTS (
            SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'definer' AND p.polcmd = '*' AND p.polpermissive AND pg_get_expr(p.polqual, p.polrelid) = 'true' AND pg_get_expr(p.polwithcheck, p.polrelid) = 'true')`,
  },
  {
    what: 'a partition can be read past its parent',
    sql: `SELECT c.relname AS name ${TENANT_TABLES} AND c.relispartition AND ${REACHABLE}`,
  },
  {
    what: 'a reference between tenant tables does not include the workspace',
    sql: `SELECT k.conname AS name FROM pg_constraint k WHERE k.contype = 'f'
            AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attname = 'tenant_id') AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = k.confrelid AND a.attname = 'tenant_id')
            AND NOT EXISTS (SELECT FROM generate_subscripts(k.conkey, 1) i
              JOIN pg_attribute f ON f.attrelid = k.conrelid AND f.attnum = k.conkey[i] AND f.attname = 'tenant_id' JOIN pg_attribute t ON t.attrelid = k.confrelid AND t.attnum = k.confkey[i] AND t.attname = 'tenant_id')`,
  },
  {
    what: 'the primary key does not begin with the workspace on',
    sql: `SELECT c.relname AS name ${TENANT_TABLES} AND NOT EXISTS (
            SELECT FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1] AND a.attname = 'tenant_id' WHERE k.conrelid = c.oid AND k.contype = 'p')`,
  },
  {
    what: 'a table without a workspace is open to the runtime role',
    sql: `SELECT c.relname AS name ${PUBLIC_RELATIONS} WHERE c.relkind IN ('r', 'p', 'f') AND NOT ${OF_A_TENANT} AND ${REACHABLE}
            AND NOT (c.relname = 'atrium_migration' AND NOT has_table_privilege(current_user, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE'))`,
  },
  {
    what: 'a view shows the runtime role what only its owner may see',
    sql: `SELECT c.relname AS name ${PUBLIC_RELATIONS} WHERE c.relkind IN ('v', 'm') AND ${REACHABLE} AND NOT (c.relkind = 'v' AND coalesce('security_invoker=true' = ANY (c.reloptions), false))`,
  },
  {
    // TRUNCATE ignores policies; a foreign key or a trigger sees rows of every workspace.
    what: 'the runtime role may truncate, reference or create triggers on',
    sql: `SELECT c.relname AS name ${PUBLIC_RELATIONS} WHERE c.relkind IN ('r', 'p', 'f') AND (has_table_privilege(current_user, c.oid, 'TRUNCATE, REFERENCES, TRIGGER') OR has_any_column_privilege(current_user, c.oid, 'REFERENCES'))`,
  },
  {
    what: 'the search role may do more than read',
    sql: `SELECT c.relname AS name ${PUBLIC_RELATIONS} WHERE c.relkind IN ('r', 'p', 'f') AND has_table_privilege('atrium_search', c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')`,
  },
];

const FUNCTION_CHECKS: readonly Check[] = [
  { what: 'a definer function is not on the list or has another owner', sql: `SELECT p.proname AS name ${DEFINERS} AND NOT (${LISTED})` },
  {
    what: 'a definer function has no pinned search path',
    sql: `SELECT p.proname AS name ${DEFINERS} AND NOT EXISTS (SELECT FROM unnest(p.proconfig) s WHERE s IN ('search_path=public', 'search_path=public, pg_temp'))`,
  },
  {
    what: 'every role may execute the definer function',
    sql: `SELECT p.proname AS name ${DEFINERS} AND has_function_privilege('public', p.oid, 'EXECUTE')`,
  },
  {
    what: 'a search function may write',
    sql: `SELECT p.proname AS name ${DEFINERS} AND pg_get_userbyid(p.proowner) = 'atrium_search' AND p.provolatile = 'v'`,
  },
];

/** What breaks the isolation of workspaces in this database, one sentence per fault; empty when nothing does. Asked as the runtime role. */
export async function inspectIsolation(runtimeUrl: string): Promise<string[]> {
  const times = { connectionTimeoutMillis: 5_000, query_timeout: 30_000 };
  const client = new Client({ connectionString: runtimeUrl, application_name: 'atrium-isolation', ...times });
  await client.connect();
  try {
    const faults: string[] = [];
    for (const { what, sql } of [...ROLE_CHECKS, ...TABLE_CHECKS, ...FUNCTION_CHECKS]) {
      const { rows } = await client.query<{ name: string }>(sql);
      if (rows.length > 0) faults.push(`${what} ${rows.map((row) => row.name).join(', ')}`);
    }
    return faults;
  } finally {
    await client.end();
  }
}
