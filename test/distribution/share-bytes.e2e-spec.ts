import { eventually, readZip, type RunningApi, type TestWorkspace, type ZipEntry } from '@atrium/platform/testing';
import sharp from 'sharp';
import type { Response, Test } from 'supertest';
import { storeFile } from '../files/stored-files';
import { type StoredFile } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { asBytes, bytesAt, filesSeen, guest, meanDifference, picture, publicPath, seenByMaker, shareLink, type OwnLink } from './sharing';

let api: RunningApi;
let ours: TestWorkspace;
let files: StoredFile[];

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace();
  files = await Promise.all([1, 2, 3].map((seed) => picture(ours, `harbour-${seed}.jpg`, seed)));
}, 120_000);
afterAll(() => api.close());

const ids = (): string[] => files.map(({ file_id }) => file_id);
const filesLink = (more: Record<string, unknown> = {}): Promise<OwnLink> =>
  shareLink(ours.owner.client, { share_type: 'files', share_file_ids: ids(), ...more });
const own = (link: OwnLink): Promise<OwnLink> => seenByMaker(ours, link);
const archive = (link: OwnLink, order: object = {}): Test => asBytes(guest(api).post(`${publicPath(link)}/download`, order));
const entriesOf = ({ body }: Response): readonly ZipEntry[] => readZip(body as Buffer).entries;

describe('what may be fetched', () => {
  it('is refused by the places of names in the body that are of no file of the link, and is what the link has without names', async () => {
    const link = await filesLink();
    const [first] = await filesSeen(guest(api), link);
    const strange = ['x'.repeat(22), 'y'.repeat(22)];
    expect(
      (
        await guest(api)
          .post(`${publicPath(link)}/download`, { file_ids: strange })
          .expect(400)
      ).body,
    ).toMatchObject({
      code: 'validation_failed',
      errors: [
        { path: 'file_ids[0]', code: 'reference' },
        { path: 'file_ids[1]', code: 'reference' },
      ],
    });
    expect(entriesOf(await archive(link, { file_ids: [...strange, first?.public_id] }).expect(200))).toHaveLength(1);
    const album_id = ((await ours.owner.client.post('/albums', { album_name: 'Nothing' }).expect(201)).body as { album_id: string })
      .album_id;
    const empty = await shareLink(ours.owner.client, { share_type: 'album', share_album_id: album_id });
    await guest(api)
      .post(`${publicPath(empty)}/download`, {})
      .expect(404);
  });

  it('[distribution 3] is previews alone where nobody may download: marked WebP of at most 2,048 pixels, unlike the plain picture', async () => {
    const link = await filesLink({ share_options: { allow_download: false, watermark: { text: 'ACME review' } } });
    const [first] = await filesSeen(guest(api), link);
    await guest(api)
      .get(`${publicPath(link)}/files/${first?.public_id}/download-url`)
      .expect(403);
    await guest(api)
      .get(`${publicPath(link)}/files/${first?.public_id}/download-url?size=original`)
      .expect(403);
    await guest(api)
      .post(`${publicPath(link)}/download`)
      .expect(403);
    const wide = await picture(ours, 'wide.jpg', 31, { width: 2_600, height: 400 });
    const wideLink = await shareLink(ours.owner.client, {
      share_type: 'files',
      share_file_ids: [wide.file_id],
      share_options: { allow_download: false, watermark: { text: 'ACME review' } },
    });
    const [shown] = await filesSeen(guest(api), wideLink);
    for (const { size, edge } of [
      { size: 'large', edge: 2_048 },
      { size: 'medium', edge: 1_024 },
      { size: 'small', edge: 320 },
    ]) {
      const preview = await guest(api)
        .get(`${publicPath(wideLink)}/files/${shown?.public_id}/preview-url?size=${size}`)
        .expect(200);
      const marked = await bytesAt(preview.body as string);
      const { format, width } = await sharp(marked).metadata();
      expect({ size, format, width }).toEqual({ size, format: 'webp', width: edge });
      const plain = await asBytes(ours.owner.client.get(`/files/${wide.file_id}/image-data?replica=${size}`));
      expect(await meanDifference(marked, plain.body as Buffer)).toBeGreaterThan(2);
    }
    const thumbs = await eventually(
      () => filesSeen(guest(api), link),
      (data) => data.every(({ thumb_url }) => thumb_url !== null),
    );
    expect(thumbs).toHaveLength(3);
  });

  it('is marked by the picture of a file too, and never unmarked when that goes', async () => {
    const logo = await picture(ours, 'logo.png.jpg', 77);
    const link = await filesLink({ share_options: { allow_download: false, watermark: { file_id: logo.file_id } } });
    const [first] = await filesSeen(guest(api), link);
    await guest(api)
      .get(`${publicPath(link)}/files/${first?.public_id}/preview-url`)
      .expect(200);
    await ours.owner.client.delete(`/files/${logo.file_id}`).expect(204);
    expect((await filesSeen(guest(api), link)).every(({ thumb_url }) => thumb_url === null)).toBe(true);
  });

  it('keeps to the sizes of the link', async () => {
    const link = await filesLink({ share_options: { sizes: ['original', 'small'] } });
    const [first] = await filesSeen(guest(api), link);
    const path = `${publicPath(link)}/files/${first?.public_id}`;
    await guest(api).get(`${path}/preview-url?size=large`).expect(403);
    await guest(api).get(`${path}/download-url?size=medium`).expect(403);
    await guest(api).get(`${path}/download-url?size=giant`).expect(400);
    const small = (await guest(api).get(`${path}/download-url?size=small`).expect(200)).body as string;
    expect((await sharp(await bytesAt(small)).metadata()).width).toBe(320);
  });

  it('hides names where they are not shown, also in what is fetched', async () => {
    const link = await filesLink({ share_options: { show_names: false } });
    const [first] = await filesSeen(guest(api), link);
    expect(first?.name).toBeNull();
    const address = (
      await guest(api)
        .get(`${publicPath(link)}/files/${first?.public_id}/download-url`)
        .expect(200)
    ).body as string;
    const { headers } = await fetch(address);
    expect(headers.get('content-disposition')).not.toContain('harbour');
  });

  it('[distribution 4] is handed out exactly three times to twenty at once, then the link is used up', async () => {
    const link = await filesLink({ share_options: { max_downloads: 3 } });
    const [first] = await filesSeen(guest(api), link);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => guest(api, `crowd ${at}`).get(`${publicPath(link)}/files/${first?.public_id}/download-url`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(17);
    expect((await guest(api).get(publicPath(link)).expect(410)).body.title).toBe('This link has been used up');
    expect(await own(link)).toMatchObject({ share_state: 'exhausted', share_download_count: 3 });
  });

  it('counts views exactly, and lets the visitor with the last one continue', async () => {
    const link = await filesLink({ share_options: { max_views: 2 } });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        guest(api, `viewer ${at}`)
          .get(publicPath(link))
          .then(({ status }) => ({ at, status })),
      ),
    );
    const inside = answers.filter(({ status }) => status === 200);
    expect(inside).toHaveLength(2);
    expect(await filesSeen(guest(api, `viewer ${inside[0]?.at}`), link)).toHaveLength(3);
    await guest(api, 'viewer late')
      .get(`${publicPath(link)}/files`)
      .expect(410);
    const bot = await filesLink();
    await guest(api, 'Googlebot/2.1').get(publicPath(bot)).expect(200);
    await guest(api, 'hasty', { 'Sec-Purpose': 'prefetch' }).get(publicPath(bot)).expect(200);
    expect((await own(bot)).share_view_count).toBe(0);
  });
});

describe('an archive of a link', () => {
  it('comes at once, whole or chosen, and counts once', async () => {
    const link = await filesLink();
    const data = await filesSeen(guest(api), link);
    const answer = await archive(link, { file_ids: [data[0]?.public_id, data[1]?.public_id], size: 'small' }).expect(200);
    expect(answer.headers['content-type']).toBe('application/zip');
    expect(
      entriesOf(answer)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['harbour-1.webp', 'harbour-2.webp']);
    expect((await own(link)).share_download_count).toBe(1);
    await guest(api)
      .post(`${publicPath(link)}/download`, { file_ids: ['x'] })
      .expect(400);
    const single = await filesLink({ share_options: { allow_zip: false } });
    await guest(api)
      .post(`${publicPath(single)}/download`)
      .expect(403);
  });

  it('holds no original where none is handed out: what has no picture is left out by its name', async () => {
    const secret = await storeFile(api, ours, { name: 'contract.txt', bytes: Buffer.from('for our eyes only') });
    const link = await shareLink(ours.owner.client, {
      share_type: 'files',
      share_file_ids: [ids()[0], secret.file_id],
      share_options: { sizes: ['small'] },
    });
    const entries = entriesOf(await archive(link).expect(200));
    expect(entries.map(({ name }) => name)).toEqual(['harbour-1.webp', '_skipped.txt']);
    const note = entries[1]?.bytes.toString() ?? '';
    expect(note).toContain('contract.txt');
    expect(note).not.toContain(secret.file_id);
    const alone = await shareLink(ours.owner.client, {
      share_type: 'files',
      share_file_ids: [secret.file_id],
      share_options: { sizes: ['small'] },
    });
    await guest(api)
      .post(`${publicPath(alone)}/download`)
      .expect(404);
  });
});
