import { Client } from 'pg';
import { Database, currentScope, sql, type CallScope } from '@atrium/platform/database';
import { currentEnding, newId, Outage } from '@atrium/platform/kernel';
import { BackgroundJobs, planJob, JobPause, Outbox, PermanentFailure, QUEUE_SCHEMA } from '@atrium/platform/messaging';
import { describeMessaging } from './contract';
import { inScope, until } from './processes';
import { pack, slow, tidy } from './shop';

/** Has the connections of this process pass on no notification of a channel. */
function deafTo(channel: string): jest.SpyInstance {
  const { emit } = Client.prototype as unknown as { emit(this: Client, name: string, ...said: unknown[]): boolean };
  return jest.spyOn(Client.prototype as unknown as { emit: typeof emit }, 'emit').mockImplementation(function heard(
    this: Client,
    event: string,
    ...said: unknown[]
  ) {
    const isOf = event === 'notification' && (said[0] as { channel?: string }).channel === channel;
    return isOf || emit.call(this, event, ...said);
  });
}

describeMessaging('Queues', (messaging) => {
  const { worker, ask, rowOf, seen, done } = messaging;

  it('runs a job once, in the workspace, name and trace of who asked for it', async () => {
    const shop = await worker();
    const seen: (CallScope | undefined)[] = [];
    shop.when('scoped', async () => void seen.push(currentScope()));
    await done(await ask(planJob(pack, { item: 'scoped' })));
    expect(seen).toEqual([messaging.scope]);
    expect(shop.runsOf('scoped')).toHaveLength(1);
  });

  if (messaging.name === 'PostgreSQL')
    it('begins a job whose notification was lost', async () => {
      const shop = await worker();
      await done(await ask(planJob(pack, { item: 'heard' })));
      const deaf = deafTo('bullmq_jobs');
      try {
        await done(await ask(planJob(pack, { item: 'not heard' })));
        expect(shop.runsOf('not heard')).toHaveLength(1);
      } finally {
        deaf.mockRestore();
      }
    });

  if (messaging.name === 'PostgreSQL')
    it('looks at what waits and runs by indexes, however many other rows there are', async () => {
      const query = jest.spyOn(Client.prototype, 'query');
      const texts = (): unknown[] => (query.mock.calls as unknown as unknown[][]).map(([text]) => text);
      await worker();
      const isGlance = (text: unknown): boolean => typeof text === 'string' && text.includes('AS claimable');
      const glance = await until('a worker has looked at all queues', () => texts().find(isGlance), Boolean).finally(() =>
        query.mockRestore(),
      );
      const owner = new Client({ connectionString: messaging.database.ownerUrl });
      await owner.connect();
      try {
        await owner.query(`SET search_path = ${QUEUE_SCHEMA}`);
        await owner.query(
          `INSERT INTO job (queue, id, seq, name, state, added_at_ms) SELECT 'over', n::text, n, 'over', 'completed', 0 FROM generate_series(1, 20000) n`,
        );
        await owner.query('ANALYZE job');
        const { rows } = await owner.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${String(glance)}`, [Date.now()]);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(['job_active_idx', 'job_ready_idx', 'job_delayed_idx'].filter((index) => !plan.includes(index))).toEqual([]);
        expect(plan).not.toContain('Seq Scan');
      } finally {
        await owner.end();
      }
    });

  it('runs a job that needs no payload', async () => {
    const shop = await worker();
    const id = await ask(planJob(tidy, {}));
    await done(id);
    expect(shop.runsOf(id)).toHaveLength(1);
  });

  it('tries a failed job again until it succeeds', async () => {
    const shop = await worker();
    shop.when('flaky', async (_payload, run) => {
      if (!run.lastAttempt) throw new Error('not yet');
    });
    const row = await done(await ask(planJob(pack, { item: 'flaky' })));
    expect(row?.ev_error).toBeNull();
    expect(shop.runsOf('flaky').map((run) => run.attempt)).toEqual([1, 2, 3]);
  });

  it('gives a job up after its last attempt and keeps the reason', async () => {
    const shop = await worker();
    shop.when('hopeless', async () => {
      throw new Error('the shelf is empty');
    });
    const row = await done(await ask(planJob(pack, { item: 'hopeless' })));
    expect(row?.ev_error).toBe('the shelf is empty');
    expect(shop.runsOf('hopeless')).toHaveLength(3);
  });

  it('lets a job wait for a part outside for longer than all its attempts, shows for what, and then does it', async () => {
    const shop = await worker();
    let away = true;
    shop.when('shipped', async () => {
      if (away) throw new Outage('storage', 'The harbour is closed.');
    });
    const { job_id } = await inScope(messaging.scope, () => messaging.api.get(BackgroundJobs).startJob(planJob(pack, { item: 'shipped' })));
    const shown = () => seen(job_id);
    await until(
      'it has run more often than it has attempts',
      () => shop.runsOf('shipped'),
      (runs) => runs.length > 3,
    );
    expect(shop.runsOf('shipped').every(({ attempt }) => attempt === 1)).toBe(true);
    await until('it says for what it waits', shown, ({ waits_for }) => waits_for === 'storage');
    expect(
      await inScope(messaging.scope, () =>
        messaging.api.get(Database).acrossTenants((tx) => tx.query(sql`SELECT part, jobs FROM outbox_outages()`)),
      ),
    ).toContainEqual({ part: 'storage', jobs: 1 });
    away = false;
    const ended = await until('it is done', shown, ({ status }) => status !== 'running' && status !== 'queued');
    expect(ended).toMatchObject({ status: 'completed', waits_for: null, error: null });
  });

  it('gives a job up that has waited too long in all', async () => {
    const shop = await worker();
    const ends: boolean[] = [];
    shop.when('stranded', async (_payload, run) => {
      const error = new Outage('mail', 'No wind.');
      ends.push(await run.givesUpOn(error));
      throw error;
    });
    const row = await done(await ask(planJob(pack, { item: 'stranded' })));
    expect(row?.ev_error).toBe('No wind.');
    expect(ends.filter((end) => end)).toEqual([true]);
    expect(ends.length).toBeGreaterThan(3);
  });

  it('does not try a permanent failure again', async () => {
    const shop = await worker();
    shop.when('broken', async () => {
      throw new PermanentFailure('the file is damaged');
    });
    const row = await done(await ask(planJob(pack, { item: 'broken' })));
    expect(row?.ev_error).toBe('the file is damaged');
    expect(shop.runsOf('broken')).toHaveLength(1);
  });

  it('aborts a run that takes too long and counts it as failed', async () => {
    const shop = await worker();
    const aborted: string[] = [];
    shop.when(
      'endless',
      (_payload, run) =>
        new Promise(() => {
          run.signal.addEventListener('abort', () => aborted.push('run'));
          // What waits in a line for the run, such as for a process, leaves it.
          currentEnding()?.addEventListener('abort', () => aborted.push('lines'));
        }),
    );
    const row = await done(await ask(planJob(slow, { item: 'endless' })));
    expect(row?.ev_error).toMatch(/in time/);
    expect(aborted).toEqual(['run', 'lines', 'run', 'lines']);
  });

  it('sends nothing for a change that was rolled back', async () => {
    const shop = await worker();
    const failing = inScope(messaging.scope, () =>
      messaging.api.get(Database).write(async () => {
        messaging.api.get(Outbox).addJob(planJob(pack, { item: 'undone' }));
        throw new Error('no');
      }),
    );
    await expect(failing).rejects.toThrow('no');
    await done(await ask(planJob(pack, { item: 'afterwards' })));
    expect(shop.runsOf('undone')).toHaveLength(0);
  });

  it('waits until a delayed job is due', async () => {
    const shop = await worker();
    const asked = Date.now();
    await done(await ask(planJob(pack, { item: 'later' }, { delayMs: 700 })));
    expect(Date.now() - asked).toBeGreaterThanOrEqual(700);
    expect(shop.runsOf('later')).toHaveLength(1);
  });

  it('refuses an invalid payload where it is asked for, and gives up one that became invalid', async () => {
    await worker();
    await expect(ask(planJob(pack, { item: '' }))).rejects.toThrow(/payload of shop\.pack/);
    const id = newId();
    await inScope(messaging.scope, () =>
      messaging.api.get(Database).write((tx) =>
        tx.execute(sql`INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_key, ev_payload, ev_actor, ev_request)
        VALUES (${messaging.scope.tenant_id}, ${id}, 'job', 'shop.pack', ${id}, '{"thing": 1}', ${JSON.stringify(messaging.scope.actor)}::jsonb, 'r')`),
      ),
    );
    expect((await done(id))?.ev_error).toMatch(/payload of shop\.pack/);
  });

  it('frees the slot of a job that pauses, and runs it again without counting an attempt', async () => {
    const shop = await worker();
    shop.when('pausing', (_payload, run) => {
      if (shop.runsOf('pausing').length < 4) throw new JobPause(10);
      return Promise.resolve({ attempt: run.attempt });
    });
    const id = await ask(planJob(pack, { item: 'pausing' }));
    expect((await done(id))?.ev_error).toBeNull();
    expect(shop.runsOf('pausing').map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
  });

  it('brings an event to each of its subscribers once', async () => {
    const shop = await worker();
    const id = await inScope(messaging.scope, () =>
      messaging.api
        .get(Database)
        .write(async () => messaging.api.get(Outbox).emitEvent({ name: 'item.sold', subject_id: newId(), payload: { price: 3 } })),
    );
    await until(
      'both heard',
      () => shop.runsOf(id).length,
      (runs) => runs >= 2,
    );
    expect(
      shop
        .runsOf(id)
        .map((run) => run.job)
        .sort(),
    ).toEqual(['audit item.sold', 'bill item.sold']);
    const unheard = await inScope(messaging.scope, () =>
      messaging.api
        .get(Database)
        .write(async () => messaging.api.get(Outbox).emitEvent({ name: 'cart.emptied', subject_id: newId(), payload: {} })),
    );
    await until(
      'it counts as sent',
      () => rowOf(unheard),
      (row) => Boolean(row?.ev_sent),
    );
  });
});
