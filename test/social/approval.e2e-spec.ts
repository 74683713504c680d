import type { TestWorkspace } from '@atrium/platform/testing';
import { Desk, flowOf, state, transition } from '../approvals/made-up-subjects';
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
