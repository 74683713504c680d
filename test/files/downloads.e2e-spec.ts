import { randomBytes } from 'node:crypto';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import type { Test } from 'supertest';
import { objectStore } from '../support/object-store';
import { sharedAtrium } from '../support/shared-atrium';
import { storeFile, type StoredFile } from './stored-files';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

const ORIGINAL = randomBytes(300_000);
const SMALL = randomBytes(2_000);
const LARGE = randomBytes(20_000);

let photo: StoredFile;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
  photo = await storeFile(api, ours, {
    name: 'Über den Häfen.jpg',
    type: 'image/jpeg',
    kind: 'image',
    bytes: ORIGINAL,
    renditions: { small: SMALL, large: LARGE },
  });
});
afterAll(() => api.close());

const asBytes = (test: Test): Test =>
  test.buffer(true).parse((response, done) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => done(null, Buffer.concat(chunks)));
  });

const image = (query = '', headers: Readonly<Record<string, string>> = {}, id = photo.file_id): Test =>
  asBytes(ours.owner.client.with(headers).get(`/files/${id}/image-data${query}`));

describe('a download address', () => {
  it('is a JSON string that opens without credentials, as an attachment with the exact name', async () => {
    const answer = await ours.owner.client
      .get(`/files/${photo.file_id}/download-url`)
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    expect(typeof answer.body).toBe('string');
    expect(answer.headers).not.toHaveProperty('x-rendition');
    const served = await fetch(answer.body as string);
    expect(served.status).toBe(200);
    expect(served.headers.get('content-type')).toBe('image/jpeg');
    expect(served.headers.get('content-disposition')).toContain(`attachment; filename="`);
    expect(served.headers.get('content-disposition')).toContain(`filename*=UTF-8''${encodeURIComponent('Über den Häfen.jpg')}`);
    expect(Buffer.from(await served.arrayBuffer()).equals(ORIGINAL)).toBe(true);
  });

  it('leads to a rendition, or says that it leads to the original instead', async () => {
    const small = await ours.owner.client.get(`/files/${photo.file_id}/download-url?size=small`).expect(200);
    const served = await fetch(small.body as string);
    expect(served.headers.get('content-type')).toBe('image/webp');
    expect(served.headers.get('content-disposition')).toContain('.webp');
    expect(Buffer.from(await served.arrayBuffer()).equals(SMALL)).toBe(true);
    const medium = await ours.owner.client.get(`/files/${photo.file_id}/download-url?size=medium`).expect(200);
    expect(medium.headers['x-rendition']).toBe('original');
    expect((await (await fetch(medium.body as string)).arrayBuffer()).byteLength).toBe(ORIGINAL.length);
    for (const query of ['size=huge', 'size=original', 'colour=red'])
      await ours.owner.client.get(`/files/${photo.file_id}/download-url?${query}`).expect(400);
  });

  it.each(['text/html', 'image/svg+xml', 'application/xml', 'text/xml', 'application/xhtml+xml'])(
    'of %s is never shown inside a page',
    async (type) => {
      const page = await storeFile(api, ours, { name: 'page', type, kind: 'document', bytes: Buffer.from('<script>alert(1)</script>') });
      const { body } = await ours.owner.client.get(`/files/${page.file_id}/download-url`).expect(200);
      const served = await fetch(body as string);
      expect(served.headers.get('content-disposition')).toMatch(/^attachment/);
      // S3 has no word for it in a signed address; there the disposition alone keeps the bytes out of a page.
      if (objectStore === 'disk') expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it('of an earlier version leads to its bytes', async () => {
    const file = await storeFile(api, ours, { name: 'v.txt', bytes: Buffer.from('first') });
    const { body } = await ours.owner.client.get(`/files/${file.file_id}/versions/${file.fv_id}/download-url`).expect(200);
    expect(await (await fetch(body as string)).text()).toBe('first');
    await ours.owner.client.get(`/files/${file.file_id}/versions/${newId()}/download-url`).expect(404);
    await ours.owner.client.get(`/files/${photo.file_id}/versions/${file.fv_id}/download-url`).expect(404);
  });

  it('is written into the history', async () => {
    const file = await storeFile(api, ours);
    await ours.owner.client.get(`/files/${file.file_id}/download-url`).expect(200);
    const history = await ours.owner.client.get(`/files/${file.file_id}/history`).expect(200);
    expect(history.body.data[0]).toMatchObject({ fh_action: 'downloaded', fh_details: { size: 'original' } });
  });

  it('is refused for what is in quarantine and without the permission', async () => {
    const bad = await storeFile(api, ours, { processing: 'quarantined', type: 'image/jpeg', kind: 'image' });
    for (const path of ['download-url', `versions/${bad.fv_id}/download-url`, 'image-data']) {
      const answer = await ours.owner.client.get(`/files/${bad.file_id}/${path}`).expect(409);
      expect(answer.body.code).toBe('invalid_state');
    }
    const looker = await ours.member('viewer', ['media:view']);
    for (const path of ['download-url', 'image-data', 'font-data']) await looker.client.get(`/files/${photo.file_id}/${path}`).expect(403);
  });
});

describe('image data', () => {
  it('is the wanted size, the next larger one, or the original', async () => {
    const sizes: Record<string, Buffer> = {
      '?replica=thumbnail': SMALL,
      '?replica=small': SMALL,
      '?replica=medium': LARGE,
      '?replica=large': LARGE,
      '': LARGE,
      '?replica=original': ORIGINAL,
    };
    for (const [query, bytes] of Object.entries(sizes)) {
      const answer = await image(query).expect(200);
      expect((answer.body as Buffer).equals(bytes)).toBe(true);
      expect(answer.headers['content-type']).toBe(bytes === ORIGINAL ? 'image/jpeg' : 'image/webp');
      expect(answer.headers['content-length']).toBe(String(bytes.length));
    }
    await image('?replica=huge').expect(400);
  });

  it('cannot run anything in a browser and stays private', async () => {
    const { headers } = await image().expect(200);
    expect(headers).toMatchObject({
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'accept-ranges': 'bytes',
      etag: `"${photo.hash}-large"`,
    });
  });

  it('answers 304 to clients that have it, and another tag for another size', async () => {
    const first = await image('?replica=small').expect(200);
    const again = await image('?replica=small', { 'If-None-Match': first.headers.etag as string }).expect(304);
    expect((again.body as Buffer).length).toBe(0);
    expect(again.headers.etag).toBe(first.headers.etag);
    await image('?replica=large', { 'If-None-Match': first.headers.etag as string }).expect(200);
    await image('?replica=small', { 'If-None-Match': `W/"x", ${first.headers.etag as string}` }).expect(304);
  });

  it('answers ranges', async () => {
    const part = await image('?replica=original', { Range: 'bytes=100-199' }).expect(206);
    expect(part.headers['content-range']).toBe(`bytes 100-199/${ORIGINAL.length}`);
    expect((part.body as Buffer).equals(ORIGINAL.subarray(100, 200))).toBe(true);
    const tail = await image('?replica=original', { Range: 'bytes=-5' }).expect(206);
    expect((tail.body as Buffer).equals(ORIGINAL.subarray(-5))).toBe(true);
    const none = await image('?replica=original', { Range: 'bytes=300000-' }).expect(416);
    expect(none.headers['content-range']).toBe(`bytes */${ORIGINAL.length}`);
    await image('?replica=original', { Range: 'bytes=0-1,4-5' }).expect(200);
    await image('?replica=original', { Range: 'bytes=0-9', 'If-Range': '"other"' }).expect(200);
    await image('?replica=original', { Range: 'bytes=0-9', 'If-Range': `"${photo.hash}-original"` }).expect(206);
  });

  it('is 422 for what is no image and 404 where nothing can be shown', async () => {
    const text = await storeFile(api, ours);
    const refused = await image('', {}, text.file_id).expect(422);
    expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/);
    const drawing = await storeFile(api, ours, { name: 'x.svg', type: 'image/svg+xml', kind: 'image' });
    await image('', {}, drawing.file_id).expect(404);
    const plain = await storeFile(api, ours, { name: 'x.png', type: 'image/png', kind: 'image' });
    await image('', {}, plain.file_id).expect(200).expect('Content-Type', 'image/png');
    const unread = await storeFile(api, ours, { name: 'x.png', type: 'image/png', kind: 'image', processing: 'pending' });
    await image('', {}, unread.file_id).expect(409);
  });

  it('is a problem while nothing was sent: bytes that storage lost are not found', async () => {
    const lost = await storeFile(api, ours, { name: 'x.png', type: 'image/png', kind: 'image', lost: true });
    const answer = await ours.owner.client.get(`/files/${lost.file_id}/image-data`).expect(404);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers).not.toHaveProperty('etag');
  });
});

describe('font data', () => {
  it('streams fonts and nothing else', async () => {
    const font = await storeFile(api, ours, { name: 'x.woff2', type: 'font/woff2', kind: 'font', bytes: Buffer.from('wOF2 body') });
    const answer = await asBytes(ours.owner.client.with({ Origin: 'https://shop.example' }).get(`/files/${font.file_id}/font-data`)).expect(
      200,
    );
    expect(answer.headers).toMatchObject({
      'content-type': 'font/woff2',
      'access-control-allow-origin': '*',
      etag: `"${font.hash}-original"`,
    });
    expect((answer.body as Buffer).toString()).toBe('wOF2 body');
    await ours.owner.client.get(`/files/${photo.file_id}/font-data`).expect(422);
  });
});

describe('from another workspace', () => {
  it('no bytes of a file can be had', async () => {
    for (const path of ['download-url', 'image-data', 'font-data', `versions/${photo.fv_id}/download-url`])
      await theirs.owner.client.get(`/files/${photo.file_id}/${path}`).expect(404);
  });
});
