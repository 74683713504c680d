import { Client } from 'pg';

/** Every table of the schema with the number of its rows and one checksum over all of them, generated columns too. */
export async function contentsOf(url: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname",
    );
    const contents: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ digest: string }>(
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text)), '') AS digest FROM "${name}" t`,
      );
      contents[name] = rows[0]?.digest ?? '';
    }
    const { rows: sequences } = await client.query<{ name: string; last: string | null }>(
      "SELECT sequencename AS name, last_value AS last FROM pg_sequences WHERE schemaname = 'public'",
    );
    for (const { name, last } of sequences) contents[`sequence ${name}`] = String(last);
    return contents;
  } finally {
    await client.end();
  }
}

/** What the service may do and what limits it: owners, rights, policies, settings of functions. */
export async function lawsOf(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ law: string }>(`
      SELECT concat_ws(' ', 'table', c.relname, c.relowner::regrole, (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(c.relacl) a), c.relrowsecurity, c.relforcerowsecurity, c.reloptions) AS law FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
      UNION ALL SELECT concat_ws(' ', 'function', p.oid::regprocedure, p.proowner::regrole, (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(p.proacl) a), p.prosecdef, p.proconfig)
        FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_proc'::regclass AND e.objid = p.oid AND e.deptype = 'e')
      UNION ALL SELECT concat_ws(' ', 'policy', tablename, policyname, roles, cmd, qual, with_check) FROM pg_policies WHERE schemaname = 'public'
      UNION ALL SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
      UNION ALL SELECT concat_ws(' ', 'trigger', tgrelid::regclass, pg_get_triggerdef(oid), tgenabled) FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT concat_ws(' ', 'index', indexdef) FROM pg_indexes WHERE schemaname = 'public'
      ORDER BY 1`);
    return rows.map((row) => row.law);
  } finally {
    await client.end();
  }
}
