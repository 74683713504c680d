import type { TestDatabase } from '@atrium/platform/testing';
import { Client } from 'pg';

/** Rows of one text (or of the last of its statements) on a connection of its own, in the workspace `tenant` when one is given. */
export async function ask<R extends object>(
  url: string,
  text: string,
  { values, tenant }: { values?: readonly unknown[]; tenant?: string } = {},
): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    if (tenant !== undefined) await client.query("SELECT set_config('app.tenant_id', $1, false)", [tenant]);
    return (await client.query(text, values as unknown[] | undefined)).rows as R[];
  } finally {
    await client.end();
  }
}

/** The database as the server's superuser sees it. */
export function asAdmin(database: TestDatabase): string {
  const url = new URL(process.env.TEST_PG_ADMIN_URL!);
  url.pathname = `/${database.name}`;
  return url.href;
}

/** The plan of everything that ran inside of a statement, as the server itself reports it. */
export async function planInside(admin: string, tenant: string, statement: string): Promise<string> {
  const client = new Client({ connectionString: admin });
  await client.connect();
  const told: string[] = [];
  client.on('notice', ({ message }) => told.push(message ?? ''));
  try {
    await client.query(
      `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on; SET auto_explain.log_level = 'notice'`,
    );
    await client.query("SELECT set_config('app.tenant_id', $1, false)", [tenant]);
    await client.query(statement);
    return told.join('\n');
  } finally {
    await client.end();
  }
}
