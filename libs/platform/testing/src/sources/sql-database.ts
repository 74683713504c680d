import { randomBytes } from 'node:crypto';
import { createEmptyDatabase, dropTestDatabase, type TestDatabase } from '../postgres/test-database';
import { PlainStatements } from '../postgres/plain-statements';

/** A PostgreSQL database of a customer on the server of the tests, and a role that may only read what it is granted. */
export class SqlDatabase {
  readonly username = `reader_${randomBytes(6).toString('hex')}`;
  readonly password = `secret-${randomBytes(9).toString('hex')}`;
  private readonly statements = new PlainStatements();

  private constructor(
    private readonly database: TestDatabase,
    private readonly url: URL,
  ) {}

  static async create(): Promise<SqlDatabase> {
    const database = await createEmptyDatabase();
    const url = new URL(process.env.TEST_PG_ADMIN_URL ?? '');
    url.pathname = `/${database.name}`;
    const created = new SqlDatabase(database, url);
    await created.run(`CREATE ROLE ${created.username} LOGIN PASSWORD '${created.password}'`);
    return created;
  }

  get name(): string {
    return this.database.name;
  }

  get server(): { readonly host: string; readonly port: number } {
    return { host: this.url.hostname === 'localhost' ? '127.0.0.1' : this.url.hostname, port: Number(this.url.port || 5_432) };
  }

  /** Settings of a source over this database. */
  get config(): { readonly host: string; readonly port: number; readonly database: string; readonly tls: 'off' } {
    return { ...this.server, database: this.name, tls: 'off' };
  }

  get credentials(): { readonly username: string; readonly password: string } {
    return { username: this.username, password: this.password };
  }

  /** As the owner of the database, who may do everything. */
  run<R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return this.statements.run<R>(this.url.href, text, values);
  }

  /** Connections of the reader, by what they do. */
  connections(): Promise<{ pid: number; state: string; query: string }[]> {
    return this.run('SELECT pid, state, query FROM pg_stat_activity WHERE usename = $1 AND datname = $2', [this.username, this.name]);
  }

  /** Ends the connections of the reader, as an operator does; how many. */
  async terminate(): Promise<number> {
    return (await this.run('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [this.username])).length;
  }

  async drop(): Promise<void> {
    await this.statements.end();
    await dropTestDatabase(this.database);
    await this.statements.run(process.env.TEST_PG_ADMIN_URL ?? '', `DROP ROLE IF EXISTS ${this.username}`, []);
    await this.statements.end();
  }
}
