import { drawPicture, eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { applyAnew } from '../governance/retaining';
import { MailServer, type ReceivedMail } from '../identity/mail-server';
import { send, type Uploaded } from '../files/uploading';
import { startAtrium, startWorker } from '../support/api';
import { guest, picture, publicPath, shareLink, type OwnLink } from './sharing';

const server = new MailServer();
let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium({ SMTP_URL: await server.start(), MAIL_FROM: 'Atrium <atrium@mail.example>' });
  await startWorker(api);
  ours = await api.workspace();
}, 120_000);
afterAll(async () => {
  await api.close();
  await server.stop();
});

const mailsTo = (address: string, atLeast = 1): Promise<ReceivedMail[]> =>
  eventually(
    () => Promise.resolve(server.to(address)),
    (mails) => mails.length >= atLeast,
    60_000,
  );

/** A picture that somebody sends. */
async function sendBy(link: OwnLink, name: string): Promise<void> {
  const photo = await drawPicture({ width: 64, height: 48, format: 'jpeg' });
  const opened = await guest(api, name)
    .post(`${publicPath(link)}/uploads`, { file_name: 'a.jpg', file_size: photo.length, name })
    .expect(201);
  await send(opened.body as Uploaded, photo);
  await guest(api, name)
    .with({ 'X-Visit': opened.headers['x-visit'] as string })
    .post(`${publicPath(link)}/uploads/${(opened.body as Uploaded).upl_id}/finalize`)
    .expect(201);
}

/** Mails of a kind that wait for their time. */
const planned = ({ share_id }: OwnLink, what: string): Promise<{ due: string }[]> =>
  api.sql<{ due: string }>(
    `SELECT to_char(ev_due AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS due FROM outbox WHERE ev_name = 'distribution.notify' AND ev_payload ->> 'share_id' = $1 AND ev_payload ->> 'what' = $2 AND ev_done IS NULL ORDER BY ev_due`,
    [share_id, what],
  );

/** Their time has come. */
const whenDue = ({ share_id }: OwnLink, what: string): Promise<object[]> =>
  api.sql(
    `UPDATE outbox SET ev_due = now() WHERE ev_name = 'distribution.notify' AND ev_payload ->> 'share_id' = $1 AND ev_payload ->> 'what' = $2`,
    [share_id, what],
  );

describe('mails about a link', () => {
  it('bring its address to people, sealed on their way', async () => {
    const file = await picture(ours, 'a.jpg', 3);
    const link = await shareLink(ours.owner.client, {
      share_name: 'Harbour\r\nBcc: eve@example.com',
      share_type: 'files',
      share_file_ids: [file.file_id],
    }).catch(() => shareLink(ours.owner.client, { share_name: 'Harbour', share_type: 'files', share_file_ids: [file.file_id] }));
    await ours.owner.client
      .post(`/share-links/${link.share_id}/send`, { emails: ['grace@people.example', 'alan@people.example'], message: 'Have a look' })
      .expect(202);
    const [mail] = (await mailsTo('grace@people.example')) as [ReceivedMail];
    await mailsTo('alan@people.example');
    expect(mail.mail.text).toContain(link.share_url);
    expect(mail.mail.text).toContain('Have a look');
    const outbox = await api.sql<{ ev_payload: object }>(
      `SELECT ev_payload FROM outbox WHERE tenant_id = $1 AND ev_name = 'identity.mail'`,
      [ours.tenant_id],
    );
    expect(JSON.stringify(outbox)).not.toContain(link.share_url.split('/').at(-1));
    await ours.owner.client
      .post(`/share-links/${link.share_id}/send`, { emails: Array.from({ length: 21 }, (_, at) => `p${at}@people.example`) })
      .expect(400);
    await ours.owner.client.delete(`/share-links/${link.share_id}`).expect(204);
    await ours.owner.client.post(`/share-links/${link.share_id}/send`, { emails: ['grace@people.example'] }).expect(409);
  });

  it('tell its maker of what came in and of what an administrator did', async () => {
    const maker = await ours.member('editor');
    const link = await shareLink(maker.client, { share_name: 'Wedding', share_type: 'upload', share_options: { notify: 'each' } });
    await sendBy(link, 'Grace');
    const [came] = (await mailsTo(maker.email)) as [ReceivedMail];
    expect(came.mail).toMatchObject({ subject: 'New files for Wedding' });
    expect(came.mail.text).toContain('From: Grace');
    await ours.owner.client.delete(`/admin/share-links/${link.share_id}`).expect(204);
    const mails = await mailsTo(maker.email, 2);
    expect(mails[1]?.mail.text).toContain('was revoked by an administrator');
  });

  it('tell once a day of all that came in the day before, whenever it goes out', async () => {
    const maker = await ours.member('editor');
    const link = await shareLink(maker.client, { share_name: 'Harvest', share_type: 'upload', share_options: { notify: 'daily' } });
    for (const name of ['Grace', 'Alan']) await sendBy(link, name);
    const [digest] = await planned(link, 'digest');
    expect(await planned(link, 'digest')).toHaveLength(1);
    expect(new Date(digest?.due ?? 0).toISOString()).toMatch(/T07:0[01]:/);
    expect(Date.parse(digest?.due ?? '') - Date.now()).toBeLessThan(86_400_000 + 60_000);
    expect(server.to(maker.email)).toEqual([]);
    // What came a day earlier was in the mail before.
    await sendBy(link, 'Ada');
    await api.sql(`UPDATE share_upload SET su_finalized = su_finalized - interval '1 day' WHERE su_share = $1 AND su_name = 'Ada'`, [
      link.share_id,
    ]);
    await whenDue(link, 'digest');
    const [mail] = (await mailsTo(maker.email)) as [ReceivedMail];
    expect(mail.mail.subject).toBe('New files for Harvest');
    expect(mail.mail.text).toMatch(/New files received through your link Harvest in .+: 2\./);
    expect(mail.mail.text).toContain('From: Alan, Grace');
  });

  it('come three days before it ends, unless it was given another end', async () => {
    const file = await picture(ours, 'ending.jpg', 6);
    const maker = await ours.member('editor');
    const end = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
    const ends = end(10);
    const link = await shareLink(maker.client, {
      share_name: 'Preview',
      share_type: 'files',
      share_file_ids: [file.file_id],
      share_expires_at: ends,
    });
    const [warning] = await planned(link, 'expiring');
    expect(Math.round((Date.parse(ends) - Date.parse(warning?.due ?? '')) / 86_400_000)).toBe(3);
    const moved = await shareLink(maker.client, {
      share_name: 'Moved',
      share_type: 'files',
      share_file_ids: [file.file_id],
      share_expires_at: ends,
    });
    await maker.client.patch(`/share-links/${moved.share_id}`, { share_expires_at: end(20) }).expect(200);
    expect(await planned(moved, 'expiring')).toHaveLength(2);
    await api.sql(
      `UPDATE outbox SET ev_due = now() WHERE ev_name = 'distribution.notify' AND ev_payload ->> 'share_id' = $1 AND ev_due < now() + interval '8 days'`,
      [moved.share_id],
    );
    await eventually(
      () => planned(moved, 'expiring'),
      (open) => open.length === 1,
      30_000,
    );
    await whenDue(link, 'expiring');
    const [mail] = (await mailsTo(maker.email)) as [ReceivedMail];
    expect(mail.mail.subject).toBe('Your link Preview expires soon');
    expect(mail.mail.text).toContain(ends.slice(0, 16).replace('T', ' '));
    expect(server.to(maker.email)).toHaveLength(1);
    const soon = await shareLink(maker.client, {
      share_name: 'Soon',
      share_type: 'files',
      share_file_ids: [file.file_id],
      share_expires_at: end(2),
    });
    expect(await planned(soon, 'expiring')).toEqual([]);
  });
});

describe('what visitors did', () => {
  it('is kept as long as the workspace says', async () => {
    const file = await picture(ours, 'b.jpg', 4);
    const link = await shareLink(ours.owner.client, { share_type: 'files', share_file_ids: [file.file_id] });
    await guest(api).get(publicPath(link)).expect(200);
    await guest(api, 'other').get(publicPath(link)).expect(200);
    await api.sql(
      `UPDATE share_event SET se_created = se_created - interval '200 days' WHERE se_id = (SELECT se_id FROM share_event WHERE se_share = $1 ORDER BY se_created LIMIT 1)`,
      [link.share_id],
    );
    const policies = (await ours.owner.client.get('/admin/retention').expect(200)).body as {
      data: { ret_key: string; ret_default: number }[];
    };
    expect(policies.data.find(({ ret_key }) => ret_key === 'share_events')?.ret_default).toBe(180);
    await applyAnew(api, ours);
    expect((await ours.owner.client.get(`/share-links/${link.share_id}/events`).expect(200)).body.data).toHaveLength(1);
  });
});
