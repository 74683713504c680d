import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';

/** A table as the database describes it. */
export interface DescribedTable {
  readonly columns: ReadonlyMap<string, string>;
  readonly key: readonly string[];
}

const TABLES = `FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;

/** What the database itself says about columns that point to people. */
@Injectable()
export class PersonCatalog {
  private described: Promise<ReadonlyMap<string, DescribedTable>> | undefined;

  constructor(private readonly db: Database) {}

  /** Every column that refers to a member or an account, or by its type and name holds the id of one and refers to nothing else. */
  async pointers(): Promise<{ readonly table: string; readonly column: string }[]> {
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
  tables(): Promise<ReadonlyMap<string, DescribedTable>> {
    return (this.described ??= this.describe().catch((error: unknown) => {
      this.described = undefined;
      throw error;
    }));
  }

  private async describe(): Promise<ReadonlyMap<string, DescribedTable>> {
    const rows = await this.db.acrossTenants((tx) =>
      tx.query<{ table: string; columns: Record<string, string>; key: string[] | null }>(`
        SELECT c.relname::text AS table,
          (SELECT jsonb_object_agg(a.attname, format_type(a.atttypid, NULL)) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
          (SELECT array_agg(a.attname::text ORDER BY part.place) FROM pg_constraint k CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS part (attnum, place)
             JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = part.attnum WHERE k.conrelid = c.oid AND k.contype = 'p') AS key ${TABLES}`),
    );
    return new Map(rows.map(({ table, columns, key }) => [table, { columns: new Map(Object.entries(columns)), key: key ?? [] }]));
  }
}
