// Pictures as cameras make them, no two with the same bytes: drawn, or made of the JPEGs of a folder.
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** Writes so many pictures into the folder; their paths. */
export async function benchPictures(folder, count, from) {
  const originals = from
    ? await undamaged(
        readdirSync(from)
          .filter((name) => /\.jpe?g$/i.test(name))
          .map((name) => join(from, name)),
      )
    : [];
  const paths = [];
  for (let n = 0; n < count; n++) {
    const path = join(folder, `picture-${n}.jpg`);
    await writeFile(path, originals.length > 0 ? await another(originals[n % originals.length], n) : await drawn(n));
    paths.push(path);
  }
  return paths;
}

/** Twelve million pixels with edges, gradients and the grain of a sensor. */
async function drawn(seed) {
  const [width, height] = [4000, 3000];
  const shapes = Array.from({ length: 120 }, (_, i) => {
    const at = (seed * 131 + i * 977) % 4000;
    return `<ellipse cx="${at}" cy="${(at * 7 + i * 311) % 3000}" rx="${40 + ((i * 37 + seed) % 400)}" ry="${30 + ((i * 53) % 300)}" fill="hsl(${(i * 29 + seed * 17) % 360} ${30 + (i % 60)}% ${20 + (i % 60)}%)" fill-opacity="0.7"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="hsl(${(seed * 47) % 360} 40% 60%)"/>${shapes.join('')}</svg>`;
  const grain = await sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 14 } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(Buffer.from(drawing))
    .composite([{ input: grain, blend: 'soft-light' }])
    .removeAlpha()
    .jpeg({ quality: 88 })
    .toBuffer();
}

async function undamaged(paths) {
  const whole = await Promise.all(
    paths.map((path) =>
      sharp(path)
        .stats()
        .then(
          () => true,
          () => false,
        ),
    ),
  );
  return paths.filter((_, at) => whole[at]);
}

/** The same photograph, some pixels less on one side. */
async function another(path, n) {
  const { data, info } = await sharp(path).autoOrient().toBuffer({ resolveWithObject: true });
  return sharp(data)
    .extract({ left: n % 16, top: 0, width: info.width - 16, height: info.height })
    .jpeg({ quality: 88 })
    .toBuffer();
}
