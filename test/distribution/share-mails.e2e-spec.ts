import { drawPicture, eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { applyAnew } from '../governance/retaining';
import { MailServer, type ReceivedMail } from '../identity/mail-server';
import { send, type Uploaded } from '../files/uploading';
import { startAtrium, startWorker } from '../support/api';
import { guest, picture, publicPath, shareLink } from './sharing';

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

const mailsTo = (address: string, atLeast = 1): Promise<ReceivedMail[]> => eventually(() => Promise.resolve(server.to(address)), (mails) => mails.length >= atLeast);

describe('mails about a link', () => {
  it('bring its address to people, sealed on their way', async () => {
    const file = await picture(ours, 'a.jpg', 3);
    const link = await shareLink(ours.owner.client, { share_name: 'Harbour\r\nBcc: eve@example.com', share_type: 'files', share_file_ids: [file.file_id] }).catch(() => shareLink(ours.owner.client, { share_name: 'Harbour', share_type: 'files', share_file_ids: [file.file_id] }));
    await ours.owner.client.post(`/share-links/${link.share_id}/send`, { emails: ['grace@people.example', 'alan@people.example'], message: 'Have a look' }).expect(202);
    const [mail] = (await mailsTo('grace@people.example')) as [ReceivedMail];
    await mailsTo('alan@people.example');
    expect(mail.mail.text).toContain(link.share_url);
    expect(mail.mail.text).toContain('Have a look');
    const outbox = await api.sql<{ ev_payload: object }>(`SELECT ev_payload FROM outbox WHERE tenant_id = $1 AND ev_name = 'identity.mail'`, [ours.tenant_id]);
    expect(JSON.stringify(outbox)).not.toContain(link.share_url.split('/').at(-1));
    await ours.owner.client.post(`/share-links/${link.share_id}/send`, { emails: Array.from({ length: 21 }, (_, at) => `p${at}@people.example`) }).expect(400);
    await ours.owner.client.delete(`/share-links/${link.share_id}`).expect(204);
    await ours.owner.client.post(`/share-links/${link.share_id}/send`, { emails: ['grace@people.example'] }).expect(409);
  });

  it('tell its maker of what came in and of what an administrator did', async () => {
    const maker = await ours.member('editor');
    const link = await shareLink(maker.client, { share_name: 'Wedding', share_type: 'upload', share_options: { notify: 'each' } });
    const photo = await drawPicture({ width: 64, height: 48, format: 'jpeg' });
    const opened = await guest(api).post(`${publicPath(link)}/uploads`, { file_name: 'a.jpg', file_size: photo.length, name: 'Grace' }).expect(201);
    await send(opened.body as Uploaded, photo);
    await guest(api).with({ 'X-Visit': opened.headers['x-visit'] as string }).post(`${publicPath(link)}/uploads/${(opened.body as Uploaded).upl_id}/finalize`).expect(201);
    const [came] = (await mailsTo(maker.email)) as [ReceivedMail];
    expect(came.mail).toMatchObject({ subject: 'Files have come in by Wedding' });
    expect(came.mail.text).toContain('From: Grace');
    await ours.owner.client.delete(`/admin/share-links/${link.share_id}`).expect(204);
    const mails = await mailsTo(maker.email, 2);
    expect(mails[1]?.mail.text).toContain('was revoked by an administrator');
  });
});

describe('what visitors did', () => {
  it('is kept as long as the workspace says', async () => {
    const file = await picture(ours, 'b.jpg', 4);
    const link = await shareLink(ours.owner.client, { share_type: 'files', share_file_ids: [file.file_id] });
    await guest(api).get(publicPath(link)).expect(200);
    await guest(api, 'other').get(publicPath(link)).expect(200);
    await api.sql(`UPDATE share_event SET se_created = se_created - interval '200 days' WHERE se_id = (SELECT se_id FROM share_event WHERE se_share = $1 ORDER BY se_created LIMIT 1)`, [link.share_id]);
    const policies = (await ours.owner.client.get('/admin/retention').expect(200)).body as { data: { ret_key: string; ret_default: number }[] };
    expect(policies.data.find(({ ret_key }) => ret_key === 'share_events')?.ret_default).toBe(180);
    await applyAnew(api, ours);
    expect((await ours.owner.client.get(`/share-links/${link.share_id}/events`).expect(200)).body.data).toHaveLength(1);
  });
});
