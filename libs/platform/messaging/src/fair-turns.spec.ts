import { Database, createDataSource, inWorkspace, runInScope, SYSTEM_ACTOR, type CallScope } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { testDatabase } from '@atrium/platform/testing';
import { IsString } from 'class-validator';
import { defineJob, planJob, type JobDefinition } from './job-definition';
import { Outbox } from './outbox';
import { OutboxBell } from './outbox-bell';
import { OutboxRows, type AdmittedJob } from './outbox-rows';
import { PostgresSignals } from './postgres-signals';

class Letter {
  @IsString() to!: string;
}

describe('Turns in a queue', () => {
  let db: Database;
  let outbox: Outbox;
  let rows: OutboxRows;
  let signals: PostgresSignals;
  let queues = 0;
  let post: JobDefinition<Letter>;

  beforeAll(async () => {
    const { appUrl } = await testDatabase();
    db = new Database(
      await createDataSource({ url: appUrl, pool: 4, acquireTimeoutMs: 5_000, applicationName: 'turns-spec' }, []).initialize(),
      { prepared: true, pool: 20, acquireTimeoutMs: 5_000 },
    );
    signals = new PostgresSignals(db.dataSource, appUrl);
    outbox = new Outbox(db, new OutboxBell(signals));
    rows = new OutboxRows(db);
  });

  afterAll(async () => {
    await signals.onApplicationShutdown();
    await db.onApplicationShutdown();
  });

  beforeEach(() => {
    post = defineJob(`turns.q${(queues += 1)}`, { payload: Letter });
  });

  const member = (tenant_id: string | null = newId()): CallScope => ({
    tenant_id,
    actor: { ...SYSTEM_ACTOR, kind: 'person', user_id: newId() },
    request_id: 'r',
  });
  /** Each in a unit of work of its own, but for thousands. */
  const ask = async (scope: CallScope, names: readonly string[], definition = post): Promise<void> => {
    for (const to of names) await runInScope(scope, () => db.write(async () => outbox.addJob(planJob(definition, { to }))));
  };
  const askAtOnce = (scope: CallScope, names: readonly string[]): Promise<unknown> =>
    runInScope(scope, () => db.write(async () => names.map((to) => outbox.addJob(planJob(post, { to })))));
  const nameOf = ({ ev_payload: { to } }: AdmittedJob): string => (typeof to === 'string' ? to : '');
  const admit = (room: number, share = 10_000): Promise<AdmittedJob[]> => rows.admitJobs([{ queue: post.name, room, share }], 30);
  const close = (admitted: readonly AdmittedJob[]): Promise<unknown> =>
    Promise.all(
      admitted.map((row) =>
        inWorkspace(row.tenant_id, () => db.write((tx) => tx.execute('UPDATE outbox SET ev_done = now() WHERE ev_id = $1', [row.ev_id]))),
      ),
    );
  /** What a queue with room for one does next, again and again. */
  const serve = async (times: number): Promise<string[]> => {
    const served: string[] = [];
    for (let n = 0; n < times; n += 1) {
      const admitted = await admit(1);
      served.push(...admitted.map(nameOf));
      await rows.markSent(admitted);
      await close(admitted);
    }
    return served;
  };
  const many = (name: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${name}${i}`);

  it('go from workspace to workspace, however many jobs of one wait and however long', async () => {
    const [a, b, c] = [member(), member(), member()];
    await askAtOnce(a, many('a', 5_000));
    expect(await serve(3)).toHaveLength(3);
    await ask(b, ['b1', 'b2', 'b3']);
    await ask(c, ['c1']);
    const served = (await serve(7)).map((name) => name[0]);
    // Those who were not served yet come first; then each in turn.
    expect(served.slice(0, 2).sort()).toEqual(['b', 'c']);
    expect(served.slice(2, 7)).toEqual(['a', 'b', 'a', 'b', 'a']);
  });

  it('are kept by room for several as well: none has two before another has one', async () => {
    const [a, b] = [member(), member()];
    await askAtOnce(a, many('a', 50));
    await ask(b, ['b1', 'b2']);
    expect((await admit(6)).map((row) => nameOf(row)[0])).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
  });

  it('starve nobody where there are more workspaces than room', async () => {
    const crowd = Array.from({ length: 12 }, () => member());
    for (const [n, one] of crowd.entries()) await askAtOnce(one, many(`${String.fromCharCode(97 + n)}`, 30));
    const late = member();
    await ask(late, ['z1', 'z2']);
    const served = (await serve(26)).map((name) => name[0]);
    expect(new Set(served.slice(0, 13)).size).toBe(13);
    expect(new Set(served.slice(13)).size).toBe(13);
  });

  it('are given within a workspace to each member and key, and to bulk at last', async () => {
    const ada = member();
    const grace = member(ada.tenant_id ?? undefined);
    await askAtOnce(ada, many('bulk', 30));
    await ask(ada, many('ada', 3));
    await ask(grace, ['grace']);
    await runInScope({ ...grace, inBulk: true }, () => db.write(async () => outbox.addJob(planJob(post, { to: 'backfill' }))));
    const served = await serve(7);
    expect(served.slice(0, 2).sort()).toEqual(['ada0', 'grace']);
    expect(served.slice(2, 4)).toEqual(['ada1', 'ada2']);
    expect(served.slice(4)).toContain('backfill');
  });

  it('let a workspace that has nothing in the queue in although it is full, in front of what waits there', async () => {
    const [a, b] = [member(), member()];
    await askAtOnce(a, many('a', 40));
    const first = await admit(10);
    expect(first.map((row) => row.ev_place)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await admit(0)).toEqual([]);
    await ask(b, ['b1', 'b2']);
    expect((await admit(0)).map((row) => [nameOf(row), row.ev_place])).toEqual([['b1', 1]]);
    expect(await admit(0)).toEqual([]);
  });

  it('are no turn for a job whose key is in the queue, until that one ends', async () => {
    const keyed = defineJob(post.name, { payload: Letter, key: ({ to }) => to });
    const [a, b] = [member(), member()];
    await ask(a, ['x', 'x', 'y'], keyed);
    await ask(b, ['x'], keyed);
    const first = await admit(10);
    expect(first.map((row) => [row.tenant_id, nameOf(row)]).sort()).toEqual(
      [
        [a.tenant_id, 'x'],
        [a.tenant_id, 'y'],
        [b.tenant_id, 'x'],
      ].sort(),
    );
    expect(await admit(10)).toEqual([]);
    await rows.markSent(first);
    expect(await admit(10)).toEqual([]);
    await close(first);
    expect((await admit(10)).map((row) => [row.tenant_id, nameOf(row)])).toEqual([[a.tenant_id, 'x']]);
  });

  it('leave the slots beyond its share to other workspaces, however much one asks for and however long its jobs take', async () => {
    const [a, b, c] = [member(), member(), member()];
    await askAtOnce(a, many('a', 40));
    const first = await admit(10, 2);
    expect(first.map(nameOf)).toEqual(['a0', 'a1']);
    await rows.markSent(first);
    expect(await admit(10, 2)).toEqual([]);
    await ask(b, ['b0', 'b1', 'b2']);
    await ask(c, ['c0']);
    expect((await admit(10, 2)).map(nameOf).sort()).toEqual(['b0', 'b1', 'c0']);
    await close(first.slice(1));
    expect((await admit(10, 2)).map(nameOf)).toEqual(['a2']);
  });

  it('come again at once for what could not be sent', async () => {
    await ask(member(), ['x']);
    const admitted = await admit(10);
    await rows.releaseJobs(admitted);
    expect((await admit(10)).map(nameOf)).toEqual(['x']);
  });

  it('are given once where several relays ask at the same time', async () => {
    await askAtOnce(member(), many('a', 40));
    const admitted = (await Promise.all([1, 2, 3, 4].map(() => admit(10)))).flat();
    expect(new Set(admitted.map(nameOf)).size).toBe(40);
  });
});
