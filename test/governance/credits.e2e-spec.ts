import type { INestApplicationContext } from '@nestjs/common';
import { DAY, newId } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { operatorOf, order } from '../support/operating';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { Crediting, type LedgerRow } from './crediting';

let api: RunningApi;
let worker: INestApplicationContext;
let credits: Crediting;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  credits = new Crediting(api);
});
afterAll(() => api.close());

const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString();
const keepTime = (): Promise<void> => worker.get(ScheduleHost).runNow('governance.credits');

describe('the credits of a workspace', () => {
  it('are none in the beginning: enforced, nothing available, and that is low', async () => {
    const { owner } = await api.workspace();
    const viewer = (await api.workspace()).owner;
    expect((await owner.client.get('/usage/balance').expect(200)).body).toEqual({
      credit_policy: 'enforced',
      credit_available: 0,
      credit_low: true,
    });
    expect((await owner.client.get('/admin/credits').expect(200)).body).toEqual({
      credit_balance: 0,
      credit_held: 0,
      credit_available: 0,
      credit_policy: 'enforced',
      credit_low_percent: 20,
      credit_low: true,
      credit_updated: null,
      grants: [],
      forecast: { runs_out_at: null },
    });
    await viewer.client.get('/usage/balance').expect(200);
  });

  it('begin with what the operator says when the workspace is made', async () => {
    const { body } = await operatorOf(api)
      .post('/workspaces', order({ initial_credits: 250 }))
      .expect(201);
    const rows = await api.sql(
      'SELECT led_kind, led_credits::float AS led_credits, led_balance::float AS led_balance FROM credit_ledger WHERE tenant_id = $1',
      [body.ws_id],
    );
    expect(rows).toEqual([{ led_kind: 'grant', led_credits: 250, led_balance: 250 }]);
    expect((await operatorOf(api).get(`/workspaces/${body.ws_id}`).expect(200)).body.counts).toMatchObject({ balance: 250 });
  });

  it('are shown to administrators of usage alone; to every member only what is left', async () => {
    const workspace = await credits.workspace(10);
    const viewer = await workspace.member('viewer');
    expect((await viewer.client.get('/usage/balance').expect(200)).body).toEqual({
      credit_policy: 'enforced',
      credit_available: 10,
      credit_low: false,
    });
    for (const path of ['/admin/credits', '/admin/credits/grants', '/admin/credits/ledger', '/admin/usage/costs']) {
      expect((await viewer.client.get(path).expect(403)).body).toMatchObject({
        code: 'permission_denied',
        detail: expect.stringContaining('admin:usage'),
      });
    }
    expect((await viewer.client.patch('/admin/credits', { credit_low_percent: 30 }).expect(403)).body.detail).toContain('admin:usage');
  });

  it('are not those of another workspace', async () => {
    const ours = await credits.workspace(10);
    const theirs = await credits.workspace();
    const [grant] = await credits.grants(ours);
    expect(await credits.grants(theirs)).toEqual([]);
    expect(await credits.rows(theirs)).toEqual([]);
    expect(await credits.rows(theirs, `&led_grant=${grant?.grant_id}`)).toEqual([]);
    expect(await credits.available(theirs)).toBe(0);
    await ours.owner.client.with({ 'X-Tenant-Id': theirs.tenant_id }).get('/admin/credits').expect(403);
  });

  it('count as low below a part of the living grants that the workspace chooses, and are reported once until they are not', async () => {
    const workspace = await credits.workspace(100);
    const patched = await workspace.owner.client.patch('/admin/credits', { credit_low_percent: 50 }).expect(200);
    expect(patched.body).toMatchObject({ credit_low_percent: 50, credit_low: false });
    for (const wrong of [0, 100, 1.5, 'many'])
      await workspace.owner.client.patch('/admin/credits', { credit_low_percent: wrong }).expect(400);
    await workspace.owner.client.patch('/admin/credits', { credit_policy: 'metered' }).expect(400);
    await credits.charge(workspace, { units: 50 });
    expect(await credits.told(workspace, 'credits.low')).toEqual([]);
    await credits.charge(workspace, { units: 1 });
    await credits.charge(workspace, { units: 1 });
    expect(await credits.told(workspace, 'credits.low')).toEqual([{ credit_available: 49, credit_balance: 49, credit_low_percent: 50 }]);
    expect(await credits.told(workspace, 'credits.exhausted')).toEqual([]);
    await credits.charge(workspace, { units: 60 });
    expect(await credits.told(workspace, 'credits.exhausted')).toHaveLength(1);
    await credits.grant(workspace, { grant_credits: 1000 });
    expect((await workspace.owner.client.get('/usage/balance').expect(200)).body).toEqual({
      credit_policy: 'enforced',
      credit_available: 988,
      credit_low: false,
    });
    await credits.charge(workspace, { units: 900 });
    expect(await credits.told(workspace, 'credits.low')).toHaveLength(2);
    expect(await credits.told(workspace, 'credits.granted')).toHaveLength(2);
    const audited = await api.sql<{ aud_after: object }>(
      "SELECT aud_before, aud_after FROM audit_event WHERE tenant_id = $1 AND aud_type = 'credits.updated'",
      [workspace.tenant_id],
    );
    expect(audited).toEqual([{ aud_before: { credit_low_percent: 20 }, aud_after: { credit_low_percent: 50 } }]);
    await credits.audit(workspace);
  });
});

describe('grants', () => {
  it('[governance 11] are used in the order of priority, expiry and age, with a row of the ledger each; what is left of one that expires is gone, in one row', async () => {
    const workspace = await credits.workspace();
    const large = await credits.grant(workspace, { grant_credits: 100 });
    const small = await credits.grant(workspace, { grant_credits: 10, grant_priority: 1, grant_expires_at: inDays(1) });
    const third = await credits.grant(workspace, { grant_credits: 7, grant_priority: 90, grant_expires_at: inDays(2) });
    await credits.charge(workspace, { units: 15 });
    const left = async (): Promise<number[]> => {
      const grants = await credits.grants(workspace);
      return [small, large, third].map(({ grant_id }) => grants.find((grant) => grant.grant_id === grant_id)!.grant_remaining);
    };
    expect(await left()).toEqual([0, 95, 7]);
    const charged = await credits.rows(workspace, '&led_kind=charge');
    expect(charged.map(({ led_credits, led_grant }) => [led_credits, led_grant])).toEqual([
      [-5, large.grant_id],
      [-10, small.grant_id],
    ]);
    expect(new Set(charged.map(({ led_usage }) => led_usage)).size).toBe(1);
    await credits.expireGrant(workspace, third.grant_id);
    await Promise.all([keepTime(), keepTime()]);
    expect(await left()).toEqual([0, 95, 0]);
    expect(await credits.rows(workspace, '&led_kind=expire')).toMatchObject([
      { led_credits: -7, led_grant: third.grant_id, led_balance: 95, led_usage: null },
    ]);
    await credits.audit(workspace);
  });

  it('expire and begin also when somebody charges before the clock does', async () => {
    const workspace = await credits.workspace(5);
    const grant = await credits.grant(workspace, { grant_credits: 10, grant_priority: 1, grant_expires_at: inDays(1) });
    const later = await credits.grant(workspace, { grant_credits: 20, grant_starts_at: inDays(3) });
    expect(await credits.available(workspace)).toBe(15);
    await credits.expireGrant(workspace, grant.grant_id);
    await api.sql('UPDATE credit_grant SET grant_starts_at = now(), grant_due = now() WHERE grant_id = $1', [later.grant_id]);
    await credits.charge(workspace, { units: 8 });
    expect((await credits.rows(workspace)).map(({ led_kind, led_credits }) => [led_kind, led_credits])).toEqual([
      ['charge', -3],
      ['charge', -5],
      ['grant', 20],
      ['expire', -10],
      ['grant', 10],
      ['grant', 5],
    ]);
    expect(await credits.available(workspace)).toBe(17);
    await credits.audit(workspace);
  });

  it('are given once for an outside reference, also by many calls at once', async () => {
    const workspace = await credits.workspace();
    const body = { grant_credits: 30, grant_source: 'purchase', grant_external_id: 'invoice-7' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => operatorOf(api).post(`/workspaces/${workspace.tenant_id}/credits`, body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(answers.map((answer) => answer.body.grant_id)).size).toBe(1);
    expect(await credits.available(workspace)).toBe(30);
    expect(await credits.grants(workspace)).toMatchObject([
      {
        grant_credits: 30,
        grant_source: 'purchase',
        grant_external_id: 'invoice-7',
        grant_priority: 50,
        grant_recurs: 'none',
        grant_created_by: 'operator:ops',
      },
    ]);
  });

  it('that recur end with the month of the workspace and begin again, up to their end', async () => {
    const { body } = await operatorOf(api)
      .post('/workspaces', order({ ws_timezone: 'Asia/Kathmandu' }))
      .expect(201);
    const grant = (
      await operatorOf(api)
        .post(`/workspaces/${body.ws_id}/credits`, { grant_credits: 50, grant_recurs: 'monthly', grant_source: 'plan' })
        .expect(201)
    ).body;
    const [month] = await api.sql<{ ends: string }>(
      "SELECT to_char((date_trunc('month', now() AT TIME ZONE 'Asia/Kathmandu') + interval '1 month') AT TIME ZONE 'Asia/Kathmandu' AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') AS ends",
    );
    expect(grant.grant_expires_at).toBe(month?.ends);
    // Three months ago it began; nobody looked since.
    const ago = (stamp: string): string => `(${stamp} AT TIME ZONE 'Asia/Kathmandu' - interval '3 months') AT TIME ZONE 'Asia/Kathmandu'`;
    await api.sql(
      `UPDATE credit_grant SET grant_starts_at = ${ago('grant_starts_at')}, grant_expires_at = ${ago('grant_expires_at')}, grant_due = ${ago('grant_expires_at')} WHERE grant_id = $1`,
      [grant.grant_id],
    );
    await keepTime();
    const kinds = await api.sql<{ led_kind: string }>('SELECT led_kind FROM credit_ledger WHERE tenant_id = $1 ORDER BY led_seq', [
      body.ws_id,
    ]);
    expect(kinds.map(({ led_kind }) => led_kind)).toEqual(['grant', 'expire', 'grant', 'expire', 'grant', 'expire', 'grant']);
    const starts = await api.sql<{ local: string }>(
      "SELECT to_char(grant_starts_at AT TIME ZONE 'Asia/Kathmandu', 'DD HH24:MI') AS local FROM credit_grant WHERE tenant_id = $1 AND grant_id <> $2",
      [body.ws_id, grant.grant_id],
    );
    expect(starts).toEqual([{ local: '01 00:00' }, { local: '01 00:00' }, { local: '01 00:00' }]);
    expect(
      await api.sql('SELECT grant_remaining::float AS remaining FROM credit_grant WHERE tenant_id = $1 AND grant_remaining > 0', [
        body.ws_id,
      ]),
    ).toEqual([{ remaining: 50 }]);
  });

  it('pay what the workspace owes before they can be used, and a charge may take the balance below zero', async () => {
    const workspace = await credits.workspace(10);
    await credits.charge(workspace, { units: 25 });
    expect(await credits.available(workspace)).toBe(-15);
    const grant = await credits.grant(workspace, { grant_credits: 40 });
    expect(grant).toMatchObject({ grant_credits: 40, grant_remaining: 25 });
    expect(await credits.available(workspace)).toBe(25);
    await credits.audit(workspace);
  });

  it('are announced once, a week before what is left of them is gone', async () => {
    const workspace = await credits.workspace();
    const soon = await credits.grant(workspace, { grant_credits: 10, grant_expires_at: inDays(6) });
    await credits.grant(workspace, { grant_credits: 10, grant_expires_at: inDays(8) });
    await keepTime();
    await keepTime();
    expect(await credits.told(workspace, 'credits.expiring')).toMatchObject([{ grant_remaining: 10 }]);
    const [event] = await api.sql<{ ev_subject: string }>(
      "SELECT ev_subject FROM outbox WHERE tenant_id = $1 AND ev_name = 'credits.expiring'",
      [workspace.tenant_id],
    );
    expect(event?.ev_subject).toBe(soon.grant_id);
  });

  it('are listed with filters, and refused in a form that cannot be', async () => {
    const workspace = await credits.workspace();
    await credits.grant(workspace, { grant_credits: 1, grant_source: 'plan', grant_expires_at: inDays(10) });
    await credits.grant(workspace, { grant_credits: 2, grant_source: 'promotion', grant_expires_at: inDays(20) });
    const { client } = workspace.owner;
    const listed = async (query: string): Promise<number[]> =>
      (await client.get(`/admin/credits/grants?${query}`).expect(200)).body.data.map(
        ({ grant_credits }: { grant_credits: number }) => grant_credits,
      );
    expect(await listed('')).toEqual([2, 1]);
    expect(await listed('grant_source=plan')).toEqual([1]);
    expect(await listed(`grant_expires_at=${inDays(15)}`)).toEqual([2]);
    expect(await listed(`grant_expires_at=${inDays(5)}&grant_expires_at=${inDays(15)}`)).toEqual([1]);
    await client.get('/admin/credits/grants?grant_source=gift').expect(400);
    const wrong = [
      {},
      { grant_credits: 0 },
      { grant_credits: -5 },
      { grant_credits: 1e12 },
      { grant_credits: 0.1234567 },
      { grant_credits: 1, grant_priority: 0 },
      { grant_credits: 1, grant_recurs: 'daily' },
      { grant_credits: 1, grant_expires_at: inDays(-1) },
      { grant_credits: 1, grant_remaining: 5 },
    ];
    for (const body of wrong)
      expect([body, (await operatorOf(api).post(`/workspaces/${workspace.tenant_id}/credits`, body)).status]).toEqual([body, 400]);
    await operatorOf(api).post(`/workspaces/${newId()}/credits`, { grant_credits: 1 }).expect(404);
    await operatorOf(api).post('/workspaces/nonsense/credits', { grant_credits: 1 }).expect(404);
    await workspace.owner.client.post(`/workspaces/${workspace.tenant_id}/credits`, { grant_credits: 1 }).expect(404);
  });
});

describe('the ledger', () => {
  it('is listed newest first and pages without gap or repeat while it grows', async () => {
    const workspace = await credits.workspace(100);
    for (let i = 0; i < 12; i++) await credits.charge(workspace, { units: 1 });
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: { data: LedgerRow[]; next_cursor: string | null } } = await workspace.owner.client
        .get(`/admin/credits/ledger?limit=5${cursor ? `&cursor=${cursor}` : ''}`)
        .expect(200);
      seen.push(...body.data.map(({ led_seq }) => led_seq));
      cursor = body.next_cursor;
      await credits.charge(workspace, { units: 1 });
    }
    expect(seen).toEqual(Array.from({ length: 13 }, (_, i) => 13 - i));
    expect(await credits.rows(workspace, `&led_timestamp=${inDays(1)}`)).toEqual([]);
    expect(await credits.rows(workspace, '&led_kind=grant')).toHaveLength(1);
    await workspace.owner.client.get('/admin/credits/ledger?led_kind=theft').expect(400);
    await workspace.owner.client.get('/admin/credits/ledger?led_timestamp=yesterday').expect(400);
  });
});

describe('an operator', () => {
  it('corrects a balance either way, and the ledger says why', async () => {
    const workspace = await credits.workspace(10);
    const path = `/workspaces/${workspace.tenant_id}/credits/corrections`;
    expect((await operatorOf(api).post(path, { led_credits: 5.5, led_note: 'Goodwill' }).expect(200)).body).toMatchObject({
      credit_balance: 15.5,
      credit_available: 15.5,
    });
    expect((await operatorOf(api).post(path, { led_credits: -12, led_note: 'Booked twice' }).expect(200)).body).toMatchObject({
      credit_balance: 3.5,
    });
    expect(
      (await credits.rows(workspace, '&led_kind=correction')).map(({ led_credits, led_balance }) => [led_credits, led_balance]),
    ).toEqual([
      [-2, 3.5],
      [-10, 5.5],
      [5.5, 15.5],
    ]);
    for (const body of [{ led_credits: 0, led_note: 'x' }, { led_credits: 1 }, { led_credits: 0.0000001, led_note: 'x' }])
      await operatorOf(api).post(path, body).expect(400);
    await operatorOf(api).post(`/workspaces/${newId()}/credits/corrections`, { led_credits: 1, led_note: 'x' }).expect(404);
    expect(
      await api.sql(
        "SELECT aud_actor_name, aud_reason FROM audit_event WHERE tenant_id = $1 AND aud_type = 'credits.corrected' ORDER BY aud_id",
        [workspace.tenant_id],
      ),
    ).toEqual([
      { aud_actor_name: 'operator:ops', aud_reason: 'Goodwill' },
      { aud_actor_name: 'operator:ops', aud_reason: 'Booked twice' },
    ]);
    await credits.audit(workspace);
  });

  it('takes a usage entry back once, and its credits return to the grants they came from', async () => {
    const workspace = await credits.workspace(10);
    const [other] = [await credits.workspace(10)];
    const early = await credits.grant(workspace, { grant_credits: 3, grant_priority: 1, grant_expires_at: inDays(1) });
    const [usage_id] = await credits.charge(workspace, { units: 8, details: 'a/b', at: new Date(Date.now() - 34 * DAY) });
    expect(await credits.available(workspace)).toBe(5);
    const reverse = (ws: TestWorkspace, id: string | undefined) =>
      operatorOf(api).post(`/workspaces/${ws.tenant_id}/usage/${id}/reverse`, { note: 'The film was empty' });
    await reverse(other, usage_id).expect(404);
    await reverse(workspace, newId()).expect(404);
    const answers = await Promise.all([reverse(workspace, usage_id), reverse(workspace, usage_id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const made = answers.find(({ status }) => status === 200)?.body;
    expect(made).toEqual({ usage_id: expect.any(String), usage_reverses: usage_id });
    expect((await reverse(workspace, usage_id).expect(409)).body.code).toBe('invalid_state');
    expect((await reverse(workspace, made.usage_id).expect(409)).body.code).toBe('invalid_state');
    expect(await credits.available(workspace)).toBe(13);
    expect(
      (await credits.grants(workspace)).map(({ grant_id, grant_remaining }) => [grant_id === early.grant_id, grant_remaining]),
    ).toEqual([
      [true, 3],
      [false, 10],
    ]);
    const entries = await api.sql(
      'SELECT usage_consumed_units::float AS units, usage_consumed_credits::float AS credits, usage_details, usage_reverses FROM usage_entry WHERE tenant_id = $1 ORDER BY usage_timestamp',
      [workspace.tenant_id],
    );
    expect(entries).toEqual([
      { units: 8, credits: 8, usage_details: 'a/b', usage_reverses: null },
      { units: -8, credits: -8, usage_details: 'a/b', usage_reverses: usage_id },
    ]);
    await credits.audit(workspace);
  });

  it('takes back what a grant that is gone had paid, into the balance alone, after what is owed', async () => {
    const workspace = await credits.workspace();
    const gone = await credits.grant(workspace, { grant_credits: 10, grant_expires_at: inDays(1) });
    const [usage_id] = await credits.charge(workspace, { units: 9 });
    await credits.expireGrant(workspace, gone.grant_id);
    await credits.charge(workspace, { units: 4 });
    await operatorOf(api).post(`/workspaces/${workspace.tenant_id}/usage/${usage_id}/reverse`).expect(200);
    expect(await credits.available(workspace)).toBe(5);
    await credits.audit(workspace);
  });

  it('decides between enforced and metered', async () => {
    const workspace = await credits.workspace();
    await expect(credits.reserve(workspace, { credits: 1 })).rejects.toMatchObject({ code: 'credits_exhausted' });
    expect(
      (await operatorOf(api).patch(`/workspaces/${workspace.tenant_id}/credits`, { credit_policy: 'metered' }).expect(200)).body,
    ).toMatchObject({ credit_policy: 'metered' });
    await credits.reserve(workspace, { credits: 1 });
    await operatorOf(api).patch(`/workspaces/${workspace.tenant_id}/credits`, { credit_policy: 'free' }).expect(400);
    await operatorOf(api).patch(`/workspaces/${newId()}/credits`, { credit_policy: 'metered' }).expect(404);
  });
});
