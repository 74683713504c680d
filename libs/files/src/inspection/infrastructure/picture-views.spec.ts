import sharp from 'sharp';
import { bitsApart, likenessOf, MOST_APART, turnedAndMirrored, wholeOf } from '../domain/picture-views';
import { texturedPicture } from '../../../../platform/testing/src/pictures';
import type { UprightPicture } from './picture-features';
import { viewsOf } from './picture-views';

const LEAST = 1 - MOST_APART / 128;

const viewed = async (bytes: Buffer): Promise<string> => {
  const { data, info } = await sharp(bytes)
    .resize(320, 320, { fit: 'inside', withoutEnlargement: true })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const picture: UprightPicture = { data, width: info.width, height: info.height, channels: 3, transparent: false };
  return (await viewsOf(picture)) ?? '';
};
const crop = (bytes: Buffer, [left, top, width, height]: readonly [number, number, number, number]): Promise<Buffer> =>
  sharp(bytes)
    .extract({ left: Math.round(left * 900), top: Math.round(top * 700), width: Math.round(width * 900), height: Math.round(height * 700) })
    .resize(600)
    .jpeg({ quality: 80 })
    .toBuffer();

describe('the views of a picture', () => {
  it('know it however it was turned or mirrored, saved again and smaller', async () => {
    const original = await texturedPicture({ width: 900, height: 700, seed: 1 });
    const views = await viewed(original);
    for (const quarter of [0, 90, 180, 270]) {
      for (const mirrored of [false, true]) {
        const turned = await sharp(await sharp(original).rotate(quarter).toBuffer())
          .flop(mirrored)
          .resize(500)
          .jpeg({ quality: 70 })
          .toBuffer();
        expect(likenessOf(views, await viewed(turned))).toBeGreaterThan(LEAST);
      }
    }
    expect(new Set(turnedAndMirrored(wholeOf(views))).size).toBe(8);
    expect(turnedAndMirrored(wholeOf(views))[0]).toBe(wholeOf(views));
  });

  it.each<[string, readonly [number, number, number, number]]>([
    ['in the middle', [0.1, 0.1, 0.8, 0.8]],
    ['at a corner', [0, 0, 0.8, 0.8]],
    ['at the other corner', [0.2, 0.2, 0.8, 0.8]],
    ['off the middle', [0.05, 0.15, 0.8, 0.8]],
    ['to nine tenths', [0.05, 0.05, 0.9, 0.9]],
    ['on one side', [0, 0, 0.8, 1]],
    ['at the foot', [0, 0, 1, 0.8]],
  ])('know it cropped %s, whichever of the two is asked', async (_, part) => {
    const original = await texturedPicture({ width: 900, height: 700, seed: 2 });
    const [views, cropped] = [await viewed(original), await viewed(await crop(original, part))];
    expect(likenessOf(views, cropped)).toBeGreaterThan(LEAST);
    expect(likenessOf(cropped, views)).toBe(likenessOf(views, cropped));
  });

  it('keep distinct pictures apart', async () => {
    const all = await Promise.all(
      Array.from({ length: 16 }, async (__, seed) => viewed(await texturedPicture({ width: 270, height: 210, seed: seed + 10 }))),
    );
    const likest = Math.max(...all.flatMap((a, at) => all.slice(at + 1).map((b) => likenessOf(a, b))));
    expect(likest).toBeLessThan(LEAST);
    expect(bitsApart('f0', '0f')).toBe(8);
  });

  it('are none of a picture that shows nothing', async () => {
    expect(
      await viewed(
        await sharp({ create: { width: 100, height: 80, channels: 3, background: '#336699' } })
          .png()
          .toBuffer(),
      ),
    ).toBe('');
  });
});
