import { drawPicture, eventually, readZip, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import supertest from 'supertest';
import { settled, type StoredFile, type Uploaded } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { published } from './publishing';
import { BROWSER, filesSeen, guest, picture, publicPath, shareLink, tokenOf, type OwnLink } from './sharing';

const MIB = 1024 * 1024;
const PASSWORD = 'open sesame';

let api: RunningApi;
let ours: TestWorkspace;
let photo: StoredFile;
let second: StoredFile;
let ids: readonly string[];
/** Everything that a guest was answered, as text. */
const answers: string[] = [];

const album = async (): Promise<string> =>
  ((await ours.owner.client.post('/albums', { album_name: 'Everything' }).expect(201)).body as { album_id: string }).album_id;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace(['module-publication']);
  [photo, second] = await Promise.all([picture(ours, 'Harbour.jpg', 31), picture(ours, 'Quay.jpg', 32)]);
}, 120_000);
afterAll(() => api.close());

/** Asks as a guest does and keeps all of the answer: line, headers, body. */
async function heard(
  address: string,
  init: RequestInit & { duplex?: 'half' } = {},
): Promise<{ readonly status: number; readonly bytes: Buffer; readonly headers: Headers; readonly json: () => unknown }> {
  const response = await fetch(address.startsWith('http') ? address : `${api.url}${address}`, {
    redirect: 'manual',
    ...init,
    headers: { 'User-Agent': BROWSER, ...(init.headers as Record<string, string>) },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isArchive = response.headers.get('content-type') === 'application/zip';
  const names = isArchive
    ? readZip(bytes)
        .entries.map(({ name }) => name)
        .join(' ')
    : '';
  answers.push(
    `${address}\n${response.status}\n${[...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')}\n${names}\n${bytes.toString('latin1')}`,
  );
  return { status: response.status, bytes, headers: response.headers, json: () => JSON.parse(bytes.toString()) as unknown };
}

const post = (address: string, body: object, headers: Record<string, string> = {}): ReturnType<typeof heard> =>
  heard(address, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });

/** Every id of the workspace that a guest has no business with; the id of a link is no secret. */
async function idsOf({ tenant_id }: TestWorkspace): Promise<string[]> {
  const rows = await api.sql<{ id: string }>(
    `SELECT $1::uuid AS id UNION SELECT user_id FROM workspace_user WHERE tenant_id = $1 UNION SELECT file_id FROM file WHERE tenant_id = $1 UNION SELECT blob_id FROM file_blob WHERE tenant_id = $1
     UNION SELECT album_id FROM album WHERE tenant_id = $1 UNION SELECT upl_id FROM upload WHERE tenant_id = $1 UNION SELECT fv_id FROM file_version WHERE tenant_id = $1 UNION SELECT pub_id FROM publication WHERE tenant_id = $1`,
    [tenant_id],
  );
  return rows.map(({ id }) => id);
}

/** The texts that a text holds in base64, once unpacked. */
const unpacked = (text: string): string =>
  (text.match(/[A-Za-z0-9_+/-]{24,}/g) ?? []).map((word) => Buffer.from(word, 'base64').toString('latin1')).join('\n');

function leaks(text: string): string[] {
  const said =
    `${text}\n${unpacked(text)}\n${decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25').replace(/%[89a-f][0-9a-f]/gi, ''))}`.toLowerCase();
  return ids.filter((id) => {
    const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
    return [id, bytes.toString('hex'), bytes.toString('base64url').toLowerCase(), bytes.toString('latin1').toLowerCase()].some((form) =>
      said.includes(form),
    );
  });
}

async function sent(base: string, name: string, bytes: Buffer, headers: Record<string, string> = {}, more: object = {}): Promise<void> {
  const opened = await post(`${base}/uploads`, { file_name: name, file_size: bytes.length, name: 'Grace', ...more }, headers);
  expect(opened.status).toBe(201);
  const begun = opened.json() as Uploaded;
  const begunVisit = opened.headers.get('x-visit');
  const visit = { ...headers, ...(begunVisit ? { 'X-Visit': begunVisit } : {}) };
  const put = async (link: { readonly upl_url: string }, body: Buffer): Promise<void> =>
    void expect((await heard(link.upl_url, { method: 'PUT', body })).status).toBe(200);
  if (begun.upl_parts.length === 0) await put(begun, bytes);
  for (const part of begun.upl_parts)
    await put(part, bytes.subarray((part.part - 1) * begun.upl_part_size, part.part * begun.upl_part_size));
  await heard(`${base}/uploads/${begun.upl_id}`, { headers: visit });
  if (begun.upl_parts.length > 0) await post(`${base}/uploads/${begun.upl_id}/parts`, { parts: [1] }, visit);
  expect((await post(`${base}/uploads/${begun.upl_id}/finalize`, {}, visit)).status).toBe(201);
  await heard(`${base}/uploads/${begun.upl_id}`, { headers: visit });
}

const uploadsOf = async (link: OwnLink): Promise<string[]> =>
  (
    (await ours.owner.client.get(`/share-links/${link.share_id}/uploads?su_state=finalized`).expect(200)).body as {
      data: { su_file: string }[];
    }
  ).data.map(({ su_file }) => su_file);

describe('what a guest is answered', () => {
  it('names no workspace, member, file, album or place of bytes: pages, JSON, pictures, downloads, archives, uploads, publications and refusals', async () => {
    const albums = [await album()];
    const shown = await shareLink(ours.owner.client, {
      share_type: 'files',
      share_file_ids: [photo.file_id, second.file_id],
      share_options: { show_metadata: true, ask_approval: true },
    });
    const marked = await shareLink(ours.owner.client, {
      share_type: 'files',
      share_file_ids: [photo.file_id],
      share_options: { watermark: { text: 'ACME' }, allow_download: true },
    });
    const locked = await shareLink(ours.owner.client, {
      share_type: 'files',
      share_file_ids: [photo.file_id],
      share_password: PASSWORD,
      share_options: { require_name: true },
    });
    const taking = await shareLink(ours.owner.client, {
      share_type: 'upload',
      share_album_ids: albums,
      share_allow_change_albums: true,
      share_max_files: 3,
      share_options: { allowed_formats: ['jpg', 'bin'] },
    });
    const kiosk = await shareLink(ours.owner.client, { share_type: 'upload', share_password: PASSWORD });
    const gone = await shareLink(ours.owner.client, { share_type: 'files', share_file_ids: [photo.file_id] });
    await ours.owner.client.delete(`/share-links/${gone.share_id}`).expect(204);

    const base = `/api/v1${publicPath(shown)}`;
    for (const page of [
      `/s/${tokenOf(shown)}`,
      `/s/${tokenOf(locked)}`,
      `/s/${tokenOf(taking)}`,
      `/kiosk/${kiosk.share_id}`,
      `/s/${tokenOf(gone)}`,
      base,
      `/api/v1${publicPath(gone)}`,
      `${base}/files`,
    ])
      await heard(page);
    for (const file of await filesSeen(guest(api), shown)) {
      for (const path of [
        `/s/${tokenOf(shown)}/file/${file.public_id}`,
        `/s/${tokenOf(shown)}/get/${file.public_id}`,
        `${base}/files/${file.public_id}`,
      ])
        await heard(path);
      for (const path of ['preview-url', 'preview-url?size=small', 'download-url', 'download-url?size=large']) {
        const address = (await heard(`${base}/files/${file.public_id}/${path}`)).json() as string;
        expect((await heard(address)).status).toBe(200);
        expect((await heard(address, { method: 'HEAD' })).status).toBe(200);
      }
      await post(`${base}/files/${file.public_id}/verdict`, { verdict: 'approved' });
      expect((await heard(file.thumb_url ?? '')).status).toBe(200);
    }
    await post(`${base}/download`, {});
    await heard(`/s/${tokenOf(shown)}/zip`, { method: 'POST', headers: { 'Content-Length': '0' } });
    const [first] = await filesSeen(guest(api), marked);
    const markedAddress = (
      await eventually(
        () => heard(`/api/v1${publicPath(marked)}/files/${first?.public_id}/preview-url`),
        ({ status }) => status === 200,
      )
    ).json() as string;
    await heard(markedAddress);
    const { access_token } = (await post(`/api/v1${publicPath(locked)}/unlock`, { password: PASSWORD, name: 'Grace' })).json() as {
      access_token: string;
    };
    await heard(`/api/v1${publicPath(locked)}/files`, { headers: { Authorization: `Bearer ${access_token}` } });

    const sending = `/api/v1${publicPath(taking)}`;
    const [offered] = ((await heard(sending)).json() as { upload: { albums: { album_id: string }[] } }).upload.albums;
    await sent(
      sending,
      'one.jpg',
      await drawPicture({ width: 40, height: 30, format: 'jpeg', seed: 33 }),
      {},
      { album_ids: [offered?.album_id] },
    );
    await sent(sending, 'large.bin', Buffer.alloc(6 * MIB, 7), {}, { upl_multipart: true });
    for (const body of [
      { file_name: 'a.pdf', file_size: 3 },
      { file_name: 'a.jpg', file_size: 3, album_ids: albums },
      { file_name: 'a.jpg', file_size: 10 ** 15 },
    ])
      await post(`${sending}/uploads`, body);
    const { device_token } = (await post(`/api/v1/public/kiosk/${kiosk.share_id}/activate`, { password: PASSWORD })).json() as {
      device_token: string;
    };
    await sent(
      `/api/v1/public/kiosk/${kiosk.share_id}`,
      'party.jpg',
      await drawPicture({ width: 40, height: 30, format: 'jpeg', seed: 34 }),
      { Authorization: `Bearer ${device_token}` },
    );

    const { pub_url } = await published(ours.owner.client, photo.file_id);
    for (const path of [pub_url, `${pub_url}x`, '/p/1111111111111111/a.jpg']) await heard(path);
    for (const path of [
      '/s/x',
      `/s/${'A'.repeat(43)}`,
      '/s/-/bytes/x',
      `/s/-/bytes/${'A'.repeat(80)}`,
      `${base}/files/${'A'.repeat(22)}`,
      `${base}/download/${shown.share_id}`,
    ])
      await heard(path);

    for (const link of [taking, kiosk]) for (const id of await uploadsOf(link)) await settled(ours.owner.client, id);
    ids = await idsOf(ours);
    expect(ids.length).toBeGreaterThan(15);
    const faults = answers.flatMap((text) => leaks(text).map((id) => ({ id, text: text.slice(0, 600) })));
    expect(faults).toEqual([]);
    expect(answers.filter((text) => text.includes('/storage/'))).toEqual([]);
  }, 120_000);

  it('leaks are found in whatever form they come', () => {
    const [id = ''] = ids;
    const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
    for (const text of [
      id,
      id.toUpperCase(),
      `"${Buffer.from(JSON.stringify({ id })).toString('base64url')}"`,
      bytes.toString('base64url'),
      encodeURIComponent(`t/${id}/x`),
    ])
      expect(leaks(text)).toEqual([id]);
  });
});

describe('the address of bytes', () => {
  const firstOf = async (link: OwnLink): Promise<string> => (await filesSeen(guest(api), link))[0]?.public_id ?? '';
  const addressOf = async (link: OwnLink, what: string): Promise<string> =>
    (
      await guest(api)
        .get(`${publicPath(link)}/files/${await firstOf(link)}/${what}`)
        .expect(200)
    ).body as string;
  const filesLink = (more: object = {}): Promise<OwnLink> =>
    shareLink(ours.owner.client, { share_type: 'files', share_file_ids: [photo.file_id], ...more });

  it('answers ranges, tags and the name of a download, and the same address while browsers keep the picture', async () => {
    const link = await filesLink();
    const address = await addressOf(link, 'download-url');
    const whole = await fetch(address);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="Harbour.jpg"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    const part = await fetch(address, { headers: { Range: 'bytes=10-19', 'If-Range': whole.headers.get('etag') ?? '' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    expect((await fetch(address, { headers: { Range: `bytes=${bytes.length}-` } })).status).toBe(416);
    await supertest(address)
      .get('')
      .set('If-None-Match', whole.headers.get('etag') ?? '')
      .expect(304);
    const [thumb, again] = [await filesSeen(guest(api), link), await filesSeen(guest(api), link)].map(([file]) => file?.thumb_url ?? '');
    expect(again).toBe(thumb);
    expect((await fetch(thumb ?? '')).headers.get('cache-control')).toBe('private, max-age=300');
  });

  it('opens nothing once the link is revoked, renewed, locked again, switched off, used otherwise, or the file is gone from it', async () => {
    const cases: [string, (link: OwnLink) => Promise<unknown>, number][] = [
      ['revoked', (link) => ours.owner.client.delete(`/share-links/${link.share_id}`).expect(204), 410],
      ['inactive', (link) => ours.owner.client.patch(`/share-links/${link.share_id}`, { share_active: false }).expect(200), 410],
      ['renewed', (link) => ours.owner.client.post(`/share-links/${link.share_id}/rotate`).expect(200), 403],
      ['locked', (link) => ours.owner.client.patch(`/share-links/${link.share_id}`, { share_password: PASSWORD }).expect(200), 403],
      [
        'no downloads',
        (link) => ours.owner.client.patch(`/share-links/${link.share_id}`, { share_options: { allow_download: false } }).expect(200),
        403,
      ],
      [
        'another file',
        (link) => ours.owner.client.patch(`/share-links/${link.share_id}`, { share_file_ids: [second.file_id] }).expect(200),
        404,
      ],
    ];
    for (const [what, change, status] of cases) {
      const link = await filesLink();
      const address = await addressOf(link, 'download-url');
      expect((await fetch(address)).status).toBe(200);
      await change(link);
      expect([what, (await fetch(address)).status]).toEqual([what, status]);
    }
    const link = await filesLink();
    const address = await addressOf(link, 'preview-url');
    const other = await filesLink();
    for (const wrong of [
      `${address}A`,
      address.slice(0, -1),
      address.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      `${api.url}/s/-/bytes/`,
      `${api.url}/s/-/bytes/${tokenOf(other)}`,
    ])
      expect((await fetch(wrong)).status).toBe(403);
    expect((await fetch(address, { method: 'PUT', body: 'x' })).status).toBe(405);
    expect((await fetch(address, { method: 'POST', body: 'x' })).status).toBe(405);
  });

  it('is good for what was taken with the last download and the last view', async () => {
    const link = await filesLink({ share_options: { max_downloads: 1 } });
    const address = await addressOf(link, 'download-url');
    await guest(api).get(publicPath(link)).expect(410);
    expect((await fetch(address)).status).toBe(200);
  });

  it('takes exactly the bytes that were promised, as long as the link takes files', async () => {
    const link = await shareLink(ours.owner.client, { share_type: 'upload' });
    const begin = async (size: number, more: object = {}): Promise<Uploaded> =>
      (
        await guest(api)
          .post(`${publicPath(link)}/uploads`, { file_name: 'a.txt', file_size: size, ...more })
          .expect(201)
      ).body as Uploaded;
    const put = async (address: string, body: string | Buffer): Promise<number> => (await fetch(address, { method: 'PUT', body })).status;
    const single = await begin(5);
    expect([await put(single.upl_url, 'six by'), await put(single.upl_url, 'four'), await put(single.upl_url, 'five!')]).toEqual([
      413, 400, 200,
    ]);
    const unannounced = await fetch(single.upl_url, {
      method: 'PUT',
      body: new Blob(['much longer than five']).stream(),
      duplex: 'half',
    }).then(
      ({ status }) => status,
      () => 413,
    );
    expect(unannounced).toBe(413);
    const hashed = await begin(5, { file_hash: '0'.repeat(64) });
    expect(await put(hashed.upl_url, 'five!')).toBe(422);
    expect((await fetch(single.upl_url)).status).toBe(405);
    await ours.owner.client.delete(`/share-links/${link.share_id}`).expect(204);
    expect(await put(single.upl_url, 'five!')).toBe(410);
  });
});
