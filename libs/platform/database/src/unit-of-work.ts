import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import { Sql } from 'sql-template-tag';
import type { PreparedStatements } from './prepared-statements';
import { send } from './statement-wire';

export type AccessMode = 'read' | 'write';

/**
 * One transaction bound to one workspace. All statements of a request or job step go through it; the workspace is a
 * transaction-local setting, so the row-level policies see it and nothing survives the commit.
 */
export class UnitOfWork {
  private readonly whenComplete: (() => Sql)[] = [];
  private readonly whenCommitted: (() => void | Promise<void>)[] = [];

  constructor(
    readonly mode: AccessMode,
    private readonly client: PoolClient,
    private readonly prepared: PreparedStatements,
  ) {}

  /** Rows of one statement. Values are bound, never written into the text. */
  async query<R extends QueryResultRow>(statement: string | Sql, values: readonly unknown[] = []): Promise<R[]> {
    const result = await this.run<R>(statement, values);
    return result.rows;
  }

  /** How many rows a statement changed. */
  async execute(statement: string | Sql, values: readonly unknown[] = []): Promise<number> {
    const result = await this.run(statement, values);
    return result.rowCount ?? 0;
  }

  async first<R extends QueryResultRow>(statement: string | Sql, values: readonly unknown[] = []): Promise<R | undefined> {
    return (await this.query<R>(statement, values))[0];
  }

  /** A statement made when the work is done and sent together with the commit; throwing rolls everything back. */
  beforeCommit(statement: () => Sql): void {
    this.whenComplete.push(statement);
  }

  /** Runs after the commit; for waking others, never for what must not be lost (that is the outbox). */
  afterCommit(action: () => void | Promise<void>): void {
    this.whenCommitted.push(action);
  }

  /** Called by the database alone: sends the last statements and the commit in one go. A failed statement makes PostgreSQL roll back. */
  async commit(): Promise<void> {
    const last = this.whenComplete.map((make) => make());
    const sent = last.map((statement) => this.execute(statement));
    const [committed] = await Promise.all([send(this.client, 'COMMIT'), ...sent]);
    if (committed.command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement of it failed unnoticed.');
  }

  /** Called by the database alone, once the transaction is durable. */
  committed(): readonly (() => void | Promise<void>)[] {
    return this.whenCommitted;
  }

  private run<R extends QueryResultRow>(statement: string | Sql, values: readonly unknown[]): Promise<QueryResult<R>> {
    const text = statement instanceof Sql ? statement.text : statement;
    const bound = (statement instanceof Sql ? statement.values : values) as unknown[];
    const name = this.prepared.nameFor(text);
    return send<R>(this.client, name ? { name, text, values: bound } : { text, values: bound });
  }
}
