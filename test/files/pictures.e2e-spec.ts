import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  drawingWithEntity,
  drawingWithReference,
  drawPicture,
  jpeg2000Picture,
  pageDocument,
  pixelBomb,
  rawPhotograph,
  silence,
  truncatedJpeg,
  type Client,
  type RunningApi,
  type TestWorkspace,
} from '@atrium/platform/testing';
import sharp from 'sharp';
import type { Response } from 'supertest';
import { startAtriumWithWorker } from '../support/api';
import { settled, upload, type StoredFile } from './uploading';

const FONTS = join(dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts');
// A folder of real files is a matter of the test run, not one of the service settings.
const samples = process.env['SAMPLES_DIR'];
const withSamples = samples === undefined ? describe.skip : describe;

let api: RunningApi;
let ours: TestWorkspace;
let me: Client;

beforeAll(async () => {
  api = await startAtriumWithWorker({ CORS_ORIGINS: 'https://shop.example' });
  ours = await api.workspace();
  me = ours.owner.client;
}, 60_000);
afterAll(() => api.close());

const add = async (name: string, bytes: Buffer): Promise<StoredFile> => settled(me, (await upload(me, name, bytes)).file_id);
const imageOf = async (
  file: StoredFile,
  replica = 'thumbnail',
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> =>
  me.with(headers).get(`/files/${file.file_id}/image-data?replica=${replica}`).buffer(true).parse(wholeBody);

/** Collects an answer of any type as bytes. */
function wholeBody(response: Response, done: (error: Error | null, bytes: unknown) => void): void {
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  response.on('end', () => done(null, Buffer.concat(parts)));
}

describe('pictures', () => {
  it('[files 2] a thumbnail is WebP of 320 pixels, upright and without EXIF; If-None-Match and Range are honoured', async () => {
    const bytes = await drawPicture({
      width: 1200,
      height: 900,
      format: 'jpeg',
      orientation: 6,
      make: 'Lumen',
      taken: '2024:05:17 08:30:00',
      gps: { lat: 52.52, lng: 13.405 },
    });
    const photo = await add('standing.jpg', bytes);
    const whole = await imageOf(photo);
    expect({ status: whole.status, type: whole.headers['content-type'] }).toEqual({ status: 200, type: 'image/webp' });
    const header = await sharp(whole.body).metadata();
    expect(header).toMatchObject({ format: 'webp', width: 320, height: 240 });
    expect([header.exif, header.xmp, header.icc, header.orientation]).toEqual([undefined, undefined, undefined, undefined]);
    expect(photo.file_metadata.system).toMatchObject({ width: 1200, height: 900 });
    const left = await sharp(whole.body).extract({ left: 0, top: 0, width: 320, height: 20 }).stats();
    expect(left.channels[2]?.mean ?? 0).toBeGreaterThan(left.channels[0]?.mean ?? 0);
    const { etag = '' } = whole.headers;
    expect((await imageOf(photo, 'thumbnail', { 'If-None-Match': etag })).status).toBe(304);
    const part = await imageOf(photo, 'thumbnail', { Range: 'bytes=0-99' });
    expect({ status: part.status, range: part.headers['content-range'] }).toEqual({
      status: 206,
      range: `bytes 0-99/${whole.body.length}`,
    });
    expect(part.body.equals(whole.body.subarray(0, 100))).toBe(true);
  });

  it('[files 18] an SVG with an external entity and a PNG pixel bomb leave the worker alive and other uploads unaffected', async () => {
    const [entity, reference, bomb, fine] = await Promise.all([
      add('entity.svg', drawingWithEntity()),
      add('reference.svg', drawingWithReference('http://127.0.0.1:9/x.png')),
      add('bomb.png', pixelBomb()),
      add('fine.jpg', await drawPicture({ width: 640, height: 480, format: 'jpeg', seed: 5 })),
    ]);
    expect(entity).toMatchObject({ file_processing: 'ready', file_replicas: '', file_metadata: { system: { error: 'document_type' } } });
    expect(reference).toMatchObject({
      file_processing: 'ready',
      file_replicas: '',
      file_metadata: { system: { error: 'external_reference' } },
    });
    expect(bomb).toMatchObject({
      file_processing: 'ready',
      file_replicas: '',
      file_metadata: { system: { error: 'too_many_pixels', width: 50_000 } },
    });
    expect(fine).toMatchObject({ file_processing: 'ready', file_replicas: 'small,medium,large' });
    expect((await imageOf(entity, 'original')).status).toBe(404);
  });

  it('are ready with what decodes of them, or with the reason why nothing does', async () => {
    const truncated = await add('truncated.jpg', await truncatedJpeg(800, 600));
    expect(truncated).toMatchObject({
      file_processing: 'ready',
      file_replicas: 'small,medium,large',
      file_metadata: { system: { error: 'damaged' } },
    });
    expect(await add('nothing.png', Buffer.alloc(0))).toMatchObject({ file_processing: 'ready', file_replicas: '' });
  });

  it('stand for documents, Photoshop files and raw photographs too', async () => {
    const pages = await add('pages.pdf', pageDocument(3));
    expect(pages).toMatchObject({
      file_type: 'application/pdf',
      file_processing: 'ready',
      file_replicas: 'small,medium,large',
      file_metadata: { system: { pages: 3, orientation: 'landscape' } },
    });
    await me.get(`/files/${pages.file_id}/image-data`).expect(422);
    const url = (await me.get(`/files/${pages.file_id}/download-url?size=small`).expect(200)).body as string;
    expect(await sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata()).toMatchObject({
      format: 'webp',
      width: 320,
      height: 213,
    });
    const raw = await add(
      'raw.dng',
      rawPhotograph(await drawPicture({ width: 800, height: 600, format: 'jpeg', seed: 9 }), { orientation: 8 }),
    );
    expect(raw).toMatchObject({
      file_type: 'image/x-adobe-dng',
      file_processing: 'ready',
      file_replicas: 'small,medium,large',
      file_metadata: { system: { width: 600, height: 800 } },
    });
  });
});

describe('fonts', () => {
  it('are known by family, style and weight, and stream to configured origins with a tag', async () => {
    const bytes = await readFile(join(FONTS, 'LiberationSans-Bold.ttf'));
    const font = await add('brand.ttf', bytes);
    expect(font).toMatchObject({
      file_type: 'font/ttf',
      file_processing: 'ready',
      file_replicas: '',
      file_metadata: { system: { font: { family: 'Liberation Sans', style: 'Bold', weight: 700 } } },
    });
    const from = (origin: string, headers: Record<string, string> = {}) =>
      me
        .with({ Origin: origin, ...headers })
        .get(`/files/${font.file_id}/font-data`)
        .buffer(true)
        .parse(wholeBody);
    const answer = await from('https://shop.example').expect(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'font/ttf',
      'access-control-allow-origin': 'https://shop.example',
      etag: expect.any(String),
    });
    expect(bytes.equals(answer.body as Buffer)).toBe(true);
    await from('https://shop.example', { 'If-None-Match': answer.headers['etag'] as string }).expect(304);
    expect((await from('https://elsewhere.example').expect(200)).headers['access-control-allow-origin']).toBeUndefined();
    const pretender = await add('pretender.woff2', await drawPicture({ width: 60, height: 60, format: 'png', seed: 77 }));
    await me.get(`/files/${pretender.file_id}/font-data`).expect(422);
  });
});

withSamples(`real pictures${samples === undefined ? ' (skipped: SAMPLES_DIR names no folder)' : ''}`, () => {
  const folder = join(samples ?? '', 'images');
  const names = samples === undefined ? ['none'] : readdirSync(folder);

  it.each(names)('%s goes through, damaged or not', async (name) => {
    const file = await add(name, readFileSync(join(folder, name)));
    expect(file).toMatchObject({
      file_processing: 'ready',
      file_replicas: 'small,medium,large',
      file_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(file.file_metadata.system?.['error'] ?? null).toBe(/truncated/.test(name) ? 'damaged' : null);
    const header = await sharp((await imageOf(file)).body).metadata();
    expect(Math.max(header.width, header.height)).toBeLessThanOrEqual(320);
  });
});

describe('a file without renditions', () => {
  it('says why with a code and a sentence, alone and in lists, whatever it is', async () => {
    const { client } = (await api.workspace()).owner;
    const cases: Record<string, readonly [Buffer, string]> = {
      'notes.txt': [Buffer.from('words'), 'no_picture'],
      'empty.png': [Buffer.alloc(0), 'empty'],
      'sound.wav': [silence(1), 'no_picture'],
      'drawing.svg': [drawingWithEntity(), 'document_type'],
      'bomb.png': [pixelBomb(), 'too_many_pixels'],
      'broken.jpg': [Buffer.from('ffd8ffe000104a46494600010100', 'hex'), 'unreadable'],
      'layers.xcf': [Buffer.concat([Buffer.from('gimp xcf v011'), Buffer.alloc(50)]), 'unsupported_format'],
    };
    const found: Record<string, unknown> = {};
    for (const [name, [bytes]] of Object.entries(cases)) {
      const { file_metadata } = await settled(client, (await upload(client, name, bytes)).file_id);
      found[name] = file_metadata.system?.['no_renditions'];
    }
    const detail = expect.stringMatching(/^[A-Z].*\.$/) as string;
    expect(found).toEqual(Object.fromEntries(Object.entries(cases).map(([name, [, code]]) => [name, { code, detail }])));
    const listed = (await client.get('/files?repo_type=media&file_name=notes').expect(200)).body.data as {
      file_metadata: { system: object };
    }[];
    expect(listed[0]?.file_metadata.system).toMatchObject({
      no_renditions: { code: 'no_picture', detail: 'Files of this kind have no picture.' },
    });
    const picture = await settled(client, (await upload(client, 'photo.jp2', jpeg2000Picture('jp2 '))).file_id);
    expect(picture).toMatchObject({ file_type: 'image/jp2', file_replicas: 'small,medium,large' });
    expect(picture.file_metadata.system).not.toHaveProperty('no_renditions');
  }, 120_000);
});
