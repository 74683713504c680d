import { gunzipSync, gzipSync } from 'node:zlib';
import type { Client } from 'pg';
import type { TableRecord } from './archive';

const FETCHED = 2_000;
const CHUNK_CHARACTERS = 4 * 1024 * 1024;
/** Values are written and read by their text, so it must not depend on a setting. */
const PLAIN_TEXT =
  "SET LOCAL datestyle = 'ISO, MDY'; SET LOCAL timezone = 'UTC'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL search_path = public, pg_temp";
const OF_NO_EXTENSION =
  "NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e')";
/** The ledger of the migrations is made by them; partitions are reached through their tables. */
const TABLES = `SELECT c.oid, c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT IN ('atrium_migration', 'atrium_migration_part') AND ${OF_NO_EXTENSION} ORDER BY c.relname`;
const PARTITIONS =
  "SELECT c.relname AS name FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname ~ '_\\d{4}_\\d{2}$' ORDER BY c.relname";
const REFERENCES =
  "SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace ORDER BY 1, 2";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** All rows of the schema within one open transaction: read as they are in one snapshot, or put in place of what there is. */
export class StoredRows {
  constructor(private readonly client: Client) {}

  async begin(mode: 'read' | 'write'): Promise<void> {
    await this.client.query(mode === 'read' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN');
    await this.client.query(PLAIN_TEXT);
  }

  async tables(): Promise<string[]> {
    return (await this.client.query<{ name: string }>(TABLES)).rows.map((row) => row.name);
  }

  /** The columns and contents of a table; two tables with the same record contain the same rows, computed columns included. */
  async record(table: string): Promise<TableRecord> {
    const columns = await this.columns(table);
    const { rows } = await this.client.query<{ rows: string; sum: string }>(
      `SELECT count(*)::text AS rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text AS sum FROM ${quoted(table)} t`,
    );
    return { columns: columns.map(({ name, type }) => `${name} ${type}`).join(', '), rows: rows[0]?.rows ?? '0', sum: rows[0]?.sum ?? '0' };
  }

  /** The rows of a table as compressed pieces of a few megabytes. */
  async *pieces(table: string): AsyncGenerator<Buffer> {
    await this.client.query(`DECLARE piece NO SCROLL CURSOR FOR SELECT t::text AS line FROM ${quoted(table)} t`);
    let lines: string[] = [];
    let characters = 0;
    for (;;) {
      const { rows } = await this.client.query<{ line: string }>(`FETCH ${FETCHED} FROM piece`);
      for (const { line } of rows) {
        lines.push(line);
        characters += line.length;
        if (characters < CHUNK_CHARACTERS) continue;
        yield gzipSync(JSON.stringify(lines));
        [lines, characters] = [[], 0];
      }
      if (rows.length === 0) break;
    }
    if (lines.length > 0) yield gzipSync(JSON.stringify(lines));
    await this.client.query('CLOSE piece');
  }

  async insertPiece(table: string, piece: Buffer): Promise<void> {
    const lines = JSON.parse(gunzipSync(piece).toString('utf8')) as string[];
    const names = (await this.columns(table)).filter(({ computed }) => !computed).map(({ name }) => quoted(name));
    const chosen = names.map((name) => `(r).${name}`).join(', ');
    for (let from = 0; from < lines.length; from += FETCHED) {
      await this.client.query(
        `INSERT INTO ${quoted(table)} (${names.join(', ')}) OVERRIDING SYSTEM VALUE SELECT ${chosen} FROM (SELECT line::public.${quoted(table)} AS r FROM unnest($1::text[]) line OFFSET 0) x`,
        [lines.slice(from, from + FETCHED)],
      );
    }
  }

  async partitions(): Promise<string[]> {
    return (await this.client.query<{ name: string }>(PARTITIONS)).rows.map((row) => row.name);
  }

  /** Creates the missing monthly partitions, so that rows return to theirs. */
  async makePartitions(names: readonly string[]): Promise<void> {
    const known = new Set(await this.partitions());
    for (const name of names.filter((one) => !known.has(one))) {
      const [, table = '', year = '', month = ''] = /^(.+)_(\d{4})_(\d{2})$/.exec(name) ?? [];
      await this.client.query(
        'SELECT make_month(p.part_table::text::regclass, p.part_key, $2::timestamptz) FROM partition_plan p WHERE p.part_table = $1',
        [table, `${year}-${month}-01T00:00:00Z`],
      );
    }
  }

  async sequences(): Promise<Record<string, string>> {
    const { rows } = await this.client.query<{ name: string; last: string }>(
      "SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL",
    );
    return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
  }

  async setSequences(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, last] of Object.entries(values))
      await this.client.query('SELECT setval($1::regclass, $2::bigint)', [`public.${quoted(name)}`, last]);
  }

  /**
   * Empties all tables and lets them be filled in any order: without references, triggers and row-level security, all
   * within the transaction. Answers what puts them back; the references are checked against all rows then.
   */
  async laidOpen(tables: readonly string[]): Promise<() => Promise<void>> {
    const references = (await this.client.query<{ table: string; name: string; definition: string }>(REFERENCES)).rows;
    const guarded = new Set(
      (
        await this.client.query<{ name: string }>(
          "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relrowsecurity",
        )
      ).rows.map((row) => row.name),
    );
    for (const { table, name } of references) await this.client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    for (const table of tables)
      await this.client.query(
        `ALTER TABLE ${quoted(table)} DISABLE TRIGGER USER${guarded.has(table) ? ', DISABLE ROW LEVEL SECURITY' : ''}`,
      );
    await this.client.query(`TRUNCATE ${tables.map(quoted).join(', ')}`);
    return async () => {
      for (const { table, name, definition } of references)
        await this.client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
      for (const table of tables)
        await this.client.query(
          `ALTER TABLE ${quoted(table)} ENABLE TRIGGER USER${guarded.has(table) ? ', ENABLE ROW LEVEL SECURITY' : ''}`,
        );
    };
  }

  private readonly known = new Map<string, readonly { readonly name: string; readonly type: string; readonly computed: boolean }[]>();

  private async columns(table: string): Promise<readonly { readonly name: string; readonly type: string; readonly computed: boolean }[]> {
    const known = this.known.get(table);
    if (known) return known;
    const { rows } = await this.client.query<{ name: string; type: string; computed: boolean }>(
      "SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attgenerated <> '' AS computed FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
      [`public.${quoted(table)}`],
    );
    this.known.set(table, rows);
    return rows;
  }
}
