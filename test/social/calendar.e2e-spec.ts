import type { Client, TestWorkspace } from '@atrium/platform/testing';
import { Posting, inFuture, type Post, type Target } from './posting';

let posting: Posting;
let ours: TestWorkspace;
let client: Client;
let organization: Target;
let person: Target;

beforeAll(async () => {
  posting = await Posting.start();
  ({ ours, organization, person } = await posting.connected());
  client = ours.owner.client;
}, 120_000);
afterAll(() => posting.stop());

const ZONE = 'Europe/Berlin';
const local = (at: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(new Date(at));

it('[social 17] three posts for the next slot get three slots, also when they ask at once, and keep local time', async () => {
  for (const [sls_weekday, sls_time] of [
    [1, '09:00'],
    [3, '14:00'],
  ] as const)
    await client.post('/admin/social/slots', { sls_weekday, sls_time, sls_timezone: ZONE }).expect(201);
  const nextOf = async (target: Target, count: number): Promise<string[]> => {
    const { body } = await client.get(`/admin/social/slots/next?targets=${target.tgt_id}&count=${count}`).expect(200);
    return (body.data as { at: string }[]).map(({ at }) => at);
  };
  const free = await nextOf(organization, 5);
  const make = (target = organization) => posting.make(client, { sp_text: 'Slot', sp_targets: [target.tgt_id], next_slot: true });
  const posts = await Promise.all([make(), make(), make()]);
  const times = posts.map(({ sp_schedule_at }) => sp_schedule_at ?? '').sort();
  expect(times).toEqual(free.slice(0, 3));
  for (const at of times) expect(['Mon 09:00', 'Wed 14:00', 'Mon, 09:00', 'Wed, 14:00']).toContain(local(at));
  expect(await nextOf(organization, 2)).toEqual(free.slice(3));
  // What is sent to one target leaves the slots of another free.
  expect((await make(person)).sp_schedule_at).toBe(free[0]);
  const march = await client.get('/admin/social/slots/next?after=2027-03-22T00:00:00Z&count=4').expect(200);
  expect(march.body.data.map(({ at }: { at: string }) => at)).toEqual([
    '2027-03-22T08:00:00.000Z',
    '2027-03-24T13:00:00.000Z',
    '2027-03-29T07:00:00.000Z',
    '2027-03-31T12:00:00.000Z',
  ]);
}, 60_000);

it('[social 18] the calendar shows posts and free slots by time, without posts that the viewer may not read', async () => {
  const hidden = await posting.make(client, {
    sp_text: 'Hidden',
    sp_targets: [organization.tgt_id],
    schedule_at: inFuture(60),
    sp_acl: { users: { [ours.owner.user_id]: 'owner' } },
  });
  const shown = await posting.make(client, {
    sp_text: 'Shown',
    sp_targets: [organization.tgt_id],
    schedule_at: inFuture(120),
    sp_campaign: 'spring',
  });
  const viewer = await ours.member('viewer');
  const range = `from=${encodeURIComponent(inFuture(0))}&to=${encodeURIComponent(inFuture(30 * 24 * 60))}`;
  const entries = async (caller: Client, query = '', path = '/social-calendar') =>
    (await caller.get(`${path}?${range}${query}`).expect(200)).body.data as { kind: string; at: string; post: Post | null }[];
  const all = await entries(client);
  expect(all.map(({ at }) => at)).toEqual([...all.map(({ at }) => at)].sort());
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['post', 'slot']));
  const timesOf = (list: readonly { kind: string; at: string }[], kind: string) =>
    list.filter((one) => one.kind === kind).map(({ at }) => at);
  const posted = new Set(timesOf(all, 'post'));
  expect(timesOf(all, 'slot').filter((at) => posted.has(at))).toEqual([]);
  const [first = ''] = timesOf(all, 'slot');
  await posting.make(client, { sp_text: 'In a slot', sp_targets: [organization.tgt_id], schedule_at: first });
  expect(timesOf(await entries(client), 'slot')).toEqual(timesOf(all, 'slot').slice(1));
  const ids = (list: readonly { post: Post | null }[]) => list.flatMap(({ post }) => (post ? [post.sp_id] : []));
  expect(ids(all)).toEqual(expect.arrayContaining([hidden.sp_id, shown.sp_id]));
  expect(ids(await entries(viewer.client))).not.toContain(hidden.sp_id);
  expect(ids(await entries(viewer.client, '&campaign=spring'))).toEqual([shown.sp_id]);
  expect(await entries(client, '', '/admin/social/calendar')).toEqual(await entries(client));
  await viewer.client.get(`/admin/social/calendar?${range}`).expect(403);
  await client.get('/social-calendar?from=2026-01-01&to=2026-06-01').expect(400);
}, 60_000);

it('slots are added once, and removed without a change of posts', async () => {
  const body = { sls_weekday: 5, sls_time: '10:30', sls_target: organization.tgt_id, sls_timezone: ZONE };
  const slot = (await client.post('/admin/social/slots', body).expect(201)).body as { sls_id: string };
  await client.post('/admin/social/slots', body).expect(409);
  await client.post('/admin/social/slots', { ...body, sls_time: '25:00' }).expect(400);
  await client.post('/admin/social/slots', { ...body, sls_timezone: 'Nowhere' }).expect(400);
  await client.delete(`/admin/social/slots/${slot.sls_id}`).expect(204);
  await client.delete(`/admin/social/slots/${slot.sls_id}`).expect(404);
});

it('a workspace has at most 500 slots', async () => {
  const full = await posting.workspace();
  await posting.api.sql(
    `INSERT INTO social_slot (tenant_id, sls_id, sls_weekday, sls_time, sls_timezone)
     SELECT $1, gen_random_uuid(), 1 + n % 7, to_char(make_time(n % 24, n % 60, 0), 'HH24:MI'), 'UTC' FROM generate_series(0, 2000) n ON CONFLICT DO NOTHING`,
    [full.tenant_id],
  );
  await posting.api.sql(
    `DELETE FROM social_slot WHERE tenant_id = $1 AND sls_id NOT IN (SELECT sls_id FROM social_slot WHERE tenant_id = $1 LIMIT 500)`,
    [full.tenant_id],
  );
  const answer = await full.owner.client
    .post('/admin/social/slots', { sls_weekday: 1, sls_time: '00:30', sls_timezone: 'Europe/Berlin' })
    .expect(409);
  expect(answer.body.code).toBe('limit_reached');
});
