import { Client } from 'pg';

/** The one shape of the policy of every tenant table, as PostgreSQL prints it. */
const POLICY = "(tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)";

/** Definer functions, by owner: each works across workspaces (`atrium_definer`) or searches one (`atrium_search`). */
export const DEFINER_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  atrium_definer: [
    'auth_enter',
    'auth_facts',
    'auth_find_key',
    'auth_find_account',
    'auth_find_session',
    'auth_memberships',
    'auth_start_session',
    'auth_rotate_refresh',
    'auth_settle_refresh',
    'auth_end_session',
    'auth_end_session_of_token',
    'auth_signing_keys',
    'auth_add_signing_key',
    'auth_touch',
    'ws_provision',
    'ws_add_user',
    'ws_list',
    'files_due',
    'lost_work',
    'unfinished_work_in',
    'crawls_due',
    'form_next_unfolded',
    'object_sources_due',
    'publish_schedules_due',
    'site_by_key',
    'cms_by_hook',
    'cms_sites_due',
    'ai_overdue_runs',
    'file_tallies_roll',
    'outbox_claim_events',
    'outbox_due',
    'outbox_waiting',
    'outbox_admit',
    'outbox_release',
    'outbox_forget_turns',
    'outbox_overdue',
    'outbox_sent',
    'outbox_fan_out',
    'outbox_prune',
    'outbox_postpone',
    'outbox_hold',
    'outbox_take',
    'outbox_pause',
    'outbox_strike',
    'outbox_workers',
    'request_strike',
    'work_backlog',
    'schedules_overview',
    'requests_struck',
    'outbox_outages',
    'stream_event_trim',
    'stream_fence_trim',
    'spaces_of',
    'access_log_append',
    'access_log_write',
    'partitions_prepare',
    'partitions_overview',
    'outbox_claim',
    'outbox_still_open',
    'audit_unsealed',
    'audit_seal_add',
    'audit_purge',
    'seal_keys',
    'seal_key_add',
    'membership_mfa',
    'auth_account',
    'auth_account_rules',
    'auth_refresh_session',
    'auth_replayed_refresh',
    'auth_end_session_of',
    'auth_end_sessions',
    'auth_sessions',
    'auth_rehash_password',
    'auth_set_password',
    'auth_add_token',
    'auth_find_token',
    'auth_vouch_password',
    'auth_reset_password',
    'auth_confirm_email',
    'auth_undo_email',
    'auth_spend_code',
    'auth_finish_mfa',
    'auth_mfa_begin',
    'auth_mfa_enable',
    'auth_mfa_recovery',
    'auth_mfa_off',
    'auth_throttle_add',
    'auth_throttle_get',
    'auth_throttle_drop',
    'outbox_park',
    'outbox_unpark',
    'outbox_depths',
    'ws_find_external',
    'ws_page',
    'ws_user_counts',
    'file_counts',
    'auth_rotate_signing_key',
    'auth_sweep',
    'ws_purge_begin',
    'ws_purge_note',
    'ws_purge_step',
    'ws_purge_end',
    'ws_tombstone',
    'operator_called',
    'schedule_claim',
    'schedule_extend',
    'schedule_done',
    'workspaces_active',
    'rate_share',
    'idempotency_prune',
    'auth_find_leaked',
    'auth_end_vouched_sessions',
    'issuers_due',
    'people_account',
    'people_find_invitation',
    'people_claim',
    'people_proved',
    'people_sign_out',
    'usage_roll',
    'usage_rebuild',
    'usage_sources_prune',
    'usage_entries_purge',
    'usage_unreported_in',
    'usage_untold_in', // hosts of the release before
    'costs_visible',
    'costs_of_platform',
    'cost_set',
    'budget_enter',
    'budget_start',
    'credit_reserve',
    'credit_extend',
    'credit_release',
    'usage_charge',
    'usage_reverse',
    'credit_give',
    'credit_correct',
    'credit_configure',
    'credit_tick',
    'credits_due',
    'credit_balances',
    'storage_roll',
    'retention_due',
    'retention_longest',
    'access_log_purge',
    'outbox_events_purge',
    'background_jobs_purge',
    'privacy_archives_due',
    'access_log_forget',
    'access_log_scrub',
    'outbox_forget',
    'audit_redact',
    'auth_person',
    'auth_forget_person',
    'share_by_token',
    'share_by_kiosk',
    'publications_served',
    'publications_due',
    'embedding_cache_evict',
    'retrieval_overdue',
    'social_api_version_in_use',
    'social_api_version_found',
    'social_posts_due',
    'social_posts_removed',
    'social_connections_due',
    'social_metrics_due',
  ],
  atrium_search: [
    'files_analysed_as',
    'files_named_like',
    'files_like',
    'files_with_words',
    'files_with_metadata',
    'files_saying',
    'files_colored',
    'pictures_like',
    'media_tags_matching',
    'people_matching',
    'albums_matching',
    'albums_below',
    'publications_matching',
    'users_search',
    'audit_search',
    'share_links_naming',
    'search_passages_words',
    'search_passages_text',
    'search_records',
    'search_objects',
    'search_live_pages',
    'search_agents',
    'search_prompts',
    'search_threads_text',
    'search_messages_text',
  ],
};

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
