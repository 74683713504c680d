import { isDeepStrictEqual } from 'node:util';
import type { PoolClient, QueryResultRow } from 'pg';
import { Sql } from 'sql-template-tag';
import { LostRace } from './database-errors';
import type { Answer } from './flight';
import type { PreparedStatements } from './prepared-statements';
import type { RowBudget } from './row-budget';
import { sendStatement } from './statement-wire';

export type AccessMode = 'read' | 'write';

/** How a statement is planned whose text a connection knows: `plan_cache_mode`. */
type Planning = 'auto' | 'force_generic_plan' | 'force_custom_plan';

/** What the place that opens or joins a unit of work says of its size. */
export interface WorkSize {
  /** Why it may take more than 200 statements or two seconds. */
  readonly mayBeLong: string;
  /**
   * What only has to stay as it was read, such as a schema, is read without a lock, and locked and read again at the end: where it has
   * changed, the unit of work begins again. The last time it takes those locks first.
   */
  readonly locksLast?: boolean;
}

/** What was read without a lock, and how it is locked and read again. */
interface Unlocked {
  readonly seen: unknown;
  readonly again: () => Promise<unknown>;
}

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
  private readonly unlocked = new Map<string, Unlocked>();
  private late = false;
  private early = false;

  constructor(
    /** `alone`: what leaves in one packet, which PostgreSQL makes a transaction of by itself. */
    readonly mode: AccessMode | 'alone',
    private readonly client: PoolClient,
    private readonly prepared: PreparedStatements,
    /** It is not begun again after this. */
    private readonly isLast = false,
  ) {}

  /** How many statements it has sent. */
  get statements(): number {
    return this.sent;
  }

  /** Why it may be long, where that was said. */
  get reason(): string | undefined {
    return this.said;
  }

  /** Says why it may take more than 200 statements or two seconds, and whether its locks can wait until the end. */
  mayBeLong({ mayBeLong, locksLast = false }: WorkSize): void {
    this.said ??= mayBeLong;
    this.late ||= locksLast && !this.isLast;
    this.early ||= locksLast && this.isLast;
  }

  /** Whether it takes locks first that it would rather take last: it has been begun again twice, because what it read had changed. */
  get locksFirst(): boolean {
    return this.early;
  }

  /** Whether what only has to stay as it was read is locked at the end, by `lockLast`. */
  get locksLast(): boolean {
    return this.late;
  }

  /** Names what was read without a lock. `again` locks and reads it at the end; where it is another then, or was another before, the unit of work begins again. */
  lockLast<T>(name: string, seen: T, again: () => Promise<T>): void {
    const before = this.unlocked.get(name);
    if (!before) this.unlocked.set(name, { seen, again });
    else if (!isDeepStrictEqual(before.seen, seen)) throw new LostRace();
  }

  /** Called by the database alone, when the work is done: takes the locks that were left for the end, in the order in which they were named. */
  async takeDeferredLocks(): Promise<void> {
    this.late = false;
    for (const { seen, again } of this.unlocked.values()) if (!isDeepStrictEqual(seen, await again())) throw new LostRace();
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
  afterCommitActions(): readonly (() => void | Promise<void>)[] {
    return this.whenCommitted;
  }

  private plan(planning: Planning): void {
    if (this.planned === planning || !this.prepared.enabled) return;
    this.planned = planning;
    // A failure fails the transaction, and with it the statement that follows in the same packet.
    sendStatement(this.client, this.prepared.named(`SET LOCAL plan_cache_mode=${planning}`)).catch(() => undefined);
  }

  private run<R extends QueryResultRow>(
    statement: string | Sql,
    values: readonly unknown[],
    { planning = 'auto', budget }: { readonly planning?: Planning; readonly budget?: RowBudget | undefined } = {},
  ): Promise<Answer<R>> {
    this.sent++;
    this.plan(planning);
    const named = statement instanceof Sql ? this.prepared.named(statement.text, statement.values) : this.prepared.named(statement, values);
    const isAlone = this.mode === 'alone';
    return sendStatement<R>(this.client, budget || isAlone ? { ...named, budget, isAlone } : named);
  }
}
