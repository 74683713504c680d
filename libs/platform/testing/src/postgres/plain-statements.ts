import { Pool } from 'pg';

/** Statements of a test, on connections that are kept for the next one: to open one costs a server more than most statements do. */
export class PlainStatements {
  private readonly pools = new Map<string, Pool>();

  /** The rows of one text; several statements in it are one transaction, so that `SET LOCAL` ends with them. */
  async run<R extends object>(url: string, text: string, values: readonly unknown[]): Promise<R[]> {
    return (await this.pool(url).query(text, values as unknown[])).rows as R[];
  }

  async end(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.end()));
    this.pools.clear();
  }

  private pool(url: string): Pool {
    const known = this.pools.get(url);
    if (known) return known;
    const pool = new Pool({ connectionString: url, idleTimeoutMillis: 5_000 });
    // A kept connection may be cut, with the server for instance; the next statement opens another.
    pool.on('error', () => undefined);
    this.pools.set(url, pool);
    return pool;
  }
}
