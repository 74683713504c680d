import { Sweep } from '@atrium/files';
import { drawPicture, eventually, readZip, type Client, type RunningApi, type TestWorkspace, type ZipEntry } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import sharp from 'sharp';
import type { Response, Test } from 'supertest';
import { storeAgain, storeFile, storeMany } from '../files/stored-files';
import { settled, upload, type StoredFile } from '../files/uploading';
import { assertCounted, consumption } from '../governance/storing';
import { startAtrium, startWorker } from '../support/api';
import { guest, picture, publicPath, shareLink, type OwnLink, type PublicFile } from './sharing';

let api: RunningApi;
let worker: INestApplicationContext;
let ours: TestWorkspace;
let files: StoredFile[];

beforeAll(async () => {
  api = await startAtrium();
  worker = await startWorker(api);
  ours = await api.workspace();
  files = await Promise.all([1, 2, 3].map((seed) => picture(ours, `harbour-${seed}.jpg`, seed)));
}, 120_000);
afterAll(() => api.close());

const ids = (): string[] => files.map(({ file_id }) => file_id);
const filesLink = (more: Record<string, unknown> = {}): Promise<OwnLink> => shareLink(ours.owner.client, { share_type: 'files', share_file_ids: ids(), ...more });
const own = async (link: OwnLink): Promise<OwnLink> => (await ours.owner.client.get(`/share-links/${link.share_id}`).expect(200)).body as OwnLink;
const listed = async (client: Client, link: OwnLink): Promise<PublicFile[]> => ((await client.get(`${publicPath(link)}/files`).expect(200)).body as { data: PublicFile[] }).data;
const bytesAt = async (address: string): Promise<Buffer> => Buffer.from(await (await fetch(address)).arrayBuffer());
const asBytes = (test: Test): Test =>
  test.buffer(true).parse((response, done) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => done(null, Buffer.concat(chunks)));
  });
const archive = (link: OwnLink, order: object = {}): Test => asBytes(guest(api).post(`${publicPath(link)}/download`, order));
const entriesOf = ({ body }: Response): readonly ZipEntry[] => readZip(body as Buffer).entries;

describe('what may be fetched', () => {
  it('[distribution 3] is previews alone where nobody may download: marked WebP of at most 2,048 pixels, unlike the plain picture', async () => {
    const link = await filesLink({ share_options: { allow_download: false, watermark: { text: 'ACME review' } } });
    const [first] = await listed(guest(api), link);
    await guest(api).get(`${publicPath(link)}/files/${first?.public_id}/download-url`).expect(403);
    await guest(api).get(`${publicPath(link)}/files/${first?.public_id}/download-url?size=original`).expect(403);
    await guest(api).post(`${publicPath(link)}/download`).expect(403);
    const address = (await guest(api).get(`${publicPath(link)}/files/${first?.public_id}/preview-url?size=large`).expect(200)).body as string;
    const marked = await bytesAt(address);
    const { format, width = 0, height = 0 } = await sharp(marked).metadata();
    expect({ format, fits: Math.max(width, height) <= 2_048 }).toEqual({ format: 'webp', fits: true });
    const plain = await asBytes(ours.owner.client.get(`/files/${files[0]?.file_id}/image-data?replica=large`));
    const difference = await meanDifference(marked, plain.body as Buffer);
    expect(difference).toBeGreaterThan(2);
    const thumbs = await eventually(() => listed(guest(api), link), (data) => data.every(({ thumb_url }) => thumb_url !== null));
    expect(thumbs).toHaveLength(3);
  });

  it('is marked by the picture of a file too, and never unmarked when that goes', async () => {
    const logo = await picture(ours, 'logo.png.jpg', 77);
    const link = await filesLink({ share_options: { allow_download: false, watermark: { file_id: logo.file_id } } });
    const [first] = await listed(guest(api), link);
    await guest(api).get(`${publicPath(link)}/files/${first?.public_id}/preview-url`).expect(200);
    await ours.owner.client.delete(`/files/${logo.file_id}`).expect(204);
    expect((await listed(guest(api), link)).every(({ thumb_url }) => thumb_url === null)).toBe(true);
  });

  it('keeps to the sizes of the link', async () => {
    const link = await filesLink({ share_options: { sizes: ['original', 'small'] } });
    const [first] = await listed(guest(api), link);
    const path = `${publicPath(link)}/files/${first?.public_id}`;
    await guest(api).get(`${path}/preview-url?size=large`).expect(403);
    await guest(api).get(`${path}/download-url?size=medium`).expect(403);
    await guest(api).get(`${path}/download-url?size=giant`).expect(400);
    const small = (await guest(api).get(`${path}/download-url?size=small`).expect(200)).body as string;
    expect((await sharp(await bytesAt(small)).metadata()).width).toBe(320);
  });

  it('hides names where they are not shown, also in what is fetched', async () => {
    const link = await filesLink({ share_options: { show_names: false } });
    const [first] = await listed(guest(api), link);
    expect(first?.name).toBeNull();
    const address = (await guest(api).get(`${publicPath(link)}/files/${first?.public_id}/download-url`).expect(200)).body as string;
    const { headers } = await fetch(address);
    expect(headers.get('content-disposition')).not.toContain('harbour');
  });

  it('[distribution 4] is handed out exactly three times to twenty at once, then the link is used up', async () => {
    const link = await filesLink({ share_options: { max_downloads: 3 } });
    const [first] = await listed(guest(api), link);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => guest(api, `crowd ${at}`).get(`${publicPath(link)}/files/${first?.public_id}/download-url`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(17);
    expect((await guest(api).get(publicPath(link)).expect(410)).body.title).toBe('This link has been used up');
    expect(await own(link)).toMatchObject({ share_state: 'exhausted', share_download_count: 3 });
  });

  it('counts views exactly, and lets whoever took the last one go on', async () => {
    const link = await filesLink({ share_options: { max_views: 2 } });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => guest(api, `viewer ${at}`).get(publicPath(link)).then(({ status }) => ({ at, status }))));
    const inside = answers.filter(({ status }) => status === 200);
    expect(inside).toHaveLength(2);
    expect(await listed(guest(api, `viewer ${inside[0]?.at}`), link)).toHaveLength(3);
    await guest(api, 'viewer late').get(`${publicPath(link)}/files`).expect(410);
    const bot = await filesLink();
    await guest(api, 'Googlebot/2.1').get(publicPath(bot)).expect(200);
    await guest(api, 'hasty', { 'Sec-Purpose': 'prefetch' }).get(publicPath(bot)).expect(200);
    expect((await own(bot)).share_view_count).toBe(0);
  });
});

interface ArchiveJob {
  readonly job_id: string;
  readonly status: string;
  readonly file_count: number;
  readonly error: string | null;
  readonly download_url: string | null;
}

/** The archive that a large order comes to, as the visitor fetches it. */
async function packed(link: OwnLink, ordered: Response): Promise<readonly ZipEntry[]> {
  const { job_id } = JSON.parse((ordered.body as Buffer).toString()) as ArchiveJob;
  const job = await eventually(async () => (await guest(api).get(`${publicPath(link)}/download/${job_id}`).expect(200)).body as ArchiveJob, ({ status }) => status !== 'queued' && status !== 'running', 120_000);
  expect(job).toMatchObject({ status: 'completed', error: null });
  return readZip(await bytesAt(job.download_url ?? '')).entries;
}

describe('an archive of a link', () => {
  it('comes at once, whole or chosen, and counts once', async () => {
    const link = await filesLink();
    const data = await listed(guest(api), link);
    const answer = await archive(link, { file_ids: [data[0]?.public_id, data[1]?.public_id], size: 'small' }).expect(200);
    expect(answer.headers['content-type']).toBe('application/zip');
    expect(entriesOf(answer).map(({ name }) => name).sort()).toEqual(['harbour-1.webp', 'harbour-2.webp']);
    expect((await own(link)).share_download_count).toBe(1);
    await guest(api).post(`${publicPath(link)}/download`, { file_ids: ['x'] }).expect(404);
    const single = await filesLink({ share_options: { allow_zip: false } });
    await guest(api).post(`${publicPath(single)}/download`).expect(403);
  });

  it('holds no original where none is handed out: what has no picture is left out by its name', async () => {
    const secret = await storeFile(api, ours, { name: 'contract.txt', bytes: Buffer.from('for our eyes only') });
    const link = await shareLink(ours.owner.client, { share_type: 'files', share_file_ids: [ids()[0], secret.file_id], share_options: { sizes: ['small'] } });
    const entries = entriesOf(await archive(link).expect(200));
    expect(entries.map(({ name }) => name)).toEqual(['harbour-1.webp', '_skipped.txt']);
    const note = entries[1]?.bytes.toString() ?? '';
    expect(note).toContain('contract.txt');
    expect(note).not.toContain(secret.file_id);
    const alone = await shareLink(ours.owner.client, { share_type: 'files', share_file_ids: [secret.file_id], share_options: { sizes: ['small'] } });
    await guest(api).post(`${publicPath(alone)}/download`).expect(404);
  });

  it('of more than 1 GiB is packed in the background and fetched with the last download of the link, under the names that visitors may know', async () => {
    const large = await storeMany(api, ours, 17, { name: 'plan.txt', bytes: Buffer.alloc(64 * 1024 ** 2) });
    const link = await shareLink(ours.owner.client, { share_type: 'files', share_file_ids: large, share_options: { max_downloads: 1, show_names: false } });
    const ordered = await archive(link).expect(202);
    expect(JSON.parse((ordered.body as Buffer).toString())).toMatchObject({ status: 'queued', file_count: 17, download_url: null });
    await guest(api).get(publicPath(link)).expect(410);
    const other = await filesLink();
    await guest(api).get(`${publicPath(other)}/download/${(JSON.parse((ordered.body as Buffer).toString()) as ArchiveJob).job_id}`).expect(404);
    const entries = await packed(link, ordered);
    expect(entries).toHaveLength(17);
    expect(entries.every(({ name, bytes }) => /^[\w-]{8}\.txt$/.test(name) && bytes.length === 64 * 1024 ** 2)).toBe(true);
    expect(await own(link)).toMatchObject({ share_download_count: 1, share_state: 'exhausted' });
    const history = (await ours.owner.client.get(`/files/${large[0]}/history`).expect(200)).body.data as { action?: string; fh_action?: string }[];
    expect(history.filter(({ action, fh_action }) => (action ?? fh_action) === 'downloaded')).toHaveLength(1);
    expect((await ours.owner.client.get('/download-jobs').expect(200)).body.data).toEqual([]);
  }, 180_000);

  it('of marked pictures that are not made yet is counted by what they may take, and never holds an unmarked one', async () => {
    const bytes = await drawPicture({ width: 2_100, height: 2_100, format: 'jpeg', seed: 9 });
    const { file_id } = await upload(ours.owner.client, 'poster.jpg', bytes);
    expect((await settled(ours.owner.client, file_id)).file_processing).toBe('ready');
    const posters = await storeAgain(api, file_id, 89);
    const album = (await ours.owner.client.post('/albums', { album_name: 'Posters' }).expect(201)).body as { album_id: string };
    await ours.owner.client.post(`/albums/${album.album_id}/files`, { file_ids: posters }).expect(200);
    const link = await shareLink(ours.owner.client, { share_type: 'album', share_album_id: album.album_id, share_options: { sizes: ['large'], watermark: { text: 'ACME review' } } });
    const entries = await packed(link, await archive(link).expect(202));
    expect(entries).toHaveLength(90);
    const plain = await asBytes(ours.owner.client.get(`/files/${file_id}/image-data?replica=large`));
    for (const entry of [entries[0], entries[89]]) expect(await meanDifference(entry?.bytes ?? Buffer.alloc(0), plain.body as Buffer)).toBeGreaterThan(1);
    // Now that they are there they take what they take.
    expect(entriesOf(await archive(link).expect(200))).toHaveLength(90);
    expect((await own(link)).share_download_count).toBe(2);
  }, 180_000);
});

describe('marked pictures', () => {
  it('are counted as what the workspace stores, once for equal bytes, and no more when they are gone', async () => {
    const house = await api.workspace();
    const { client } = house.owner;
    const first = await picture(house, 'first.jpg', 61);
    const [before] = (await consumption(house)).rendition ?? [0];
    await assertCounted(api, house);
    const marked = (): Promise<{ sets: number; bytes: number }[]> =>
      api.sql(`SELECT count(DISTINCT m.key)::int AS sets, sum((p.value ->> 'size')::bigint)::int AS bytes FROM file_blob b, jsonb_each(b.blob_marked) m, jsonb_each(m.value) p WHERE b.tenant_id = $1`, [house.tenant_id]);
    for (const text of ['ACME review', 'ACME press']) await shareLink(client, { share_type: 'files', share_file_ids: [first.file_id], share_options: { watermark: { text } } });
    await shareLink(client, { share_type: 'files', share_file_ids: [first.file_id], share_options: { watermark: { text: 'ACME review' } } });
    const [row] = await eventually(marked, ([made]) => made?.sets === 2, 60_000);
    await assertCounted(api, house);
    expect(((await consumption(house)).rendition?.[0] ?? 0) - before).toBe(row?.bytes);

    await client.delete(`/files/${first.file_id}`).expect(204);
    await api.sql("UPDATE file SET file_purge_at = now() - interval '1 second' WHERE file_id = $1", [first.file_id]);
    await worker.get(Sweep, { strict: false }).run();
    await api.sql("UPDATE file_blob SET blob_orphaned = now() - interval '25 hours' WHERE tenant_id = $1", [house.tenant_id]);
    await worker.get(Sweep, { strict: false }).run();
    expect(await consumption(house)).toEqual({});
    await assertCounted(api, house);
  }, 120_000);
});

/** How far two pictures are apart, in steps of 256. */
async function meanDifference(a: Buffer, b: Buffer): Promise<number> {
  const pixels = (bytes: Buffer): Promise<Buffer> => sharp(bytes).resize(160, 120, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  const [left, right] = [await pixels(a), await pixels(b)];
  return left.reduce((sum, value, at) => sum + Math.abs(value - (right[at] ?? 0)), 0) / left.length;
}
