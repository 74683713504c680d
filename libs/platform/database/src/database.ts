import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { FairPlaces, MINUTE, OF_ALL, PartSilent, Problem, isId, type Effort, type Wait } from '@atrium/platform/kernel';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import type { CallScope } from './call-scope';
import { currentScope, requireScope } from './current-scope';
import { BackgroundTurns } from './background-turns';
import { DatabasePulse } from './database-pulse';
import { isConnectionLoss, isGateFailure, isRetryable, toProblem } from './database-errors';
import { currentFrame, nextEffort, runInFrame } from './frame';
import { LongUnits, sized } from './long-units';
import { PreparedStatements } from './prepared-statements';
import type { Statement } from './flight';
import { sendStatement, sendAlone, sendWithNext } from './statement-wire';
import { UnitOfWork, type AccessMode, type WorkSize } from './unit-of-work';

const NO_TENANT = '';
const MAX_ATTEMPTS = 3;
/** How often the decision about a request is repeated because the access rules changed under it; administrators at work change them many times a second. */
const MAX_RENEWALS = 20;
const LARGE_AT_ONCE = 4;
const MOST_WAITING = 200;
/** Connections that one workspace leaves to others, of a pool that is large enough. */
const LEFT_TO_OTHERS = 4;
/** What a request may take in one statement, and how long it may wait for a lock; jobs have what the role allows. */
const REQUEST_LIMITS = { read: '20s', write: '30s', lock: '5s' } as const;
const NOT_ADMITTED = Symbol('not admitted');
const CANNOT_WRITE = sql`set_config('transaction_read_only', 'on', true)`;

/** A connection that is lost fails the statement at hand; the event besides must not end the process. */
const toldByStatement = (): void => undefined;

interface Attempt {
  readonly mode: UnitOfWork['mode'];
  readonly scope: CallScope | null;
  readonly wait: Wait;
  readonly effort: Effort;
  /** It is not repeated after this. */
  readonly isLast: boolean;
}

interface Done<T> {
  readonly tx: UnitOfWork;
  readonly value: T;
}

/** What `Database` needs to know besides the data source. */
export interface DatabaseOptions {
  readonly prepared: boolean;
  /** Connections of the pool, which workspaces share. */
  readonly pool: number;
  /** How long work waits for one of them. */
  readonly acquireTimeoutMs: number;
}

/**
 * The only way to the database. `read` and `write` open a transaction bound to the workspace of the running request
 * or job (or join the one that is open), and say why where it may take more than 200 statements or two seconds; `acrossTenants` opens one without a workspace, in which only the listed
 * definer functions see rows. Work may run again after a deadlock or a serialization failure, so it does nothing but
 * talk to this transaction; storage, models and networks are spoken to outside of it.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly log = new Logger(Database.name);
  private readonly prepared: PreparedStatements;
  private readonly connections: FairPlaces;
  private readonly large = new FairPlaces({
    places: LARGE_AT_ONCE,
    reserve: 1,
    waiting: MOST_WAITING,
    waitMs: MINUTE,
    full: 'Too many requests of this kind are running. Try again shortly.',
  });
  private readonly background: BackgroundTurns;
  private watching: DatabasePulse | undefined;
  /** Units of work that are longer than their places say. */
  readonly longUnits = new LongUnits();

  constructor(
    readonly dataSource: DataSource,
    { prepared, pool, acquireTimeoutMs }: DatabaseOptions,
  ) {
    this.prepared = new PreparedStatements(prepared);
    this.background = new BackgroundTurns(pool);
    this.connections = new FairPlaces({
      places: pool,
      reserve: pool >= 4 * LEFT_TO_OTHERS ? LEFT_TO_OTHERS : Math.floor(pool / 4),
      waiting: MOST_WAITING,
      waitMs: acquireTimeoutMs,
      full: 'Too many requests of the workspace are using the database at the moment. Try again shortly.',
    });
  }

  read<T>(work: (tx: UnitOfWork) => Promise<T>, size?: WorkSize): Promise<T> {
    const open = this.running();
    if (open) return sized(work, size)(open);
    return this.inTransaction('read', requireScope(), sized(work, size));
  }

  /** A read of thousands of rows: few at once, so that memory stays bounded; the others wait before they take a connection, workspaces in turn. */
  readMany<T>(work: (tx: UnitOfWork) => Promise<T>, size?: WorkSize): Promise<T> {
    return this.large.runInPlace(ownerOf(requireScope()), () => this.read(work, size));
  }

  /** How many units of work wait for a connection. */
  get waiting(): number {
    return this.connections.waiting;
  }

  /** How many units of work of background jobs give way to jobs that a person waits for. */
  get givingWay(): number {
    return this.background.waiting;
  }

  write<T>(work: (tx: UnitOfWork) => Promise<T>, size?: WorkSize): Promise<T> {
    const open = this.running();
    if (open?.mode === 'read') throw new Error('A write cannot join a read-only unit of work.');
    if (open) return sized(work, size)(open);
    return this.inTransaction('write', requireScope(), sized(work, size));
  }

  /** For the listed cross-workspace functions only: no workspace is set, so no tenant row is visible. */
  acrossTenants<T>(work: (tx: UnitOfWork) => Promise<T>, size?: WorkSize): Promise<T> {
    return this.runWith(null, nextEffort(), () => this.inTransaction('write', null, sized(work, size)));
  }

  /**
   * Rows of one statement for the same functions: it is a transaction by itself, so that nothing opens or ends one. For what is asked
   * again and again.
   */
  queryAcrossTenants<R extends QueryResultRow>(statement: string | Sql, values: readonly unknown[] = []): Promise<R[]> {
    return this.runWith(null, nextEffort(), () => this.inTransaction('alone', null, (tx) => tx.query<R>(statement, values)));
  }

  /**
   * Rows of one statement in the workspace at hand: within the open unit of work, or as a transaction of its own, which costs two
   * statements where opening and ending one makes it four. One that reads cannot write, as within `read`. Requests open one of the
   * mode, for the rights of members are looked at there.
   */
  async query<R extends QueryResultRow>(statement: Sql, mode: AccessMode = 'read'): Promise<R[]> {
    if (this.running() || isOfRequest(requireScope())) return this[mode]((tx) => tx.query<R>(statement));
    const [rows = []] = (await this.sendAtOnce([statement], mode === 'read' ? CANNOT_WRITE : undefined)) as R[][];
    return rows;
  }

  /**
   * Statements in the workspace at hand that need nothing of each other's answers, as one transaction: PostgreSQL makes one of what
   * leaves in one packet. `first` is done before them, such as taking an advisory lock, so that each of them sees what it waited for.
   */
  sendAtOnce(statements: readonly Sql[], first?: Sql): Promise<QueryResultRow[][]> {
    const all = (tx: UnitOfWork, before: readonly Sql[]): Promise<QueryResultRow[][]> =>
      Promise.all([...before, ...statements].map((statement) => tx.query(statement))).then((answers) => answers.slice(before.length));
    const open = this.running();
    if (open) return all(open, first ? [sql`SELECT ${first}`] : []);
    const scope = requireScope();
    const { tenant_id } = scope;
    if (!isId(tenant_id)) throw new Error('The workspace id is not a UUID.');
    const naming = sql`SELECT set_config('app.tenant_id', ${tenant_id}, true)${first ? sql`, ${first}` : empty}`;
    return this.inTransaction(isOfRequest(scope) ? 'write' : 'alone', scope, (tx) => all(tx, [naming]));
  }

  /** The open unit of work, if there is one. */
  get open(): UnitOfWork | undefined {
    return this.running() ?? undefined;
  }

  /** The open unit of work; outside of one there is no way to a tenant table. */
  current(): UnitOfWork {
    const open = this.running();
    if (!open) throw new Error('No unit of work is open: use db.read() or db.write().');
    return open;
  }

  /** Lets the caller's entry gate settle when a request needs no rows of its own. */
  async settleGate(): Promise<void> {
    const scope = currentScope();
    if (scope?.gate && !scope.admitted) await this.read(() => Promise.resolve());
  }

  async onApplicationShutdown(): Promise<void> {
    this.watching?.close();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  private get pulse(): DatabasePulse {
    return (this.watching ??= new DatabasePulse((this.dataSource.driver as PostgresDriver).master as Pool));
  }

  private running(): UnitOfWork | null | undefined {
    const unit = currentFrame()?.unit;
    return unit?.database === this ? unit.work : undefined;
  }

  private runWith<T>(unit: UnitOfWork | null, effort: Effort, work: () => T): T {
    return runInFrame({ unit: { database: this, work: unit }, effort }, work);
  }

  private async inTransaction<T>(mode: UnitOfWork['mode'], scope: CallScope | null, work: (tx: UnitOfWork) => Promise<T>): Promise<T> {
    for (let attempt = 1, renewals = 0; ;) {
      const effort = nextEffort().ofAttempt();
      try {
        const outcome = await this.pulse.watchWork((wait) =>
          this.attempt({ mode, scope, wait, effort, isLast: attempt >= MAX_ATTEMPTS }, work),
        );
        if (outcome !== NOT_ADMITTED) {
          await this.wake(outcome.tx);
          return outcome.value;
        }
        effort.restoreEffort();
        if (++renewals >= MAX_RENEWALS)
          throw new Problem('service_unavailable', 'The access rules of the workspace are changing. Try again.', {
            headers: { 'Retry-After': '1' },
          });
      } catch (error) {
        if (attempt++ >= MAX_ATTEMPTS || !isRetryable(error)) throw toProblem(error);
        effort.restoreEffort();
      }
    }
  }

  /**
   * One transaction. The work starts without waiting for the opening to be answered, and may even be committed together
   * with it: when the gate fails, the database has refused all of it.
   */
  private async attempt<T>(attempt: Attempt, work: (tx: UnitOfWork) => Promise<T>): Promise<Done<T> | typeof NOT_ADMITTED> {
    const owner = ownerOf(attempt.scope);
    return this.background.runInTurn(currentFrame()?.urgency, owner, async () => {
      const turn = this.connections.takePlace(owner);
      if (turn) await turn;
      try {
        // Who waited through an outage asks for no connection: those of the pool are being closed.
        if (attempt.wait.isOver) throw new PartSilent('The database');
        return await this.onConnection(attempt, work);
      } finally {
        this.connections.releasePlace(owner);
      }
    });
  }

  private async onConnection<T>(
    { mode, scope, wait, effort, isLast }: Attempt,
    work: (tx: UnitOfWork) => Promise<T>,
  ): Promise<Done<T> | typeof NOT_ADMITTED> {
    const [client, release] = (await (this.dataSource.driver as PostgresDriver).obtainMasterConnection()) as [
      PoolClient,
      (destroy?: boolean) => void,
    ];
    if (wait.isOver) {
      // The caller has already been answered that the database is unavailable: nothing may be done on their behalf any more.
      release();
      throw new PartSilent('The database');
    }
    this.pulse.watchConnection(client);
    client.on('error', toldByStatement);
    let usable = true;
    const tx = new UnitOfWork(mode, client, this.prepared, isLast);
    const began = performance.now();
    try {
      // Made first: were it to fail beside the work, the work's statements would run without a transaction.
      const opening = mode === 'alone' ? [] : this.openingOf(mode, scope);
      const [opened, done] = await Promise.allSettled([
        Promise.all(opening.map((statement) => sendStatement(client, statement))),
        // What begins within it waits for nobody, for others may wait for this one.
        runInFrame({ unit: { database: this, work: tx }, effort, urgency: undefined }, async () =>
          this.conclude(tx, client, scope, await work(tx)),
        ),
      ]);
      if (opened.status === 'rejected') {
        if (!scope?.gate || !isGateFailure(opened.reason)) throw opened.reason;
        await sendAlone(client, { text: 'ROLLBACK' });
        await scope.gate.renewStamp(async (text, values) => (await sendStatement<Record<string, unknown>>(client, { text, values })).rows);
        return NOT_ADMITTED;
      }
      if (done.status === 'rejected') throw done.reason;
      if (scope?.gate) scope.admitted = true;
      return { tx, value: done.value };
    } catch (error) {
      usable =
        !isConnectionLoss(error) &&
        (await sendAlone(client, { text: 'ROLLBACK' }).then(
          () => true,
          () => false,
        ));
      throw error;
    } finally {
      client.off('error', toldByStatement);
      release(!usable);
      this.longUnits.checkUnit(tx, began);
    }
  }

  /**
   * With no connection held, for an action may need one. The commit is final: a listener that cannot be notified finds the
   * change later, and does not keep others from being notified.
   */
  private async wake(tx: UnitOfWork): Promise<void> {
    for (const action of tx.afterCommitActions()) {
      try {
        await action();
      } catch (err) {
        this.log.warn({ msg: 'an action after a commit failed', err });
      }
    }
  }

  private async conclude<T>(tx: UnitOfWork, client: PoolClient, scope: CallScope | null, value: T): Promise<T> {
    if (tx.mode === 'alone') return value;
    // Nothing depends on the end of a read; the next user of the connection queues up behind it.
    if (tx.mode === 'read') sendWithNext(client, this.prepared.named('COMMIT'));
    else {
      await tx.takeDeferredLocks();
      const last = scope?.concluding?.(value);
      if (last) tx.beforeCommit(() => last);
      await tx.commit();
    }
    return value;
  }

  /** What opens the transaction, names the workspace and passes the caller's gate, to be sent as one (ADR 2). */
  private openingOf(mode: AccessMode, scope: CallScope | null): Statement[] {
    const tenant = scope?.tenant_id ?? NO_TENANT;
    if (tenant !== NO_TENANT && !isId(tenant)) throw new Error('The workspace id is not a UUID.');
    const start = this.prepared.named(mode === 'read' ? 'START TRANSACTION READ ONLY' : 'START TRANSACTION');
    const gate = scope?.gate;
    // Without a gate no query runs yet, so that the work may still choose how its transaction is isolated.
    if (!gate) return [start, { text: `SET LOCAL app.tenant_id='${tenant}'` }, ...(scope?.address ? limitsOf(mode) : [])];
    const naming = sql`SELECT set_config('app.tenant_id', ${tenant}, true), set_config('statement_timeout', ${REQUEST_LIMITS[mode]}, true), set_config('lock_timeout', ${REQUEST_LIMITS.lock}, true), demand_stamp(${gate.expression}, ${gate.expectedStamp()})`;
    return [start, this.prepared.named(naming.text, naming.values)];
  }
}

const isOfRequest = ({ gate, address, concluding }: CallScope): boolean =>
  gate !== undefined || address !== undefined || concluding !== undefined;

/** For requests of guests and operators, which no gate of a member lets in. */
const limitsOf = (mode: AccessMode): Statement[] => [
  { text: `SET LOCAL statement_timeout='${REQUEST_LIMITS[mode]}'` },
  { text: `SET LOCAL lock_timeout='${REQUEST_LIMITS.lock}'` },
];

/** Whose share of the connections a unit of work takes. */
const ownerOf = (scope: CallScope | null): string => scope?.tenant_id ?? OF_ALL;
