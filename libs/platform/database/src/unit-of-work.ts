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
  private plansKept = false;

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

  /**
   * Rows of a statement whose best plan is the same for all values: each connection plans it once. PostgreSQL on its
   * own plans every execution again as soon as tenants differ in size, which costs more than a page's rows (ADR 10).
   */
  querySteady<R extends QueryResultRow>(statement: Sql): Promise<R[]> {
    return this.run<R>(statement, [], true).then(({ rows }) => rows);
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

  /** Runs after the commit; for notifying listeners, never for what must not be lost (use the outbox). */
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

  private keepPlans(kept: boolean): void {
    if (this.plansKept === kept || !this.prepared.enabled) return;
    this.plansKept = kept;
    // A failure fails the transaction, and with it the statement that follows in the same packet.
    send(this.client, `SET LOCAL plan_cache_mode=${kept ? 'force_generic_plan' : 'auto'}`).catch(() => undefined);
  }

  private run<R extends QueryResultRow>(statement: string | Sql, values: readonly unknown[], steady = false): Promise<QueryResult<R>> {
    this.keepPlans(steady);
    const text = statement instanceof Sql ? statement.text : statement;
    const bound = (statement instanceof Sql ? statement.values : values) as unknown[];
    const name = this.prepared.nameFor(text);
    return send<R>(this.client, name ? { name, text, values: bound } : { text, values: bound });
  }
}
