import type { Client, TestWorkspace } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { Posting, inFuture, type Post, type Target } from './posting';

let posting: Posting;
let ours: TestWorkspace;
let client: Client;
let organization: Target;
let other: Target;

beforeAll(async () => {
  posting = await Posting.start();
  ({ ours, organization, other } = await posting.connected());
  client = ours.owner.client;
}, 120_000);
afterAll(() => posting.stop());

const draft = (body: object = {}): Promise<Post> => posting.make(client, { sp_text: 'Hello', sp_targets: [organization.tgt_id], ...body });

describe('a post', () => {
  it('has a variant for each target, whose parts are inherited until they are its own', async () => {
    const { sp_id, variants } = await draft({
      sp_targets: [organization.tgt_id, other.tgt_id],
      variants: [{ spv_target: other.tgt_id, spv_text: 'For others' }],
    });
    expect(variants.map(({ spv_target, spv_rendered }) => [spv_target, spv_rendered?.text]).sort()).toEqual(
      [
        [organization.tgt_id, 'Hello'],
        [other.tgt_id, 'For others'],
      ].sort(),
    );
    const changed = await client.patch(`/social-posts/${sp_id}`, { variants: [{ spv_target: other.tgt_id, spv_text: null }] }).expect(200);
    expect(changed.body.variants.map((one: { spv_rendered: { text: string } }) => one.spv_rendered.text)).toEqual(['Hello', 'Hello']);
    const fewer = await client.patch(`/social-posts/${sp_id}`, { sp_targets: [other.tgt_id] }).expect(200);
    expect(fewer.body.variants).toHaveLength(1);
  });

  it('that is too long or mixes its media is a draft with issues, and is not sent', async () => {
    const long = await draft({ sp_text: 'x'.repeat(3_001) });
    expect(long.sp_issues).toMatchObject([{ code: 'too_long', severity: 'error' }]);
    const answer = await client.post(`/social-posts/${long.sp_id}/publish`).expect(422);
    expect(answer.body.errors).toMatchObject([{ path: 'sp_text', code: 'too_long' }]);
    await client.post(`/social-posts/${long.sp_id}/schedule`, { sp_schedule_at: inFuture(5) }).expect(422);
    const bare = await posting.make(client, { sp_text: 'No targets' });
    await client.post(`/social-posts/${bare.sp_id}/publish`).expect(422);
  });

  it('refuses files, targets and links that its author cannot use', async () => {
    const theirs = await posting.workspace();
    const foreign = await upload(theirs.owner.client, 'a.txt', Buffer.from('theirs'));
    const fault = async (body: object) => (await client.post('/social-posts', body).expect(400)).body.errors[0];
    expect(await fault({ sp_files: [{ file_id: foreign.file_id }] })).toMatchObject({ path: 'sp_files[0].file_id', code: 'reference' });
    expect(await fault({ sp_targets: [newId()] })).toMatchObject({ path: 'sp_targets[0]', code: 'reference' });
    expect(await fault({ sp_link: { url: 'javascript:alert(1)' } })).toMatchObject({ path: 'sp_link.url', code: 'url' });
    expect(await fault({ variants: [{ spv_target: organization.tgt_id }] })).toMatchObject({
      path: 'variants[0].spv_target',
      code: 'reference',
    });
  });

  it('is scheduled at least a minute and at most a year ahead', async () => {
    const { sp_id } = await draft();
    const at = (sp_schedule_at: string) => client.post(`/social-posts/${sp_id}/schedule`, { sp_schedule_at });
    await at(inFuture(-5)).expect(400);
    await at(inFuture(2 * 366 * 24 * 60)).expect(400);
    await client.post(`/social-posts/${sp_id}/schedule`, {}).expect(400);
    const scheduled = await at(inFuture(10)).expect(200);
    expect(scheduled.body.sp_state).toBe('scheduled');
    expect((await at(inFuture(20)).expect(200)).body.sp_state).toBe('scheduled');
    expect((await client.post(`/social-posts/${sp_id}/cancel`).expect(200)).body).toMatchObject({
      sp_state: 'cancelled',
      sp_schedule_at: null,
    });
    const illegal = await client.post(`/social-posts/${sp_id}/unschedule`).expect(409);
    expect(illegal.body.detail).toBe('The post is cancelled and cannot be unscheduled. Possible now: edit.');
    expect((await client.patch(`/social-posts/${sp_id}`, { sp_text: 'Again' }).expect(200)).body.sp_state).toBe('draft');
  });

  it('is a draft again when somebody without social:publish changes what it says, and stays scheduled otherwise', async () => {
    const { sp_id } = await draft({ schedule_at: inFuture(10) });
    const writer = await ours.member('owner', ['social:view', 'social:edit']);
    expect((await writer.client.patch(`/social-posts/${sp_id}`, { sp_labels: ['a'] }).expect(200)).body.sp_state).toBe('scheduled');
    expect((await client.patch(`/social-posts/${sp_id}`, { sp_text: 'By a publisher' }).expect(200)).body.sp_state).toBe('scheduled');
    expect((await writer.client.patch(`/social-posts/${sp_id}`, { sp_text: 'By a writer' }).expect(200)).body).toMatchObject({
      sp_state: 'draft',
      sp_schedule_at: null,
    });
    await writer.client.post('/social-posts', { sp_text: 'x', sp_targets: [organization.tgt_id], publish: true }).expect(403);
    await writer.client.post(`/social-posts/${sp_id}/schedule`, { sp_schedule_at: inFuture(5) }).expect(403);
  });

  it('changes by its newest version alone, and once it is published in labels, campaign and metadata only', async () => {
    const { sp_id, sp_version } = await draft({ sp_text: 'Versions' });
    await client
      .with({ 'If-Match': `"${sp_version}"` })
      .patch(`/social-posts/${sp_id}`, { sp_title: 'A' })
      .expect(200);
    await client
      .with({ 'If-Match': `"${sp_version}"` })
      .patch(`/social-posts/${sp_id}`, { sp_title: 'B' })
      .expect(412);
    await client.post(`/social-posts/${sp_id}/publish`).expect(202);
    await posting.ended(client, sp_id);
    await client.patch(`/social-posts/${sp_id}`, { sp_text: 'Another' }).expect(409);
    expect(
      (await client.patch(`/social-posts/${sp_id}`, { sp_labels: ['x'], sp_campaign: 'c', sp_metadata: { a: 1 } }).expect(200)).body
        .sp_labels,
    ).toEqual(['x']);
    const { body } = await client.post(`/social-posts/${(await draft({ sp_text: 'Versions' })).sp_id}/check`).expect(200);
    expect(body.issues).toMatchObject([{ code: 'same_text', severity: 'warning' }]);
  });

  it('is listed by platform only if it has a variant for it', async () => {
    const label = newId();
    const aimed = await draft({ sp_labels: [label] });
    const aimless = await draft({ sp_labels: [label], sp_targets: [] });
    const listed = async (query: string): Promise<string[]> =>
      ((await client.get(`/social-posts?sp_labels=${label}${query}`).expect(200)).body.data as Post[]).map(({ sp_id }) => sp_id);
    expect(await listed('')).toEqual([aimless.sp_id, aimed.sp_id]);
    expect(await listed('&sp_platform=linkedin')).toEqual([aimed.sp_id]);
  });

  it('is listed by state, target, label and time, without those that the caller may not read', async () => {
    const label = newId();
    const open = await draft({ sp_labels: [label] });
    const closed = await draft({ sp_labels: [label], sp_acl: { users: { [ours.owner.user_id]: 'owner' } } });
    const editor = await ours.member('editor');
    const listed = async (caller: Client, query = '') =>
      ((await caller.get(`/social-posts?sp_labels=${label}${query}`).expect(200)).body.data as Post[]).map(({ sp_id }) => sp_id);
    expect(await listed(client)).toEqual([closed.sp_id, open.sp_id]);
    expect(await listed(editor.client)).toEqual([open.sp_id]);
    expect(await listed(client, '&sort=sp_schedule_at')).toEqual([open.sp_id, closed.sp_id]);
    expect(await listed(client, '&sp_state=scheduled&sp_state=failed')).toEqual([]);
    expect(await listed(client, `&sp_targets=${other.tgt_id}`)).toEqual([]);
    await editor.client.get(`/social-posts/${closed.sp_id}`).expect(404);
    await client.delete(`/social-posts/${open.sp_id}`).expect(204);
    await client.delete(`/social-posts/${open.sp_id}`).expect(204);
    expect(await listed(client)).toEqual([closed.sp_id]);
    expect((await client.get(`/social-posts/${open.sp_id}`).expect(200)).body.sp_active).toBe(false);
    expect((await client.patch(`/social-posts/${open.sp_id}`, { sp_active: true }).expect(200)).body.sp_active).toBe(true);
  });
});

it('link previews reach nothing private and nothing that is no page', async () => {
  for (const url of ['http://169.254.169.254/latest', 'http://10.0.0.1/', `${posting.linkedin.url}/rest/posts`])
    await client.post('/social-posts/link-preview', { url }).expect(422);
  await client.post('/social-posts/link-preview', { url: 'javascript:alert(1)' }).expect(400);
});

it('texts are proposed from a text, by central sentences where no model writes', async () => {
  await new Crediting(posting.api).grant(ours, { grant_credits: 100 });
  const text = 'The lamp is made of brass. The lamp has a warm light. Brass lamps last for decades. We ship the lamp in May.';
  const { body } = await client.post('/social-posts/draft', { source: { text }, count: 3 }).expect(200);
  expect(body.proposals).toHaveLength(1);
  expect(text).toContain(body.proposals[0].text.split('. ')[0]);
  await client.post('/social-posts/draft', { source: {} }).expect(400);
  await client.post('/social-posts/draft', { source: { file_id: newId() } }).expect(400);
}, 60_000);
