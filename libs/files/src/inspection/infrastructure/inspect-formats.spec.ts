import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { drawPicture, jpeg2000Picture, pageDocument, rawPhotograph } from '../../../../platform/testing/src/pictures';
import { inspectFile } from './inspect-file';
import type { Inspection } from './inspection';

const FONTS = join(dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts');
const PHOTOSHOP = 'image/vnd.adobe.photoshop';
const run = promisify(execFile);

describe('looking into further formats', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-formats-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const inspect = async (bytes: Buffer, type: string): Promise<Inspection> => {
    const path = join(folder, 'original');
    await writeFile(path, bytes);
    return inspectFile({ path, type, outputDir: folder });
  };
  const sizes = ({ renditions }: Inspection): string[] => renditions.map(({ name, width, height }) => `${name} ${width}x${height}`);
  /** Red, green, blue at a place of the small rendition, given as shares of its width and height. */
  const colorAt = async (x: number, y: number): Promise<number[]> => {
    const { data, info } = await sharp(join(folder, 'small.webp')).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(at, at + 3)];
  };
  const expectColor = async (x: number, y: number, wanted: readonly number[]): Promise<void> => {
    const found = await colorAt(x, y);
    const farthest = Math.max(...wanted.map((part, index) => Math.abs(part - (found[index] ?? -1_000))));
    expect({ found, farthest }).toEqual({ found, farthest: Math.min(farthest, 12) });
  };

  it.each<[string, Buffer]>([
    ['image/j2c', jpeg2000Picture()],
    ['image/jp2', jpeg2000Picture('jp2 ')],
    ['image/jpx', jpeg2000Picture('jpx ')],
  ])('renders JPEG 2000 (%s)', async (type, bytes) => {
    const found = await inspect(bytes, type);
    expect(found.system).toMatchObject({ width: 48, height: 32, orientation: 'landscape', phash: expect.any(String) as string });
    expect(found.system.error).toBeUndefined();
    expect(sizes(found)).toEqual(['large 48x32', 'medium 48x32', 'small 48x32']);
    const [red = 0, , blue = 0] = await colorAt(0.5, 0);
    expect(blue).toBeGreaterThan(red + 30);
  });

  it('gives the reason why truncated or invalid JPEG 2000 has no picture, with the size where it is known', async () => {
    const bytes = jpeg2000Picture();
    expect(await inspect(bytes.subarray(0, 30), 'image/j2c')).toMatchObject({
      renditions: [],
      system: { error: expect.any(String) as string },
    });
    expect(await inspect(Buffer.from('no picture'), 'image/jp2')).toEqual({ renditions: [], system: { error: 'unreadable' } });
    const vast = Buffer.from(bytes);
    vast.writeUInt32BE(100_000, 8);
    vast.writeUInt32BE(100_000, 12);
    expect((await inspect(vast, 'image/j2c')).system).toMatchObject({ error: 'too_many_pixels', width: 100_000 });
  });

  it('draws the first page of a document and counts the others', async () => {
    const found = await inspect(pageDocument(3), 'application/pdf');
    expect(found.system).toMatchObject({
      pages: 3,
      width: 300,
      height: 200,
      orientation: 'landscape',
      thumbhash: expect.any(String) as string,
    });
    expect(found.system.phash).toBeUndefined();
    expect(sizes(found)).toEqual(['large 2048x1365', 'medium 1024x683', 'small 320x213']);
    await expectColor(0.5, 0.25, [0, 0, 255]);
    await expectColor(0.5, 0.75, [255, 255, 255]);
  });

  it('draws one page of a hundred thousand, and none that scripts make', async () => {
    const found = await inspect(pageDocument(100_000, { script: 'app.alert(1)' }), 'application/pdf');
    expect(found.system).toMatchObject({ pages: 100_000 });
    expect(found.renditions).toHaveLength(3);
  });

  it('says that a document is broken', async () => {
    expect(await inspect(Buffer.from('%PDF-1.7'), 'application/pdf')).toEqual({ renditions: [], system: { error: 'damaged' } });
  });

  it('shows what all layers of a Photoshop file look like together', async () => {
    const { initializeCanvas, writePsdBuffer } = await import('ag-psd');
    initializeCanvas(() => {
      throw new Error('no canvas');
    });
    const { data, info } = await sharp(await drawPicture({ width: 640, height: 400, format: 'png' }))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const imageData = { width: info.width, height: info.height, data: new Uint8ClampedArray(data) };
    const found = await inspect(writePsdBuffer({ width: info.width, height: info.height, imageData }), PHOTOSHOP);
    expect(found.system).toMatchObject({ width: 640, height: 400, orientation: 'landscape' });
    expect(found.system.error).toBeUndefined();
    expect(sizes(found)).toEqual(['large 640x400', 'medium 640x400', 'small 320x200']);
    const [, , blue = 0] = await colorAt(0.5, 0.05);
    expect(blue).toBeGreaterThan(120);
  });

  it('does not decode a Photoshop file that declares too many pixels', async () => {
    const header = Buffer.alloc(64);
    header.write('8BPS', 'latin1');
    header.writeUInt16BE(1, 4);
    header.writeUInt32BE(30_000, 14);
    header.writeUInt32BE(30_000, 18);
    expect((await inspect(header, PHOTOSHOP)).system).toMatchObject({ error: 'too_many_pixels', width: 30_000 });
  });

  it('shows a raw photograph by the picture the camera put into it, as the camera was held', async () => {
    const preview = await drawPicture({ width: 1600, height: 1200, format: 'jpeg' });
    const lying = await inspect(rawPhotograph(preview), 'image/x-adobe-dng');
    expect(lying.system).toMatchObject({ width: 1600, height: 1200, orientation: 'landscape' });
    expect(sizes(lying)).toEqual(['large 1600x1200', 'medium 1024x768', 'small 320x240']);
    const standing = await inspect(rawPhotograph(preview, { orientation: 6 }), 'image/x-nikon-nef');
    expect(sizes(standing)).toEqual(['large 1200x1600', 'medium 768x1024', 'small 240x320']);
    expect((await inspect(Buffer.from('II*\0\x08\0\0\0\xff\xff', 'latin1'), 'image/x-canon-cr2')).system).toEqual({
      error: 'unsupported_format',
    });
  });

  it('knows family, style and weight of a font', async () => {
    const bold = await inspect(await readFile(join(FONTS, 'LiberationSans-Bold.ttf')), 'font/ttf');
    expect(bold).toEqual({ renditions: [], system: { font: { family: 'Liberation Sans', style: 'Bold', weight: 700 } } });
    expect(await inspect(Buffer.from('\0\x01\0\0 no font at all', 'latin1'), 'font/ttf')).toEqual({
      renditions: [],
      system: { error: 'damaged' },
    });
  });

  it('brings print colors and wide gamuts to the colors of screens', async () => {
    const flat = sharp({ create: { width: 64, height: 64, channels: 3, background: '#a06450' } });
    const print = await flat.clone().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    expect((await sharp(print).metadata()).space).toBe('cmyk');
    await inspect(print, 'image/jpeg');
    await expectColor(0.5, 0.5, [160, 100, 80]);
    const wide = await flat.clone().withIccProfile('p3').png().toBuffer();
    expect((await sharp(wide).metadata()).icc).toBeDefined();
    await inspect(wide, 'image/png');
    await expectColor(0.5, 0.5, [160, 100, 80]);
  });

  it('draws the first frame of what moves', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#00ff00'].map((background) =>
        sharp({ create: { width: 60, height: 60, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    for (const [type, bytes] of [
      [
        'image/gif',
        await sharp(frames, { join: { animated: true } })
          .gif()
          .toBuffer(),
      ],
      [
        'image/webp',
        await sharp(frames, { join: { animated: true } })
          .webp({ lossless: true })
          .toBuffer(),
      ],
    ] as const) {
      expect(await inspect(bytes, type)).toMatchObject({ system: { width: 60, height: 60 }, renditions: [{}, {}, {}] });
      await expectColor(0.5, 0.5, [255, 0, 0]);
    }
  });

  it('shows a video by a frame near its beginning where the tools are, and says so where not', async () => {
    const tools = await run('ffmpeg', ['-version']).then(
      () => true,
      () => false,
    );
    const path = join(folder, 'film.mp4');
    if (!tools) {
      await writeFile(path, Buffer.from('no film'));
      expect((await inspectFile({ path, type: 'video/mp4', outputDir: folder })).system.error).toBe('no_video_tools');
      return;
    }
    await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'color=c=red:s=640x360:d=2:r=25', '-pix_fmt', 'yuv420p', path]);
    const found = await inspectFile({ path, type: 'video/mp4', outputDir: folder });
    expect(found.system).toMatchObject({ width: 640, height: 360, duration: 2, fps: 25, orientation: 'landscape' });
    expect(found.system.phash).toBeUndefined();
    expect(sizes(found)).toEqual(['large 640x360', 'medium 640x360', 'small 320x180']);
    await expectColor(0.5, 0.5, [254, 0, 0]);
  });
});
