import { createHash, randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { Sweep } from '@atrium/files';
import { newId } from '@atrium/platform/kernel';
import { eventually, pageDocument, photograph, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { send, settled, type Uploaded } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { guest, publicPath, shareLink, type OwnLink } from './sharing';

const MIB = 1024 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Incoming {
  readonly su_id: string;
  readonly su_file: string;
  readonly su_review: string;
  readonly su_state: string;
  readonly su_name: string | null;
}

let api: RunningApi;
let ours: TestWorkspace;
let worker: INestApplicationContext;
let photo: Buffer;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  ours = await api.workspace();
  photo = await photograph({ width: 640, height: 480, seed: 9, make: 'Fujifilm', model: 'X100V', taken: '2024:05:17 08:30:00' });
}, 120_000);
afterAll(() => api.close());

const uploadLink = (more: Record<string, unknown> = {}): Promise<OwnLink> =>
  shareLink(ours.owner.client, { share_type: 'upload', ...more });
const own = async (link: OwnLink): Promise<OwnLink & { share_last_upload_at: string | null }> =>
  (await ours.owner.client.get(`/share-links/${link.share_id}`).expect(200)).body as OwnLink & { share_last_upload_at: string | null };
const incoming = async (link: OwnLink, query = ''): Promise<Incoming[]> =>
  ((await ours.owner.client.get(`/share-links/${link.share_id}/uploads${query}`).expect(200)).body as { data: Incoming[] }).data;
const album = async (name: string): Promise<string> =>
  ((await ours.owner.client.post('/albums', { album_name: name }).expect(201)).body as { album_id: string }).album_id;
const inAlbum = async (album_id: string): Promise<string[]> =>
  ((await ours.owner.client.get(`/albums/memberships?af_album=${album_id}`).expect(200)).body as { data: { af_file: string }[] }).data.map(
    ({ af_file }) => af_file,
  );

/** The whole way of a file from outside; answers the visit in which it was sent. */
async function sendBy(
  client: Client,
  base: string,
  file_name: string,
  bytes: Buffer,
  more: Record<string, unknown> = {},
): Promise<{ upload: Uploaded; visitor: Client }> {
  const opened = await client.post(`${base}/uploads`, { file_name, file_size: bytes.length, ...more }).expect(201);
  const upload = opened.body as Uploaded;
  const visit = opened.headers['x-visit'];
  const visitor = visit ? client.with({ 'X-Visit': visit }) : client;
  expect(opened.headers.location).toBe(`/api/v1${base}/uploads/${upload.upl_id}`);
  expect((await send(upload, bytes)).status).toBe(200);
  await visitor.post(`${base}/uploads/${upload.upl_id}/finalize`).expect(201);
  return { upload, visitor };
}

describe('files from outside', () => {
  it('[distribution 5] come by the rules of the link: tagged, moderated, counted exactly, large ones in parts, and each guest sees their own alone', async () => {
    const albums = [await album('Guests'), await album('Everything')];
    const link = await uploadLink({
      share_album_ids: albums,
      share_pre_tags: ['Source:Guests'],
      share_max_files: 10,
      share_options: { allowed_formats: ['jpg', 'jpeg'], moderate: true },
    });
    const path = publicPath(link);
    expect((await guest(api).get(path).expect(200)).body).toMatchObject({
      share_type: 'upload',
      upload: { max_files: 10, left: 10, may_tag: false, albums: [] },
    });
    const { upload, visitor } = await sendBy(guest(api), path, 'wedding.jpg', photo, { name: 'Grace', file_hash: sha256(photo) });
    const [row] = await incoming(link);
    expect(row?.su_id).not.toBe(upload.upl_id);
    expect(row).toMatchObject({ su_state: 'finalized', su_review: 'pending', su_name: 'Grace' });
    const file = await settled(ours.owner.client, row?.su_file ?? '');
    expect(file).toMatchObject({
      file_type: 'image/jpeg',
      file_hash: sha256(photo),
      file_added_by: null,
      file_metadata: { system: { source: { kind: 'share_link', ref: link.share_id } } },
    });
    expect((await ours.owner.client.get(`/media-files?file_id=${file.file_id}`).expect(200)).body.data[0]).toMatchObject({
      media_tags: { Source: ['Guests'] },
    });
    const history = (await ours.owner.client.get(`/files/${file.file_id}/history`).expect(200)).body.data as {
      fh_action: string;
      fh_actor_type: string;
    }[];
    expect(history.find(({ fh_action }) => fh_action === 'uploaded')?.fh_actor_type).toBe('guest');
    expect((await ours.owner.client.get('/uploads').expect(200)).body.data).toEqual([]);
    for (const id of albums) expect(await inAlbum(id)).toEqual([]);
    expect(
      (await ours.owner.client.post(`/share-links/${link.share_id}/uploads/review`, { accept: [file.file_id] }).expect(200)).body,
    ).toEqual({ accepted: 1, rejected: 0, skipped: 0 });
    for (const id of albums) expect(await inAlbum(id)).toEqual([file.file_id]);
    expect(
      (await ours.owner.client.post(`/share-links/${link.share_id}/uploads/review`, { reject: [file.file_id] }).expect(200)).body,
    ).toEqual({ accepted: 0, rejected: 0, skipped: 1 });

    const pdf = await guest(api).post(`${path}/uploads`, { file_name: 'paper.pdf', file_size: 10 }).expect(400);
    expect(pdf.body.errors[0]).toMatchObject({ path: 'file_name', code: 'format' });
    await guest(api).get(`${path}/files`).expect(403);
    await guest(api).get(`${path}/uploads/${upload.upl_id}`).expect(404);
    await guest(api, 'other')
      .with({
        'X-Visit': (await guest(api).post(`${path}/uploads`, { file_name: 'b.jpg', file_size: 5 }).expect(201)).headers[
          'x-visit'
        ] as string,
      })
      .get(`${path}/uploads/${upload.upl_id}`)
      .expect(404);
    const mine = (await visitor.get(`${path}/uploads/${upload.upl_id}`).expect(200)).body as Record<string, unknown>;
    expect(mine).toMatchObject({ upl_state: 'finalized' });
    expect(JSON.stringify(mine)).not.toContain(file.file_id);

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        guest(api, `crowd ${at}`).post(`${path}/uploads`, { file_name: `${at}.jpg`, file_size: photo.length }),
      ),
    );
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(8);
    expect(answers.filter(({ status, body }) => status === 409 && (body as { code: string }).code === 'limit_reached')).toHaveLength(42);
    const given = taken[0];
    await guest(api)
      .with({ 'X-Visit': given?.headers['x-visit'] as string })
      .delete(`${path}/uploads/${(given?.body as Uploaded).upl_id}`)
      .expect(204);
    await guest(api).post(`${path}/uploads`, { file_name: 'again.jpg', file_size: 5 }).expect(201);
    await guest(api).post(`${path}/uploads`, { file_name: 'full.jpg', file_size: 5 }).expect(409);
    const counted = await own(link);
    expect(counted).toMatchObject({ share_upload_count: 1 });
    expect(Date.now() - Date.parse(counted.share_last_upload_at ?? '')).toBeLessThan(60_000);
  });

  it('[distribution 5] (a large one) come in parts', async () => {
    const link = await uploadLink();
    const bytes = Buffer.concat([photo, randomBytes(70 * MIB)]);
    const opened = await guest(api)
      .post(`${publicPath(link)}/uploads`, { file_name: 'large.jpg', file_size: bytes.length })
      .expect(201);
    const upload = opened.body as Uploaded;
    const visitor = guest(api).with({ 'X-Visit': opened.headers['x-visit'] as string });
    expect(upload.upl_parts).toHaveLength(9);
    const parts = upload.upl_parts;
    for (const part of parts)
      expect((await send(part, bytes.subarray((part.part - 1) * upload.upl_part_size, part.part * upload.upl_part_size))).status).toBe(200);
    expect(
      ((await visitor.get(`${publicPath(link)}/uploads/${upload.upl_id}`).expect(200)).body as { upl_received: unknown[] }).upl_received,
    ).toHaveLength(9);
    await visitor.post(`${publicPath(link)}/uploads/${upload.upl_id}/finalize`).expect(201);
    const [row] = await incoming(link);
    expect((await settled(ours.owner.client, row?.su_file ?? '')).file_hash).toBe(sha256(bytes));
  }, 60_000);

  it('are refused before a byte is sent when they are too large, of another kind, badly named, wrongly tagged or for another album', async () => {
    await ours.owner.client.post('/media-tag-groups', { mtg_name: 'Rating', mtg_closed: true }).then(() => undefined);
    const allowed = await album('Allowed');
    const link = await uploadLink({
      share_max_size: 1_000,
      share_album_ids: [allowed],
      share_allow_change_tags: true,
      share_allow_change_albums: true,
      share_options: { allowed_kinds: ['image'], require_name: true, require_email: true },
    });
    const post = (body: object) =>
      guest(api).post(`${publicPath(link)}/uploads`, {
        file_name: 'a.jpg',
        file_size: 10,
        name: 'Grace',
        email: 'grace@example.com',
        ...body,
      });
    await post({ file_size: 1_001 }).expect(413);
    expect((await post({ file_name: 'a.pdf' }).expect(400)).body.errors[0]).toMatchObject({ path: 'file_type', code: 'kind' });
    await post({ file_name: '../x.jpg' }).expect(400);
    expect((await post({ name: null, email: 'nowhere' }).expect(400)).body.errors.map((fault: { path: string }) => fault.path)).toEqual([
      'name',
      'email',
    ]);
    expect((await post({ tags: ['no colon'] }).expect(400)).body.errors[0].path).toBe('tags[0]');
    expect((await post({ album_ids: [await album('Other')] }).expect(400)).body.errors[0].path).toBe('album_ids[0]');
    await post({ colour: 'red' }).expect(400);
    const [offered] = (
      (await guest(api).get(publicPath(link)).expect(200)).body as { upload: { albums: { album_id: string; album_name: string }[] } }
    ).upload.albums;
    expect(offered).toMatchObject({ album_name: 'Allowed' });
    expect(offered?.album_id).not.toBe(allowed);
    await post({ album_ids: [offered?.album_id], tags: ['Mood:Happy'] }).expect(201);
    const closed = await uploadLink({ share_album_ids: [allowed] });
    expect(
      (
        await guest(api)
          .post(`${publicPath(closed)}/uploads`, { file_name: 'a.jpg', file_size: 10, tags: ['Mood:Happy'] })
          .expect(400)
      ).body.errors[0].path,
    ).toBe('tags');
    expect(
      (await ours.owner.client.post('/share-links', { share_name: 'x', share_type: 'upload', share_album_ids: [newId()] }).expect(400)).body
        .errors[0].path,
    ).toBe('share_album_ids[0]');
  });

  it('go to the trash when their bytes are something else than the link takes, and their place is free again', async () => {
    const link = await uploadLink({ share_max_files: 1, share_options: { allowed_formats: ['jpg'] } });
    await sendBy(guest(api), publicPath(link), 'holiday.jpg', pageDocument());
    const refused = await eventually(
      () => incoming(link, '?su_review=rejected'),
      (rows) => rows.length === 1,
    );
    expect((await own(link)).share_upload_count).toBe(0);
    await ours.owner.client.get(`/files/${refused[0]?.su_file}`).expect(404);
    await guest(api)
      .post(`${publicPath(link)}/uploads`, { file_name: 'again.jpg', file_size: 10 })
      .expect(201);
  });

  it('are never shown when their bytes are not what was promised', async () => {
    const link = await uploadLink();
    const bytes = Buffer.from(photo);
    const opened = await guest(api)
      .post(`${publicPath(link)}/uploads`, {
        file_name: 'a.jpg',
        file_size: bytes.length,
        file_hash: sha256(Buffer.from('other')),
        upl_multipart: false,
      })
      .expect(201);
    const sent = await send(opened.body as Uploaded, bytes);
    const visitor = guest(api).with({ 'X-Visit': opened.headers['x-visit'] as string });
    if (sent.status === 200) {
      await visitor.post(`${publicPath(link)}/uploads/${(opened.body as Uploaded).upl_id}/finalize`).expect(201);
      const [row] = await incoming(link);
      expect((await settled(ours.owner.client, row?.su_file ?? '')).file_processing).toBe('quarantined');
    } else {
      expect(sent.status).toBeGreaterThanOrEqual(400);
      await visitor.post(`${publicPath(link)}/uploads/${(opened.body as Uploaded).upl_id}/finalize`).expect(409);
    }
  });

  it('are known again by their hash within the link alone', async () => {
    const [link, other] = [await uploadLink(), await uploadLink()];
    await sendBy(guest(api), publicPath(link), 'a.jpg', photo, { file_hash: sha256(photo) });
    const items = [
      { file_name: 'a.jpg', file_size: photo.length, file_hash: sha256(photo) },
      { file_name: 'b.jpg', file_size: 3, file_hash: sha256(Buffer.from('abc')) },
    ];
    expect(
      (
        await guest(api)
          .post(`${publicPath(link)}/uploads/check`, { items })
          .expect(200)
      ).body,
    ).toEqual({ data: [{ exists: true }, { exists: false }] });
    expect(
      (
        await guest(api)
          .post(`${publicPath(other)}/uploads/check`, { items })
          .expect(200)
      ).body.data[0],
    ).toEqual({ exists: false });
  });

  it('give their place back when they lapse', async () => {
    const link = await uploadLink({ share_max_files: 1 });
    await guest(api)
      .post(`${publicPath(link)}/uploads`, { file_name: 'late.jpg', file_size: 10 })
      .expect(201);
    const [late] = await incoming(link);
    await guest(api)
      .post(`${publicPath(link)}/uploads`, { file_name: 'next.jpg', file_size: 10 })
      .expect(409);
    await api.sql("UPDATE upload SET upl_expires = now() - interval '1 minute' WHERE upl_id = $1", [late?.su_id]);
    await worker.get(Sweep, { strict: false }).sweepFiles();
    await guest(api)
      .post(`${publicPath(link)}/uploads`, { file_name: 'next.jpg', file_size: 10 })
      .expect(201);
    expect((await incoming(link, '?su_state=ended')).map(({ su_id }) => su_id)).toEqual([late?.su_id]);
  });

  it('are not taken when their maker may not upload any more', async () => {
    const member = await ours.member('editor');
    const link = await shareLink(member.client, { share_type: 'upload' });
    await guest(api).get(publicPath(link)).expect(200);
    await ours.owner.client.post(`/admin/users/${member.user_id}/suspend`).expect(200);
    await guest(api)
      .post(`${publicPath(link)}/uploads`, { file_name: 'a.jpg', file_size: 10 })
      .expect(410);
    const viewer = await ours.member('editor', ['media:view', 'media:share']);
    expect((await viewer.client.post('/share-links', { share_name: 'x', share_type: 'upload' }).expect(403)).body.detail).toContain(
      'media:upload',
    );
  });
});

describe('a kiosk', () => {
  it('[distribution 6] takes files from a device that was activated with the password, and nothing without', async () => {
    const open = await uploadLink();
    expect(open.kiosk_url).toBeNull();
    const link = await uploadLink({ share_password: 'open sesame' });
    expect(link.kiosk_url).toBe(`${api.url}/kiosk/${link.share_id}`);
    const page = await fetch(link.kiosk_url ?? '');
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain(link.share_url.split('/').at(-1));
    const path = `/public/kiosk/${link.share_id}`;
    await guest(api).post(`${path}/uploads`, { file_name: 'a.jpg', file_size: 10 }).expect(401);
    await guest(api).post(`${path}/activate`, { password: 'wrong one' }).expect(401);
    const { device_token, expires_in } = (await guest(api).post(`${path}/activate`, { password: 'open sesame' }).expect(200)).body as {
      device_token: string;
      expires_in: number;
    };
    expect(expires_in).toBe(43_200);
    const device = guest(api).with({ Authorization: `Bearer ${device_token}` });
    await sendBy(device, path, 'party.jpg', photo);
    expect(await incoming(link)).toHaveLength(1);
    const other = await uploadLink({ share_password: 'open sesame' });
    await device.post(`/public/kiosk/${other.share_id}/uploads`, { file_name: 'a.jpg', file_size: 10 }).expect(401);
    await ours.owner.client.patch(`/share-links/${link.share_id}`, { share_password: 'another word' }).expect(200);
    await device.post(`${path}/uploads`, { file_name: 'a.jpg', file_size: 10 }).expect(401);
    await guest(api).post(`/public/kiosk/${open.share_id}/activate`, { password: 'open sesame' }).expect(404);
    await guest(api).post(`/public/kiosk/${newId()}/activate`, { password: 'open sesame' }).expect(404);
    for (let wrong = 0; wrong < 5; wrong++)
      await guest(api).post(`/public/kiosk/${other.share_id}/activate`, { password: 'wrong one' }).expect(401);
    await guest(api).post(`/public/kiosk/${other.share_id}/activate`, { password: 'open sesame' }).expect(429);
    await ours.owner.client.delete(`/share-links/${other.share_id}`).expect(204);
    await guest(api).post(`/public/kiosk/${other.share_id}/activate`, { password: 'open sesame' }).expect(410);
  });

  it('has one guest at a time: the next one finds nothing of the one before, and signs with nothing of theirs', async () => {
    const link = await uploadLink({
      share_password: 'open sesame',
      share_max_files: 5,
      share_options: { require_name: true, kiosk_idle_seconds: 90 },
    });
    const path = `/public/kiosk/${link.share_id}`;
    const { device_token } = (await guest(api).post(`${path}/activate`, { password: 'open sesame' }).expect(200)).body as {
      device_token: string;
    };
    const device = guest(api).with({ Authorization: `Bearer ${device_token}` });
    const comes = async (): Promise<Client> => {
      const { visit, idle_seconds } = (await device.post(`${path}/visit`, {}).expect(200)).body as { visit: string; idle_seconds: number };
      expect(idle_seconds).toBe(90);
      return device.with({ 'X-Visit': visit });
    };
    const grace = await comes();
    const { upload } = await sendBy(grace, path, 'grace.jpg', photo, { name: 'Grace' });
    const unfinished = (await grace.post(`${path}/uploads`, { file_name: 'late.jpg', file_size: photo.length, name: 'Grace' }).expect(201))
      .body as Uploaded;
    const ada = await comes();
    await ada.get(`${path}/uploads/${upload.upl_id}`).expect(404);
    await device.get(`${path}/uploads/${upload.upl_id}`).expect(404);
    await ada.post(`${path}/uploads`, { file_name: 'ada.jpg', file_size: 10 }).expect(400);
    for (const former of [
      grace.get(`${path}/uploads/${upload.upl_id}`),
      grace.post(`${path}/uploads`, { file_name: 'x.jpg', file_size: 10, name: 'Grace' }),
      grace.post(`${path}/uploads/${unfinished.upl_id}/finalize`),
    ])
      expect((await former.expect(409)).body.code).toBe('invalid_state');
    expect((await send(unfinished, photo)).status).toBe(409);
    expect((await incoming(link, '?su_state=ended')).map(({ su_name }) => su_name)).toEqual(['Grace']);
    await grace.delete(`${path}/visit`).expect(204);
    await sendBy(ada, path, 'ada.jpg', photo, { name: 'Ada' });
    await ada.delete(`${path}/visit`).expect(204);
    await ada.delete(`${path}/visit`).expect(204);
    await ada.post(`${path}/uploads`, { file_name: 'x.jpg', file_size: 10, name: 'Ada' }).expect(409);
    expect(
      (await device.post(`${path}/uploads`, { file_name: 'next.jpg', file_size: 10, name: 'Joan' }).expect(201)).headers['x-visit'],
    ).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    expect((await incoming(link, '?su_state=finalized')).map(({ su_name }) => su_name).sort()).toEqual(['Ada', 'Grace']);
    for (const call of [guest(api).post(`${path}/visit`, {}), guest(api).delete(`${path}/visit`)]) await call.expect(401);
    const elsewhere = await uploadLink({ share_password: 'open sesame' });
    await device.post(`/public/kiosk/${elsewhere.share_id}/visit`, {}).expect(401);
    for (const kiosk_idle_seconds of [14, 3_601, null])
      await ours.owner.client.patch(`/share-links/${link.share_id}`, { share_options: { kiosk_idle_seconds } }).expect(400);
  });
});
