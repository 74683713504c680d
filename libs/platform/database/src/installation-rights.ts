import type { Client } from 'pg';

/** Roles and rights on the server that hold for the service; a dump of the database carries none of them. */
const ROLES = ["('atrium_app', 'LOGIN')", "('atrium_search', 'NOLOGIN')", "('atrium_definer', 'NOLOGIN')"].join(', ');
const EXTENSIONS = ['pg_trgm', 'btree_gin', 'btree_gist', 'cube'];

/** Each answers the statements that are missing. No role needs BYPASSRLS: what works across workspaces has a policy of its own. */
const MISSING_ROLES = `SELECT format('CREATE ROLE %I %s', r.name, r.login) AS statement FROM (VALUES ${ROLES}) r (name, login) WHERE to_regrole(r.name) IS NULL`;

const MISSING_RIGHTS = `
  SELECT format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', d.datname) AS statement FROM pg_database d
  WHERE d.datname = current_database() AND EXISTS (SELECT FROM aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a WHERE a.grantee = 0 AND a.privilege_type IN ('CREATE', 'TEMPORARY'))
  UNION ALL
  SELECT format('GRANT %s ON SCHEMA public TO %I', r.rights, r.name) FROM (VALUES ('atrium_app', 'USAGE'), ('atrium_search', 'USAGE, CREATE'), ('atrium_definer', 'USAGE, CREATE')) r (name, rights)
  WHERE EXISTS (SELECT FROM unnest(string_to_array(r.rights, ', ')) p WHERE NOT has_schema_privilege(r.name, 'public', p))`;

/** They bound what the service may do by mistake; where another owns its role they are left to that one. */
const MISSING_LIMITS = `
  SELECT format('ALTER ROLE atrium_app IN DATABASE %I SET %s = %L', current_database(), s.name, s.value) AS statement FROM (VALUES ('statement_timeout', '2min'), ('lock_timeout', '30s'), ('idle_in_transaction_session_timeout', '1min'), ('max_parallel_workers_per_gather', '0')) s (name, value)
  WHERE NOT EXISTS (SELECT FROM pg_db_role_setting g, unnest(g.setconfig) c WHERE g.setrole = 'atrium_app'::regrole AND g.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()) AND c LIKE s.name || '=%')`;

/** What the role at hand needs to make and change the schema. */
const MISSING_OF_OWNER = `
  SELECT format('GRANT %I TO %I', r.name, current_user) AS statement FROM unnest(ARRAY['atrium_search', 'atrium_definer']) r (name) WHERE NOT pg_has_role(current_user, r.name, 'USAGE')
  UNION ALL
  SELECT format('ALTER DATABASE %I OWNER TO %I', current_database(), current_user) WHERE NOT has_database_privilege(current_user, current_database(), 'CREATE')`;

/** The first steps grant roles and set their limits: they need more than the later ones. */
const MISSING_AT_FIRST = `
  SELECT format('ALTER ROLE %I CREATEROLE', current_user) AS statement FROM pg_roles WHERE rolname = current_user AND NOT rolsuper AND NOT rolcreaterole
  UNION ALL
  SELECT format('GRANT %I TO %I WITH ADMIN OPTION', r.name, current_user) FROM unnest(ARRAY['atrium_search', 'atrium_definer']) r (name)
  WHERE current_setting('server_version_num')::integer >= 160000 AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AND NOT pg_has_role(current_user, r.name, 'MEMBER WITH ADMIN OPTION')`;

/** The migrating role may not do what an installation needs; the message is what a superuser runs once. */
export class MissingRights extends Error {
  constructor(
    role: string,
    database: string,
    readonly statements: readonly string[],
  ) {
    super(
      `The role ${role} may not set up the database ${database}. Run these statements once as a superuser connected to ${database}, then try again:\n${statements.map((statement) => `  ${statement};`).join('\n')}`,
    );
  }
}

/** The statements that restore what a dump does not contain. Any role may ask, including that of the service. */
export async function missingRights(client: Client): Promise<string[]> {
  const roles = await statements(client, MISSING_ROLES);
  return roles.length > 0 ? roles : [...(await statements(client, MISSING_RIGHTS)), ...(await statements(client, MISSING_LIMITS))];
}

/**
 * Makes the roles and rights that are missing, as far as the role at hand may; the others are named in the error. Run
 * before the first migration, before a restore and after one, it changes nothing where all is in place.
 */
export async function prepareInstallation(client: Client, { first = false } = {}): Promise<string[]> {
  await assertExtensions(client);
  const texts = [MISSING_ROLES, ...(first ? [MISSING_AT_FIRST] : []), MISSING_OF_OWNER, MISSING_RIGHTS, MISSING_LIMITS];
  const done: string[] = [];
  const refused: string[] = [];
  for (const text of texts) {
    const wanted = await statements(client, text);
    for (const statement of wanted) await client.query(statement).catch(() => undefined);
    const left = await statements(client, text);
    done.push(...wanted.filter((statement) => !left.includes(statement)));
    if (text !== MISSING_LIMITS) refused.push(...left);
    // Rights of roles that do not exist cannot be asked for: a superuser is given those of all of them.
    if (text === MISSING_ROLES && left.length > 0) break;
  }
  if (refused.length === 0) return done;
  const { rows } = await client.query<{ role: string; name: string }>('SELECT current_user AS role, current_database() AS name');
  throw new MissingRights(rows[0]?.role ?? '', rows[0]?.name ?? '', refused);
}

async function assertExtensions(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT e.name FROM unnest($1::text[]) e (name) WHERE NOT EXISTS (SELECT FROM pg_available_extensions a WHERE a.name = e.name)',
    [EXTENSIONS],
  );
  if (rows.length > 0)
    throw new Error(
      `This PostgreSQL server does not have the extensions ${rows.map((row) => row.name).join(', ')}. Install its contrib package (postgresql-contrib).`,
    );
}

const statements = async (client: Client, text: string): Promise<string[]> =>
  (await client.query<{ statement: string }>(text)).rows.map((row) => row.statement);
