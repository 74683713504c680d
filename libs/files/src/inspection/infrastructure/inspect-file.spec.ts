import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import {
  drawingWithEntity,
  drawingWithReference,
  drawPicture,
  pixelBomb,
  silence,
  truncatedJpeg,
  type Drawing,
  type PictureFormat,
} from '../../../../platform/testing/src/pictures';
import { inspectFile } from './inspect-file';
import type { Inspection } from './inspection';
import { SHOWN_FRAME, videoFacts } from './inspect-video';

describe('looking into a file', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-inspection-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const inspect = async (bytes: Buffer, type: string, name = 'original'): Promise<Inspection> => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return inspectFile({ path, type, outputDir: folder });
  };
  const inspectDrawing = async (drawing: Drawing): Promise<Inspection> => inspect(await drawPicture(drawing), `image/${drawing.format}`);
  const sizes = ({ renditions }: Inspection): string[] => renditions.map(({ name, width, height }) => `${name} ${width}x${height}`);

  it('renders three sizes as WebP without metadata and upright', async () => {
    const found = await inspectDrawing({
      width: 1800,
      height: 2400,
      format: 'jpeg',
      orientation: 6,
      make: 'Lumen',
      model: 'Field 3',
      taken: '2024:05:17 08:30:00',
      gps: { lat: 52.52, lng: 13.405 },
    });
    expect(sizes(found)).toEqual(['large 1536x2048', 'medium 768x1024', 'small 240x320']);
    for (const rendition of found.renditions) {
      const bytes = await readFile(rendition.path);
      const header = await sharp(bytes).metadata();
      expect(header).toMatchObject({ format: 'webp', space: 'srgb', width: rendition.width, height: rendition.height });
      expect([header.exif, header.xmp, header.iptc, header.icc, header.orientation]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      expect(rendition).toMatchObject({ size: bytes.length, type: 'image/webp' });
      expect(await sideThatIsBlue(bytes)).toBe('top');
    }
  });

  it('describes the picture as it was drawn', async () => {
    const { system } = await inspectDrawing({
      width: 900,
      height: 1200,
      format: 'jpeg',
      orientation: 6,
      make: 'Lumen',
      model: 'Field 3',
      lens: '35mm f/2',
      taken: '2024:05:17 08:30:00',
      zone: '-05:00',
      gps: { lat: 52.52, lng: 13.405 },
    });
    expect(system).toMatchObject({
      width: 900,
      height: 1200,
      orientation: 'portrait',
      taken: '2024-05-17T13:30:00.000Z',
      camera: 'Lumen Field 3',
      lens: '35mm f/2',
      gps: { lat: 52.52, lng: 13.405 },
      alpha: false,
    });
    expect(system.phash).toMatch(/^[0-9a-f]{16}$/);
    expect(Buffer.from(system.thumbhash ?? '', 'base64').length).toBeGreaterThan(10);
    expect(system.error).toBeUndefined();
    const shares = (system.colors ?? []).map(({ share }) => share);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1.001);
  });

  it.each<PictureFormat>(['jpeg', 'png', 'webp', 'tiff', 'avif', 'gif', 'bmp'])('renders %s', async (format) => {
    const found = await inspectDrawing({ width: 640, height: 400, format });
    expect(found.system.error).toBeUndefined();
    expect(found.system).toMatchObject({ width: 640, height: 400, orientation: 'landscape' });
    expect(sizes(found)).toEqual(['large 640x400', 'medium 640x400', 'small 320x200']);
    expect(await sideThatIsBlue(await readFile(join(folder, 'small.webp')))).toBe('top');
  });

  it('reads EXIF of WebP and PNG too', async () => {
    for (const format of ['webp', 'png'] as const) {
      const { system } = await inspectDrawing({
        width: 60,
        height: 40,
        format,
        make: 'Lumen',
        taken: '2024:05:17 08:30:00',
        orientation: 8,
      });
      expect(system).toMatchObject({ width: 60, height: 40, camera: 'Lumen', taken: '2024-05-17T08:30:00.000Z' });
    }
  });

  it('never enlarges: every size is there, at most as large as the original', async () => {
    expect(sizes(await inspectDrawing({ width: 100, height: 80, format: 'png' }))).toEqual([
      'large 100x80',
      'medium 100x80',
      'small 100x80',
    ]);
  });

  it('keeps sixteen bits, gray and transparency recognizable', async () => {
    const deep = await sharp(await drawPicture({ width: 80, height: 80, format: 'png' }))
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    expect(await inspect(deep, 'image/png')).toMatchObject({ system: { orientation: 'square', alpha: false } });
    expect(await sideThatIsBlue(await readFile(join(folder, 'large.webp')))).toBe('top');

    const gray = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#808080' } })
      .toColourspace('b-w')
      .png()
      .toBuffer();
    expect((await inspect(gray, 'image/png')).system.colors).toEqual([{ hex: '#808080', share: 1 }]);

    const glass = await sharp({ create: { width: 50, height: 50, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.7 } } })
      .png()
      .toBuffer();
    expect((await inspect(glass, 'image/png')).system.alpha).toBe(true);
    expect((await sharp(join(folder, 'large.webp')).metadata()).hasAlpha).toBe(true);
  });

  it('finds the colors by their share', async () => {
    const flag = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#d00020' } })
      .composite([{ input: { create: { width: 100, height: 25, channels: 3, background: '#0040c0' } }, top: 0, left: 0 }])
      .png()
      .toBuffer();
    const [red, blue] = (await inspect(flag, 'image/png')).system.colors ?? [];
    expect(red).toEqual({ hex: '#d00020', share: expect.closeTo(0.75, 1) as number });
    expect(blue).toEqual({ hex: expect.stringMatching(/^#0[0-3]40c0$/) as string, share: expect.closeTo(0.25, 1) as number });
  });

  it('gives a scaled, re-encoded copy a near perceptual hash and another picture a far one', async () => {
    const original = await drawPicture({ width: 1200, height: 900, format: 'png', seed: 3 });
    const copy = await sharp(original).resize(400).jpeg({ quality: 60 }).toBuffer();
    const other = await drawPicture({ width: 1200, height: 900, format: 'png', seed: 11 });
    const [first, second, third] = [
      await inspect(original, 'image/png'),
      await inspect(copy, 'image/jpeg'),
      await inspect(other, 'image/png'),
    ].map(({ system }) => BigInt(`0x${system.phash}`)) as [bigint, bigint, bigint];
    expect(bitsApart(first, second)).toBeLessThanOrEqual(5);
    expect(bitsApart(first, third)).toBeGreaterThan(7);
  });

  it('measures how many of its pixels a picture needs: an enlarged copy as few as before', async () => {
    const noise = await sharp({
      create: { width: 400, height: 300, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
    })
      .png()
      .toBuffer();
    const enlarged = await sharp(noise).resize(1200).png().toBuffer();
    const [own, threefold] = [
      (await inspect(noise, 'image/png')).system.detail ?? 0,
      (await inspect(enlarged, 'image/png')).system.detail ?? 0,
    ];
    expect(own).toBe(1);
    expect(threefold).toBeLessThan(0.3);
  });

  it('counts the pages of a scan', async () => {
    const page = await drawPicture({ width: 60, height: 60, format: 'png' });
    const scan = await sharp([page, page, page], { join: { animated: true } })
      .tiff()
      .toBuffer();
    expect((await inspect(scan, 'image/tiff')).system).toMatchObject({ pages: 3, width: 60, height: 60 });
  });

  it('does not decode a pixel bomb, and says how large it claims to be', async () => {
    expect(await inspect(pixelBomb(), 'image/png')).toEqual({
      renditions: [],
      system: { width: 50_000, height: 50_000, orientation: 'square', error: 'too_many_pixels' },
    });
    expect(await readdir(folder)).toEqual(['original']);
  });

  it('renders what decodes of a truncated JPEG', async () => {
    const found = await inspect(await truncatedJpeg(), 'image/jpeg');
    expect(found.system).toMatchObject({ width: 1600, height: 1200, error: 'damaged' });
    expect(found.renditions).toHaveLength(3);
    expect(await sideThatIsBlue(await readFile(join(folder, 'small.webp')))).toBe('top');
  });

  it('gives up on bytes that are no picture, and on pictures nobody here can draw', async () => {
    const noise = Buffer.from('ffd8ffe000104a46494600010100', 'hex');
    expect(await inspect(noise, 'image/jpeg')).toMatchObject({
      renditions: [],
      system: { error: expect.stringMatching(/unreadable|damaged/) as string },
    });
    expect(await inspect(Buffer.from('8BPS'), 'image/vnd.adobe.photoshop')).toEqual({ renditions: [], system: { error: 'unreadable' } });
    expect(await inspect(Buffer.from('8BPS'), 'image/x-xcf')).toEqual({ renditions: [], system: { error: 'unsupported_format' } });
    expect(await inspect(Buffer.from('ftypheic'), 'image/heic')).toEqual({ renditions: [], system: { error: 'unreadable' } });
  });

  it('renders a drawing without external references', async () => {
    const svg = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
      <svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><script>alert(1)</script>
      <defs><linearGradient id="g"><stop stop-color="#00f"/></linearGradient></defs>
      <a href="https://example.com/"><rect width="200" height="100" fill="url(#g)"/></a></svg>`;
    const found = await inspect(Buffer.from(svg), 'image/svg+xml');
    expect(found.system).toMatchObject({ width: 200, height: 100, orientation: 'panorama', colors: [{ hex: '#0000ff', share: 1 }] });
    expect(found.renditions).toHaveLength(3);
  });

  it('refuses a drawing with entities', async () => {
    expect(await inspect(drawingWithEntity(), 'image/svg+xml')).toEqual({ renditions: [], system: { error: 'document_type' } });
  });

  it.each([
    'http://127.0.0.1:9/x.png',
    'file:///etc/passwd',
    '/etc/passwd',
    '../other.png',
    '&#104;ttp://127.0.0.1/x.png',
    'data:image/svg+xml;base64,PHN2Zy8+',
  ])('refuses a drawing that refers to %s', async (href) => {
    expect(await inspect(drawingWithReference(href), 'image/svg+xml')).toEqual({ renditions: [], system: { error: 'external_reference' } });
  });

  it.each([
    '<style>@import "x.css";</style>',
    '<rect style="fill:url(http://127.0.0.1/a.svg#b)"/>',
    '<use HREF = x.svg#a />',
    '<a title=">"><image href="x.png"/></a>',
  ])('refuses a drawing with %s', async (content) => {
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${content}</svg>`);
    expect((await inspect(svg, 'image/svg+xml')).system.error).toBe('external_reference');
  });

  it('refuses a drawing that multiplies itself, and draws one that says it is vast no larger than it is shown', async () => {
    const tower = Array.from({ length: 20 }, (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`).join('');
    const svg = (content: string): Buffer =>
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="16000" height="8000">${content}</svg>`);
    expect(await inspect(svg(`<g id="a0"><rect/></g>${tower}`), 'image/svg+xml')).toEqual({
      renditions: [],
      system: { error: 'too_complex' },
    });
    const found = await inspect(svg('<rect width="16000" height="8000" fill="#00f"/>'), 'image/svg+xml');
    expect(found.system).toMatchObject({ width: 16_000, height: 8_000, colors: [{ hex: '#0000ff', share: 1 }] });
    expect(sizes(found)).toEqual(['large 2000x1000', 'medium 1024x512', 'small 320x160']);
  });

  it('knows how long a sound lasts', async () => {
    expect(await inspect(silence(2), 'audio/wav', 'silence.wav')).toEqual({ renditions: [], system: { duration: 2, codec: 'PCM' } });
    expect(await inspect(Buffer.from('no sound at all'), 'audio/mpeg')).toEqual({ renditions: [], system: { error: 'unreadable' } });
  });

  it('reads what ffprobe says of a video as it is shown', () => {
    const probe = {
      format: { duration: '12.480000' },
      streams: [
        { codec_type: 'audio', codec_name: 'aac' },
        {
          codec_type: 'video',
          codec_name: 'h264',
          width: 1920,
          height: 1080,
          avg_frame_rate: '30000/1001',
          side_data_list: [{ rotation: -90 }],
        },
      ],
    };
    expect(videoFacts(probe)).toEqual({ duration: 12.48, codec: 'h264', fps: 29.97, width: 1080, height: 1920, orientation: 'portrait' });
    expect(videoFacts({})).toEqual({});
    const anamorphic = { codec_type: 'video', width: 720, height: 576, sample_aspect_ratio: '64:45' };
    expect(videoFacts({ streams: [anamorphic] })).toEqual({ width: 1024, height: 576, orientation: 'landscape' });
    expect(videoFacts({ streams: [{ ...anamorphic, side_data_list: [{ rotation: 90 }] }] })).toEqual({
      width: 576,
      height: 1024,
      orientation: 'portrait',
    });
    for (const sample_aspect_ratio of ['0:1', 'N/A', '1:0', '1:1000'])
      expect(videoFacts({ streams: [{ ...anamorphic, sample_aspect_ratio }] })).toMatchObject({ width: 720 });
    expect(SHOWN_FRAME).toContain('iw*sar');
  });

  it('has nothing to do for empty files and texts', async () => {
    expect(await inspect(Buffer.alloc(0), 'image/png')).toEqual({ renditions: [], system: {} });
    expect(await inspect(Buffer.from('Plain words.'), 'text/plain')).toEqual({ renditions: [], system: {} });
  });

  it('throws when the file is not there, because that may change', async () => {
    await expect(inspectFile({ path: join(folder, 'absent'), type: 'image/png', outputDir: folder })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    await writeFile(join(folder, 'original'), await drawPicture({ width: 20, height: 20, format: 'png' }));
    await expect(
      inspectFile({ path: join(folder, 'original'), type: 'image/png', outputDir: join(folder, 'absent') }),
    ).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

/** Drawn pictures have blue sky at their upper edge. */
async function sideThatIsBlue(bytes: Buffer): Promise<string | undefined> {
  const { data, info } = await sharp(bytes).removeAlpha().resize(9, 9, { fit: 'fill' }).raw().toBuffer({ resolveWithObject: true });
  const blueness = (x: number, y: number): number => (data[(y * info.width + x) * 3 + 2] ?? 0) - (data[(y * info.width + x) * 3] ?? 0);
  const sides = { top: blueness(4, 0), bottom: blueness(4, 8), left: blueness(0, 4), right: blueness(8, 4) };
  return Object.entries(sides).sort(([, a], [, b]) => b - a)[0]?.[0];
}

const bitsApart = (a: bigint, b: bigint): number => (a ^ b).toString(2).replaceAll('0', '').length;
