// Pictures out of nothing: a sky, a sun, a sea and some sails, as PNG by hand.
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const SIZES = [
  ['harbour', 1600, 1067],
  ['lighthouse', 1080, 1920],
  ['regatta', 2400, 1350],
  ['buoy', 512, 512],
  ['postcard', 640, 480],
];

/** Five scenes that differ from run to run; with a large one, grain that no compression makes small (12 MB). */
export function* drawPictures({ withLargeOne = false } = {}) {
  const stamp = new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-');
  for (const [title, width, height] of SIZES) yield { name: `${title} ${stamp}.png`, png: png(width, height, scene(width, height)) };
  if (withLargeOne) yield { name: `grain ${stamp}.png`, png: png(2400, 1700, randomBytes(2400 * 1700 * 3)) };
}

function scene(width, height) {
  const pixels = Buffer.alloc(width * height * 3);
  const horizon = Math.round(height * (0.55 + Math.random() * 0.15));
  const sun = { x: width * (0.2 + Math.random() * 0.6), y: horizon * (0.35 + Math.random() * 0.4), r: Math.min(width, height) * 0.09 };
  const [dusk, glow, sea] = [
    [30 + Math.random() * 60, 50, 110],
    [250, 150 + Math.random() * 60, 90],
    [12, 60 + Math.random() * 40, 95],
  ];
  const sails = Array.from({ length: 4 }, () => ({
    x: Math.random() * width,
    y: horizon + Math.random() * (height - horizon) * 0.4,
    h: height * (0.05 + Math.random() * 0.12),
  }));
  for (let y = 0, at = 0; y < height; y++) {
    const base = y < horizon ? blend(dusk, glow, y / horizon) : blend(sea, [4, 20, 40], (y - horizon) / (height - horizon));
    for (let x = 0; x < width; x++, at += 3) paint(pixels, at, colourAt(x, y, { base, horizon, sun, sails }));
  }
  return pixels;
}

function colourAt(x, y, { base, horizon, sun, sails }) {
  if (sails.some((sail) => y <= sail.y && y >= sail.y - sail.h && x >= sail.x && x - sail.x <= (y - sail.y + sail.h) * 0.6))
    return [245, 243, 236];
  if (y < horizon) return (x - sun.x) ** 2 + (y - sun.y) ** 2 < sun.r ** 2 ? [255, 236, 190] : base;
  const glitter = Math.abs(x - sun.x) < sun.r * (0.4 + ((y * 7) % 13) / 13) && y % 6 < 2;
  return glitter ? [255, 214, 150] : base;
}

const blend = (from, to, share) => from.map((value, i) => value + (to[i] - value) * share);

function paint(pixels, at, [red, green, blue]) {
  pixels[at] = red;
  pixels[at + 1] = green;
  pixels[at + 2] = blue;
}

/** 8-bit RGB, no filter, one IDAT. */
function png(width, height, pixels) {
  const rows = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0; y < height; y++) pixels.copy(rows, y * (width * 3 + 1) + 1, y * width * 3, (y + 1) * width * 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
