import { PersonDataSources } from '@atrium/governance';
import { newId } from '@atrium/platform/kernel';
import { Client as Postgres } from 'pg';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium, startWorker } from '../support/api';
import { orderOf, over, personIn, type TableReport } from './asking-for-data';

const EMAIL = 'ada.quartermaine@quay.example';
const NAME = 'Ada Quartermaine';
const WORDS = `Ask ${NAME} <${EMAIL}>`;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly optional: boolean;
  readonly choices: string | null;
  readonly isKey: boolean;
}

/** Columns of tables of workspaces that somebody writes, with the list of words that a constraint confines them to. */
const COLUMNS = `
  SELECT c.relname::text AS table, a.attname::text AS column, format_type(a.atttypid, NULL) AS type, (NOT a.attnotnull OR a.atthasdef) AS optional,
    (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum] AND pg_get_constraintdef(k.oid) ~ '= (ANY|'')' LIMIT 1) AS choices,
    EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)) AS "isKey"
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND EXISTS (SELECT FROM pg_attribute t WHERE t.attrelid = c.oid AND t.attname = 'tenant_id' AND NOT t.attisdropped)
  ORDER BY c.relname, a.attnum`;

/** One of them is there once in a workspace, or is written by the operator alone. */
const NOT_PLANTED: ReadonlySet<string> = new Set(['workspace', 'workspace_user', 'privacy_request', 'audit_seal']);

/** Columns that take no text of people, by what the table says of them. */
const WITHOUT_TEXT: Readonly<Record<string, readonly string[]>> = {
  'a state, which a constraint compares with another column': ['object.obj_status'],
  'a date, an id or a time zone': ['budget.bud_target', 'budget.bud_timezone', 'person.person_birth_date'],
  'names of models and of what is counted, without spaces': ['usage_entry.usage_details', 'workspace_cost.cost_details'],
  'algorithms of signatures': ['issuer.iss_algorithms'],
};

/** What is computed from a text that stays, and stays with it. */
const COMPUTED: Readonly<Record<string, string>> = { 'publication.pub_search': 'publication.pub_url' };

/** In it a name is only beside a key, which has a form of its own. */
const WITHOUT_CHECKS: ReadonlySet<string> = new Set(['publication']);

/** Tables whose rows the worker adds up into others at any moment, by the names of their columns. */
const ADDED_UP = /^(?:usage_delta|file_day_delta|file_word_delta|storage_delta)\./;
/** Tables that such rows are added to: one may come when the report is written. */
const SUMS: ReadonlySet<string> = new Set([
  ...['file_day', 'file_word', 'file_day_delta', 'file_word_delta'],
  ...['usage_cells', 'usage_days', 'usage_thin', 'usage_hourly', 'usage_daily'],
]);

let api: RunningApi;
let ours: TestWorkspace;
/** Somebody whom no foreign key and no trigger stops. */
let superuser: Postgres;

beforeAll(async () => {
  api = await startAtrium();
  await api.sql(
    `CREATE TABLE logbook (tenant_id uuid NOT NULL, lb_id uuid NOT NULL, lb_note text, lb_more jsonb, lb_tags text[], PRIMARY KEY (tenant_id, lb_id))`,
  );
  await api.sql(`CALL make_tenant_table('logbook')`);
  await startWorker(api);
  const url = new URL(process.env.TEST_PG_ADMIN_URL ?? '');
  url.pathname = new URL(api.database.ownerUrl).pathname;
  superuser = new Postgres({ connectionString: url.toString() });
  await superuser.connect();
  await superuser.query(`SET session_replication_role = 'replica'`);
  // Rows are about themselves here: nothing that they would refer to is there. One by one, beside a worker that is at work.
  const { rows } = await superuser.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', conrelid::regclass, conname) AS statement FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0`,
  );
  for (const { statement } of rows) await superuser.query(statement).catch(() => superuser.query(statement));
  ours = await api.workspace();
}, 120_000);
afterAll(async () => {
  await superuser.end();
  await api.close();
});

const TEXTS = ['text', 'character varying', 'text[]', 'character varying[]', 'json', 'jsonb'];

/** A value of the type that says as little as it can. */
function plain({ column, type, choices }: Column): unknown {
  if (column === 'tenant_id') return ours.tenant_id;
  if (choices) return /'([^']+)'/.exec(choices)?.[1] ?? 'x';
  if (type === 'uuid') return newId();
  // Far from the numbers that the sequences of these tables come to.
  if (column === 'delta_id') return 1_000_000_007;
  if (type.endsWith('[]')) return TEXTS.includes(type) ? ['x'] : [];
  if (type.startsWith('json')) return {};
  if (type === 'boolean') return false;
  if (type.startsWith('timestamp') || type === 'date') return '2026-03-14T09:26:53Z';
  if (['integer', 'bigint', 'smallint', 'numeric', 'double precision', 'real'].includes(type)) return 1;
  if (type === 'bytea') return '\\x00';
  return type === 'tsvector' ? '' : `x ${newId()}`;
}

function planted({ type }: Column): unknown {
  if (type.startsWith('json')) return { noted: WORDS, [EMAIL]: [{ within: WORDS }] };
  return type.endsWith('[]') ? [WORDS] : WORDS;
}

/** Puts a row into a table, whatever its triggers want; false when a constraint of the table itself refuses it. */
async function put(table: string, row: Readonly<Record<string, unknown>>): Promise<boolean> {
  const names = Object.keys(row)
    .map((name) => `"${name}"`)
    .join(', ');
  try {
    await superuser.query(
      `INSERT INTO "${table}" (${names}) OVERRIDING SYSTEM VALUE SELECT ${names} FROM jsonb_populate_record(NULL::"${table}", $1::jsonb)`,
      [JSON.stringify(row)],
    );
    return true;
  } catch {
    return false;
  }
}

/** Lets a table take rows that its constraints would refuse. */
async function withoutChecks(table: string): Promise<void> {
  const { rows } = await superuser.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS statement FROM pg_constraint WHERE contype = 'c' AND conrelid = $1::regclass AND coninhcount = 0`,
    [`public."${table}"`],
  );
  for (const { statement } of rows) await superuser.query(statement);
}

/** Columns of the tables, as `table.column`, in which the needle is. */
async function columnsWith(needle: string, tables: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of tables) {
    const rows = await api.sql<{ key: string }>(
      `SELECT DISTINCT e.key FROM "${table}" t CROSS JOIN LATERAL jsonb_each_text(to_jsonb(t)) e WHERE t.tenant_id = $1 AND strpos(lower(e.value), lower($2)) > 0`,
      [ours.tenant_id, needle],
    );
    found.push(...rows.map(({ key }) => `${table}.${key}`));
  }
  return found.sort();
}

describe('an erasure', () => {
  it('reaches every text and JSON column of every table of a workspace, also of tables that no context has named', async () => {
    const ada = await personIn(api, ours, EMAIL, NAME);
    const tables = new Map<string, Column[]>();
    const texts: string[] = [];
    for (const column of await api.sql<Column & Record<string, unknown>>(COLUMNS))
      tables.set(column.table, [...(tables.get(column.table) ?? []), column]);
    for (const [table, columns] of tables) {
      const isText = ({ type, choices, isKey }: Column): boolean => TEXTS.includes(type) && !choices && !isKey;
      if (NOT_PLANTED.has(table) || !columns.some(isText)) continue;
      texts.push(...columns.filter(isText).map(({ column }) => `${table}.${column}`));
      // Other ids and names for each row, so that none is there twice.
      const least = (): Record<string, unknown> =>
        Object.fromEntries(columns.filter(({ optional }) => !optional).map((column) => [column.column, plain(column)]));
      const whole = Object.fromEntries(columns.filter(isText).map((column) => [column.column, planted(column)]));
      if (WITHOUT_CHECKS.has(table)) await withoutChecks(table);
      if (await put(table, { ...least(), ...whole })) continue;
      // A constraint knows some of the texts: each by itself then, and what goes together.
      const refused = async (): Promise<Column[]> => {
        const left: Column[] = [];
        for (const column of columns.filter(isText))
          if (!(await put(table, { ...least(), [column.column]: planted(column) }))) left.push(column);
        await put(table, { ...least(), ...Object.fromEntries(left.map((column) => [column.column, planted(column)])) });
        return left;
      };
      if ((await refused()).length < columns.filter(isText).length) continue;
      // One that refuses even what says nothing is in the way of what this test looks for.
      await withoutChecks(table);
      await refused();
    }
    const names = [...tables.keys()];
    const before = await columnsWith(EMAIL, names);
    expect(texts.filter((column) => !before.includes(column) && !ADDED_UP.test(column)).sort()).toEqual(
      Object.values(WITHOUT_TEXT).flat().sort(),
    );
    expect(before.length).toBeGreaterThan(400);
    expect(before).toEqual(expect.arrayContaining(['logbook.lb_note', 'logbook.lb_more', 'logbook.lb_tags']));
    const { dsr_id } = await orderOf(ours.owner.client, {
      dsr_kind: 'erasure',
      dsr_subject_type: 'user',
      dsr_subject: ada.user_id,
      execute_after_days: 0,
    });
    const done = await over(ours.owner.client, dsr_id);
    expect(done).toMatchObject({ dsr_status: 'completed', dsr_error: null });
    const after = await columnsWith(EMAIL, names);
    const staying = new Set(api.app.get(PersonDataSources, { strict: false }).listStayingTexts());
    expect(after.filter((column) => !staying.has(COMPUTED[column] ?? column))).toEqual([]);
    // What stays is in the report, with the reason.
    const reports = Object.assign({}, ...Object.values(done.dsr_report)) as Record<string, TableReport>;
    for (const table of new Set(after.map((column) => column.split('.')[0] ?? ''))) {
      expect([table, reports[table]?.kept]).toEqual([table, expect.any(Number)]);
      if (SUMS.has(table)) continue;
      expect([table, reports[table]?.kept === 0 || reports[table]?.kept_because === null]).toEqual([table, false]);
    }
  }, 300_000);
});
