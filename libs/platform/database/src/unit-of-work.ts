import type { PoolClient, QueryResultRow } from 'pg';
import { Sql } from 'sql-template-tag';
import type { Answer } from './flight';
import type { PreparedStatements } from './prepared-statements';
import type { RowBudget } from './row-budget';
import { send } from './statement-wire';

export type AccessMode = 'read' | 'write';

/** How a statement is planned whose text a connection knows: `plan_cache_mode`. */
type Planning = 'auto' | 'force_generic_plan' | 'force_custom_plan';

/**
 * One transaction bound to one workspace. All statements of a request or job step go through it; the workspace is a
 * transaction-local setting, so the row-level policies see it and nothing survives the commit.
 */
export class UnitOfWork {
  private readonly whenComplete: (() => Sql)[] = [];
  private readonly whenCommitted: (() => void | Promise<void>)[] = [];
  private planned: Planning = 'auto';
  private sent = 0;
  private said: string | undefined;

  constructor(
    readonly mode: AccessMode,
    private readonly client: PoolClient,
    private readonly prepared: PreparedStatements,
  ) {}

  /** How many statements it has sent. */
  get statements(): number {
    return this.sent;
  }

  /** Why it may be long, where that was said. */
  get reason(): string | undefined {
    return this.said;
  }

  /** Says why it may take more than 200 statements or two seconds. */
  mayBeLong(reason: string): void {
    this.said ??= reason;
  }

  /** Rows of one statement, within a budget if one is given. Values are bound, never written into the text. */
  query<R extends QueryResultRow>(statement: string | Sql, values: readonly unknown[] = [], budget?: RowBudget): Promise<R[]> {
    return this.run<R>(statement, values, { budget }).then(({ rows }) => rows);
  }

  /**
   * Rows of a statement whose best plan is the same for all values: each connection plans it once. PostgreSQL on its
   * own plans every execution again as soon as tenants differ in size, which costs more than a page's rows (ADR 10).
   */
  querySteady<R extends QueryResultRow>(statement: Sql, budget?: RowBudget): Promise<R[]> {
    return this.run<R>(statement, [], { planning: 'force_generic_plan', budget }).then(({ rows }) => rows);
  }

  /** Rows of a statement whose best plan depends on its values: it is planned for them each time. */
  queryByValues<R extends QueryResultRow>(statement: Sql, budget?: RowBudget): Promise<R[]> {
    return this.run<R>(statement, [], { planning: 'force_custom_plan', budget }).then(({ rows }) => rows);
  }

  /** How many rows a statement changed. */
  execute(statement: string | Sql, values: readonly unknown[] = []): Promise<number> {
    return this.run(statement, values).then(({ rowCount }) => rowCount);
  }

  first<R extends QueryResultRow>(statement: string | Sql, values: readonly unknown[] = []): Promise<R | undefined> {
    return this.run<R>(statement, values).then(({ rows }) => rows[0]);
  }

  /** A statement made when the work is done and sent together with the commit; throwing rolls everything back. */
  beforeCommit(statement: () => Sql): void {
    this.whenComplete.push(statement);
  }

  /** Runs after the commit; for notifying listeners, never for what must not be lost (use the outbox). */
  afterCommit(action: () => void | Promise<void>): void {
    this.whenCommitted.push(action);
  }

  /** Called by the database alone: sends the last statements and the commit in one go. Behind one that fails there is no commit. */
  async commit(): Promise<void> {
    const last = this.whenComplete.map((make) => make());
    const sent = last.map((statement) => this.execute(statement));
    const [committed] = await Promise.all([this.run('COMMIT', []), ...sent]);
    if (committed.command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement of it failed unnoticed.');
  }

  /** Called by the database alone, once the transaction is durable. */
  committed(): readonly (() => void | Promise<void>)[] {
    return this.whenCommitted;
  }

  private plan(planning: Planning): void {
    if (this.planned === planning || !this.prepared.enabled) return;
    this.planned = planning;
    // A failure fails the transaction, and with it the statement that follows in the same packet.
    send(this.client, this.prepared.named(`SET LOCAL plan_cache_mode=${planning}`)).catch(() => undefined);
  }

  private run<R extends QueryResultRow>(
    statement: string | Sql,
    values: readonly unknown[],
    { planning = 'auto', budget }: { readonly planning?: Planning; readonly budget?: RowBudget | undefined } = {},
  ): Promise<Answer<R>> {
    this.sent++;
    this.plan(planning);
    const named = statement instanceof Sql ? this.prepared.named(statement.text, statement.values) : this.prepared.named(statement, values);
    return send<R>(this.client, budget ? { ...named, budget } : named);
  }
}
