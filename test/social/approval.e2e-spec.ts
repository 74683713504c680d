import { drawPicture, type Client, type TestWorkspace } from '@atrium/platform/testing';
import { Desk, flowOf, state, transition } from '../approvals/made-up-subjects';
import { send, settled, upload, type Uploaded } from '../files/uploading';
import { Posting, inFuture, type Post, type Target } from './posting';

let posting: Posting;
let ours: TestWorkspace;
let organization: Target;
let desk: Desk;

beforeAll(async () => {
  posting = await Posting.start();
  ({ ours, organization } = await posting.connected());
  desk = new Desk(posting.api, ours);
  await desk.activeFlow(
    flowOf('social_post', {
      caf_states: [state('draft'), state('approved')],
      caf_transitions: [transition('submit', 'draft', 'approved', { count: 1 })],
      caf_on_edit: 'reset',
    }),
  );
}, 120_000);
afterAll(() => posting.stop());

const textsSent = () => posting.linkedin.state.livePosts.map(({ shown }) => shown.text);

it('[social 16] with a flow of one approver a post is scheduled only once it is approved, is a draft again after an edit, and what is sent is what was approved', async () => {
  const { client } = ours.owner;
  const approver = await ours.member('admin');
  const draft = await posting.make(client, { sp_text: 'To be approved', sp_targets: [organization.tgt_id] });
  expect(draft).toMatchObject({ sp_state: 'draft', sp_approval: { state: 'draft', request: null } });
  const refused = await client.post(`/social-posts/${draft.sp_id}/schedule`, { sp_schedule_at: inFuture(5) }).expect(409);
  expect(refused.body.detail).toContain('submit');

  const open = await client.get(`/social-posts/${draft.sp_id}/transitions`).expect(200);
  expect(open.body.data).toMatchObject([{ key: 'submit', to: 'approved', needs_approval: true, blocked_by: [] }]);
  const at = inFuture(30);
  const asked = await client
    .post(`/social-posts/${draft.sp_id}/transitions`, { transition: 'submit', publish: { on_approval: true, at } })
    .expect(200);
  const car_id = (asked.body.data as { request: string }[])[0]?.request ?? '';
  expect((await posting.read(client, draft.sp_id)).sp_state).toBe('in_review');

  await desk.decide(approver, await desk.get(approver, car_id));
  const approved = await posting.read(client, draft.sp_id);
  expect(approved).toMatchObject({ sp_state: 'scheduled', sp_schedule_at: at, sp_approval: { state: 'approved', request: null } });

  const edited = (await client.patch(`/social-posts/${draft.sp_id}`, { sp_text: 'Edited' }).expect(200)).body as Post;
  expect(edited).toMatchObject({ sp_state: 'draft', sp_schedule_at: null, sp_approval: { state: 'draft' } });
  await client.post(`/social-posts/${draft.sp_id}/publish`).expect(409);

  const again = await client.post(`/social-posts/${draft.sp_id}/transitions`, { transition: 'submit' }).expect(200);
  await desk.decide(approver, await desk.get(approver, (again.body.data as { request: string }[])[0]?.request ?? ''));
  expect((await posting.read(client, draft.sp_id)).sp_state).toBe('approved');
  await client.post(`/social-posts/${draft.sp_id}/publish`).expect(202);
  expect((await posting.ended(client, draft.sp_id)).sp_state).toBe('published');
  expect(textsSent()).toEqual(['Edited']);

  const booked = await posting.make(client, { sp_text: 'Judged', sp_targets: [organization.tgt_id] });
  await desk.decide(approver, await desk.get(approver, await ask(client, booked.sp_id, { on_approval: true, at: inFuture(30) })));
  // A change behind the back of the flow, which no route makes.
  await posting.api.sql(`UPDATE social_post SET sp_text = 'Not judged' WHERE sp_id = $1`, [booked.sp_id]);
  await posting.moveTime(booked.sp_id, '-1 second');
  await posting.run('social.due');
  expect((await posting.ended(client, booked.sp_id)).variants[0]?.spv_error).toMatchObject({ code: 'approval_missing' });
  expect(textsSent()).toEqual(['Edited']);
}, 120_000);

it('a cancelled post has no open request any more', async () => {
  const { client } = ours.owner;
  const { sp_id } = await posting.make(client, { sp_text: 'Withdrawn', sp_targets: [organization.tgt_id] });
  await client.post(`/social-posts/${sp_id}/transitions`, { transition: 'submit' }).expect(200);
  await client.post(`/social-posts/${sp_id}/transitions`, { transition: 'submit' }).expect(409);
  await client.post(`/social-posts/${sp_id}/cancel`).expect(200);
  const post = await posting.read(client, sp_id);
  expect(post).toMatchObject({ sp_state: 'cancelled', sp_approval: { state: 'draft', request: null } });
}, 60_000);

/** Asks for approval of a post; the id of the request. */
const ask = async (client: Client, sp_id: string, publish?: object): Promise<string> => {
  const answer = await client
    .post(`/social-posts/${sp_id}/transitions`, { transition: 'submit', ...(publish ? { publish } : {}) })
    .expect(200);
  return (answer.body.data as { request: string }[])[0]?.request ?? '';
};

it('the text of a published post is not edited at its platform to one that nobody has approved', async () => {
  const { client } = ours.owner;
  const approver = await ours.member('admin');
  const { sp_id } = await posting.make(client, { sp_text: 'Harmless', sp_targets: [organization.tgt_id] });
  await desk.decide(approver, await desk.get(approver, await ask(client, sp_id, { on_approval: true })));
  const { variants } = await posting.ended(client, sp_id);
  const remote = `/social-posts/${sp_id}/variants/${variants[0]?.spv_id}/remote`;
  const refused = await client.patch(remote, { spv_text: 'Harmful' }).expect(409);
  expect(refused.body.detail).toContain('The flow Review has not approved this text.');
  expect(textsSent()).toContain('Harmless');
}, 60_000);

it('another version of a file is content that was not approved', async () => {
  const { client } = ours.owner;
  const approver = await ours.member('admin');
  const { file_id } = await upload(client, 'a.jpg', await drawPicture({ width: 60, height: 40, format: 'jpeg' }));
  await settled(client, file_id);
  const { sp_id } = await posting.make(client, {
    sp_text: 'Pictured',
    sp_targets: [organization.tgt_id],
    sp_files: [{ file_id, alt: 'A' }],
  });
  await desk.decide(approver, await desk.get(approver, await ask(client, sp_id)));
  const other = await drawPicture({ width: 60, height: 40, format: 'jpeg', seed: 9 });
  const opened = (await client.post(`/files/${file_id}/versions`, { file_size: other.length }).expect(201)).body as Uploaded;
  expect((await send(opened, other)).status).toBe(200);
  await client.post(`/uploads/${opened.upl_id}/finalize`).expect(201);
  await settled(client, file_id);
  const refused = await client.post(`/social-posts/${sp_id}/publish`).expect(409);
  expect(refused.body.detail).toContain('has changed since the flow Review approved it');
}, 60_000);

it('a post that is approved after the time for which it was wanted is sent at once, and one that cannot be sent says why', async () => {
  const { client } = ours.owner;
  const approver = await ours.member('admin');
  const late = await posting.make(client, { sp_text: 'Approved late', sp_targets: [organization.tgt_id] });
  const car_id = await ask(client, late.sp_id, { on_approval: true, at: inFuture(30) });
  await posting.api.sql(
    `UPDATE approval_request SET car_publish = car_publish || jsonb_build_object('at', now() - interval '1 hour') WHERE car_id = $1`,
    [car_id],
  );
  await desk.decide(approver, await desk.get(approver, car_id));
  expect((await posting.ended(client, late.sp_id)).sp_state).toBe('published');

  const barred = await posting.make(client, { sp_text: 'Nowhere to go', sp_targets: [organization.tgt_id] });
  const request = await ask(client, barred.sp_id, { on_approval: true });
  await client.patch(`/admin/social/targets/${organization.tgt_id}`, { tgt_enabled: false }).expect(200);
  const mails = await posting.mails('social_post_failed');
  await desk.decide(approver, await desk.get(approver, request));
  await client.patch(`/admin/social/targets/${organization.tgt_id}`, { tgt_enabled: true }).expect(200);
  const post = await posting.read(client, barred.sp_id);
  expect([post.sp_state, post.sp_issues.map(({ severity }) => severity)]).toEqual(['approved', ['error']]);
  expect(await posting.mails('social_post_failed')).toBe(mails + 1);
}, 120_000);
