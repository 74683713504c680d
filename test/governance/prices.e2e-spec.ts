import { USAGE_PARAM_NAMES, USAGE_PARAMS } from '@atrium/governance';
import { HOUR, newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { operatorOf } from '../support/operating';
import { sharedAtrium } from '../support/shared-atrium';
import { Crediting } from './crediting';

let api: RunningApi;
let credits: Crediting;

beforeAll(async () => {
  api = await sharedAtrium();
  credits = new Crediting(api);
});
afterAll(() => api.close());

interface Price {
  readonly cost_id: string;
  readonly cost_param: string;
  readonly cost_details: string | null;
  readonly cost_credits_per_unit: number;
  readonly cost_valid_from: string;
  readonly cost_valid_to: string | null;
  readonly cost_workspace: boolean;
}

const setList = async (body: object): Promise<Price> => (await operatorOf(api).post('/costs', body).expect(201)).body as Price;
const agree = async ({ tenant_id }: TestWorkspace, body: object): Promise<Price> =>
  (await operatorOf(api).post(`/workspaces/${tenant_id}/costs`, body).expect(201)).body as Price;
const prices = async ({ owner }: TestWorkspace, query: string): Promise<Price[]> =>
  (await owner.client.get(`/admin/usage/costs?limit=1000&${query}`).expect(200)).body.data as Price[];
const charged = ({ tenant_id }: TestWorkspace): Promise<{ cost: string; credits: number }[]> =>
  api.sql(
    'SELECT usage_cost_id AS cost, usage_consumed_credits::float AS credits FROM usage_entry WHERE tenant_id = $1 ORDER BY usage_id',
    [tenant_id],
  );

describe('the catalog of what is measured', () => {
  it('has a unit, a sentence and a list price for everything, and nothing has a price that is not in it', async () => {
    const workspace = await credits.workspace();
    const { body } = await workspace.owner.client.get('/usage/params').expect(200);
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    expect(body.data.map(({ usage_param, unit, description }: Record<string, string>) => ({ usage_param, unit, description }))).toEqual(
      USAGE_PARAM_NAMES.map((usage_param) => ({
        usage_param,
        unit: USAGE_PARAMS[usage_param].unit,
        description: USAGE_PARAMS[usage_param].about,
      })),
    );
    const seeded = await api.sql<{ cost_param: string; price: string }>(
      "SELECT cost_param, trim_scale(cost_credits_per_unit)::text AS price FROM platform_cost WHERE cost_note = 'List price'",
    );
    expect(Object.fromEntries(seeded.map(({ cost_param, price }) => [cost_param, price]))).toEqual(
      Object.fromEntries(USAGE_PARAM_NAMES.map((name) => [name, USAGE_PARAMS[name].price])),
    );
    const viewer = await workspace.member('viewer');
    expect((await viewer.client.get('/usage/params').expect(200)).body.data).toHaveLength(USAGE_PARAM_NAMES.length);
  });
});

describe('a price', () => {
  it('[governance 12] changed by the operator holds for what comes: entries before keep theirs and what they cost', async () => {
    const workspace = await credits.workspace(1_000);
    await credits.charge(workspace, { param: 'voice.seconds', units: 100 });
    const next = await setList({ cost_param: 'voice.seconds', cost_credits_per_unit: 0.02, cost_note: 'New contract' });
    await credits.charge(workspace, { param: 'voice.seconds', units: 100 });
    const [before, after] = await charged(workspace);
    expect(before?.credits).toBe(1);
    expect(after).toEqual({ cost: next.cost_id, credits: 2 });
    expect(before?.cost).not.toBe(after?.cost);
    const versions = await prices(workspace, 'cost_param=voice.seconds');
    expect(versions.map(({ cost_id, cost_credits_per_unit, cost_valid_to }) => [cost_id, cost_credits_per_unit, cost_valid_to])).toEqual([
      [next.cost_id, 0.02, null],
      [before?.cost, 0.01, next.cost_valid_from],
    ]);
    expect(await credits.available(workspace)).toBe(997);
  });

  it('that changes while work runs is the one of its beginning, when credits were set aside for it', async () => {
    const workspace = await credits.workspace(1_000);
    const { hold_id } = await credits.reserve(workspace, { lines: [{ param: 'studio_image', units: 10 }] });
    await setList({ cost_param: 'studio_image', cost_credits_per_unit: 0.75 });
    await credits.charge(workspace, { param: 'studio_image', units: 10, hold: hold_id }, { param: 'studio_image', units: 10 });
    await credits.charge(workspace, { param: 'studio_image', units: 10, hold: hold_id });
    expect((await charged(workspace)).map((entry) => entry.credits)).toEqual([5, 7.5, 5]);
  });

  it('is the most particular one: agreed with the workspace before the list, for the variant before all', async () => {
    const workspace = await credits.workspace(1_000);
    const other = await credits.workspace(1_000);
    const unit = async (ws: TestWorkspace, details: string): Promise<number> => {
      await credits.charge(ws, { param: 'render', details, units: 1 });
      return (await charged(ws)).at(-1)!.credits;
    };
    expect(await unit(workspace, 'png@2x')).toBe(0);
    await setList({ cost_param: 'render', cost_details: 'png@2x', cost_credits_per_unit: 4 });
    expect([await unit(workspace, 'png@2x'), await unit(workspace, 'png')]).toEqual([4, 0]);
    await agree(workspace, { cost_param: 'render', cost_credits_per_unit: 3 });
    expect([await unit(workspace, 'png@2x'), await unit(workspace, 'png'), await unit(workspace, '')]).toEqual([3, 3, 3]);
    const agreed = await agree(workspace, { cost_param: 'render', cost_details: 'png@2x', cost_credits_per_unit: 0.00000001 });
    expect(agreed).toMatchObject({ cost_workspace: true, cost_credits_per_unit: 1e-8 });
    await agree(workspace, { cost_param: 'render', cost_details: 'pptx', cost_credits_per_unit: 2 });
    expect([await unit(workspace, 'png@2x'), await unit(workspace, 'pptx'), await unit(other, 'png@2x'), await unit(other, 'png')]).toEqual(
      [0, 2, 4, 0],
    );
    expect((await prices(workspace, 'cost_param=render')).filter(({ cost_workspace }) => cost_workspace)).toHaveLength(3);
    expect((await prices(other, 'cost_param=render')).filter(({ cost_workspace }) => cost_workspace)).toEqual([]);
    expect(await prices(workspace, 'cost_param=render&cost_details=pptx')).toMatchObject([{ cost_credits_per_unit: 2 }]);
    const { body } = await workspace.owner.client.get('/usage/params').expect(200);
    expect(
      body.data
        .find(({ usage_param }: { usage_param: string }) => usage_param === 'render')
        .cost.map(({ cost_details, cost_workspace }: Price) => [cost_details, cost_workspace]),
    ).toEqual([
      ['png@2x', true],
      ['pptx', true],
      [null, true],
      ['png@2x', false],
      [null, false],
    ]);
  });

  it('planned for later does not apply yet, and remains until its time; two of one moment are refused', async () => {
    const workspace = await credits.workspace(1_000);
    const later = new Date(Date.now() + HOUR).toISOString();
    const planned = await setList({ cost_param: 'social.posts', cost_credits_per_unit: 1, cost_valid_from: later });
    expect(planned).toMatchObject({ cost_valid_from: later, cost_valid_to: null, cost_workspace: false });
    await credits.charge(workspace, { param: 'social.posts', units: 1 });
    expect((await charged(workspace)).map((entry) => entry.credits)).toEqual([0]);
    expect((await operatorOf(api).post('/costs', { cost_param: 'social.posts', cost_credits_per_unit: 2 }).expect(409)).body.code).toBe(
      'invalid_state',
    );
    expect(await prices(workspace, `cost_param=social.posts&at=${new Date().toISOString()}`)).toMatchObject([{ cost_credits_per_unit: 0 }]);
    expect(await prices(workspace, `cost_param=social.posts&at=${new Date(Date.now() + 2 * HOUR).toISOString()}`)).toMatchObject([
      { cost_credits_per_unit: 1 },
    ]);
  });

  it('set many times at once leaves versions that never overlap', async () => {
    const workspace = await credits.workspace(1_000);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => operatorOf(api).post('/costs', { cost_param: 'site.cms_pages', cost_credits_per_unit: i })),
    );
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    const versions = await prices(workspace, 'cost_param=site.cms_pages');
    versions.forEach(({ cost_valid_to }, i) => expect(cost_valid_to).toBe(i === 0 ? null : versions[i - 1]!.cost_valid_from));
  });

  it('is refused in a form that cannot be, and for a workspace that there is not', async () => {
    const workspace = await credits.workspace();
    const good = { cost_param: 'render', cost_credits_per_unit: 1 };
    const wrong = [
      { cost_param: 'gold' },
      { cost_credits_per_unit: -1 },
      { cost_credits_per_unit: 0.123456789 },
      { cost_details: 'a b' },
      { cost_details: '%' },
      { cost_valid_from: 'yesterday' },
      { cost_valid_from: new Date(Date.now() - HOUR).toISOString() },
      { cost_workspace: true },
      { cost_valid_to: new Date().toISOString() },
    ];
    for (const more of wrong) {
      expect([more, (await operatorOf(api).post('/costs', { ...good, ...more })).status]).toEqual([more, 400]);
      expect([more, (await operatorOf(api).post(`/workspaces/${workspace.tenant_id}/costs`, { ...good, ...more })).status]).toEqual([
        more,
        400,
      ]);
    }
    await operatorOf(api).post(`/workspaces/${newId()}/costs`, good).expect(404);
    for (const query of ['cost_param=gold', 'at=soon', 'cost_workspace=true'])
      await workspace.owner.client.get(`/admin/usage/costs?${query}`).expect(400);
    expect((await workspace.owner.client.get('/admin/usage/costs?cost_details=%25').expect(400)).body.code).toBe('validation_failed');
  });

  it('of the list is shown to operators in all its versions', async () => {
    const listed = (await operatorOf(api).get('/costs?cost_param=ai.tool_calls').expect(200)).body;
    expect(listed).toEqual({
      data: [expect.objectContaining({ cost_param: 'ai.tool_calls', cost_credits_per_unit: 0, cost_workspace: false })],
      has_more: false,
      next_cursor: null,
    });
    expect((await operatorOf(api).get('/costs').expect(200)).body.data.length).toBeGreaterThanOrEqual(USAGE_PARAM_NAMES.length);
    await operatorOf(api).get('/costs?cost_param=gold').expect(400);
  });
});

describe('the list prices of the installation', () => {
  it('are read by operators page by page, latest first', async () => {
    const made: string[] = [];
    for (const day of [3_000, 3_001, 3_002])
      made.push(
        (
          await setList({
            cost_param: 'render',
            cost_details: 'paged',
            cost_credits_per_unit: 1,
            cost_valid_from: new Date(Date.now() + day * 24 * HOUR),
          })
        ).cost_id,
      );
    const page = async (query: string): Promise<{ data: Price[]; has_more: boolean; next_cursor: string | null }> =>
      (await operatorOf(api).get(`/costs?cost_param=render&cost_details=paged${query}`).expect(200)).body;
    const ids = async (query: string): Promise<string[]> => (await page(query)).data.map(({ cost_id }) => cost_id);
    const first = await page('&limit=2');
    expect(first).toMatchObject({ data: [{ cost_id: made[2] }, { cost_id: made[1] }], has_more: true });
    expect(await ids(`&limit=2&cursor=${first.next_cursor}`)).toEqual([made[0]]);
    expect(await ids('&sort=cost_valid_from')).toEqual(made);
    await operatorOf(api).get('/costs?limit=0').expect(400);
  });
});
