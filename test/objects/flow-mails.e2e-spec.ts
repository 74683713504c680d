import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { MailServer } from '../identity/mail-server';
import { startAtrium, startWorker } from '../support/api';
import { activeFlow, move, TRANSITIONS } from './flows';
import { makeObject, makeSchema } from './objects';

const server = new MailServer();
let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium({ SMTP_URL: await server.start(), MAIL_FROM: 'Atrium <atrium@mail.example>' });
  await startWorker(api);
  ours = await api.workspace(['module-objects']);
}, 120_000);
afterAll(async () => {
  await api.close();
  await server.stop();
});

it('a transition notifies whom it names and who may read the object, except the person who makes it', async () => {
  const { client } = ours.owner;
  const [reader, stranger, mover] = [await ours.member('viewer'), await ours.member('viewer'), await ours.member('editor')];
  const schema = await makeSchema(client);
  const notify = { type: 'notify', users: [reader.user_id, stranger.user_id, mover.user_id], creator: true };
  await activeFlow(client, [schema.form_id], { olf_transitions: [{ ...TRANSITIONS[0], actions: [notify] }, ...TRANSITIONS.slice(1)] });
  const users = { [ours.owner.user_id]: 'owner', [reader.user_id]: 'view', [mover.user_id]: 'edit' };
  const { obj_id } = await makeObject(client, schema.form_id, { name: 'Harbour lamp' }, { obj_acl: { users } });
  await move(mover.client, obj_id, 'submit', { comment: 'Please check' }).expect(200);
  const mails = await eventually(
    () => Promise.resolve(server.mails),
    (received) => received.length >= 2,
    60_000,
  );
  expect(mails.flatMap(({ to }) => to).sort()).toEqual([ours.owner.email, reader.email].sort());
  expect(mails[0]?.mail.subject).toBe('Harbour lamp: In review');
  expect(mails[0]?.mail.text).toContain('Please check');
  const left = () => api.sql<{ n: number }>(`SELECT count(*)::integer AS n FROM outbox WHERE ev_name LIKE '%mail%' AND ev_done IS NULL`);
  await eventually(left, ([row]) => row?.n === 0, 60_000);
  expect(server.mails).toHaveLength(2);
}, 120_000);
