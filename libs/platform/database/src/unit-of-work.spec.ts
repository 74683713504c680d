import { EventEmitter } from 'node:events';
import { Logger } from '@nestjs/common';
import { Problem } from '@atrium/platform/kernel';
import sql, { type Sql } from 'sql-template-tag';
import type { DataSource } from 'typeorm';
import { SYSTEM_ACTOR, type CallScope, type EntryGate } from './call-scope';
import { runAsJob, runInScope } from './current-scope';
import { Database } from './database';
import type { Flight, Statement } from './flight';
import type { LongUnit } from './long-units';
import type { UnitOfWork } from './unit-of-work';

const TENANT = '0190163d-8694-739b-aea5-966c26f8ad91';
const SECOND_TENANT = '0190163d-8694-739b-aea5-966c26f8ad92';
const failure = (code: string): Error => Object.assign(new Error(code), { code });

const TEXT = 25;
const WIRE = { submittedNamedStatements: {} } as never;

/** A pool that writes down what is sent on which of its connections, and fails the given statements. */
class FakePool extends EventEmitter {
  readonly options = {};
  readonly sent: Statement[] = [];
  readonly connections: number[] = [];
  readonly givenBack: boolean[] = [];
  commitAnswers = 'COMMIT';
  flights = 0;
  private opened = 0;
  private readonly failing: { readonly about: string; readonly code: string; times: number }[] = [];

  /** The next statements with this in their text fail. */
  fail(about: string, code: string, times = 1): void {
    this.failing.push({ about, code, times });
  }

  get texts(): string[] {
    return this.sent.map(({ text }) => text);
  }

  get out(): number {
    return this.opened - this.givenBack.length;
  }

  obtain(): [object, (destroy?: boolean) => void] {
    const connection = ++this.opened;
    let answered = Promise.resolve();
    const stream = Object.assign(new EventEmitter(), { cork: () => undefined, uncork: () => undefined, destroy: () => undefined });
    const client = Object.assign(new EventEmitter(), {
      connection: { stream },
      query: (flight: Flight) => void (answered = answered.then(() => this.answer(flight, connection))),
    });
    return [client, (destroy) => void this.givenBack.push(destroy ?? false)];
  }

  /** As a server does: behind a statement that fails, none of the same flight is run. */
  private async answer(flight: Flight, connection: number): Promise<void> {
    this.flights += 1;
    for (const { text, name, values } of flight.statements) {
      this.sent.push({ text, values, name });
      this.connections.push(connection);
      await Promise.resolve();
      const fault = this.failing.find(({ about, times }) => times > 0 && text.includes(about));
      if (fault) {
        fault.times -= 1;
        return flight.handleError(failure(fault.code), WIRE);
      }
      flight.handleRowDescription({ fields: [{ name: 'said', dataTypeID: TEXT }] });
      flight.handleDataRow({ fields: [text], length: text.length });
      flight.handleCommandComplete({ text: text === 'COMMIT' ? this.commitAnswers : 'UPDATE 3' });
    }
    flight.handleReadyForQuery();
  }
}

let pool: FakePool;
let db: Database;
const databaseOf = (prepared = false): Database =>
  new Database(
    {
      isInitialized: false,
      driver: { master: pool, obtainMasterConnection: () => Promise.resolve(pool.obtain()) },
    } as unknown as DataSource,
    { prepared, pool: 20, acquireTimeoutMs: 5_000 },
  );

beforeEach(() => {
  pool = new FakePool();
  db = databaseOf();
});
afterEach(async () => {
  // Whatever happened, no connection is kept.
  expect(pool.out).toBe(0);
  await db.onApplicationShutdown();
});

const scopeOf = (more: Partial<CallScope> = {}): CallScope => ({ tenant_id: TENANT, actor: SYSTEM_ACTOR, request_id: 'r', ...more });
const within = <T>(work: () => T, more: Partial<CallScope> = {}): T => runInScope(scopeOf(more), work);
/** The end of a read leaves then. */
const nothingElseAtHand = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const SELECT = sql`SELECT ${1}`;
const NAMING = `SET LOCAL app.tenant_id='${TENANT}'`;
const OPENING = ['START TRANSACTION', NAMING];
const READING = ['START TRANSACTION READ ONLY', NAMING];

describe('a unit of work', () => {
  it('opens with one message that names the workspace, before any statement of the work', async () => {
    await within(() => db.write((tx) => tx.query(SELECT)));
    expect(pool.texts).toEqual([...OPENING, 'SELECT $1', 'COMMIT']);
    expect(pool.sent.slice(2, 3).map(({ values }) => values)).toEqual([['1']]);
  });

  it('of one statement across workspaces sends nothing but the statement, and is begun again like any other', async () => {
    pool.fail('SELECT 1', '40001');
    await within(() => db.queryAcrossTenants('SELECT 1'));
    expect(pool.texts).toEqual(['SELECT 1', 'ROLLBACK', 'SELECT 1']);
    await expect(within(() => db.write(() => db.queryAcrossTenants(SELECT)))).resolves.toEqual([{ said: 'SELECT $1' }]);
    expect(pool.texts.filter((text) => text === 'COMMIT')).toHaveLength(1);
  });

  it('of statements that need nothing of each other is one packet, which names the workspace first', async () => {
    await within(() => db.sendAtOnce([SELECT, sql`SELECT 2`], sql`pg_advisory_xact_lock(${7})`));
    const naming = "SELECT set_config('app.tenant_id', $1, true), pg_advisory_xact_lock($2)";
    expect(pool.texts).toEqual([naming, 'SELECT $1', 'SELECT 2']);
    expect(pool.sent[0]?.values).toEqual([TENANT, '7']);
    expect(pool.flights).toBe(1);
    pool.fail('SELECT 2', '23505');
    await expect(within(() => db.sendAtOnce([sql`SELECT 1`, sql`SELECT 2`, sql`SELECT 3`]))).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(pool.texts).not.toContain('SELECT 3');
  });

  it('is joined by a single statement, which else is a transaction by itself', async () => {
    const naming = "SELECT set_config('app.tenant_id', $1, true)";
    await expect(within(() => db.query(SELECT))).resolves.toEqual([{ said: 'SELECT $1' }]);
    await within(() => db.query(sql`SELECT 2`, 'write'));
    expect(pool.texts).toEqual([`${naming}, set_config('transaction_read_only', 'on', true)`, 'SELECT $1', naming, 'SELECT 2']);
    pool.sent.splice(0);
    await within(() => db.read(() => db.query(sql`SELECT 2`)));
    await nothingElseAtHand();
    expect(pool.texts).toEqual([...READING, 'SELECT 2', 'COMMIT']);
    // The workspace of an open one stays as it is.
    await within(() => db.write(() => db.sendAtOnce([SELECT], sql`lock(${7})`)));
    expect(pool.texts.slice(READING.length + 2)).toEqual([...OPENING, 'SELECT lock($1)', 'SELECT $1', 'COMMIT']);
    expect(() => within(() => db.sendAtOnce([SELECT]), { tenant_id: 'x' })).toThrow('not a UUID');
  });

  it('of a single statement is opened for a member, whose rights are looked at with it', async () => {
    const gate: EntryGate = { expression: sql`auth_enter()`, expectedStamp: () => 'stamp', renewStamp: () => Promise.resolve() };
    await within(() => db.query(SELECT), { gate });
    await within(() => db.query(SELECT, 'write'), { gate });
    expect(pool.texts.filter((text) => text.includes('demand_stamp'))).toHaveLength(2);
    expect(pool.texts.filter((text) => text.startsWith('START'))).toEqual(['START TRANSACTION READ ONLY', 'START TRANSACTION']);
  });

  it('of background work gives way to one that a person waits for, and what begins within it does not', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    let served = (): void => undefined;
    const guest = runAsJob(scopeOf(), () => db.read(() => new Promise<void>((resolve) => (served = resolve))), { urgency: 'awaited' });
    const open: string[] = [];
    const ends: (() => void)[] = [];
    const background = (name: string): Promise<number> =>
      runAsJob(scopeOf(), () =>
        db.write(async () => {
          open.push(name);
          await new Promise<void>((resolve) => ends.push(resolve));
          return db.acrossTenants((tx) => tx.execute(SELECT));
        }),
      );
    const [first, second] = [background('first'), background('second')];
    await nothingElseAtHand();
    expect(open).toEqual(['first']);
    // No clock goes on: nothing waits until its time is over.
    ends[0]?.();
    expect(await first).toBe(3);
    await nothingElseAtHand();
    expect(open).toEqual(['first', 'second']);
    ends[1]?.();
    served();
    await Promise.all([second, guest]);
    jest.useRealTimers();
  });

  it('that reads is read-only for the database too', async () => {
    const rows = await within(() => db.read((tx) => tx.query(SELECT)));
    expect(rows).toEqual([{ said: 'SELECT $1' }]);
    await nothingElseAtHand();
    expect(pool.texts).toEqual([...READING, 'SELECT $1', 'COMMIT']);
  });

  it.each(['', null])('does not begin without a workspace: %j', async (tenant_id) => {
    const work = jest.fn((tx: UnitOfWork) => tx.query(SELECT));
    for (const begin of [() => db.read(work), () => db.write(work), () => db.readMany(work)]) {
      await expect((async () => within(begin, { tenant_id }))()).rejects.toThrow('No workspace is bound');
      await expect((async () => begin())()).rejects.toThrow('No workspace is bound');
    }
    expect(work).not.toHaveBeenCalled();
    expect(pool.sent).toEqual([]);
  });

  it.each([`${TENANT}'; DROP TABLE file; --`, 'acme', `{${TENANT}}`])(
    'is not begun for %j, which is no uuid: no statement runs outside of a transaction',
    async (tenant_id) => {
      const work = jest.fn((tx: UnitOfWork) => tx.query(SELECT));
      await expect(within(() => db.write(work), { tenant_id })).rejects.toThrow('The workspace id is not a UUID.');
      await expect(within(() => db.read(work), { tenant_id })).rejects.toThrow('The workspace id is not a UUID.');
      expect(work).not.toHaveBeenCalled();
      expect(new Set(pool.texts)).toEqual(new Set(['ROLLBACK']));
    },
  );

  it('is nowhere to be had outside of one', async () => {
    expect(() => within(() => db.current())).toThrow('No unit of work is open');
    await within(() => db.read((tx) => Promise.resolve(expect(db.current()).toBe(tx))));
    expect(() => within(() => db.current())).toThrow('No unit of work is open');
  });

  it('across workspaces names none, within an open one too, and is none to join for what needs one', async () => {
    await within(() =>
      db.read(async (outer) => {
        await db.acrossTenants(async (tx) => {
          expect(tx).not.toBe(outer);
          await tx.query(SELECT);
        });
        expect(db.current()).toBe(outer);
      }),
    );
    expect(pool.texts.filter((text) => text.startsWith('START'))).toEqual(['START TRANSACTION READ ONLY', 'START TRANSACTION']);
    expect(pool.texts.filter((text) => text.startsWith('SET LOCAL'))).toEqual([NAMING, "SET LOCAL app.tenant_id=''"]);
    expect(new Set(pool.connections).size).toBe(2);
  });

  it('of one request is not seen by another that runs beside it', async () => {
    const units: UnitOfWork[] = [];
    const request = (tenant_id: string): Promise<void> =>
      within(() => db.write(async (tx) => void units.push(await Promise.resolve(tx), db.current())), { tenant_id });
    await Promise.all([request(TENANT), request(SECOND_TENANT)]);
    expect(units[0]).toBe(units[1]);
    expect(units[2]).toBe(units[3]);
    expect(units[0]).not.toBe(units[2]);
    expect(pool.texts.filter((text) => text.includes(SECOND_TENANT))).toHaveLength(1);
  });
});

describe('a unit of work within another', () => {
  it('joins a writing one, whether it reads or writes: one transaction', async () => {
    await within(() =>
      db.write(async (outer) => {
        await db.read((tx) => Promise.resolve(expect(tx).toBe(outer)));
        await db.write((tx) => Promise.resolve(expect(tx).toBe(outer)));
        expect(pool.texts).not.toContain('COMMIT');
      }),
    );
    expect(pool.texts).toEqual([...OPENING, 'COMMIT']);
  });

  it('that writes is refused in a reading one, and the work is never begun', async () => {
    const work = jest.fn();
    await expect(within(() => db.read(() => db.write(work)))).rejects.toThrow('A write cannot join a read-only unit of work.');
    expect(work).not.toHaveBeenCalled();
    expect(pool.texts).toEqual([...READING, 'ROLLBACK']);
  });

  it('that fails takes the whole with it, unless the outer one knows better', async () => {
    await expect(within(() => db.write(() => db.write(() => Promise.reject(new Error('inner')))))).rejects.toThrow('inner');
    expect(pool.texts).toEqual([...OPENING, 'ROLLBACK']);
  });
});

describe('a unit of work whose locks come last', () => {
  const LAST = { mayBeLong: 'all or none', locksLast: true };
  const seenBy: boolean[] = [];
  /** Reads a form that is at these revisions, one after the other, and locks it at the end. */
  const work = (revisions: number[]) => (tx: UnitOfWork) => {
    const read = (): Promise<number | undefined> => Promise.resolve(revisions.shift());
    const keep = async (): Promise<number | undefined> => {
      await tx.query(sql`LOCK`);
      return read();
    };
    seenBy.push(tx.locksLast);
    return (async () => {
      if (!tx.locksLast) await keep();
      else tx.lockLast('form', await read(), keep);
      await tx.query(sql`WRITE`);
    })();
  };
  beforeEach(() => void seenBy.splice(0));
  const statements = (): string[] => pool.texts.filter((text) => !OPENING.includes(text));

  it('takes them behind its work, and keeps what it wrote where nothing has changed', async () => {
    await within(() => db.write(work([1, 1]), LAST));
    expect(statements()).toEqual(['WRITE', 'LOCK', 'COMMIT']);
  });

  it('begins again where something has changed, and takes them first the third time', async () => {
    await within(() => db.write(work([1, 2, 2, 3, 3]), LAST));
    expect(statements()).toEqual(['WRITE', 'LOCK', 'ROLLBACK', 'WRITE', 'LOCK', 'ROLLBACK', 'LOCK', 'WRITE', 'COMMIT']);
    expect(seenBy).toEqual([true, true, false]);
  });

  it('begins again as soon as it reads another state than before', async () => {
    const revisions = [1, 2, 2, 2, 2];
    const twice = async (tx: UnitOfWork): Promise<void> => {
      await work(revisions)(tx);
      await work(revisions)(tx);
    };
    await within(() => db.write(twice, LAST));
    expect(statements()).toEqual(['WRITE', 'ROLLBACK', 'WRITE', 'WRITE', 'LOCK', 'COMMIT']);
  });

  it('locks where it reads in a unit of work that does not ask for it', async () => {
    await within(() => db.write(work([1])));
    expect(statements()).toEqual(['LOCK', 'WRITE', 'COMMIT']);
  });
});

describe('the end of a unit of work', () => {
  it('is a rollback when the work throws: nothing is committed, nobody is woken, the connection is whole', async () => {
    const woken = jest.fn();
    const flushed = jest.fn(() => SELECT);
    const work = async (tx: UnitOfWork): Promise<void> => {
      tx.afterCommit(woken);
      tx.beforeCommit(flushed);
      await Promise.resolve();
      throw new Problem('invalid_state', 'no');
    };
    await expect(within(() => db.write(work))).rejects.toMatchObject({ code: 'invalid_state' });
    expect(pool.texts).toEqual([...OPENING, 'ROLLBACK']);
    expect([woken, flushed].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    expect(pool.givenBack).toEqual([false]);
  });

  it('sends what was left for it once the work is done, before the commit, and wakes others after it', async () => {
    const order: string[] = [];
    const value = await within(() =>
      db.write(async (tx) => {
        for (const one of ['first', 'second'])
          tx.beforeCommit(() => {
            order.push(one);
            return sql`SELECT ${one}`;
          });
        tx.afterCommit(() => void order.push(`woken after ${pool.texts.at(-1)}`));
        tx.afterCommit(() => void order.push('woken as well'));
        await tx.execute(SELECT);
        order.push('worked');
        return 'value';
      }),
    );
    expect(value).toBe('value');
    expect(order).toEqual(['worked', 'first', 'second', 'woken after COMMIT', 'woken as well']);
    expect(pool.texts).toEqual([...OPENING, 'SELECT $1', 'SELECT $1', 'SELECT $1', 'COMMIT']);
    expect(pool.sent.slice(2, 5).map(({ values }) => values)).toEqual([['1'], ['first'], ['second']]);
  });

  it.each(['first', 'second'])('fails when the %s of what was left for it does, and nobody is woken', async (failing) => {
    const woken = jest.fn();
    pool.fail(failing, '23505');
    const work = (tx: UnitOfWork): Promise<void> => {
      for (const one of ['first', 'second']) tx.beforeCommit(() => sql([`SELECT ${one}`]));
      return Promise.resolve(tx.afterCommit(woken));
    };
    await expect(within(() => db.write(work))).rejects.toMatchObject({ code: 'already_exists' });
    expect(woken).not.toHaveBeenCalled();
    expect(pool.texts.at(-1)).toBe('ROLLBACK');
  });

  it('commits the conclusion of the request with the change, and asks for none of a read', async () => {
    const concluding = jest.fn((value: unknown): Sql | null => sql`SELECT keep(${value})`);
    await within(() => db.write(() => Promise.resolve('answer')), { concluding });
    expect(pool.sent.find(({ text }) => text.includes('keep'))?.values).toEqual(['answer']);
    await within(() => db.read(() => Promise.resolve('answer')), { concluding });
    expect(concluding).toHaveBeenCalledTimes(1);
  });

  it('is an error when PostgreSQL answers the commit with a rollback', async () => {
    const woken = jest.fn();
    pool.commitAnswers = 'ROLLBACK';
    await expect(within(() => db.write((tx) => Promise.resolve(tx.afterCommit(woken))))).rejects.toThrow('rolled back');
    expect(woken).not.toHaveBeenCalled();
  });

  it('is done once committed: somebody who cannot be woken neither takes it back nor keeps the others asleep', async () => {
    const woken = jest.fn();
    const told = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const work = jest.fn((tx: UnitOfWork) => {
      tx.afterCommit(() => Promise.reject(failure('40001')));
      tx.afterCommit(() => {
        throw new Error('deaf');
      });
      tx.afterCommit(woken);
      return Promise.resolve('value');
    });
    await expect(within(() => db.write(work))).resolves.toBe('value');
    expect(work).toHaveBeenCalledTimes(1);
    expect(woken).toHaveBeenCalledTimes(1);
    expect(told).toHaveBeenCalledTimes(2);
    told.mockRestore();
    expect(pool.texts).toEqual([...OPENING, 'COMMIT']);
  });

  it('throws a connection away that was lost, and keeps one whose rollback was answered', async () => {
    pool.fail('SELECT', 'ECONNRESET');
    await expect(within(() => db.write((tx) => tx.query(SELECT)))).rejects.toMatchObject({ code: 'service_unavailable' });
    pool.fail('SELECT', '23505');
    await expect(within(() => db.write((tx) => tx.query(SELECT)))).rejects.toMatchObject({ code: 'already_exists' });
    pool.fail('SELECT', '23505');
    pool.fail('ROLLBACK', 'XX000');
    await expect(within(() => db.write((tx) => tx.query(SELECT)))).rejects.toMatchObject({ code: 'already_exists' });
    expect(pool.givenBack).toEqual([true, false, true]);
  });
});

describe('a unit of work that met others', () => {
  it.each(['40001', '40P01'])('begins again from the start after %s, at most three times in all', async (code) => {
    const work = jest.fn((tx: UnitOfWork) => tx.query(SELECT));
    pool.fail('SELECT', code, 2);
    await expect(within(() => db.write(work))).resolves.toHaveLength(1);
    expect(work).toHaveBeenCalledTimes(3);
    expect(pool.texts.filter((text) => text === 'COMMIT')).toHaveLength(1);
    pool.fail('SELECT', code, 3);
    await expect(within(() => db.write(work))).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(work).toHaveBeenCalledTimes(6);
  });

  it('does not begin again after any other failure', async () => {
    const work = jest.fn((tx: UnitOfWork) => tx.query(SELECT));
    pool.fail('SELECT', '23503');
    await expect(within(() => db.write(work))).rejects.toMatchObject({ code: 'validation_failed' });
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('a request without a gate', () => {
  it('has the limits of requests too: guests and operators hold no lock for as long as a job may', async () => {
    await within(() => db.write((tx) => tx.query(SELECT)), { address: () => '203.0.113.7' });
    expect(pool.texts).toEqual([...OPENING, "SET LOCAL statement_timeout='30s'", "SET LOCAL lock_timeout='5s'", 'SELECT $1', 'COMMIT']);
  });
});

describe('the gate of a caller', () => {
  const gateOf = (renew: EntryGate['renewStamp'] = () => Promise.resolve()): EntryGate => ({
    expression: sql`auth_stamp(${'k'})`,
    expectedStamp: () => `it's`,
    renewStamp: renew,
  });

  it('rides along with the opening, its stamp bound', async () => {
    const scope = scopeOf({ gate: gateOf() });
    await runInScope(scope, () => db.write((tx) => tx.query(SELECT)));
    expect(pool.sent[1]).toMatchObject({
      text: "SELECT set_config('app.tenant_id', $1, true), set_config('statement_timeout', $2, true), set_config('lock_timeout', $3, true), demand_stamp(auth_stamp($4), $5)",
      values: [TENANT, '30s', '5s', 'k', `it's`],
    });
    expect(scope.admitted).toBe(true);
  });

  it('that does not hold undoes the work, is renewed, and the work begins again', async () => {
    pool.fail('demand_stamp', 'AT001');
    const renew = jest.fn<Promise<void>, Parameters<EntryGate['renewStamp']>>((query) => query('SELECT facts', []).then(() => undefined));
    const woken = jest.fn();
    const work = jest.fn((tx: UnitOfWork) => Promise.resolve(tx.afterCommit(woken)));
    await within(() => db.write(work), { gate: gateOf(renew) });
    expect([renew, work, woken].map(({ mock }) => mock.calls.length)).toEqual([1, 2, 1]);
    expect(pool.texts.map((text) => text.split(' ')[0])).toEqual(['START', 'SELECT', 'ROLLBACK', 'SELECT', 'START', 'SELECT', 'COMMIT']);
  });

  it('that says no when it is renewed ends the request', async () => {
    pool.fail('demand_stamp', 'AT001');
    const scope = scopeOf({ gate: gateOf(() => Promise.reject(new Problem('permission_denied', 'no more'))) });
    await expect(runInScope(scope, () => db.write((tx) => tx.query(SELECT)))).rejects.toMatchObject({ code: 'permission_denied' });
    expect(scope.admitted).toBeUndefined();
  });

  it('that never holds still is given up for now', async () => {
    pool.fail('demand_stamp', 'AT001', 1_000);
    await expect(within(() => db.write((tx) => tx.query(SELECT)), { gate: gateOf() })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });

  it('is settled once for a request that needs no rows, and not again for one that had some', async () => {
    const scope = scopeOf({ gate: gateOf() });
    await runInScope(scope, () => db.settleGate());
    await runInScope(scope, () => db.settleGate());
    expect(pool.texts.filter((text) => text.includes('demand_stamp'))).toHaveLength(1);
    await within(() => db.settleGate());
    expect(pool.texts.filter((text) => text.startsWith('START'))).toHaveLength(1);
  });
});

describe('a statement', () => {
  it('answers rows, the first of them, or how many it changed', async () => {
    await within(() =>
      db.write(async (tx) => {
        expect(await tx.query('SELECT $1', [7])).toEqual([{ said: 'SELECT $1' }]);
        expect(await tx.first(SELECT)).toEqual({ said: 'SELECT $1' });
        expect(await tx.execute(SELECT)).toBe(3);
      }),
    );
    expect(pool.sent[2]).toMatchObject({ text: 'SELECT $1', values: ['7'] });
  });

  it('that is steady keeps its plan, and gives the next one back to the planner', async () => {
    const prepared = databaseOf(true);
    await within(() =>
      prepared.read(async (tx) => {
        await tx.querySteady(SELECT);
        await tx.querySteady(SELECT);
        await tx.query(SELECT);
        await tx.queryByValues(SELECT);
      }),
    );
    await nothingElseAtHand();
    expect(pool.texts).toEqual([
      ...READING,
      'SET LOCAL plan_cache_mode=force_generic_plan',
      'SELECT $1',
      'SELECT $1',
      'SET LOCAL plan_cache_mode=auto',
      'SELECT $1',
      'SET LOCAL plan_cache_mode=force_custom_plan',
      'SELECT $1',
      'COMMIT',
    ]);
    expect(pool.sent[3]?.name).toBeDefined();
    expect(pool.sent[4]?.name).toBe(pool.sent[3]?.name);
    await prepared.onApplicationShutdown();
  });
});

describe('a unit of work that is long', () => {
  const found: LongUnit[] = [];
  let warn: jest.SpyInstance;
  beforeEach(() => {
    found.length = 0;
    db.longUnits.addListener((unit) => found.push(unit));
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });
  afterEach(() => warn.mockRestore());
  const repeated =
    (times: number) =>
    async (tx: UnitOfWork): Promise<void> => {
      for (let n = 0; n < times; n++) await tx.execute(SELECT);
    };
  const importing = <T>(work: () => T): T => runInScope(scopeOf(), work, () => ({ kind: 'job', operation: 'objects.import', id: 'a job' }));

  it('is reported with the job that did it, where its place does not say why', async () => {
    await importing(() => db.write(repeated(200)));
    expect(found).toMatchObject([{ operation: 'objects.import', by: 'statements', statements: 201 }]);
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ operation: 'objects.import', statements: 201, tenant_id: TENANT }));
    await importing(() => db.read(repeated(201)));
    expect(found).toHaveLength(2);
  });

  it('is not reported up to 200 statements, or where the place that opens it or joins it says why', async () => {
    await importing(() => db.read(repeated(200)));
    await importing(() => db.write(repeated(300), { mayBeLong: 'all rows of the file or none' }));
    await importing(() => db.write(() => db.write(repeated(300), { mayBeLong: 'all rows of the file or none' })));
    expect(found).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('is reported where it has been begun again twice and takes first the locks that it was to take last', async () => {
    const late = { mayBeLong: 'all rows of the file or none', locksLast: true };
    let begun = 0;
    const overtaken = (tx: UnitOfWork): Promise<void> => {
      if (++begun < 3) tx.lockLast('schema', begun, () => Promise.resolve(0));
      return Promise.resolve();
    };
    await importing(() => db.write(overtaken, late));
    expect(begun).toBe(3);
    expect(found).toMatchObject([{ operation: 'objects.import', by: 'locks' }]);
    await importing(() => db.write(() => Promise.resolve(), late));
    expect(found).toHaveLength(1);
  });

  it('is reported for its time as well, also when it failed', async () => {
    const clock = jest.spyOn(performance, 'now');
    const failing = db.write.bind(db, () => {
      clock.mockReturnValue(performance.now() + 2_001);
      return Promise.reject(new Error('no'));
    });
    await expect(importing(failing)).rejects.toThrow('no');
    clock.mockRestore();
    expect(found).toMatchObject([{ operation: 'objects.import', by: 'time', statements: 0 }]);
  });
});
