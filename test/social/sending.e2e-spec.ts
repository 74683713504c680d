import { eventually, type Client } from '@atrium/platform/testing';
import { Posting, inFuture, type Post, type Target } from './posting';

const HOUR_MS = 3_600_000;

let posting: Posting;
let connected: Awaited<ReturnType<Posting['connected']>>;
let client: Client;
let person: Target;
let organization: Target;
let other: Target;

beforeAll(async () => {
  posting = await Posting.start();
  connected = await posting.connected();
  ({ person, organization, other } = connected);
  client = connected.ours.owner.client;
}, 120_000);
afterAll(() => posting.stop());

const publish = async (body: object): Promise<Post> => {
  const { sp_id } = await posting.make(client, { ...body, publish: true });
  return posting.ended(client, sp_id);
};
const postsWith = (text: string) => posting.linkedin.state.livePosts.filter(({ shown }) => shown.text === text);

it('[social 6] text with everything that is reserved arrives complete, and check shows exactly what is sent', async () => {
  const sp_text =
    'Now (really) [x] {y} <z> a_b *c* ~d~ @e | C:\\ 🙂 漢字 https://example.com/a_b #one #zwei @[Analytical Engines](urn:li:organization:1001)';
  const draft = await posting.make(client, { sp_text, sp_targets: [organization.tgt_id] });
  const { body } = await client.post(`/social-posts/${draft.sp_id}/check`).expect(200);
  await client.post(`/social-posts/${draft.sp_id}/publish`).expect(202).expect('Location', `/api/v1/social-posts/${draft.sp_id}`);
  const { variants, sp_state } = await posting.ended(client, draft.sp_id);
  const [sent] = postsWith(sp_text);
  expect(sp_state).toBe('published');
  expect(sent?.shown).toEqual({
    text: sp_text,
    hashtags: ['one', 'zwei'],
    mentions: [{ name: 'Analytical Engines', urn: 'urn:li:organization:1001' }],
    isCut: false,
  });
  expect(body.variants[0].spv_rendered.text).toBe(sent?.commentary);
  expect(body.variants[0].spv_rendered.length).toBe(sp_text.length);
  expect(variants[0]).toMatchObject({ spv_external_id: sent?.urn, spv_url: `https://www.linkedin.com/feed/update/${sent?.urn}` });
}, 120_000);

it('a create whose answer was cut is unknown, then published, and exactly one post is there', async () => {
  posting.linkedin.refuseNext({ route: 'create', cut: true, applied: true });
  const { sp_id } = await posting.make(client, { sp_text: 'Cut once', sp_targets: [organization.tgt_id], publish: true });
  const unknown = await posting.reached(client, sp_id, 'unknown');
  expect(unknown.sp_state).toBe('publishing');
  await posting.hasten('social.reconcile');
  const { variants, sp_state } = await posting.ended(client, sp_id);
  expect(sp_state).toBe('published');
  expect(postsWith('Cut once').map(({ urn }) => urn)).toEqual([variants[0]?.spv_external_id]);
}, 120_000);

it('a cut create of a person, whose posts cannot be read, is repeated once and recognized by the duplicate', async () => {
  posting.linkedin.refuseNext({ route: 'create', cut: true, applied: true });
  const { sp_id } = await posting.make(client, { sp_text: 'Cut for a person', sp_targets: [person.tgt_id], publish: true });
  await posting.reached(client, sp_id, 'unknown');
  await posting.hasten('social.reconcile');
  const { variants } = await posting.ended(client, sp_id);
  expect(variants[0]).toMatchObject({ spv_state: 'published', spv_external_id: postsWith('Cut for a person')[0]?.urn });
  expect(postsWith('Cut for a person')).toHaveLength(1);
}, 120_000);

it('a create that never arrived is not found in three rounds, and is sent again only by a person', async () => {
  posting.linkedin.refuseNext({ route: 'create', cut: true });
  const { sp_id } = await posting.make(client, { sp_text: 'Lost', sp_targets: [organization.tgt_id], publish: true });
  await posting.reached(client, sp_id, 'unknown');
  const failed = await eventually(
    async () => {
      await posting.hasten('social.reconcile');
      return posting.read(client, sp_id);
    },
    ({ sp_state }) => sp_state === 'failed',
    60_000,
  );
  expect(failed.variants[0]?.spv_error).toMatchObject({ code: 'outcome_unknown', retryable: true });
  expect(postsWith('Lost')).toHaveLength(0);
  await client.post(`/social-posts/${sp_id}/retry`).expect(202);
  expect((await posting.ended(client, sp_id)).sp_state).toBe('published');
  expect(postsWith('Lost')).toHaveLength(1);
}, 120_000);

it('[social 11] a duplicate on a first attempt, and one of another variant, fails with the address and is not adopted', async () => {
  const first = await publish({ sp_text: 'Twice', sp_targets: [organization.tgt_id] });
  const second = await publish({ sp_text: 'Twice', sp_targets: [organization.tgt_id] });
  expect(first.sp_state).toBe('published');
  expect(second.variants[0]).toMatchObject({
    spv_state: 'failed',
    spv_external_id: null,
    spv_url: first.variants[0]?.spv_url,
    spv_error: { code: 'duplicate', retryable: false },
  });
  expect(postsWith('Twice')).toHaveLength(1);

  const known = await publish({ sp_text: 'Known', sp_targets: [person.tgt_id] });
  posting.linkedin.refuseNext({ route: 'create', cut: true });
  const { sp_id } = await posting.make(client, { sp_text: 'Known', sp_targets: [person.tgt_id], publish: true });
  await posting.reached(client, sp_id, 'unknown');
  await posting.hasten('social.reconcile');
  const other = await eventually(
    async () => {
      await posting.hasten('social.reconcile');
      return posting.read(client, sp_id);
    },
    ({ sp_state }) => sp_state === 'failed',
    60_000,
  );
  expect(other.variants[0]).toMatchObject({
    spv_external_id: null,
    spv_url: known.variants[0]?.spv_url,
    spv_error: { code: 'duplicate' },
  });
  expect(postsWith('Known').map(({ urn }) => urn)).toEqual([known.variants[0]?.spv_external_id]);
}, 120_000);

it('[social 12] a rate limit is waited out, an unavailable platform is tried again, and a refusal fails at once', async () => {
  posting.linkedin.refuseNext({ route: 'create', status: 429, headers: { 'retry-after': '3' }, body: { status: 429, message: 'Limit' } });
  const begun = Date.now();
  expect((await publish({ sp_text: 'Limited', sp_targets: [organization.tgt_id] })).sp_state).toBe('published');
  const creates = posting.linkedin.state.requests.filter(
    ({ method, path, at }) => method === 'POST' && path === '/rest/posts' && at >= begun,
  );
  expect((creates[1]?.at ?? 0) - (creates[0]?.at ?? 0)).toBeGreaterThanOrEqual(3_000);

  posting.linkedin.refuseNext({ route: 'create', status: 500 }, { route: 'create', status: 500 });
  const { sp_id } = await posting.make(client, { sp_text: 'Tried thrice', sp_targets: [organization.tgt_id], publish: true });
  const tried = await eventually(
    async () => {
      await posting.hasten('social.publish');
      return posting.read(client, sp_id);
    },
    ({ sp_state }) => sp_state === 'published',
    60_000,
  );
  expect(tried.variants[0]?.spv_attempts).toBe(3);
  const { body } = await client.get(`/social-posts/${sp_id}/attempts`).expect(200);
  const steps = body.data as { spa_step: string; spa_number: number; spa_status: string; spa_http: number }[];
  expect(steps.map(({ spa_number, spa_step, spa_status, spa_http }) => [spa_number, spa_step, spa_status, spa_http])).toEqual([
    [1, 'create', 'failed', 500],
    [2, 'create', 'failed', 500],
    [3, 'create', 'done', 201],
  ]);

  posting.linkedin.refuseNext({ route: 'create', status: 403, body: { status: 403, message: 'Not enough permissions' } });
  expect((await publish({ sp_text: 'Refused', sp_targets: [organization.tgt_id] })).variants[0]).toMatchObject({
    spv_attempts: 1,
    spv_error: { code: 'missing_scope', message: 'Not enough permissions' },
  });
}, 120_000);

it('[social 15] of two targets one fails: the post is partial, and a retry sends only the failed one', async () => {
  posting.linkedin.refuseNext({ route: 'create', status: 403, body: { status: 403, message: 'Not enough permissions' } });
  const partial = await publish({ sp_text: 'Two places', sp_targets: [organization.tgt_id, other.tgt_id] });
  expect(partial.sp_state).toBe('partial');
  expect(partial.variants.map(({ spv_state }) => spv_state).sort()).toEqual(['failed', 'published']);
  await client.post(`/social-posts/${partial.sp_id}/cancel`).expect(409);
  await client.post(`/social-posts/${partial.sp_id}/retry`).expect(202);
  expect((await posting.ended(client, partial.sp_id)).sp_state).toBe('published');
  expect(
    postsWith('Two places')
      .map(({ author }) => author)
      .sort(),
  ).toEqual([organization.tgt_external_id, other.tgt_external_id].sort());
  await client.post(`/social-posts/${partial.sp_id}/retry`).expect(409);
}, 120_000);

it('[social 9] a scheduled post is sent within five seconds of its instant, once, at the time that it has last, and by nobody whose rights were withdrawn', async () => {
  const { ours } = connected;
  const at = (minutes: number): string => `${new Date(Date.now() + minutes * 60_000 + 2 * HOUR_MS).toISOString().slice(0, 19)}+02:00`;
  const make = (sp_text: string, minutes: number, by = client) =>
    posting.make(by, { sp_text, sp_targets: [organization.tgt_id], sp_timezone: 'Europe/Berlin', schedule_at: at(minutes) });
  const dueIn = (sp_id: string, interval: string) => posting.moveTime(sp_id, interval);

  const scheduled = await make('At its time', 1.1);
  expect(scheduled).toMatchObject({ sp_state: 'scheduled', sp_timezone: 'Europe/Berlin' });
  await dueIn(scheduled.sp_id, '3 seconds');
  const instant = new Date((await posting.read(client, scheduled.sp_id)).sp_schedule_at ?? '').getTime();
  expect((await posting.ended(client, scheduled.sp_id)).sp_state).toBe('published');
  const [create] = posting.linkedin.state.requests.filter(
    ({ path, bytes }) => path === '/rest/posts' && bytes.toString().includes('At its time'),
  );
  expect((create?.at ?? 0) - instant).toBeGreaterThanOrEqual(0);
  expect((create?.at ?? Infinity) - instant).toBeLessThanOrEqual(5_000);
  await Promise.all([posting.run('social.due'), posting.run('social.due')]);
  expect(postsWith('At its time')).toHaveLength(1);

  const moved = await make('Twice scheduled', 5);
  const later = at(30);
  const again = (await client.post(`/social-posts/${moved.sp_id}/schedule`, { sp_schedule_at: later }).expect(200)).body as Post;
  expect(new Date(again.sp_schedule_at ?? '')).toEqual(new Date(later));
  await posting.run('social.due');
  expect((await posting.read(client, moved.sp_id)).sp_state).toBe('scheduled');
  await dueIn(moved.sp_id, '-1 second');
  await Promise.all([posting.run('social.due'), posting.run('social.due')]);
  expect((await posting.ended(client, moved.sp_id)).sp_state).toBe('published');
  expect(postsWith('Twice scheduled')).toHaveLength(1);

  const unscheduled = await make('Not at all', 5);
  expect((await client.post(`/social-posts/${unscheduled.sp_id}/unschedule`).expect(200)).body).toMatchObject({
    sp_state: 'draft',
    sp_schedule_at: null,
  });
  await posting.run('social.due');
  expect((await posting.read(client, unscheduled.sp_id)).sp_state).toBe('draft');

  const scheduler = await ours.member('admin');
  const withdrawn = await make('By a former administrator', 5, scheduler.client);
  const [viewer] = await posting.api.sql<{ role_id: string }>(`SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = 'viewer'`, [
    ours.tenant_id,
  ]);
  await client.patch(`/admin/users/${scheduler.user_id}`, { user_roles: [viewer?.role_id] }).expect(200);
  await dueIn(withdrawn.sp_id, '-1 second');
  await posting.run('social.due');
  expect((await posting.ended(client, withdrawn.sp_id)).variants[0]?.spv_error).toMatchObject({
    code: 'permission_denied',
    retryable: true,
  });

  const reworded = await make('Text of the scheduler', 5);
  const contributor = await ours.member('contributor');
  const writers = { role_name: 'Writers', role_permissions: ['social:view', 'social:edit'] };
  const role = (await client.post('/admin/roles', writers).expect(201)).body as { role_id: string };
  await client.post(`/admin/roles/${role.role_id}/users`, { user_ids: [contributor.user_id] }).expect(200);
  const draft = (await contributor.client.patch(`/social-posts/${reworded.sp_id}`, { sp_text: 'Text of another' }).expect(200))
    .body as Post;
  expect(draft).toMatchObject({ sp_state: 'draft', sp_schedule_at: null });
  await posting.run('social.due');
  for (const text of ['Not at all', 'By a former administrator', 'Text of the scheduler', 'Text of another'])
    expect(postsWith(text)).toEqual([]);
}, 120_000);

const REFUSED = { route: 'create', status: 403, body: { status: 403, message: 'Not enough permissions' } } as const;

it('a post that failed, was cancelled and edited is sent when it is scheduled again', async () => {
  posting.linkedin.refuseNext(REFUSED);
  const { sp_id } = await publish({ sp_text: 'Refused once', sp_targets: [organization.tgt_id] });
  await client.post(`/social-posts/${sp_id}/cancel`).expect(200);
  await client.patch(`/social-posts/${sp_id}`, { sp_text: 'Wanted again' }).expect(200);
  await client.post(`/social-posts/${sp_id}/schedule`, { sp_schedule_at: inFuture(5) }).expect(200);
  await posting.moveTime(sp_id, '-2 hours');
  await posting.run('social.due');
  expect((await posting.ended(client, sp_id)).variants[0]?.spv_error).toMatchObject({ code: 'missed_window' });
  await client.post(`/social-posts/${sp_id}/cancel`).expect(200);
  await client.patch(`/social-posts/${sp_id}`, { sp_text: 'Wanted at last' }).expect(200);
  await client.post(`/social-posts/${sp_id}/schedule`, { sp_schedule_at: inFuture(5) }).expect(200);
  await posting.moveTime(sp_id, '-1 second');
  await posting.run('social.due');
  expect((await posting.ended(client, sp_id)).sp_state).toBe('published');
  expect(postsWith('Wanted at last')).toHaveLength(1);
}, 120_000);

it('a retry sends to targets that were added to a failed post, also where they are all that is left', async () => {
  for (const [sp_text, sp_targets] of [
    ['One more', [organization.tgt_id, other.tgt_id]],
    ['Another', [other.tgt_id]],
  ] as const) {
    posting.linkedin.refuseNext(REFUSED);
    const { sp_id } = await publish({ sp_text, sp_targets: [organization.tgt_id] });
    await client.patch(`/social-posts/${sp_id}`, { sp_targets }).expect(200);
    await client.post(`/social-posts/${sp_id}/retry`).expect(202);
    expect((await posting.ended(client, sp_id)).sp_state).toBe('published');
    expect(postsWith(sp_text)).toHaveLength(sp_targets.length);
  }
}, 120_000);

const LIMITED = { route: 'create', status: 429, headers: { 'retry-after': '600' }, body: { status: 429, message: 'Limit' } } as const;

it('an attempt that gets its turn too late fails as missed_window', async () => {
  posting.linkedin.refuseNext(LIMITED);
  const { sp_id } = await posting.make(client, { sp_text: 'Behind others', sp_targets: [organization.tgt_id], publish: true });
  await eventually(
    () => posting.read(client, sp_id),
    ({ variants }) => variants[0]?.spv_attempts === 2,
    60_000,
  );
  await posting.api.sql(`UPDATE social_post SET sp_started = now() - interval '2 hours' WHERE sp_id = $1`, [sp_id]);
  await posting.hasten('social.publish');
  expect((await posting.ended(client, sp_id)).variants[0]?.spv_error).toMatchObject({ code: 'missed_window', retryable: true });
  expect(postsWith('Behind others')).toEqual([]);
}, 120_000);

it('nothing is deleted at the platform where the post itself cannot be deleted', async () => {
  const whole = await publish({ sp_text: 'Stays there', sp_targets: [organization.tgt_id] });
  await client.delete(`/social-posts/${whole.sp_id}?remote=true`).set('If-Match', '"999"').expect(412);
  expect(postsWith('Stays there')).toHaveLength(1);

  posting.linkedin.refuseNext(LIMITED);
  const { sp_id } = await posting.make(client, {
    sp_text: 'Half there',
    sp_targets: [organization.tgt_id, other.tgt_id],
    publish: true,
  });
  await posting.reached(client, sp_id, 'published');
  await client.delete(`/social-posts/${sp_id}?remote=true`).expect(409);
  expect(postsWith('Half there')).toHaveLength(1);
  await client.delete(`/social-posts/${whole.sp_id}?remote=true`).expect(204);
  expect(postsWith('Stays there')).toEqual([]);
}, 120_000);

it('a post whose scheduler was taken out of its access list is not sent', async () => {
  const scheduler = await connected.ours.member('admin');
  const { sp_id } = await posting.make(scheduler.client, {
    sp_text: 'Shut out',
    sp_targets: [organization.tgt_id],
    schedule_at: inFuture(5),
  });
  await client.patch(`/social-posts/${sp_id}`, { sp_acl: { users: { [connected.ours.owner.user_id]: 'owner' } } }).expect(200);
  await posting.moveTime(sp_id, '-1 second');
  await posting.run('social.due');
  expect((await posting.ended(client, sp_id)).variants[0]?.spv_error).toMatchObject({ code: 'permission_denied', retryable: true });
  expect(postsWith('Shut out')).toEqual([]);
}, 120_000);

it('[social 20] a published post is edited and deleted at its platform, and one that was deleted there is noticed with a mail', async () => {
  const { sp_id, variants } = await publish({ sp_text: 'Before', sp_targets: [organization.tgt_id] });
  const remote = `/social-posts/${sp_id}/variants/${variants[0]?.spv_id}/remote`;
  await client.patch(remote, { spv_text: 'After (1)' }).expect(200);
  expect(postsWith('After (1)')).toHaveLength(1);
  await client.delete(remote).expect(204);
  expect(postsWith('After (1)')).toHaveLength(0);
  expect((await posting.read(client, sp_id)).variants[0]).toMatchObject({ spv_state: 'deleted', spv_removed: true });

  const gone = await publish({ sp_text: 'Gone by hand', sp_targets: [organization.tgt_id] });
  const [there] = postsWith('Gone by hand');
  if (there) there.isDeleted = true;
  await posting.api.sql(`UPDATE social_variant SET spv_metrics_next = now() WHERE spv_id = $1`, [gone.variants[0]?.spv_id]);
  await posting.run('social.metrics-due');
  await eventually(
    () => posting.read(client, gone.sp_id),
    (post) => post.variants[0]?.spv_removed === true,
    60_000,
  );
  expect(await posting.mails('social_post_removed')).toBe(1);
  await client.patch(`/social-posts/${gone.sp_id}/variants/${gone.variants[0]?.spv_id}/remote`, { spv_text: 'x' }).expect(410);
}, 120_000);
