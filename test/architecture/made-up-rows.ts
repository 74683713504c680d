import { escapeLiteral } from 'pg';
import { ask } from './asking';

/** Values for columns that must be filled; what a check of the table wants instead is read from the check. */
const MADE_UP: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: "'x ' || gen_random_uuid()",
  jsonb: "'{}'",
  timestamptz: 'now()',
  date: 'current_date',
  bool: 'false',
  int2: '1',
  int4: '1',
  int8: '1',
  numeric: '1',
  float4: '1',
  float8: '1',
  bytea: "'x'",
  tsvector: "'x'",
  inet: "'127.0.0.1'",
  interval: "'1 day'",
};

/** What checks want that no name of a column shows. */
const FITTING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  duplicate_dismissal: { dd_one: "'00000000-0000-4000-8000-000000000001'", dd_other: "'00000000-0000-4000-8000-000000000002'" },
  cms_link: { lnk_external_id: "'x'" },
  distribution_restriction: { dr_values: "'{FR}'" },
  file_rights_notice: { frn_days: '30' },
  issuer: { iss_audiences: "'{x}'" },
  media_analysis_schema: { mas_name: "'x'" },
  media_status_flow: { msf_scope: "'{media}'" },
  model_provider: { mp_name: "'x'" },
  node: { node_lineage: "repeat('a', 32)", node_template: 'gen_random_uuid()' },
  page_publication: { np_snapshot: 'gen_random_uuid()' },
  publish_schedule: { sch_node: 'gen_random_uuid()' },
  storage_provider: { sto_managed_by: "'platform'" },
  term: { term_lineage: "repeat('a', 32)" },
  upload: { upl_source: "'{}'" },
};

interface EmptyColumn {
  readonly name: string;
  readonly kind: string;
  readonly choice: string | null;
}

/** A row in a table of the database at `admin`, made up but for what is given. No foreign key and no trigger looks at it, so it may refer to what is not there. */
export async function makeUpRow(admin: string, table: string, given: Readonly<Record<string, unknown>>): Promise<void> {
  const columns = await ask<EmptyColumn>(
    admin,
    `SELECT a.attname AS name, t.typname AS kind,
            (SELECT substring(pg_get_constraintdef(k.oid) FROM a.attname || ' = (?:ANY \\(ARRAY\\[)?''([^'']+)''') FROM pg_constraint k
             WHERE k.conrelid = a.attrelid AND k.contype = 'c' AND a.attnum = ANY (k.conkey)
               AND pg_get_constraintdef(k.oid) ~ (a.attname || ' = (ANY|'')') ORDER BY cardinality(k.conkey) LIMIT 1) AS choice
     FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull AND NOT a.atthasdef
       AND a.attgenerated = '' AND a.attidentity = ''`,
    { values: [table] },
  );
  const valueOf = ({ kind, choice }: EmptyColumn): string =>
    choice === null ? (MADE_UP[kind] ?? (kind.startsWith('_') || kind.endsWith('multirange') ? "'{}'" : "''")) : `'${choice}'`;
  const row = {
    ...Object.fromEntries(columns.map((column) => [column.name, valueOf(column)])),
    ...FITTING[table],
    ...Object.fromEntries(Object.keys(given).map((name) => [name, `g.${name}`])),
  };
  await ask(
    admin,
    `BEGIN; SET LOCAL session_replication_role = replica;
     INSERT INTO ${table} (${Object.keys(row).join(', ')})
     SELECT ${Object.values(row).join(', ')} FROM jsonb_populate_record(NULL::${table}, ${escapeLiteral(JSON.stringify(given))}) g; COMMIT`,
  );
}
