import { eventually, type RunningApi } from '@atrium/platform/testing';
import { MailServer } from '../identity/mail-server';
import { startAtrium, startWorker } from '../support/api';
import { Desk, flowOf, LEAFLET, MadeUpSubjects, transition } from './made-up-subjects';

const server = new MailServer();
let api: RunningApi;
let desk: Desk;
let leaflets: MadeUpSubjects;

beforeAll(async () => {
  api = await startAtrium({ SMTP_URL: await server.start(), MAIL_FROM: 'Atrium <atrium@mail.example>' });
  leaflets = await MadeUpSubjects.start(api, LEAFLET);
  await startWorker(api);
  desk = new Desk(api, await api.workspace());
}, 120_000);
afterAll(async () => {
  await api.close();
  await server.stop();
});

/** The mails that have come once there are so many and none is left to be sent, by recipient and subject. */
const received = async (count: number): Promise<string[]> => {
  const left = () => api.sql<{ n: number }>(`SELECT count(*)::integer AS n FROM outbox WHERE ev_name LIKE '%mail%' AND ev_done IS NULL`);
  await eventually(left, ([row]) => row?.n === 0 && server.mails.length >= count, 60_000);
  return server.mails
    .splice(0)
    .map(({ to, mail }) => `${to.join()}: ${mail.subject}`)
    .sort();
};

it('notifies approvers who may read the subject, the person who asked, those whom the flow notifies, and contacts when nobody is left', async () => {
  const { owner } = desk.ours;
  const [bob, eve, viewer, ada] = await Promise.all(
    (['editor', 'editor', 'viewer', 'editor'] as const).map((role) => desk.ours.member(role)),
  );
  if (!bob || !eve || !viewer || !ada) throw new Error('Four members.');
  const users = [bob.user_id, eve.user_id, viewer.user_id, ada.user_id];
  await desk.activeFlow(
    flowOf('leaflet', {
      caf_transitions: [
        transition('submit', 'draft', 'review'),
        transition('approve', 'review', 'approved', {
          count: 1,
          users,
          actions: [{ type: 'notify', users: [viewer.user_id, bob.user_id], roles: [], creator: false }],
        }),
      ],
    }),
  );
  const id = await desk.within(() => leaflets.create({ hidden_from: [eve.user_id] }));
  await desk.move(ada, leaflets.ref(id, 'en'), 'submit');
  const request = await desk.ask(ada, leaflets.ref(id, 'en'), { comment: 'For the launch' });
  // Not to those who may not approve, not to those who may not read it, and not to the person who asked.
  expect(await received(1)).toEqual([`${bob.email}: Approval requested: Harbour lamp`]);
  await desk.decide(bob, request);
  expect(await received(2)).toEqual(
    [`${ada.email}: Approval approved: Harbour lamp`, `${viewer.email}: Harbour lamp: The approved`].sort(),
  );

  MadeUpSubjects.register(api.worker, LEAFLET).contacts.push(owner.user_id);
  const other = await desk.within(() => leaflets.create({ hidden_from: [eve.user_id] }));
  await desk.move(ada, leaflets.ref(other, 'en'), 'submit');
  const stalled = await desk.ask(ada, leaflets.ref(other, 'en'));
  await received(1);
  await owner.client.delete(`/admin/users/${bob.user_id}`).expect(204);
  const mails = await received(2);
  expect(mails.filter((line) => line.includes('No approver left'))).toEqual(
    [`${ada.email}: No approver left: Harbour lamp`, `${owner.email}: No approver left: Harbour lamp`].sort(),
  );
  expect((await desk.get(ada, stalled.car_id)).car_status).toBe('open');
}, 180_000);

it('notifies the contacts once when the last member leaves a role that may approve', async () => {
  const { owner } = desk.ours;
  const [ada, eve] = [await desk.ours.member('editor'), await desk.ours.member('viewer')];
  const role = (
    await owner.client.post('/admin/roles', { role_name: 'Approvers', role_permissions: ['content:approve', 'content:view'] }).expect(201)
  ).body as { role_id: string };
  const holders = `/admin/roles/${role.role_id}/users`;
  await owner.client.post(holders, { user_ids: [eve.user_id] }).expect(200);
  const { data } = await desk.within(() => desk.flows.list({}));
  for (const { caf_id, caf_active } of data) if (caf_active) await desk.within(() => desk.flows.deactivateFlow(caf_id));
  const byRole = transition('approve', 'review', 'approved', { count: 1 });
  const movers = { ...byRole.approvals.movers, roles: [role.role_id] };
  await desk.activeFlow(
    flowOf('leaflet', {
      caf_name: 'By role',
      caf_transitions: [transition('submit', 'draft', 'review'), { ...byRole, approvals: { ...byRole.approvals, movers } }],
    }),
  );
  const id = await desk.within(() => leaflets.create());
  await desk.move(ada, leaflets.ref(id, 'en'), 'submit');
  await desk.ask(ada, leaflets.ref(id, 'en'));
  const requested = await received(1);
  expect(requested.filter((line) => line.includes('Approval requested'))).toEqual([`${eve.email}: Approval requested: Harbour lamp`]);

  const stalls = async (count: number) => (await received(count)).filter((line) => line.includes('No approver left'));
  await owner.client.delete(holders, { user_ids: [eve.user_id] }).expect(200);
  expect(await stalls(2)).toEqual(
    [`${ada.email}: No approver left: Harbour lamp`, `${owner.email}: No approver left: Harbour lamp`].sort(),
  );
  // Another change of roles does not report it again.
  await owner.client.patch(`/admin/roles/${role.role_id}`, { role_name: 'Reviewers' }).expect(200);
  expect(await stalls(0)).toEqual([]);
}, 180_000);
