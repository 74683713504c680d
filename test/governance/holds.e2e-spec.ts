import { newId } from '@atrium/platform/kernel';
import { Metrics } from '@atrium/platform/observability';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { operatorOf } from '../support/operating';
import { sharedAtrium } from '../support/shared-atrium';
import { Crediting } from './crediting';
import { MeteredHost } from './metered-host';

let api: RunningApi;
let credits: Crediting;
const hosts: MeteredHost[] = [];

beforeAll(async () => {
  api = await sharedAtrium();
  credits = new Crediting(api);
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.kill()));
});
afterAll(() => api.close());

const VIDEO = (units: number) => [{ param: 'studio_video' as const, units }];
const host = async ({ tenant_id }: TestWorkspace): Promise<MeteredHost> => {
  const started = await MeteredHost.start('metered-process.ts', tenant_id);
  hosts.push(started);
  return started;
};
const outcome = (reserving: Promise<unknown>): Promise<string> =>
  reserving.then(
    () => 'held',
    (error: { code: string }) => error.code,
  );

describe('credits set aside', () => {
  it('[governance 10] are held by two of ten runs side by side, the others answer 402; those of a killed run are available again after their time', async () => {
    const workspace = await credits.workspace(100);
    const pair = await Promise.all([host(workspace), host(workspace)]);
    pair.forEach((one, i) => one.tell(Array.from({ length: 5 }, (_, n) => `run-${i}-${n}`).join(' ')));
    const counted = await eventually(
      () => Promise.resolve({ held: pair.flatMap((one) => one.lines('held')), refused: pair.flatMap((one) => one.lines('refused')) }),
      ({ held, refused }) => held.length + refused.length === 10,
    );
    expect(counted.held).toHaveLength(2);
    expect(counted.refused).toHaveLength(8);
    for (const line of counted.refused)
      expect(line).toMatch(
        /^refused credits_exhausted The workspace does not have enough credits: 40 are needed, (60|20) are available\.$/,
      );
    expect(await credits.available(workspace)).toBe(20);

    const killed = pair.find((one) => one.lines('held').length > 0)!;
    await killed.kill();
    const [held = ''] = killed.lines('held');
    expect(await credits.available(workspace)).toBe(20);
    expect(await outcome(credits.reserve(workspace, { credits: 40 }))).toBe('credits_exhausted');
    await credits.expireHold(workspace, held.replace('held ', ''));
    expect(await credits.available(workspace)).toBe(60);
    expect(await outcome(credits.reserve(workspace, { lines: VIDEO(40) }))).toBe('held');
    await credits.audit(workspace);
  });

  it('never pass the balance, however many ask at once, and what begun work costs beyond them is all that can go below', async () => {
    const workspace = await credits.workspace(100);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => credits.reserve(workspace, { credits: 40 }).catch((error: { code: string }) => error.code)),
    );
    const holds = outcomes.flatMap((one) => (typeof one === 'string' ? [] : [one]));
    expect(holds).toHaveLength(2);
    expect(outcomes.filter((one) => one === 'credits_exhausted')).toHaveLength(8);
    await Promise.all(holds.map(({ hold_id }) => credits.charge(workspace, { units: 55, hold: hold_id })));
    expect(await credits.available(workspace)).toBe(-10);
    await credits.audit(workspace);
  });

  it('are counted by the metrics where the balance refuses them, and not where a budget does', async () => {
    const refused = async (): Promise<number> =>
      (await api.app.get(Metrics, { strict: false }).creditsRefused.get()).values.reduce((sum, { value }) => sum + value, 0);
    const [poor, bound] = [await credits.workspace(10), await credits.workspace(100)];
    await bound.owner.client
      .post('/admin/budgets', { bud_name: 'Ten', bud_scope: 'workspace', bud_period: 'day', bud_credits: 10, bud_action: 'block' })
      .expect(201);
    const before = await refused();
    expect(await outcome(credits.reserve(poor, { credits: 10 }))).toBe('held');
    expect(await outcome(credits.reserve(bound, { credits: 40 }))).toBe('credits_exhausted');
    expect(await refused()).toBe(before);
    expect(await outcome(credits.reserve(poor, { credits: 1 }))).toBe('credits_exhausted');
    expect(await refused()).toBe(before + 1);
  });

  it('are settled by the charge, given back by the release, and last a quarter of an hour unless extended', async () => {
    const workspace = await credits.workspace(100);
    const settled = await credits.reserve(workspace, { lines: VIDEO(40) });
    expect(settled.hold_credits).toBe(40);
    expect(settled.hold_expires_at.getTime() - Date.now()).toBeGreaterThan(14 * 60_000);
    expect((await workspace.owner.client.get('/admin/credits').expect(200)).body).toMatchObject({
      credit_balance: 100,
      credit_held: 40,
      credit_available: 60,
    });
    await credits.charge(workspace, { units: 10, hold: settled.hold_id });
    expect(await credits.available(workspace)).toBe(90);
    const released = await credits.reserve(workspace, { credits: 40 });
    await credits.release(workspace, released.hold_id);
    await credits.release(workspace, released.hold_id);
    expect(await credits.available(workspace)).toBe(90);
    expect(await credits.extend(workspace, released.hold_id)).toBe(false);
    const kept = await credits.reserve(workspace, { credits: 40 });
    await api.sql("UPDATE credit_hold SET hold_expires_at = now() + interval '1 minute' WHERE hold_id = $1", [kept.hold_id]);
    expect(await credits.extend(workspace, kept.hold_id)).toBe(true);
    expect(
      await api.sql("SELECT hold_expires_at > now() + interval '14 minutes' AS kept FROM credit_hold WHERE hold_id = $1", [kept.hold_id]),
    ).toEqual([{ kept: true }]);
    await credits.expireHold(workspace, kept.hold_id);
    expect(await credits.extend(workspace, kept.hold_id)).toBe(false);
  });

  it('shrink by what each step costs while work goes on', async () => {
    const workspace = await credits.workspace(100);
    const { hold_id } = await credits.reserve(workspace, { lines: VIDEO(40) });
    await credits.charge(workspace, { units: 15, hold: hold_id, holdOn: true });
    expect((await workspace.owner.client.get('/admin/credits').expect(200)).body).toMatchObject({
      credit_balance: 85,
      credit_held: 25,
      credit_available: 60,
    });
    await credits.charge(workspace, { units: 30, hold: hold_id, holdOn: true });
    expect((await workspace.owner.client.get('/admin/credits').expect(200)).body).toMatchObject({ credit_balance: 55, credit_held: 0 });
    await credits.release(workspace, hold_id);
  });

  it('are replaced when the same work asks again', async () => {
    const workspace = await credits.workspace(100);
    for (let attempt = 0; attempt < 5; attempt++) await credits.reserve(workspace, { credits: 60, source: 'run-1' });
    expect(await credits.available(workspace)).toBe(40);
  });

  it('of another workspace can be neither extended, released nor settled', async () => {
    const ours = await credits.workspace(100);
    const theirs = await credits.workspace(100);
    const { hold_id } = await credits.reserve(ours, { credits: 40 });
    expect(await credits.extend(theirs, hold_id)).toBe(false);
    await credits.release(theirs, hold_id);
    await credits.charge(theirs, { units: 1, hold: hold_id });
    expect(await credits.available(ours)).toBe(60);
    expect(await credits.available(theirs)).toBe(99);
  });

  it('may be without end where credits are only metered, but not past a budget that blocks', async () => {
    const workspace = await credits.workspace();
    await operatorOf(api).patch(`/workspaces/${workspace.tenant_id}/credits`, { credit_policy: 'metered' }).expect(200);
    await credits.reserve(workspace, { credits: 1_000 });
    await workspace.owner.client
      .post('/admin/budgets', { bud_name: 'Cap', bud_scope: 'workspace', bud_period: 'day', bud_credits: 1_500, bud_action: 'block' })
      .expect(201);
    await credits.reserve(workspace, { credits: 500 });
    await expect(credits.reserve(workspace, { credits: 1 })).rejects.toMatchObject({
      code: 'credits_exhausted',
      detail: 'The budget "Cap" does not have enough credits: 1 are needed, 0 remain.',
    });
  });

  it('of nothing are held where credits lack and budgets are overspent, by a price of 0 too; what costs anything is refused', async () => {
    const workspace = await credits.workspace(10);
    await operatorOf(api)
      .post(`/workspaces/${workspace.tenant_id}/costs`, { cost_param: 'social.posts', cost_credits_per_unit: 0 })
      .expect(201);
    const param = { bud_period: 'day', bud_credits: 5, bud_action: 'block', bud_scope: 'param' };
    await workspace.owner.client.post('/admin/budgets', { ...param, bud_name: 'Video', bud_target: 'studio_video' }).expect(201);
    await workspace.owner.client.post('/admin/budgets', { ...param, bud_name: 'Cap', bud_scope: 'workspace' }).expect(201);
    await credits.charge(workspace, { units: 12 });
    expect(await credits.available(workspace)).toBe(-2);

    const free = [{ param: 'social.posts' as const, units: 3 }];
    for (const estimate of [{ credits: 0 }, { lines: free }, { lines: VIDEO(0) }])
      expect(await credits.reserve(workspace, estimate)).toMatchObject({ hold_credits: 0 });
    for (const estimate of [{ credits: 0.000001 }, { lines: [...free, ...VIDEO(1)] }])
      expect(await outcome(credits.reserve(workspace, estimate))).toBe('credits_exhausted');
    await credits.grant(workspace, { grant_credits: 100 });
    await expect(credits.reserve(workspace, { credits: 1 })).rejects.toMatchObject({ detail: expect.stringContaining('"Cap"') });
    expect(await credits.reserve(workspace, { lines: free })).toMatchObject({ hold_credits: 0 });
    await credits.audit(workspace);
  });

  it('are refused as an estimate that is none', async () => {
    const workspace = await credits.workspace(10);
    await expect(credits.reserve(workspace, { credits: -1 })).rejects.toThrow(/estimate/i);
    await expect(credits.reserve(workspace, { credits: 1, lines: VIDEO(1) })).rejects.toThrow(/either/);
    await expect(credits.reserve(workspace, { lines: [{ param: 'gold' as 'render', units: 1 }] })).rejects.toThrow(/catalog/);
  });
});

describe('budgets that block', () => {
  const each = async ({ owner }: TestWorkspace, more: object): Promise<string> =>
    (
      await owner.client
        .post('/admin/budgets', {
          bud_name: `Budget ${newId()}`,
          bud_scope: 'workspace',
          bud_period: 'day',
          bud_credits: 10,
          bud_action: 'block',
          ...more,
        })
        .expect(201)
    ).body.bud_id as string;

  it('all bind at once, and work side by side passes none of them', async () => {
    const workspace = await credits.workspace(1_000);
    const user = workspace.owner.user_id;
    await each(workspace, { bud_name: 'All', bud_credits: 100 });
    await each(workspace, { bud_name: 'Mine', bud_scope: 'user', bud_target: user, bud_credits: 30 });
    await each(workspace, { bud_name: 'Video', bud_scope: 'param', bud_target: 'studio_video', bud_credits: 50 });
    const mine = await Promise.all(Array.from({ length: 8 }, () => outcome(credits.reserve(workspace, { credits: 10, user }))));
    expect(mine.filter((one) => one === 'held')).toHaveLength(3);
    const video = await Promise.all(Array.from({ length: 8 }, () => outcome(credits.reserve(workspace, { lines: VIDEO(20) }))));
    expect(video.filter((one) => one === 'held')).toHaveLength(2);
    const rest = await Promise.all(Array.from({ length: 8 }, () => outcome(credits.reserve(workspace, { credits: 10 }))));
    expect(rest.filter((one) => one === 'held')).toHaveLength(3);
    await expect(credits.reserve(workspace, { credits: 10, user })).rejects.toMatchObject({ detail: expect.stringContaining('"All"') });
  });

  it('hold each member to their own, and the members of a role together', async () => {
    const workspace = await credits.workspace(1_000);
    const [a, b] = [await workspace.member('editor'), await workspace.member('editor')];
    const [role] = await api.sql<{ role_id: string }>("SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = 'editor'", [
      workspace.tenant_id,
    ]);
    await each(workspace, { bud_scope: 'each_user', bud_credits: 5 });
    await each(workspace, { bud_scope: 'role', bud_target: role?.role_id, bud_credits: 8, bud_period: 'week' });
    await credits.charge(workspace, { units: 5, user: a.user_id });
    expect(await outcome(credits.reserve(workspace, { credits: 1, user: a.user_id }))).toBe('credits_exhausted');
    expect(await outcome(credits.reserve(workspace, { credits: 3, user: b.user_id }))).toBe('held');
    expect(await outcome(credits.reserve(workspace, { credits: 1, user: b.user_id }))).toBe('credits_exhausted');
    expect(await outcome(credits.reserve(workspace, { credits: 4, user: workspace.owner.user_id }))).toBe('held');
  });
});
