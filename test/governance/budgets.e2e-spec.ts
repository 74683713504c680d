import { DAY, newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { operatorOf, order } from '../support/operating';
import { sharedAtrium } from '../support/shared-atrium';
import { Crediting } from './crediting';

let api: RunningApi;
let credits: Crediting;

beforeAll(async () => {
  api = await sharedAtrium();
  credits = new Crediting(api);
});
afterAll(() => api.close());

interface Budget {
  readonly bud_id: string;
  readonly bud_name: string;
  readonly bud_spent: number;
  readonly bud_remaining: number;
  readonly [field: string]: unknown;
}

const BODY = { bud_name: 'Monthly', bud_scope: 'workspace', bud_period: 'month', bud_credits: 100, bud_action: 'warn' };
const create = async (client: Client, more: object = {}): Promise<Budget> =>
  (await client.post('/admin/budgets', { ...BODY, ...more }).expect(201)).body as Budget;
const read = async (client: Client, { bud_id }: Budget): Promise<Budget> =>
  (await client.get(`/admin/budgets/${bud_id}`).expect(200)).body as Budget;
const thresholds = async (workspace: TestWorkspace): Promise<[number, string | null][]> =>
  (await credits.told<{ threshold: number; subject: string | null }>(workspace, 'budget.threshold'))
    .map(({ threshold, subject }) => [threshold, subject] as [number, string | null])
    .sort(([a], [b]) => a - b);
const roleOf = async ({ tenant_id }: TestWorkspace, key: string): Promise<string> =>
  (await api.sql<{ role_id: string }>('SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = $2', [tenant_id, key]))[0]!.role_id;

describe('a budget', () => {
  it('is made with its period, answered with location and version, and read the same', async () => {
    const { body } = await operatorOf(api)
      .post('/workspaces', order({ ws_timezone: 'America/New_York' }))
      .expect(201);
    const workspace = await credits.workspace();
    await api.sql("UPDATE workspace SET ws_timezone = 'America/New_York' WHERE tenant_id = $1", [workspace.tenant_id]);
    expect(body.ws_timezone).toBe('America/New_York');
    const { client } = workspace.owner;
    const answer = await client.post('/admin/budgets', { ...BODY, bud_name: '  All of us ', bud_credits: 100.5 }).expect(201);
    expect(answer.body).toEqual({
      bud_id: expect.any(String),
      bud_name: 'All of us',
      bud_scope: 'workspace',
      bud_target: null,
      bud_period: 'month',
      bud_timezone: 'America/New_York',
      bud_credits: 100.5,
      bud_action: 'warn',
      bud_thresholds: [80, 100],
      bud_active: true,
      bud_spent: 0,
      bud_remaining: 100.5,
      bud_period_from: expect.any(String),
      bud_period_to: expect.any(String),
      bud_created: expect.any(String),
      bud_updated: expect.any(String),
      bud_created_by: workspace.owner.user_id,
    });
    const [month] = await api.sql<{ at: string }>(
      "SELECT to_char(date_trunc('month', now() AT TIME ZONE 'America/New_York') AT TIME ZONE 'America/New_York' AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') AS at",
    );
    expect(answer.body.bud_period_from).toBe(month?.at);
    expect(answer.headers).toMatchObject({ etag: '"1"', location: `/api/v1/admin/budgets/${answer.body.bud_id}` });
    expect((await client.get(`/admin/budgets/${answer.body.bud_id}`).expect(200)).body).toEqual(answer.body);
    expect(
      await api.sql(
        "SELECT aud_target_name, aud_after ->> 'bud_credits' AS amount FROM audit_event WHERE tenant_id = $1 AND aud_type = 'budget.created'",
        [workspace.tenant_id],
      ),
    ).toEqual([{ aud_target_name: 'All of us', amount: '100.5' }]);
    expect(await create(client, { bud_period: 'total' })).toMatchObject({ bud_period_from: null, bud_period_to: null });
  });

  it('[governance 14] made in the middle of its period shows what was really spent of it so far, whatever it binds', async () => {
    const workspace = await credits.workspace(1_000);
    const [a, b] = [await workspace.member('editor'), await workspace.member('viewer')];
    const [agent, prompt, key] = [newId(), newId(), a.key_id];
    await credits.charge(
      workspace,
      { units: 7, user: a.user_id, agent, key },
      { units: 5, user: b.user_id, prompt },
      { units: 3, user: null },
      { units: 400, param: 'media.face_images', user: a.user_id },
    );
    await credits.charge(workspace, { units: 11, user: a.user_id, at: new Date(Date.now() - 34 * DAY) });
    await api.sql('SELECT usage_roll(2)');
    const { client } = workspace.owner;
    const spent = async (more: object): Promise<number> => (await create(client, { bud_period: 'day', ...more })).bud_spent;
    expect(await spent({})).toBe(17);
    expect(await spent({ bud_period: 'total' })).toBe(28);
    expect(await spent({ bud_scope: 'user', bud_target: a.user_id })).toBe(9);
    expect(await spent({ bud_scope: 'role', bud_target: await roleOf(workspace, 'editor') })).toBe(9);
    expect(await spent({ bud_scope: 'role', bud_target: await roleOf(workspace, 'owner') })).toBe(0);
    expect(await spent({ bud_scope: 'param', bud_target: 'media.face_images' })).toBe(2);
    expect(await spent({ bud_scope: 'key', bud_target: key })).toBe(7);
    expect(await spent({ bud_scope: 'key', bud_target: key, bud_period: 'total' })).toBe(7);
    const each = await create(client, { bud_scope: 'each_user', bud_period: 'day' });
    expect(each.bud_spent).toBe(0);
    const of = async (user_id: string): Promise<number[]> =>
      (await client.get(`/admin/budgets?bud_scope=each_user&bud_target=${user_id}`).expect(200)).body.data.map(
        ({ bud_spent }: Budget) => bud_spent,
      );
    expect([await of(a.user_id), await of(b.user_id)]).toEqual([[9], [5]]);
    await credits.charge(workspace, { units: 1, user: a.user_id });
    expect([await of(a.user_id), await of(b.user_id)]).toEqual([[10], [5]]);
  });

  it('[governance 13] of each member reports its thresholds once and limits only the member who spent it', async () => {
    const workspace = await credits.workspace(1_000);
    const [a, b] = [await workspace.member('editor'), await workspace.member('editor')];
    const budget = await create(workspace.owner.client, {
      bud_name: 'Five a day',
      bud_scope: 'each_user',
      bud_period: 'day',
      bud_credits: 5,
      bud_action: 'block',
    });
    for (let credit = 1; credit <= 5; credit++) {
      const { hold_id } = await credits.reserve(workspace, { credits: 1, user: a.user_id });
      await credits.charge(workspace, { units: 1, user: a.user_id, hold: hold_id });
      expect(await thresholds(workspace)).toEqual([...(credit >= 4 ? [[80, a.user_id]] : []), ...(credit >= 5 ? [[100, a.user_id]] : [])]);
    }
    await expect(credits.reserve(workspace, { credits: 1, user: a.user_id })).rejects.toMatchObject({
      status: 402,
      code: 'credits_exhausted',
      detail: 'The budget "Five a day" does not have enough credits: 1 are needed, 0 remain.',
    });
    await credits.reserve(workspace, { credits: 5, user: b.user_id });
    await credits.charge(workspace, { units: 2, user: a.user_id });
    expect(await thresholds(workspace)).toHaveLength(2);
    const { body } = await workspace.owner.client.get(`/admin/budgets/${budget.bud_id}/spend`).expect(200);
    expect(body).toEqual({ data: [{ subject: a.user_id, bud_spent: 7, bud_remaining: -2 }], has_more: false, next_cursor: null });
  });

  it('below what is already spent is passed at once and reports every threshold once', async () => {
    const workspace = await credits.workspace(1_000);
    await credits.charge(workspace, { units: 20 });
    const budget = await create(workspace.owner.client, { bud_credits: 10, bud_action: 'block', bud_thresholds: [100, 50, 100] });
    expect(budget).toMatchObject({ bud_spent: 20, bud_remaining: -10, bud_thresholds: [50, 100] });
    expect(await thresholds(workspace)).toEqual([
      [50, null],
      [100, null],
    ]);
    await credits.charge(workspace, { units: 1 });
    expect(await thresholds(workspace)).toHaveLength(2);
    await expect(credits.reserve(workspace, { credits: 0.000001 })).rejects.toMatchObject({ code: 'credits_exhausted' });
  });

  it('counts late work in the period it belongs to, and takes back what is taken back', async () => {
    const workspace = await credits.workspace(1_000);
    const { client } = workspace.owner;
    const budget = await create(client, { bud_period: 'day', bud_timezone: 'UTC' });
    const [usage_id] = await credits.charge(workspace, { units: 4 });
    await credits.charge(workspace, { units: 9, at: new Date(Date.now() - 2 * DAY) });
    expect((await read(client, budget)).bud_spent).toBe(4);
    await operatorOf(api).post(`/workspaces/${workspace.tenant_id}/usage/${usage_id}/reverse`).expect(200);
    expect((await read(client, budget)).bud_spent).toBe(0);
  });

  it('of a role lists its members, who share what remains', async () => {
    const workspace = await credits.workspace(1_000);
    const members = await Promise.all([1, 2, 3].map(() => workspace.member('editor')));
    const role = await create(workspace.owner.client, {
      bud_scope: 'role',
      bud_target: await roleOf(workspace, 'editor'),
      bud_credits: 10,
    });
    await credits.charge(workspace, ...members.map(({ user_id }, i) => ({ units: i + 1, user: user_id })), {
      units: 50,
      user: workspace.owner.user_id,
    });
    const seen: { subject: string; bud_spent: number; bud_remaining: number }[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: { data: typeof seen; next_cursor: string | null } } = await workspace.owner.client
        .get(`/admin/budgets/${role.bud_id}/spend?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
        .expect(200);
      seen.push(...body.data);
      cursor = body.next_cursor;
    }
    expect(seen.map(({ subject, ...rest }) => [subject, rest]).sort()).toEqual(
      members.map(({ user_id }, i) => [user_id, { bud_spent: i + 1, bud_remaining: 4 }]).sort(),
    );
  });
});

describe('changing a budget', () => {
  it('applies the fields present, counts another one again, and honours If-Match', async () => {
    const workspace = await credits.workspace(1_000);
    const { client, user_id } = workspace.owner;
    await credits.charge(workspace, { units: 8, user: user_id }, { units: 2, user: null });
    const budget = await create(client, { bud_credits: 10 });
    const path = `/admin/budgets/${budget.bud_id}`;
    const renamed = await client.with({ 'If-Match': '"1"' }).patch(path, { bud_name: 'Renamed', bud_credits: 40 }).expect(200);
    expect(renamed.body).toMatchObject({ bud_name: 'Renamed', bud_spent: 10, bud_remaining: 30, bud_scope: 'workspace' });
    expect(renamed.headers.etag).toBe('"2"');
    expect((await client.with({ 'If-Match': '"1"' }).patch(path, { bud_name: 'x' }).expect(412)).body.code).toBe('precondition_failed');
    await client.with({ 'If-Match': '"1"' }).delete(path).expect(412);
    expect((await client.patch(path, { bud_scope: 'user', bud_target: user_id.toUpperCase() }).expect(200)).body).toMatchObject({
      bud_target: user_id,
      bud_spent: 8,
    });
    expect((await client.patch(path, { bud_scope: 'each_user' }).expect(400)).body.errors).toMatchObject([{ path: 'bud_target' }]);
    expect((await client.patch(path, { bud_scope: 'each_user', bud_target: null }).expect(200)).body).toMatchObject({
      bud_target: null,
      bud_spent: 8,
    });
    await client.delete(path).expect(204);
    await client.get(path).expect(404);
    const types = await api.sql<{ aud_type: string }>(
      'SELECT aud_type FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 ORDER BY aud_id',
      [workspace.tenant_id, budget.bud_id],
    );
    expect(types.map(({ aud_type }) => aud_type)).toEqual([
      'budget.created',
      'budget.updated',
      'budget.updated',
      'budget.updated',
      'budget.deleted',
    ]);
  });

  it('lets an inactive one bind nobody, and an active one again with all that was spent in the meantime', async () => {
    const workspace = await credits.workspace(1_000);
    const { client } = workspace.owner;
    const budget = await create(client, { bud_credits: 10, bud_action: 'block', bud_active: false });
    await credits.charge(workspace, { units: 12 });
    expect(await thresholds(workspace)).toEqual([]);
    await credits.reserve(workspace, { credits: 1 });
    expect((await client.patch(`/admin/budgets/${budget.bud_id}`, { bud_active: true }).expect(200)).body).toMatchObject({
      bud_spent: 12,
      bud_remaining: -2,
    });
    expect(await thresholds(workspace)).toEqual([
      [80, null],
      [100, null],
    ]);
    await expect(credits.reserve(workspace, { credits: 1 })).rejects.toMatchObject({ code: 'credits_exhausted' });
  });

  it('while others charge loses nothing of what they spend', async () => {
    const workspace = await credits.workspace(10_000);
    const { client } = workspace.owner;
    const budget = await create(client, { bud_period: 'day', bud_timezone: 'UTC' });
    const work = Promise.all(Array.from({ length: 30 }, () => credits.charge(workspace, { units: 1 })));
    for (const zone of ['Asia/Kathmandu', 'UTC', 'Pacific/Chatham', 'UTC'])
      await client.patch(`/admin/budgets/${budget.bud_id}`, { bud_timezone: zone }).expect(200);
    await work;
    expect((await read(client, budget)).bud_spent).toBe(30);
  });
});

describe('budgets', () => {
  it('are one for each scope, target and period, also when asked for at once', async () => {
    const { owner } = await credits.workspace();
    const answers = await Promise.all(Array.from({ length: 4 }, () => owner.client.post('/admin/budgets', BODY)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('already_exists');
    const daily = await create(owner.client, { bud_period: 'day' });
    expect((await owner.client.patch(`/admin/budgets/${daily.bud_id}`, { bud_period: 'month' }).expect(409)).body.code).toBe(
      'already_exists',
    );
  });

  it('are at most 500', async () => {
    const workspace = await credits.workspace();
    await api.sql(
      `INSERT INTO budget (tenant_id, bud_id, bud_name, bud_scope, bud_target, bud_period, bud_timezone, bud_credits, bud_action) SELECT $1, gen_random_uuid(), 'b', 'user', gen_random_uuid(), 'day', 'UTC', 1, 'warn' FROM generate_series(1, 500)`,
      [workspace.tenant_id],
    );
    expect((await workspace.owner.client.post('/admin/budgets', BODY).expect(409)).body.code).toBe('limit_reached');
  });

  it('are listed with filters, orders and cursors', async () => {
    const workspace = await credits.workspace();
    const { client, user_id } = workspace.owner;
    await create(client, { bud_name: 'Zebra' });
    await create(client, { bud_name: 'apple', bud_scope: 'user', bud_target: user_id, bud_action: 'block' });
    await create(client, { bud_name: 'Mango', bud_period: 'day', bud_active: false });
    const names = async (query: string): Promise<string[]> =>
      (await client.get(`/admin/budgets?${query}`).expect(200)).body.data.map(({ bud_name }: Budget) => bud_name);
    expect(await names('')).toEqual(['Mango', 'apple', 'Zebra']);
    expect(await names('sort=bud_name')).toEqual(['apple', 'Mango', 'Zebra']);
    expect(await names('bud_scope=user')).toEqual(['apple']);
    expect(await names(`bud_target=${user_id}`)).toEqual(['apple']);
    expect(await names('bud_active=false')).toEqual(['Mango']);
    expect(await names('bud_action=block')).toEqual(['apple']);
    expect(await names(`bud_scope=each_user&bud_target=nobody`)).toEqual([]);
    const first = (await client.get('/admin/budgets?limit=2&sort=bud_name').expect(200)).body;
    expect((await client.get(`/admin/budgets?limit=2&sort=bud_name&cursor=${first.next_cursor}`).expect(200)).body).toMatchObject({
      data: [{ bud_name: 'Zebra' }],
      has_more: false,
    });
    expect((await client.get('/admin/budgets?bud_scope=planet').expect(400)).body.errors).toMatchObject([{ path: 'bud_scope' }]);
  });

  it('are refused in a form that cannot be, or for what the workspace does not have', async () => {
    const ours = await credits.workspace();
    const theirs = await credits.workspace();
    const wrong: [string, object][] = [
      ['bud_name', { bud_name: ' ' }],
      ['bud_credits', { bud_credits: 0.1234567 }],
      ['bud_timezone', { bud_timezone: 'Mars/Base' }],
      ['bud_timezone', { bud_timezone: 'FOO+3' }],
      ['bud_timezone', { bud_timezone: 'posix/UTC' }],
      ['bud_thresholds', { bud_thresholds: [0] }],
      ['bud_target', { bud_target: newId() }],
      ['bud_target', { bud_scope: 'user' }],
      ['bud_target', { bud_scope: 'user', bud_target: 'ada' }],
      ['bud_target', { bud_scope: 'user', bud_target: newId() }],
      ['bud_target', { bud_scope: 'user', bud_target: theirs.owner.user_id }],
      ['bud_target', { bud_scope: 'role', bud_target: await roleOf(theirs, 'editor') }],
      ['bud_target', { bud_scope: 'key', bud_target: theirs.owner.key_id }],
      ['bud_target', { bud_scope: 'agent', bud_target: newId() }],
      ['bud_target', { bud_scope: 'prompt', bud_target: newId() }],
      ['bud_target', { bud_scope: 'extension', bud_target: newId() }],
      ['bud_target', { bud_scope: 'param', bud_target: 'gold' }],
    ];
    for (const [path, more] of wrong) {
      const { status, body } = await ours.owner.client.post('/admin/budgets', { ...BODY, ...more });
      expect([more, status, body.errors?.[0]?.path]).toEqual([more, 400, path]);
    }
  });

  it('are for administrators of usage, and do not exist in another workspace', async () => {
    const ours = await credits.workspace();
    const theirs = await credits.workspace();
    const budget = await create(ours.owner.client);
    const path = `/admin/budgets/${budget.bud_id}`;
    const viewer = await ours.member('viewer');
    const calls = (client: Client) => [
      client.get('/admin/budgets'),
      client.post('/admin/budgets', BODY),
      client.get(path),
      client.patch(path, { bud_name: 'x' }),
      client.delete(path),
      client.get(`${path}/spend`),
    ];
    for (const call of calls(viewer.client))
      expect((await call.expect(403)).body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('admin:usage') });
    for (const call of [
      theirs.owner.client.get(path),
      theirs.owner.client.patch(path, { bud_name: 'x' }),
      theirs.owner.client.delete(path),
      theirs.owner.client.get(`${path}/spend`),
    ])
      expect((await call.expect(404)).body.code).toBe('not_found');
    expect((await theirs.owner.client.get('/admin/budgets').expect(200)).body.data).toEqual([]);
    await ours.owner.client.get(path).expect(200);
  });
});
