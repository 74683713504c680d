import sharp from 'sharp';

export interface TexturedPicture {
  readonly width: number;
  readonly height: number;
  readonly seed: number;
}

/** Finest detail of a hill or cloud, and how much of each finer one is added. */
const OCTAVES = 6;
const ROUGHNESS = 0.62;

/**
 * A computed photograph: sky with clouds, hills behind each other and haze, of smooth noise at many sizes, so that it is as
 * rough as what a camera sees. The same seed is the same picture; different ones have nothing in common.
 */
export async function texturedPicture({ width, height, seed }: TexturedPicture): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  const ridges = [0, 1, 2].map((layer) => {
    const base = 0.35 + 0.2 * layer + 0.12 * (noise(seed, layer, 7) - 0.5);
    return {
      layer,
      line: Array.from({ length: width }, (_, x) => height * (base + 0.3 * (rough(seed + 31 * (layer + 1), (x / width) * 4, 0.5) - 0.5))),
    };
  });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [(x / width) * 4, (y / height) * 3];
      const front = ridges.findLast(({ line }) => y >= (line[x] ?? 0))?.layer;
      const color = front === undefined ? sky(rough(seed, u, v)) : hill(front, rough(seed + 77 + front, u * 3, v * 3));
      const at = (y * width + x) * 3;
      for (const [channel, value] of color.entries()) pixels[at + channel] = Math.max(0, Math.min(255, Math.round(value)));
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
}

const sky = (cloud: number): number[] => [110 + 120 * cloud, 140 + 90 * cloud, 200 + 40 * cloud];

/** The nearer, the darker. */
const hill = (layer: number, ground: number): number[] => [
  90 - 25 * layer + 110 * ground,
  100 - 20 * layer + 90 * ground,
  100 - 35 * layer + 50 * ground,
];

function rough(seed: number, x: number, y: number): number {
  let [sum, weight, total] = [0, 1, 0];
  for (let octave = 0; octave < OCTAVES; octave++) {
    sum += weight * smooth(seed + octave * 101, x * 2 ** octave, y * 2 ** octave);
    total += weight;
    weight *= ROUGHNESS;
  }
  return Math.max(0, Math.min(1, (sum / total - 0.5) * 1.8 + 0.5));
}

function smooth(seed: number, x: number, y: number): number {
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [ease(x - x0), ease(y - y0)];
  const upper = noise(seed, x0, y0) * (1 - fx) + noise(seed, x0 + 1, y0) * fx;
  const lower = noise(seed, x0, y0 + 1) * (1 - fx) + noise(seed, x0 + 1, y0 + 1) * fx;
  return upper * (1 - fy) + lower * fy;
}

const ease = (part: number): number => part * part * (3 - 2 * part);

/** A number from 0 to 1 for a place, the same everywhere. */
function noise(seed: number, x: number, y: number): number {
  let mixed = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed + 1, 0x9e3779b9);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}
