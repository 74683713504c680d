import { Outbox, planJob, migrateQueue } from '@atrium/platform/messaging';
import { Database, inWorkspace } from '@atrium/platform/database';
import { DAY, MINUTE, newId } from '@atrium/platform/kernel';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { ask } from '../architecture/asking';
import { OPERATOR_TOKENS, operatorOf } from '../support/operating';
import { startAtrium } from '../support/api';
import { ChargingWorker, FilmStudio, shoot } from './charging-jobs';
import { Crediting } from './crediting';
import { MeteredHost } from './metered-host';

let api: RunningApi;
let credits: Crediting;

beforeAll(async () => {
  api = await startAtrium({ OPERATOR_TOKENS });
  credits = new Crediting(api);
});
afterAll(() => api.close());

interface Entry {
  readonly usage_id: string;
  readonly units: number;
  readonly credits: number;
  readonly usage_ref: object;
}

const entries = ({ tenant_id }: TestWorkspace): Promise<Entry[]> =>
  api.sql<Entry>(
    'SELECT usage_id, usage_consumed_units::float AS units, usage_consumed_credits::float AS credits, usage_ref, usage_agent, usage_prompt, usage_user FROM usage_entry WHERE tenant_id = $1 ORDER BY usage_id',
    [tenant_id],
  );
const add = ({ tenant_id }: TestWorkspace, film: string): Promise<string> => {
  const [db, outbox] = [api.app.get(Database, { strict: false }), api.app.get(Outbox, { strict: false })];
  return inWorkspace(tenant_id, () => db.write(async () => outbox.addJob(planJob(shoot, { film }))));
};
const done = (job_id: string): Promise<object[]> =>
  eventually(
    () => api.sql<object>('SELECT 1 FROM outbox WHERE ev_id = $1 AND ev_done IS NOT NULL', [job_id]),
    (rows) => rows.length === 1,
    60_000,
  );

describe('a charge', () => {
  it('writes the entry with its price, takes the credits, and is rounded half up to the millionth', async () => {
    const workspace = await credits.workspace(10);
    const [agent, prompt, user] = [newId(), newId(), workspace.owner.user_id];
    const [usage_id] = await credits.charge(workspace, {
      param: 'ai.cached_tokens',
      details: 'local/small',
      units: 12_345,
      user,
      agent,
      prompt,
      ref: { thread_id: newId() },
    });
    expect(await entries(workspace)).toEqual([
      {
        usage_id,
        units: 12_345,
        credits: 0.061725,
        usage_ref: { thread_id: expect.any(String) },
        usage_agent: agent,
        usage_prompt: prompt,
        usage_user: user,
      },
    ]);
    await credits.charge(workspace, { param: 'ai.cached_tokens', units: 0.1 }, { param: 'ai.cached_tokens', units: '0.3' });
    expect((await entries(workspace)).map((entry) => entry.credits).sort()).toEqual([0.000001, 0.000002, 0.061725]);
    expect(await credits.available(workspace)).toBe(9.938272);
    await credits.audit(workspace);
  });

  it('of one source is made once: again, later, at the same time, and twice in one unit of work', async () => {
    const workspace = await credits.workspace(100);
    const source = 'run-7:1:output';
    await credits.charge(workspace, { source, units: 3 }, { source, units: 4 });
    await Promise.all(
      Array.from({ length: 6 }, (_, i) => credits.charge(workspace, { source, units: 5, at: new Date(Date.now() - i * DAY) })),
    );
    await credits.charge(workspace, { source: 'run-7:2:output', units: 5 });
    expect(await entries(workspace)).toHaveLength(2);
    expect(await credits.available(workspace)).toBe(92);
    const other = await credits.workspace(100);
    await credits.charge(other, { source, units: 5 });
    expect(await credits.available(other)).toBe(95);
  });

  it('goes with the change it belongs to: rolled back, nothing was used', async () => {
    const workspace = await credits.workspace(100);
    const db = api.app.get(Database, { strict: false });
    const source = newId();
    const failing = inWorkspace(workspace.tenant_id, () =>
      db.write(async (tx) => {
        await credits.charge(workspace, { source });
        await tx.query('SELECT 1 / 0');
      }),
    );
    await expect(failing).rejects.toThrow();
    expect(await entries(workspace)).toEqual([]);
    expect(await credits.available(workspace)).toBe(100);
    await credits.charge(workspace, { source });
    expect(await entries(workspace)).toHaveLength(1);
  });

  it('that costs nothing is measured all the same, without a row of the ledger', async () => {
    const workspace = await credits.workspace();
    await credits.charge(workspace, { param: 'workflow.steps', units: 40 });
    expect(await entries(workspace)).toMatchObject([{ units: 40, credits: 0 }]);
    expect(await credits.rows(workspace)).toEqual([]);
  });

  it('is refused with a parameter, variant, amount, time or source that cannot be', async () => {
    const workspace = await credits.workspace(10);
    const wrong = [
      { param: 'gold' as 'render' },
      { details: 'a b' },
      { details: 'x'.repeat(201) },
      { units: -1 },
      { units: Number.NaN },
      { units: Number.POSITIVE_INFINITY },
      { units: '1e3' },
      { source: '' },
      { source: 'x'.repeat(201) },
      { at: new Date(Date.now() - 35 * DAY - MINUTE) },
      { at: new Date(Date.now() + 6 * MINUTE) },
      { at: new Date(Number.NaN) },
    ];
    for (const charge of wrong) await expect(credits.charge(workspace, charge).then(() => charge)).rejects.toThrow();
    await credits.charge(workspace, { at: new Date(Date.now() - 35 * DAY + MINUTE) }, { at: new Date(Date.now() + 4 * MINUTE) });
    expect(await entries(workspace)).toHaveLength(2);
  });

  it('is refused by the database too where the amount is below zero or the time far off', async () => {
    const workspace = await credits.workspace(10);
    const line = { usage_id: newId(), param: 'render', details: '', units: 1, ref: {}, at: new Date(), source: newId(), keep: false };
    const charge = (more: object) =>
      ask(api.database.appUrl, 'SELECT usage_charge($1, $2)', {
        tenant: workspace.tenant_id,
        values: [JSON.stringify([{ ...line, ...more }]), '{}'],
      }).then(
        () => 'charged',
        (error: { code?: string }) => error.code,
      );
    expect(await charge({ units: -1 })).toBe('23514');
    expect(await charge({ at: new Date(Date.now() - 36 * DAY) })).toBe('22008');
    expect(await charge({ at: new Date(Date.now() + 6 * MINUTE) })).toBe('22008');
    expect(await entries(workspace)).toEqual([]);
  });

  it('and everything of it is written once: the role of the service may neither change nor delete it', async () => {
    const workspace = await credits.workspace(10);
    await credits.charge(workspace, { units: 1 });
    for (const table of ['usage_entry', 'credit_ledger', 'usage_reversal', 'workspace_cost']) {
      for (const statement of [`UPDATE ${table} SET tenant_id = tenant_id`, `DELETE FROM ${table}`, `TRUNCATE ${table}`]) {
        const outcome = ask(api.database.appUrl, statement, { tenant: workspace.tenant_id }).then(
          () => 'done',
          (error: { code?: string }) => error.code,
        );
        expect([statement, await outcome]).toEqual([statement, '42501']);
      }
    }
    for (const table of ['credit_ledger', 'credit_balance', 'credit_grant', 'credit_hold', 'budget_counter']) {
      expect([
        table,
        await ask(api.database.appUrl, `INSERT INTO ${table} (tenant_id) VALUES ('${workspace.tenant_id}')`, {
          tenant: workspace.tenant_id,
        }).then(
          () => 'written',
          (error: { code?: string }) => error.code,
        ),
      ]).toEqual([table, '42501']);
    }
    expect(
      await ask(api.database.appUrl, 'SELECT 1 FROM platform_cost').then(
        () => 'read',
        (error: { code?: string }) => error.code,
      ),
    ).toBe('42501');
  });
});

describe('a job that charges', () => {
  it('charges once though it is delivered again after it failed', async () => {
    const workspace = await credits.workspace(100);
    const worker = await api.startWorker(await prepared());
    const studio = worker.get(FilmStudio, { strict: false });
    studio.afterwards = ({ attempt }) => (attempt < 3 ? Promise.reject(new Error('the camera broke')) : Promise.resolve());
    const job_id = await add(workspace, 'one');
    await done(job_id);
    expect(studio.runs).toEqual([1, 2, 3]);
    expect(await entries(workspace)).toMatchObject([{ units: 6, credits: 6, usage_ref: { job_id } }]);
    expect(await credits.available(workspace)).toBe(94);
    await worker.close();
  }, 90_000);

  it('charges once though its worker is killed between the charge and the end of the job', async () => {
    const workspace = await credits.workspace(100);
    await prepared();
    const doomed = await MeteredHost.start('charging-process.ts');
    const job_id = await add(workspace, 'two');
    await doomed.line(`charged ${job_id}`);
    await doomed.kill();
    expect(await entries(workspace)).toHaveLength(1);
    const worker = await api.startWorker(ChargingWorker);
    await done(job_id);
    expect(worker.get(FilmStudio, { strict: false }).runs).toHaveLength(1);
    expect(await entries(workspace)).toHaveLength(1);
    expect(await credits.available(workspace)).toBe(94);
    await credits.audit(workspace);
    await worker.close();
  }, 150_000);
});

const prepared = async (): Promise<typeof ChargingWorker> => {
  await migrateQueue(api.database.ownerUrl);
  return ChargingWorker;
};

describe('whatever happens at once', () => {
  it('the ledger has no gap, its sum is the balance, and no credit is spent twice or lost', async () => {
    const workspace = await credits.workspace(40);
    let seed = 20_261_121;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const path = `/workspaces/${workspace.tenant_id}`;
    const known: string[] = [];
    const holds: string[] = [];
    const sources = Array.from({ length: 12 }, () => newId());
    const { client } = workspace.owner;
    const user = workspace.owner.user_id;
    const moves: readonly (() => Promise<unknown>)[] = [
      () => credits.charge(workspace, { units: (random(9_999_999) / 1_000_000).toFixed(6), user }).then((ids) => known.push(...ids)),
      () =>
        credits.charge(workspace, { source: sources[random(12)]!, units: 1 + random(3) }, { units: random(5), param: 'media.face_images' }),
      () =>
        credits.reserve(workspace, { credits: random(20), user }).then(
          ({ hold_id }) => holds.push(hold_id),
          () => undefined,
        ),
      () => credits.charge(workspace, { units: random(6), hold: holds.at(-1) ?? null, holdOn: random(2) === 0 }),
      () => (holds.length > 0 ? credits.release(workspace, holds[random(holds.length)]!) : Promise.resolve()),
      () =>
        operatorOf(api)
          .post(`${path}/credits`, {
            grant_credits: 1 + random(12),
            grant_priority: 1 + random(100),
            ...(random(2) ? { grant_expires_at: new Date(Date.now() + DAY) } : {}),
          })
          .expect(201),
      () =>
        operatorOf(api)
          .post(`${path}/credits/corrections`, { led_credits: random(11) - 5.5, led_note: 'test' })
          .expect(200),
      () => (known.length > 0 ? operatorOf(api).post(`${path}/usage/${known[random(known.length)]}/reverse`) : Promise.resolve()),
      () =>
        credits.grants(workspace).then((grants) => {
          const due = grants.find(({ grant_expires_at }) => grant_expires_at !== null);
          return due && credits.expireGrant(workspace, due.grant_id);
        }),
      () =>
        client.post('/admin/budgets', {
          bud_name: 'b',
          bud_scope: 'user',
          bud_target: user,
          bud_period: (['day', 'week', 'month', 'total'] as const)[random(4)],
          bud_credits: 1 + random(50),
          bud_action: 'warn',
        }),
    ];
    for (let round = 0; round < 12; round++) {
      await Promise.all(Array.from({ length: 10 }, () => moves[random(moves.length)]!()));
      await credits.audit(workspace);
    }
    const spent = await api.sql<{ spent: number }>(
      'SELECT sum(usage_consumed_credits)::float AS spent FROM usage_entry WHERE tenant_id = $1 AND usage_user = $2',
      [workspace.tenant_id, user],
    );
    const { body } = await client.get('/admin/budgets?bud_scope=user').expect(200);
    for (const budget of body.data as { bud_period: string; bud_spent: number }[])
      expect([budget.bud_period, budget.bud_spent]).toEqual([budget.bud_period, spent[0]?.spent ?? 0]);
  }, 90_000);
});
