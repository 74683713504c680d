import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { drawPicture, pixelBomb, truncatedJpeg } from '../../../../platform/testing/src/pictures';
import type { JpegAnswer, JpegTask } from './inspection';
import { uprightJpeg } from './picture-jpeg';

const MIB = 1024 * 1024;

describe('a picture as an upright JPEG', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-jpeg-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const render = async (
    bytes: Buffer,
    type: string,
    bounds: Partial<JpegTask> = {},
  ): Promise<{ readonly answer: JpegAnswer; readonly jpegPath: string }> => {
    const [path, jpegPath] = [join(folder, 'original'), join(folder, 'upright.jpg')];
    await writeFile(path, bytes);
    const answer = await uprightJpeg({ path, type, jpegPath, mostPixels: 36_000_000, mostBytes: 8 * MIB, quality: 88, ...bounds });
    return { answer, jpegPath };
  };
  /** Red, green and blue at the middle of an edge. */
  const colorAt = async (jpegPath: string, top: boolean): Promise<number[]> => {
    const { data, info } = await sharp(jpegPath).raw().toBuffer({ resolveWithObject: true });
    const at = ((top ? 1 : info.height - 2) * info.width + Math.floor(info.width / 2)) * info.channels;
    return [...data.subarray(at, at + 3)];
  };

  it.each([1, 3, 6, 8] as const)('is upright, of orientation %i, and takes no notes of the camera along', async (orientation) => {
    const drawing = await drawPicture({
      width: 600,
      height: 800,
      format: 'jpeg',
      orientation,
      make: 'Lumen',
      gps: { lat: 52.52, lng: 13.405 },
    });
    const { answer, jpegPath } = await render(drawing, 'image/jpeg');
    const bytes = await readFile(jpegPath);
    expect(answer).toEqual({ width: 600, height: 800, size: bytes.length });
    const header = await sharp(bytes).metadata();
    expect(header).toMatchObject({ format: 'jpeg', space: 'srgb', width: 600, height: 800, hasAlpha: false });
    expect([header.exif, header.xmp, header.iptc, header.orientation]).toEqual([undefined, undefined, undefined, undefined]);
    const [skyRed = 0, , skyBlue = 0] = await colorAt(jpegPath, true);
    const [, groundGreen = 0, groundBlue = 0] = await colorAt(jpegPath, false);
    expect(skyBlue).toBeGreaterThan(skyRed);
    expect(groundGreen).toBeGreaterThan(groundBlue);
  });

  it.each(['png', 'webp', 'tiff', 'gif', 'avif', 'bmp'] as const)('is made of %s', async (format) => {
    const { answer, jpegPath } = await render(await drawPicture({ width: 320, height: 240, format }), `image/${format}`);
    expect(answer).toMatchObject({ width: 320, height: 240 });
    expect((await sharp(jpegPath).metadata()).format).toBe('jpeg');
  });

  it('shows white where the picture is transparent', async () => {
    const glass = await sharp({ create: { width: 40, height: 40, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer();
    const { jpegPath } = await render(glass, 'image/png');
    for (const part of await colorAt(jpegPath, true)) expect(part).toBeGreaterThan(250);
  });

  it('has at most so many pixels, of the same shape', async () => {
    const { answer } = await render(await drawPicture({ width: 1_600, height: 900, format: 'png' }), 'image/png', { mostPixels: 360_000 });
    expect(answer).toMatchObject({ width: 800, height: 450 });
    const odd = await render(await drawPicture({ width: 1_601, height: 901, format: 'png' }), 'image/png', { mostPixels: 360_000 });
    const { width = 0, height = 0 } = 'size' in odd.answer ? odd.answer : {};
    expect(width * height).toBeLessThanOrEqual(360_000);
    expect(width * height).toBeGreaterThan(355_000);
    expect(width / height).toBeCloseTo(1_601 / 901, 2);
  });

  it('has at most so many bytes', async () => {
    const noise = await sharp({
      create: { width: 900, height: 600, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
    })
      .png()
      .toBuffer();
    const { answer, jpegPath } = await render(noise, 'image/png', { mostBytes: 60_000 });
    const { width = 0, height = 0, size = 0 } = 'size' in answer ? answer : {};
    expect(size).toBe((await readFile(jpegPath)).length);
    expect(size).toBeLessThanOrEqual(60_000);
    expect(size).toBeGreaterThan(20_000);
    expect(width / height).toBeCloseTo(1.5, 1);
  });

  it.each([
    ['the bytes are none of a picture', () => Promise.resolve(Buffer.from('nothing')), 'image/jpeg', 'unreadable'],
    ['bytes are missing', () => truncatedJpeg(), 'image/jpeg', 'damaged'],
    ['it has too many pixels to be decoded', () => Promise.resolve(pixelBomb()), 'image/png', 'too_many_pixels'],
    ['it is of a kind that is not rendered', () => Promise.resolve(Buffer.from('nothing')), 'image/x-icon', 'unsupported_format'],
  ])('is not made where %s', async (_, bytes, type, fault) => {
    const { answer, jpegPath } = await render(await bytes(), type);
    expect(answer).toEqual({ fault });
    expect(existsSync(jpegPath)).toBe(false);
  });

  it('is not made where it cannot be made small enough', async () => {
    const { answer, jpegPath } = await render(await drawPicture({ width: 320, height: 240, format: 'png' }), 'image/png', {
      mostBytes: 10,
    });
    expect(answer).toEqual({ fault: 'too_large' });
    expect(existsSync(jpegPath)).toBe(false);
  });
});
