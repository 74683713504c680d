import { Database, createDataSource, runInScope, sql, SYSTEM_ACTOR, type CallScope } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { IsString } from 'class-validator';
import { testDatabase } from '@atrium/platform/testing';
import { defineJob, planJob } from './job-definition';
import { Outbox } from './outbox';
import { OutboxBell } from './outbox-bell';
import { OutboxRows, type OutboxRow } from './outbox-rows';
import { PostgresSignals } from './postgres-signals';

class Letter {
  @IsString() to!: string;
}
const post = defineJob('mail.post', { payload: Letter });

describe('The outbox', () => {
  let db: Database;
  let outbox: Outbox;
  let signals: PostgresSignals;
  let mine: CallScope;
  let theirs: CallScope;

  beforeAll(async () => {
    const { appUrl } = await testDatabase();
    db = new Database(
      await createDataSource({ url: appUrl, pool: 4, acquireTimeoutMs: 5_000, applicationName: 'outbox-spec' }, []).initialize(),
      { prepared: true, pool: 20, acquireTimeoutMs: 5_000 },
    );
    signals = new PostgresSignals(db.dataSource, appUrl);
    outbox = new Outbox(db, new OutboxBell(signals));
  });

  beforeEach(() => {
    const scope = (): CallScope => ({ tenant_id: newId(), actor: SYSTEM_ACTOR, request_id: 'r' });
    mine = scope();
    theirs = scope();
  });

  afterAll(async () => {
    await signals.onApplicationShutdown();
    await db.onApplicationShutdown();
  });

  const add = (scope: CallScope, to: string) => runInScope(scope, () => db.write(async () => outbox.addJob(planJob(post, { to }))));
  const count = (scope: CallScope) =>
    runInScope(scope, () => db.read(async (tx) => (await tx.first<{ n: number }>('SELECT count(*) AS n FROM outbox'))?.n));

  it('writes all that a unit of work adds with one statement, in its transaction', async () => {
    const statements = await runInScope(mine, () =>
      db.write(async (tx) => {
        outbox.emitEvent({ name: 'letter.written', subject_id: newId(), payload: { pages: 2 } });
        outbox.addJob(planJob(post, { to: 'Ada' }));
        await db.write(async () => outbox.addJob(planJob(post, { to: 'Grace' })));
        return tx.first<{ n: number }>('SELECT count(*) AS n FROM outbox');
      }),
    );
    expect(statements?.n).toBe(0);
    expect(await count(mine)).toBe(3);
    const rows = await runInScope(mine, () =>
      db.read((tx) => tx.query<{ ev_xmin: string }>('SELECT DISTINCT xmin::text AS ev_xmin FROM outbox')),
    );
    expect(rows).toHaveLength(1);
  });

  it('is closed outside of a writing unit of work', async () => {
    expect(() => outbox.addJob(planJob(post, { to: 'Ada' }))).toThrow('No unit of work is open');
    await expect(runInScope(mine, () => db.read(async () => outbox.addJob(planJob(post, { to: 'Ada' }))))).rejects.toThrow(
      'use db.write()',
    );
  });

  it('lets one job of a kind and key wait, and has it done before its time', async () => {
    const keyed = defineJob('mail.round', { payload: Letter, key: () => 'all' });
    const at = <T>(scope: CallScope, work: () => Promise<T>): Promise<T> => runInScope(scope, () => db.write(work));
    const later = planJob(keyed, { to: 'Ada' }, { delayMs: 3_600_000 });
    expect(await at(mine, () => outbox.hastenJob(planJob(keyed, { to: 'Ada' })))).toBe(false);
    expect([
      await at(mine, () => outbox.addOnce(later)),
      await at(mine, () => outbox.addOnce(later)),
      await at(theirs, () => outbox.addOnce(later)),
    ]).toEqual([true, false, true]);
    const waiting = (scope: CallScope, due: string) =>
      runInScope(scope, () => db.read((tx) => tx.query(`SELECT 1 FROM outbox WHERE ev_done IS NULL AND ev_due ${due} now()`)));
    expect([(await waiting(mine, '>')).length, (await waiting(mine, '<=')).length]).toEqual([1, 0]);
    expect(await at(mine, () => outbox.hastenJob(planJob(keyed, { to: 'Ada' })))).toBe(true);
    expect([(await waiting(mine, '>')).length, (await waiting(mine, '<=')).length, (await waiting(theirs, '>')).length]).toEqual([0, 1, 1]);
  });

  it('refuses events that carry things instead of naming them', async () => {
    const large = { text: 'x'.repeat(70_000) };
    await expect(
      runInScope(mine, () => db.write(async () => outbox.emitEvent({ name: 'letter.written', subject_id: newId(), payload: large }))),
    ).rejects.toThrow('too large');
  });

  it('shows no row to another workspace or to none, and takes none for another', async () => {
    await add(mine, 'Ada');
    expect(await count(theirs)).toBe(0);
    expect((await db.acrossTenants((tx) => tx.query('SELECT 1 FROM outbox'))).length).toBe(0);
    const insert = sql`INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_key, ev_payload, ev_actor, ev_request) VALUES (${mine.tenant_id}, ${newId()}, 'job', 'mail.post', 'k', '{}', '{}', 'r')`;
    await expect(runInScope(theirs, () => db.write((tx) => tx.execute(insert)))).rejects.toThrow(/row-level security/);
    await expect(db.acrossTenants((tx) => tx.execute(insert))).rejects.toThrow(/row-level security/);
  });

  it('lets the service close rows and nothing more', async () => {
    const id = await add(mine, 'Ada');
    const change = (text: string) => runInScope(mine, () => db.write((tx) => tx.execute(text, [id])));
    await expect(change(`UPDATE outbox SET ev_payload = '{}' WHERE ev_id = $1`)).rejects.toThrow(/permission denied/);
    await expect(change('DELETE FROM outbox WHERE ev_id = $1')).rejects.toThrow(/permission denied/);
    expect(await change('UPDATE outbox SET ev_done = now() WHERE ev_id = $1')).toBe(1);
  });

  it('leaves jobs that a relay does not know to one that does, and forgets done ones but no events', async () => {
    const rows = new OutboxRows(db);
    const id = await add(mine, 'Ada');
    const event = await runInScope(mine, () =>
      db.write(async () => outbox.emitEvent({ name: 'letter.written', subject_id: newId(), payload: {} })),
    );
    const admitted = async (queue: string) => (await rows.admitJobs([{ queue, room: 100, share: 100 }], 30)).map((row) => row.ev_id);
    expect([await rows.findDueQueues(['mail.other']), await rows.findDueQueues(['mail.post'])]).toEqual([[], ['mail.post']]);
    expect(await admitted('mail.other')).not.toContain(id);
    expect(await admitted('mail.post')).toContain(id);
    expect(await admitted('mail.post')).not.toContain(id);
    await runInScope(mine, () => db.write((tx) => tx.execute(`UPDATE outbox SET ev_done = now() - interval '3 days'`)));
    expect(await rows.pruneSent(86_400, 1_000)).toBeGreaterThanOrEqual(1);
    const left = await runInScope(mine, () => db.read((tx) => tx.query<{ ev_id: string }>('SELECT ev_id FROM outbox')));
    expect(left).toEqual([{ ev_id: event }]);
  });

  it('keeps an event open when the jobs of its subscribers cannot be written: both or neither', async () => {
    const rows = new OutboxRows(db);
    const name = `letter.lost-${newId()}`;
    await runInScope(mine, () => db.write(async () => outbox.emitEvent({ name, subject_id: newId(), payload: {} })));
    const event = {
      ...(await runInScope(mine, () =>
        db.read((tx) => tx.first<OutboxRow & Record<string, unknown>>(sql`SELECT * FROM outbox WHERE ev_name = ${name}`)),
      )),
    } as OutboxRow;
    const open = () =>
      runInScope(mine, () =>
        db.read(
          async (tx) => (await tx.first<{ open: boolean }>(sql`SELECT ev_sent IS NULL AS open FROM outbox WHERE ev_name = ${name}`))?.open,
        ),
      );
    const jobs = () =>
      runInScope(mine, () =>
        db.read(async (tx) => (await tx.first<{ n: number }>(sql`SELECT count(*) AS n FROM outbox WHERE ev_kind = 'job'`))?.n),
      );
    const nobody = null as unknown as string;
    await expect(
      rows.fanOut(
        [event],
        [
          { event, subscriber: 'mail.audit' },
          { event, subscriber: nobody },
        ],
      ),
    ).rejects.toThrow();
    expect([await open(), await jobs()]).toEqual([true, 0]);
    await rows.fanOut([event], [{ event, subscriber: 'mail.audit' }]);
    expect([await open(), await jobs()]).toEqual([false, 1]);
  });
});
