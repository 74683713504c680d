import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { drawPicture, eventually, textPdf, type Client, type TestWorkspace } from '@atrium/platform/testing';
import { settled, upload } from '../files/uploading';
import { WebSite } from '../support/web-site';
import { Posting, type Post, type Target } from './posting';

let posting: Posting;
let site: WebSite;
let ours: TestWorkspace;
let client: Client;
let organization: Target;

beforeAll(async () => {
  posting = await Posting.start();
  site = await WebSite.start();
  ({ ours, organization } = await posting.connected());
  client = ours.owner.client;
}, 120_000);
afterAll(async () => {
  await posting.stop();
  await site.stop();
});

const stored = async (name: string, bytes: Buffer): Promise<string> => {
  const { file_id } = await upload(client, name, bytes);
  await settled(client, file_id);
  return file_id;
};
const publish = async (body: object): Promise<Post> => {
  const { sp_id } = await posting.make(client, { sp_targets: [organization.tgt_id], ...body, publish: true });
  return posting.ended(client, sp_id);
};
const sentAs = ({ variants }: Post) => posting.linkedin.state.posts.get(variants[0]?.spv_external_id ?? '');
const assetOf = (urn: string) => posting.linkedin.state.assets.get(urn);
type Media = { readonly id: string; readonly altText?: string; readonly title?: string };

it('[social 5] a photo of twelve megapixels that was taken sideways arrives upright, with its length, alternative text and version', async () => {
  const photo = await drawPicture({ width: 3_000, height: 4_000, format: 'jpeg', orientation: 6 });
  const file_id = await stored('photo.jpg', photo);
  const post = await publish({ sp_text: 'A photo', sp_files: [{ file_id, alt: 'The harbour (at dusk)' }] });
  expect(post.variants[0]).toMatchObject({ spv_state: 'published', spv_error: null });
  const { id, altText } = sentAs(post)?.content.media as Media;
  expect(altText).toBe('The harbour (at dusk)');
  const { width, height, format, orientation = 1 } = await sharp(assetOf(id)?.bytes).metadata();
  expect({ width, height, format, orientation }).toEqual({ width: 3_000, height: 4_000, format: 'jpeg', orientation: 1 });
  // The picture as a viewer shows it, and what arrived, corner by corner.
  const small = (bytes: Buffer | undefined) => sharp(bytes).rotate().resize(6, 8, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  const [shown, sent] = [await small(photo), await small(assetOf(id)?.bytes)];
  expect(Math.max(...shown.map((value, at) => Math.abs(value - (sent[at] ?? 0))))).toBeLessThan(16);
  const put = posting.linkedin.state.requests.find(({ method }) => method === 'PUT');
  expect(put?.headers['content-length']).toBe(String(assetOf(id)?.bytes.length));
  expect(put?.headers['transfer-encoding']).toBeUndefined();
  expect(sentAs(post)?.version).toBe('202607');
}, 180_000);

/** A folder of real files, among them a HEIC, which nothing here can make. */
const samples = process.env.SAMPLES_DIR;
const without = samples === undefined ? ' (without a HEIC: SAMPLES_DIR names no folder)' : '';

async function expectFiveInOrder(): Promise<void> {
  const ids = [];
  for (const seed of [0, 1, 2, 3, 4])
    ids.push(await stored(`${seed}.jpg`, await drawPicture({ width: 200 + seed, height: 100, format: 'jpeg', seed })));
  const post = await publish({ sp_text: 'Five', sp_files: ids.map((file_id, at) => ({ file_id, alt: `Picture ${at}` })) });
  expect(post.variants[0]).toMatchObject({ spv_state: 'published', spv_error: null });
  const { images } = sentAs(post)?.content.multiImage as { images: Media[] };
  expect(images.map(({ altText }) => altText)).toEqual(['Picture 0', 'Picture 1', 'Picture 2', 'Picture 3', 'Picture 4']);
  const facts = await Promise.all(images.map(({ id }) => sharp(assetOf(id)?.bytes).metadata()));
  expect(facts.map(({ width }) => width)).toEqual([200, 201, 202, 203, 204]);
}

/** The picture is sent as a JPEG within the limit of pixels, in the form of the picture. */
async function expectJpeg(name: string, bytes: Buffer): Promise<void> {
  const post = await publish({ sp_text: `As a JPEG: ${name}`, sp_files: [{ file_id: await stored(name, bytes), alt: 'One' }] });
  expect(post.variants[0]).toMatchObject({ spv_state: 'published', spv_error: null });
  const { width = 0, height = 0, format } = await sharp(assetOf((sentAs(post)?.content.media as Media).id)?.bytes).metadata();
  expect([name, format]).toEqual([name, 'jpeg']);
  expect(width * height).toBeGreaterThan(0);
  expect(width * height).toBeLessThan(36_152_320);
}

async function expectConverted(): Promise<void> {
  const clear = { r: 255, g: 0, b: 0, alpha: 0 };
  const transparent = await sharp({ create: { width: 60, height: 40, channels: 4, background: clear } })
    .png()
    .toBuffer();
  const large = await sharp({ create: { width: 10_000, height: 6_000, channels: 3, background: '#268' } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const webp = await drawPicture({ width: 90, height: 70, format: 'webp' });
  for (const [name, bytes] of [
    ['transparent.png', transparent],
    ['large.png', large],
    ['other.webp', webp],
  ] as const)
    await expectJpeg(name, bytes);
  if (samples !== undefined) await expectJpeg('photo.heic', await readFile(join(samples, 'images/photo.heic')));
}

const box = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};

/** A film of twenty seconds without pictures, of so many bytes. */
function film(bytes: number): Buffer {
  const header = Buffer.alloc(100);
  header.writeUInt32BE(1_000, 12);
  header.writeUInt32BE(20_000, 16);
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\u0002\0isommp41', 'latin1')),
    box('moov', box('mvhd', header)),
    box('mdat', Buffer.alloc(bytes, 'film')),
  ]);
}

async function expectFilmInRanges(): Promise<void> {
  const bytes = film(30 * 1024 * 1024);
  const file_id = await stored('film.mp4', bytes);
  const post = await publish({ sp_text: 'A film', sp_files: [{ file_id, title: 'Harbour' }] });
  expect(post.variants[0]).toMatchObject({ spv_state: 'published', spv_error: null });
  const { id } = sentAs(post)?.content.media as Media;
  expect(assetOf(id)?.ranges.map(({ firstByte, lastByte }) => lastByte - firstByte + 1)).toEqual([
    ...Array.from({ length: 7 }, () => 4 * 1024 * 1024),
    bytes.length - 7 * 4 * 1024 * 1024,
  ]);
  expect(assetOf(id)?.bytes.equals(bytes)).toBe(true);
}

async function expectTitledDocument(): Promise<void> {
  const pages = Array.from({ length: 20 }, (_, at) => [{ text: `Page ${at}`, x: 72, y: 720, size: 12 }]);
  const pdf = await stored('report.pdf', textPdf(pages));
  const untitled = await posting.make(client, { sp_text: 'A report', sp_targets: [organization.tgt_id], sp_files: [{ file_id: pdf }] });
  await client.post(`/social-posts/${untitled.sp_id}/publish`).expect(422);
  const document = await publish({ sp_text: 'A report', sp_files: [{ file_id: pdf, title: 'Report (2026)' }] });
  const media = sentAs(document)?.content.media as Media;
  expect([media.title, assetOf(media.id)?.kind]).toEqual(['Report (2026)', 'documents']);
}

it(`[social 7] five images arrive in their order, a HEIC, a transparent and a very large PNG as JPEG within the limit, a film in ranges with its ETags in order, and a document with its title${without}`, async () => {
  await expectFiveInOrder();
  await expectConverted();
  await expectFilmInRanges();
  await expectTitledDocument();
}, 400_000);

it('[social 8] a link card is made of the preview of its page, with title and image in the post and campaign parameters once', async () => {
  const picture = await drawPicture({ width: 300, height: 200, format: 'jpeg' });
  site.at('/lamp.jpg', (_, response) => void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture));
  site.at(
    '/lamp?utm_source=own',
    (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html><head><meta property="og:title" content="Our lamp"><meta property="og:image" content="/lamp.jpg"></head></html>'),
  );
  const url = `${site.url}/lamp?utm_source=own`;
  const preview = (await client.post('/social-posts/link-preview', { url, import_image: true }).expect(200)).body as {
    title: string;
    file_id: string;
  };
  expect(preview).toMatchObject({ title: 'Our lamp', image_url: `${site.url}/lamp.jpg` });
  await settled(client, preview.file_id);
  const utm = { source: 'linkedin', medium: 'social' };
  const post = await publish({ sp_text: 'See', sp_link: { url, title: preview.title, image: preview.file_id }, sp_utm: utm });
  expect(post.variants[0]).toMatchObject({ spv_state: 'published', spv_error: null });
  const article = sentAs(post)?.content.article as { source: string; title: string; thumbnail: string };
  expect(article).toMatchObject({ source: `${url}&utm_medium=social`, title: 'Our lamp' });
  expect((await sharp(assetOf(article.thumbnail)?.bytes).metadata()).width).toBe(300);
}, 180_000);

it('a file in the trash is not sent: the post has the issue at once, and fails with the reason when its time comes', async () => {
  const file_id = await stored('trash.jpg', await drawPicture({ width: 50, height: 50, format: 'jpeg', seed: 77 }));
  const scheduled = await posting.make(client, {
    sp_text: 'With a file',
    sp_targets: [organization.tgt_id],
    sp_files: [{ file_id, alt: 'A' }],
    schedule_at: new Date(Date.now() + 300_000).toISOString(),
  });
  const { body } = await client.get(`/files/${file_id}/references`).expect(200);
  expect(body.data).toMatchObject([{ ref_type: 'social_post', ref_id: scheduled.sp_id, ref_blocking: true }]);
  await client.delete(`/files/${file_id}`).expect(204);
  const noted = await posting.read(client, scheduled.sp_id);
  expect(noted.sp_issues).toMatchObject([{ code: 'file_unavailable' }]);
  await posting.moveTime(scheduled.sp_id, '-1 second');
  await posting.run('social.due');
  expect((await posting.ended(client, scheduled.sp_id)).variants[0]?.spv_error).toMatchObject({
    code: 'file_unavailable',
    message: 'trash.jpg is in the trash.',
  });
}, 120_000);

it('[social 19] the numbers of an organization after 1 h and 24 h are those of the platform, and of a person none are asked for', async () => {
  const post = await publish({ sp_text: 'Counted' });
  const [variant] = post.variants;
  const count = (impressionCount: number) =>
    posting.linkedin.state.statistics.set(variant?.spv_external_id ?? '', {
      ...{ impressionCount, uniqueImpressionsCount: 90, clickCount: 10, likeCount: 5 },
      ...{ commentCount: 3, shareCount: 2 },
    });
  const HOUR_MS = 3_600_000;
  /** How many hours after it was published the numbers of a variant are read next. */
  const nextAge = async (spv_id: string | undefined): Promise<number | null> => {
    const [row] = await posting.api.sql<{ age: number | null }>(
      `SELECT (extract(epoch FROM spv_metrics_next - spv_published) * 1000)::float8 AS age FROM social_variant WHERE spv_id = $1`,
      [spv_id],
    );
    return row?.age === null || row?.age === undefined ? null : row.age / HOUR_MS;
  };
  expect(await nextAge(variant?.spv_id)).toBe(1);
  /** The clock is moved: the post was published so long ago. */
  const readAfter = async (impressions: number, hours: number) => {
    count(impressions);
    await posting.api.sql(
      `UPDATE social_variant SET spv_metrics_next = spv_metrics_next - spv_published + now() - make_interval(hours => $2), spv_published = now() - make_interval(hours => $2) WHERE spv_id = $1`,
      [variant?.spv_id, hours],
    );
    await posting.run('social.metrics-due');
    return eventually(
      () => posting.read(client, post.sp_id),
      (found) => found.variants[0]?.spv_metrics?.spm_impressions === impressions,
      60_000,
    );
  };
  expect((await readAfter(100, 1)).variants[0]?.spv_metrics).toMatchObject({
    ...{ spm_impressions: 100, spm_reach: 90, spm_clicks: 10, spm_reactions: 5 },
    ...{ spm_comments: 3, spm_shares: 2, spm_engagement: 0.2 },
  });
  expect(await nextAge(variant?.spv_id)).toBeCloseTo(6, 5);
  await readAfter(150, 6);
  expect(await nextAge(variant?.spv_id)).toBeCloseTo(24, 5);
  await readAfter(200, 24);
  expect(await nextAge(variant?.spv_id)).toBeCloseTo(72, 5);
  const { body } = await client.get(`/social-posts/${post.sp_id}/metrics`).expect(200);
  expect(body.data[0].series.map(({ spm_impressions }: { spm_impressions: number }) => spm_impressions)).toEqual([100, 150, 200]);
  expect(body.data[0].newest.spm_impressions).toBe(200);

  const { targets } = (await client.get('/admin/social/connections').expect(200)).body.data[0] as { targets: Target[] };
  const person = targets.find(({ tgt_kind }) => tgt_kind === 'person');
  expect(person?.tgt_can.read_stats).toBe(false);
  const own = await publish({ sp_text: 'Not counted', sp_targets: [person?.tgt_id] });
  const asked = () => posting.linkedin.state.requests.filter(({ path }) => path.includes('ShareStatistics')).length;
  const before = asked();
  await posting.api.sql(`UPDATE social_variant SET spv_metrics_next = now() WHERE spv_id = $1`, [own.variants[0]?.spv_id]);
  await posting.run('social.metrics-due');
  const next = () =>
    posting.api.sql<{ n: Date | null }>(`SELECT spv_metrics_next AS n FROM social_variant WHERE spv_id = $1`, [own.variants[0]?.spv_id]);
  await eventually(next, ([row]) => row?.n === null, 60_000);
  const jobs = () => posting.api.sql(`SELECT ev_id FROM outbox WHERE ev_name = 'social.metrics'`);
  const planned = await jobs();
  await posting.run('social.metrics-due');
  expect([asked(), await jobs()]).toEqual([before, planned]);
}, 180_000);
