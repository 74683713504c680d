import { UsageRollup, UsageReporting } from '@atrium/governance';
import { newId } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { OPERATOR_TOKENS, operatorOf } from '../support/operating';
import { startAtrium, startWorker } from '../support/api';
import { addEntries } from '../support/usage';
import { Crediting } from './crediting';

interface Told {
  readonly usage_timestamp: readonly [string, string];
  readonly total: { readonly usage_entries: number; readonly usage_consumed_credits: number };
  readonly by_param: readonly {
    readonly usage_param: string;
    readonly unit: string;
    readonly usage_entries: number;
    readonly usage_consumed_units: number;
    readonly usage_consumed_credits: number;
  }[];
}

let api: RunningApi;
let credits: Crediting;

beforeAll(async () => {
  api = await startAtrium({ OPERATOR_TOKENS });
  credits = new Crediting(api);
});
afterAll(() => api.close());

const wanting = async (usage_events: boolean | null, workspace: TestWorkspace): Promise<void> =>
  void (await workspace.owner.client.patch('/admin/settings', { ws_options: { usage_events } }).expect(200));
const told = (workspace: TestWorkspace): Promise<Told[]> => credits.told<Told>(workspace, 'usage.recorded');
/** The minute has passed: what was charged is rolled up, then reported. */
async function minute(): Promise<void> {
  await api.app.get(UsageRollup).rollUpUsage();
  await api.app.get(UsageReporting).reportAll(new AbortController().signal);
}
const sum = (events: readonly Told[], pick: (event: Told) => number): number => events.reduce((all, event) => all + pick(event), 0);

describe('usage.recorded', () => {
  it('reports to a workspace that asked for it what was charged, by parameter, each entry once, and no other workspace anything', async () => {
    const [ours, theirs] = [await credits.workspace(100), await credits.workspace(100)];
    await wanting(true, ours);
    const at = new Date(Date.now() - 3 * 60_000);
    for (const workspace of [ours, theirs]) {
      await credits.charge(workspace, { param: 'studio_video', units: '1.5', at }, { param: 'ai.tool_calls', units: 2 });
      await credits.charge(workspace, { param: 'studio_video', units: 2 });
    }
    await minute();
    await minute();
    const events = await told(ours);
    expect(sum(events, ({ total }) => total.usage_entries)).toBe(3);
    expect(sum(events, ({ total }) => total.usage_consumed_credits)).toBe(3.5);
    const video = events.flatMap(({ by_param }) => by_param.filter(({ usage_param }) => usage_param === 'studio_video'));
    expect(video.reduce((all, { usage_consumed_units }) => all + usage_consumed_units, 0)).toBe(3.5);
    expect(events[0]).toEqual({
      usage_timestamp: [expect.any(String), expect.any(String)],
      total: { usage_entries: expect.any(Number), usage_consumed_credits: expect.any(Number) },
      by_param: expect.arrayContaining([
        {
          usage_param: 'studio_video',
          unit: 'second',
          usage_entries: expect.any(Number),
          usage_consumed_units: expect.any(Number),
          usage_consumed_credits: expect.any(Number),
        },
      ]),
    });
    expect(events.map(({ usage_timestamp: [from] }) => Date.parse(from)).sort()[0]).toBe(at.getTime());
    expect(await told(theirs)).toEqual([]);
    const [event] = await api.sql<{ ev_subject: string; ev_actor: { kind: string } }>(
      `SELECT ev_subject, ev_actor FROM outbox WHERE tenant_id = $1 AND ev_name = 'usage.recorded'`,
      [ours.tenant_id],
    );
    expect(event).toMatchObject({ ev_subject: ours.tenant_id, ev_actor: { kind: 'system' } });
  });

  it('counts what comes again once, and what is taken back against it', async () => {
    const workspace = await credits.workspace(100);
    await wanting(true, workspace);
    const source = newId();
    const [usage_id] = await credits.charge(workspace, { units: 4, source });
    await credits.charge(workspace, { units: 4, source });
    await operatorOf(api).post(`/workspaces/${workspace.tenant_id}/usage/${usage_id}/reverse`, { note: 'a mistake' }).expect(200);
    await minute();
    const events = await told(workspace);
    const [entries] = await api.sql<{ entries: number; credits: number }>(
      'SELECT count(*)::int AS entries, sum(usage_consumed_credits)::float8 AS credits FROM usage_entry WHERE tenant_id = $1',
      [workspace.tenant_id],
    );
    expect(entries?.entries).toBe(2);
    expect({
      entries: sum(events, ({ total }) => total.usage_entries),
      credits: sum(events, ({ total }) => total.usage_consumed_credits),
    }).toEqual(entries);
  });

  it('says nothing of what was used before it was turned on or after it was turned off, and nothing while a workspace is suspended', async () => {
    const workspace = await api.workspace();
    const uses = (): Promise<void> => addEntries(api, workspace.tenant_id, [{ at: new Date().toISOString() }]);
    await uses();
    await minute();
    await wanting(true, workspace);
    await uses();
    await api.app.get(UsageRollup).rollUpUsage();
    await api.sql(`UPDATE workspace SET ws_status = 'suspended' WHERE tenant_id = $1`, [workspace.tenant_id]);
    await minute();
    expect(await told(workspace)).toEqual([]);
    await api.sql(`UPDATE workspace SET ws_status = 'active' WHERE tenant_id = $1`, [workspace.tenant_id]);
    await minute();
    expect(sum(await told(workspace), ({ total }) => total.usage_entries)).toBe(1);
    await uses();
    await api.app.get(UsageRollup).rollUpUsage();
    await wanting(null, workspace);
    await minute();
    await uses();
    await minute();
    expect(sum(await told(workspace), ({ total }) => total.usage_entries)).toBe(1);
    expect(await api.sql('SELECT FROM usage_unreported WHERE tenant_id = $1', [workspace.tenant_id])).toEqual([]);
  });

  it('loses and doubles nothing while charges come in and several processes roll and tell at once', async () => {
    const workspace = await credits.workspace();
    await wanting(true, workspace);
    let over = false;
    const keepers = Array.from({ length: 3 }, async () => {
      while (!over) await minute();
    });
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 25; i++)
          await credits.charge(workspace, { param: 'ai.tool_calls', units: 1 }, { param: 'workflow.steps', units: 3 });
      }),
    );
    over = true;
    await Promise.all(keepers);
    const left = (): Promise<object[]> =>
      api.sql(
        'SELECT tenant_id FROM usage_delta WHERE tenant_id = $1 UNION ALL SELECT tenant_id FROM usage_unreported WHERE tenant_id = $1',
        [workspace.tenant_id],
      );
    expect(
      await eventually(
        () => minute().then(left),
        (rows) => rows.length === 0,
        30_000,
      ),
    ).toEqual([]);
    const events = await told(workspace);
    expect(sum(events, ({ total }) => total.usage_entries)).toBe(200);
    expect(sum(events, ({ by_param }) => by_param.reduce((all, { usage_consumed_units }) => all + usage_consumed_units, 0))).toBe(
      4 * 25 * 4,
    );
  });

  it('is reported by workers without a request', async () => {
    const workspace = await credits.workspace();
    await wanting(true, workspace);
    const worker = await startWorker(api);
    await addEntries(api, workspace.tenant_id, [{ at: new Date().toISOString() }]);
    const events = await eventually(
      () =>
        worker
          .get(ScheduleHost)
          .runNow('governance.usage-events')
          .then(() => told(workspace)),
      (found) => found.length > 0,
      30_000,
    );
    expect(sum(events, ({ total }) => total.usage_entries)).toBe(1);
  });

  it('is an option that only who may change settings turns on, and only yes or no', async () => {
    const workspace = await api.workspace();
    const editor = await workspace.member('editor');
    expect((await editor.client.patch('/admin/settings', { ws_options: { usage_events: true } }).expect(403)).body).toMatchObject({
      code: 'permission_denied',
    });
    await workspace.owner.client.patch('/admin/settings', { ws_options: { usage_events: 'yes' } }).expect(400);
    const { body } = await workspace.owner.client.get('/admin/settings/options').expect(200);
    expect(body.data).toContainEqual(expect.objectContaining({ key: 'usage_events', value: false, default: false }));
  });
});
