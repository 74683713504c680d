import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';

/** A column of text or JSON that somebody writes: no computed one, and none that a constraint confines to a list of words. */
export interface DescribedText {
  readonly column: string;
  /** Part of the primary key. */
  readonly isKey: boolean;
  /** A unique index compares it. */
  readonly isUnique: boolean;
  /** The service may change it. */
  readonly isWritable: boolean;
}

/** A table as the database describes it. */
export interface DescribedTable {
  readonly columns: ReadonlyMap<string, string>;
  readonly key: readonly string[];
  readonly texts: readonly DescribedText[];
  /** Search words that the writer of the row computes. */
  readonly words: readonly string[];
}

const TABLES = `FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;

/** What the database itself says about columns that point to people. */
@Injectable()
export class PersonCatalog {
  private described: Promise<ReadonlyMap<string, DescribedTable>> | undefined;

  constructor(private readonly db: Database) {}

  /** Every column that refers to a member or an account, or by its type and name holds the id of one and refers to nothing else. */
  async findPersonColumns(): Promise<{ readonly table: string; readonly column: string }[]> {
    return this.db.acrossTenants((tx) =>
      tx.query<{ table: string; column: string }>(`
        WITH tables AS (SELECT c.oid, c.relname ${TABLES}),
        referring AS (
          SELECT k.conrelid AS oid, f.attname FROM pg_constraint k CROSS JOIN LATERAL unnest(k.conkey) AS part (attnum) JOIN pg_attribute f ON f.attrelid = k.conrelid AND f.attnum = part.attnum
          WHERE k.contype = 'f' AND k.confrelid IN ('workspace_user'::regclass, 'account'::regclass) AND f.attname <> 'tenant_id'
        ), named AS (
          SELECT a.attrelid AS oid, a.attname FROM pg_attribute a WHERE a.attnum > 0 AND NOT a.attisdropped AND a.atttypid = 'uuid'::regtype AND a.attname ~ '(^|_)(user|by|actor|account)(_id)?$'
            AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = a.attrelid AND k.contype = 'f' AND a.attnum = ANY (k.conkey) AND k.confrelid NOT IN ('workspace_user'::regclass, 'account'::regclass))
        )
        SELECT t.relname::text AS table, p.attname::text AS column FROM (SELECT * FROM referring UNION SELECT * FROM named) p JOIN tables t USING (oid) ORDER BY 1, 2`),
    );
  }

  /** The columns of every table with their types, and its primary key. */
  describeTables(): Promise<ReadonlyMap<string, DescribedTable>> {
    return (this.described ??= this.describe().catch((error: unknown) => {
      this.described = undefined;
      throw error;
    }));
  }

  /** A table of workspaces, with its primary key without the workspace. */
  async describeTable(table: string): Promise<{ readonly key: readonly string[]; readonly described: DescribedTable }> {
    const described = (await this.describeTables()).get(table);
    if (!described?.columns.has('tenant_id'))
      throw new Error(`${table} is no table of workspaces: the context that registered it reads and changes it itself.`);
    const within = described.key.filter((column) => column !== 'tenant_id');
    return { key: within.length > 0 ? within : described.key, described };
  }

  private async describe(): Promise<ReadonlyMap<string, DescribedTable>> {
    const rows = await this.db.acrossTenants((tx) =>
      tx.query<{
        table: string;
        columns: Record<string, string>;
        key: string[] | null;
        texts: DescribedText[] | null;
        words: string[] | null;
      }>(`
        WITH tables AS (SELECT c.oid, c.relname ${TABLES}),
        indexes AS (SELECT i.indrelid AS oid, pg_get_indexdef(i.indexrelid) AS text FROM pg_index i JOIN tables t ON t.oid = i.indrelid WHERE i.indisunique),
        computed AS (SELECT a.attrelid AS oid, a.attname, pg_get_expr(d.adbin, d.adrelid) AS text FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE a.attgenerated <> ''),
        compared AS MATERIALIZED (
          SELECT oid, string_agg(text, E'\\n') AS text FROM (
            SELECT oid, text FROM indexes
            UNION ALL SELECT g.oid, g.text FROM computed g JOIN indexes i USING (oid) WHERE i.text ~ ('\\m' || g.attname || '\\M')
          ) said GROUP BY 1
        )
        SELECT c.relname::text AS table,
          (SELECT jsonb_agg(jsonb_build_object('column', a.attname, 'isWritable', has_column_privilege(c.oid, a.attnum, 'UPDATE'),
              'isKey', EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)),
              'isUnique', coalesce(position(a.attname::text IN x.text) > 0 AND x.text ~ ('\\m' || a.attname || '\\M'), false)) ORDER BY a.attnum)
             FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
               AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum] AND pg_get_constraintdef(k.oid) ~ '= ANY \\(\\(?ARRAY\\[')
               AND a.atttypid IN ('text'::regtype, 'varchar'::regtype, 'text[]'::regtype, 'varchar[]'::regtype, 'json'::regtype, 'jsonb'::regtype)) AS texts,
          (SELECT jsonb_agg(a.attname) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.atttypid = 'tsvector'::regtype) AS words,
          (SELECT jsonb_object_agg(a.attname, format_type(a.atttypid, NULL)) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
          (SELECT array_agg(a.attname::text ORDER BY part.place) FROM pg_constraint k CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS part (attnum, place)
             JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = part.attnum WHERE k.conrelid = c.oid AND k.contype = 'p') AS key FROM tables c LEFT JOIN compared x USING (oid)`),
    );
    return new Map(
      rows.map(({ table, columns, key, texts, words }) => [
        table,
        { columns: new Map(Object.entries(columns)), key: key ?? [], texts: texts ?? [], words: words ?? [] },
      ]),
    );
  }
}
