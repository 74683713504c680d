import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtriumWithWorker } from '../support/api';
import { MailServer, type ReceivedMail } from './mail-server';

interface Person {
  readonly user_id: string;
  readonly user_status: string;
  readonly user_invite_error: string | null;
  readonly invite_url?: string;
}

const PASSWORD = 'seven quiet herons over the delta';
const server = new MailServer();

let api: RunningApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await startAtriumWithWorker({
    SMTP_URL: await server.start(),
    MAIL_FROM: 'Atrium <atrium@mail.example>',
    APP_URL: 'https://app.example/',
  });
  workspace = await api.workspace();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const invite = async (user_email: string, body: object = {}): Promise<Person> =>
  (await workspace.owner.client.post('/admin/users', { user_email, user_name: 'Ada', ...body }).expect(201)).body as Person;
const mailsTo = (address: string, atLeast = 1, milliseconds?: number): Promise<ReceivedMail[]> =>
  eventually(
    () => Promise.resolve(server.to(address)),
    (mails) => mails.length >= atLeast,
    milliseconds,
  );
const linkIn = ({ mail }: ReceivedMail): string => /https:\/\/app\.example\/invitations\/[\w-]+/.exec(mail.text ?? '')![0];
const tokenIn = (mail: ReceivedMail): string => linkIn(mail).split('/').at(-1)!;
const read = async (id: string): Promise<Person> => (await workspace.owner.client.get(`/admin/users/${id}`).expect(200)).body as Person;

describe('an invitation by mail', () => {
  it('[identity 15] has a text and an HTML part, its link accepts once, and sending it again kills the old link', async () => {
    const person = await invite('ada@people.example');
    expect(person).not.toHaveProperty('invite_url');
    const [first] = (await mailsTo('ada@people.example')) as [ReceivedMail];
    expect(first).toMatchObject({ greeting: 'EHLO', encrypted: true, user: 'atrium' });
    expect(first.mail).toMatchObject({
      subject: `You are invited to join ${workspace.slug}`,
      from: { name: 'Atrium', address: 'atrium@mail.example' },
    });
    expect(first.mail.html).toContain(`href="${linkIn(first)}"`);
    expect(first.mail.text).toContain(`Owner has invited you to join ${workspace.slug}.`);
    const pending = await workspace.owner.client.get('/admin/users?user_status=invited').expect(200);
    expect((pending.body as { data: Person[] }).data.map(({ user_id }) => user_id)).toEqual([person.user_id]);

    expect((await workspace.owner.client.post(`/admin/users/${person.user_id}/invite`).expect(200)).body).not.toHaveProperty('invite_url');
    const second = (await mailsTo('ada@people.example', 2))[1]!;
    await api.stranger.post('/auth/invitations/accept', { token: tokenIn(first), password: PASSWORD }).expect(410);
    await api.stranger.post('/auth/invitations/accept', { token: tokenIn(second), password: PASSWORD }).expect(200);
    await api.stranger.post('/auth/invitations/accept', { token: tokenIn(second), password: PASSWORD }).expect(410);
    expect((await read(person.user_id)).user_status).toBe('active');
  });

  it('is never readable in a job, and a name can break neither its header nor its page', async () => {
    const named = await api.workspace();
    await api.sql('UPDATE workspace SET ws_name = $2 WHERE tenant_id = $1', [named.tenant_id, 'Haven\r\nBcc: eve@example.com <b>&']);
    await named.owner.client.post('/admin/users', { user_email: 'bob@people.example' }).expect(201);
    const [mail] = (await mailsTo('bob@people.example')) as [ReceivedMail];
    expect(mail.to).toEqual(['bob@people.example']);
    expect(mail.mail.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(mail.mail.subject).toBe('You are invited to join Haven Bcc: eve@example.com <b>&');
    expect(mail.mail.html).toContain('Haven Bcc: eve@example.com &lt;b&gt;&amp;');
    const rows = await api.sql<{ text: string }>('SELECT o::text AS text FROM outbox o WHERE tenant_id = $1', [named.tenant_id]);
    expect(rows.filter(({ text }) => text.includes(tokenIn(mail)) || text.includes('bob@people.example'))).toEqual([]);
  });

  it('is in the language of the workspace where there are texts in it', async () => {
    const german = await api.workspace();
    await api.sql(`UPDATE workspace SET ws_locale = 'de-CH' WHERE tenant_id = $1`, [german.tenant_id]);
    await german.owner.client.post('/admin/users', { user_email: 'carl@people.example' }).expect(201);
    const [mail] = (await mailsTo('carl@people.example')) as [ReceivedMail];
    expect(mail.mail.subject).toBe(`Einladung zu ${german.slug}`);
  });

  it('is not sent when the link is asked for instead', async () => {
    const person = await invite('dora@people.example', { send_invite: false });
    expect(person.invite_url).toMatch(/^https:\/\/app\.example\/invitations\/[\w-]{43}$/);
    await invite('emil@people.example');
    await mailsTo('emil@people.example');
    expect(server.to('dora@people.example')).toEqual([]);
  });

  it('that the server refuses for good shows why on the member, until it is sent again', async () => {
    server.refusals.set('fred@people.example', { responseCode: 550, message: 'No such mailbox', times: 1 });
    const person = await invite('fred@people.example');
    const refused = await eventually(
      () => read(person.user_id),
      ({ user_invite_error }) => user_invite_error !== null,
    );
    expect(refused.user_invite_error).toContain('No such mailbox');
    const again = await workspace.owner.client.post(`/admin/users/${person.user_id}/invite`).expect(200);
    expect(again.body).toMatchObject({ user_invite_error: null });
    await mailsTo('fred@people.example');
    const [job] = await api.sql<{ ev_error: string }>(
      `SELECT ev_error FROM outbox WHERE tenant_id = $1 AND ev_name = 'identity.mail' AND ev_error IS NOT NULL`,
      [workspace.tenant_id],
    );
    expect(job?.ev_error).toContain('No such mailbox');
  });

  it('is tried again when the server is busy', async () => {
    server.refusals.set('gina@people.example', { responseCode: 451, message: 'Try later', times: 1 });
    const person = await invite('gina@people.example');
    const [mail] = (await mailsTo('gina@people.example', 1, 80_000)) as [ReceivedMail];
    expect(tokenIn(mail)).toHaveLength(43);
    expect((await read(person.user_id)).user_invite_error).toBeNull();
  }, 90_000);
});
