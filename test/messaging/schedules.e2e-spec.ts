import { Injectable, type Type } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { Every, migrateQueue, ScheduleHost, type QueueAddress, type ScheduledRun } from '@atrium/platform/messaging';
import { createTestDatabase, dropTestDatabase, type TestDatabase } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';
import { Client } from 'pg';
import { startKeeper, until } from './processes';

interface Run {
  readonly began: number;
  ended?: number;
  aborted?: boolean;
}

let database: TestDatabase;
let address: QueueAddress;
const processes: TestingModule[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateQueue(database.ownerUrl);
  address = { redisUrl: '', databaseUrl: database.appUrl };
});
afterEach(() => Promise.all(processes.splice(0).map((one) => one.close())));
afterAll(() => dropTestDatabase(database));

async function sql<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  return client
    .query(text, values)
    .then(({ rows }) => rows as R[])
    .finally(() => client.end());
}

interface ScheduleRow {
  readonly sch_holder: string | null;
  readonly sch_last_run: Date | null;
  readonly sch_last_error: string | null;
  readonly wait_ms: number;
}
const stored = async (name: string): Promise<ScheduleRow | undefined> =>
  (
    await sql<ScheduleRow>(
      'SELECT sch_holder, sch_last_run, sch_last_error, 1000 * extract(epoch FROM sch_due - clock_timestamp())::float AS wait_ms FROM schedule WHERE sch_name = $1',
      [name],
    )
  )[0];

/** A class whose one method is scheduled under a name of its own, and does what the test says. */
function chore(
  everyMs: number,
  work: (run: ScheduledRun, nth: number) => Promise<void>,
): { readonly name: string; readonly keeper: Type; readonly runs: Run[] } {
  const name = `test.${newId()}`;
  const runs: Run[] = [];
  @Injectable()
  class Chore {
    @Every(everyMs, name)
    async pass(run: ScheduledRun): Promise<void> {
      const own: Run = { began: Date.now() };
      runs.push(own);
      await work(run, runs.length).finally(() => {
        own.ended = Date.now();
        own.aborted = run.signal.aborted;
      });
    }
  }
  return { name, keeper: Chore, runs };
}

const start = async (keeper: Type): Promise<TestingModule> => {
  const app = await startKeeper(address, keeper);
  processes.push(app);
  return app;
};

/** Ends when the run is asked to stop. */
const untilAborted = ({ signal }: ScheduledRun): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('work by the clock', () => {
  it('is done by one worker at a time, however many there are, longer than a lease and so long after the run before ended', async () => {
    const { keeper, runs, name } = chore(150, () => pause(1_200));
    await Promise.all([start(keeper), start(keeper), start(keeper)]);
    await until(
      'three runs',
      () => runs.filter(({ ended }) => ended).length,
      (ended) => ended >= 3,
      20_000,
    );
    for (const [i, run] of runs.slice(1, 3).entries()) expect(run.began - (runs[i]?.ended ?? Infinity)).toBeGreaterThanOrEqual(100);
    expect(runs.slice(0, 3).map(({ aborted }) => aborted)).toEqual([false, false, false]);
    expect((await stored(name))?.sch_last_run).toBeInstanceOf(Date);
  });

  it('passes on from a worker that was killed when its lease is over, and no sooner', async () => {
    const { keeper, runs, name } = chore(60_000, () => Promise.resolve());
    await sql('SELECT schedule_claim($1, $2, 1500)', [name, newId()]);
    const claimed = Date.now();
    await start(keeper);
    await until(
      'the first run',
      () => runs.length,
      (length) => length === 1,
    );
    expect((runs[0]?.began ?? 0) - claimed).toBeGreaterThanOrEqual(1_400);
  });

  it('is asked to stop when another worker has it', async () => {
    const { keeper, runs, name } = chore(60_000, untilAborted);
    await start(keeper);
    await until(
      'the run',
      () => runs.length,
      (length) => length === 1,
    );
    const other = newId();
    await sql(`UPDATE schedule SET sch_holder = $2, sch_due = now() + interval '1 hour' WHERE sch_name = $1`, [name, other]);
    await until(
      'its end',
      () => runs[0]?.aborted,
      (aborted) => aborted === true,
    );
    expect((await stored(name))?.sch_holder).toBe(other);
  });

  it('is tried again soon after it failed, says why, and forgets that when it succeeds', async () => {
    const { keeper, runs, name } = chore(60_000, (_run, nth) =>
      nth < 3 ? Promise.reject(new Error(`failure ${nth}`)) : Promise.resolve(),
    );
    await start(keeper);
    await until(
      'a failure told',
      () => stored(name),
      (row) => row?.sch_last_error?.startsWith('failure') ?? false,
    );
    await until(
      'the third run',
      () => runs.length,
      (length) => length === 3,
    );
    expect((runs[2]?.began ?? 0) - (runs[0]?.began ?? 0)).toBeLessThan(10_000);
    const row = await until(
      'the success',
      () => stored(name),
      (seen) => seen?.sch_last_error === null && seen.sch_holder === null,
    );
    expect(row?.wait_ms).toBeGreaterThan(50_000);
  });

  it('stops with its worker, which waits for it, and is due at once for the others', async () => {
    const { keeper, runs, name } = chore(60_000, async (run) => {
      await untilAborted(run);
      await pause(300);
    });
    const first = await start(keeper);
    await until(
      'the run',
      () => runs.length,
      (length) => length === 1,
    );
    await first.close();
    expect(runs[0]).toMatchObject({ aborted: true, ended: expect.any(Number) });
    expect(await stored(name)).toMatchObject({ sch_holder: null });
    expect((await stored(name))?.wait_ms).toBeLessThan(1_000);
    await start(keeper);
    await until(
      'the next run',
      () => runs.length,
      (length) => length === 2,
    );
  });

  it('runs when it is asked for by name, due or not; a name that is none, or is there twice, is refused', async () => {
    const { keeper, runs, name } = chore(60_000, () => Promise.resolve());
    await sql('SELECT schedule_claim($1, $2, 3600000)', [name, newId()]);
    const app = await start(keeper);
    await app.get(ScheduleHost).runNow(name);
    expect(runs).toHaveLength(1);
    await expect(app.get(ScheduleHost).runNow('test.nothing')).rejects.toThrow('Nothing is scheduled');
    @Injectable()
    class Twice {
      @Every(1_000, 'test.twice')
      one(): Promise<void> {
        return Promise.resolve();
      }

      @Every(1_000, 'test.twice')
      other(): Promise<void> {
        return Promise.resolve();
      }
    }
    await expect(startKeeper(address, Twice)).rejects.toThrow('Two methods are scheduled as test.twice');
  });
});
