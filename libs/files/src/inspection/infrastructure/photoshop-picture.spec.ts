import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { xmpPacket } from '../../../../platform/testing/src/pictures';
import { inspectFile } from './inspect-file';
import type { Inspection } from './inspection';

const PHOTOSHOP = 'image/vnd.adobe.photoshop';
const [WIDTH, HEIGHT] = [120, 80];
const [GRAY, RGB, CMYK, MULTICHANNEL, DUOTONE, LAB] = [1, 3, 4, 7, 8, 9];

interface Told {
  readonly mode: number;
  readonly bits?: 8 | 16;
  /** Values of the left half and of the right half, one a plane, from 0 to 1. */
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly packed?: boolean;
  readonly large?: boolean;
  readonly resources?: Buffer;
}

/** A Photoshop file without layers, as the format describes it. */
function photoshopFile({ mode, bits = 8, left, right, packed = false, large = false, resources = Buffer.alloc(0) }: Told): Buffer {
  const header = Buffer.alloc(26);
  header.write('8BPS', 'latin1');
  header.writeUInt16BE(large ? 2 : 1, 4);
  header.writeUInt16BE(left.length, 12);
  header.writeUInt32BE(HEIGHT, 14);
  header.writeUInt32BE(WIDTH, 18);
  header.writeUInt16BE(bits, 22);
  header.writeUInt16BE(mode, 24);
  const rows = left.map((one, plane) => rowOf(one, right[plane] ?? 0, bits));
  const body = packed ? packedRows(rows.map(packBits), large) : rows.map((row) => Buffer.concat(Array<Buffer>(HEIGHT).fill(row)));
  return Buffer.concat([
    header,
    sized(Buffer.alloc(0)),
    sized(resources),
    large ? Buffer.alloc(8) : Buffer.alloc(4),
    short(packed ? 1 : 0),
    ...body,
  ]);
}

function rowOf(left: number, right: number, bits: 8 | 16): Buffer {
  const row = Buffer.alloc(WIDTH * (bits / 8));
  for (let x = 0; x < WIDTH; x++) {
    const value = x < WIDTH / 2 ? left : right;
    if (bits === 8) row.writeUInt8(Math.round(value * 0xff), x);
    else row.writeUInt16BE(Math.round(value * 0xff_ff), x * 2);
  }
  return row;
}

const packedRows = (rows: readonly Buffer[], large: boolean): Buffer[] => [
  ...rows.flatMap((row) => Array<Buffer>(HEIGHT).fill(large ? long(row.length) : short(row.length))),
  ...rows.flatMap((row) => Array<Buffer>(HEIGHT).fill(row)),
];

/** Equal neighbours by their number, all others one by one. */
function packBits(row: Buffer): Buffer {
  const out: number[] = [];
  for (let at = 0; at < row.length;) {
    let same = 1;
    while (same < 128 && row[at + same] === row[at] && at + same < row.length) same++;
    out.push(...(same > 1 ? [257 - same, row[at] ?? 0] : [0, row[at] ?? 0]));
    at += same;
  }
  return Buffer.from(out);
}

const short = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const long = (value: number): Buffer => Buffer.from([0, 0, value >> 8, value & 0xff]);

function sized(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

const resource = (id: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from('8BIM'), short(id), short(0), sized(bytes), Buffer.alloc(bytes.length % 2)]);

describe('Photoshop files beyond eight bits of red, green and blue', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-photoshop-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const inspect = async (bytes: Buffer): Promise<Inspection> => {
    const path = join(folder, 'original');
    await writeFile(path, bytes);
    return inspectFile({ path, type: PHOTOSHOP, outputDir: folder });
  };
  /** The colors in the middle of the left half and of the right half, as the small rendition shows them. */
  const shown = async (told: Told): Promise<number[][]> => {
    const { system, renditions } = await inspect(photoshopFile(told));
    expect({ system, renditions: renditions.length }).toMatchObject({ system: { width: WIDTH, height: HEIGHT }, renditions: 3 });
    expect(system.error).toBeUndefined();
    const { data, info } = await sharp(join(folder, 'small.webp'))
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [0.25, 0.75].map((x) => [
      ...data.subarray((Math.floor(info.height / 2) * info.width + Math.floor(x * info.width)) * 3).subarray(0, 3),
    ]);
  };
  const near = (found: readonly number[] | undefined, wanted: readonly number[], by = 12): void => {
    const farthest = Math.max(...wanted.map((part, index) => Math.abs(part - (found?.[index] ?? -1_000))));
    expect({ found, farthest }).toEqual({ found, farthest: Math.min(farthest, by) });
  };

  it.each([
    { packed: false, large: false },
    { packed: true, large: false },
    { packed: true, large: true },
  ])('shows sixteen bits a color, packed: $packed, of the large kind: $large', async (how) => {
    const [left, right] = await shown({ mode: RGB, bits: 16, left: [1, 0.25, 0], right: [0.1, 0.5, 0.9], ...how });
    near(left, [255, 64, 0]);
    near(right, [26, 128, 230]);
    const [dark, light] = await shown({ mode: GRAY, bits: 16, left: [0.2], right: [0.8], ...how });
    near(dark, [51, 51, 51]);
    near(light, [204, 204, 204]);
  });

  it.each([
    { bits: 8, packed: false },
    { bits: 8, packed: true },
    { bits: 16, packed: false },
    { bits: 16, packed: true },
  ] as const)('shows print colors of $bits bits, packed: $packed', async (how) => {
    // Stored by how little ink there is: all of magenta and yellow; black alone.
    const [red, dark] = await shown({ mode: CMYK, left: [1, 0, 0, 1], right: [1, 1, 1, 0.2], ...how });
    near(red, [235, 10, 20], 40);
    near(dark, [80, 80, 80], 35);
    const [white, cyan] = await shown({ mode: CMYK, left: [1, 1, 1, 1], right: [0, 1, 1, 1], ...how });
    near(white, [255, 255, 255]);
    near(cyan, [0, 174, 239], 40);
  });

  it('applies its color profile, and accepts planes besides the colors', async () => {
    const { icc = Buffer.alloc(0) } = await sharp(
      await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
        .withIccProfile('p3')
        .png()
        .toBuffer(),
    ).metadata();
    expect(icc.length).toBeGreaterThan(100);
    const told: Told = { mode: RGB, bits: 16, left: [0.8, 0.3, 0.2, 0.5], right: [0, 0, 0, 0.5] };
    near((await shown(told))[0], [204, 77, 51]);
    near((await shown({ ...told, resources: resource(1_039, icc) }))[0], [220, 65, 37]);
  });

  it('shows Lab, and one ink or several by how much there is of the first', async () => {
    const [red, blue] = await shown({ mode: LAB, left: [0.53, 208 / 255, 195 / 255], right: [0.32, 207 / 255, 20 / 255] });
    near(red, [255, 0, 0], 40);
    near(blue, [0, 0, 255], 60);
    for (const mode of [DUOTONE, MULTICHANNEL]) {
      const [dark, light] = await shown({ mode, left: [0.2], right: [0.8] });
      near(dark, [51, 51, 51]);
      near(light, [204, 204, 204]);
    }
  });

  it('is not harmed by files that are truncated or false', async () => {
    const whole = photoshopFile({ mode: CMYK, left: [1, 0, 0, 1], right: [1, 1, 1, 0.2], packed: true });
    for (const share of [0.05, 0.3, 0.5, 0.9, 0.999]) {
      expect((await inspect(whole.subarray(0, Math.max(27, Math.floor(whole.length * share))))).system).toMatchObject({ error: 'damaged' });
    }
    const lengths = Buffer.from(whole);
    lengths.fill(0xff, 40, 200);
    expect((await inspect(lengths)).system).toMatchObject({ error: 'damaged' });
    const sections = Buffer.from(whole);
    sections.writeUInt32BE(0xff_ff_ff_ff, 30);
    expect((await inspect(sections)).system).toMatchObject({ error: 'damaged' });
    const mode = Buffer.from(whole);
    mode.writeUInt16BE(6, 24);
    expect((await inspect(mode)).system).toMatchObject({ error: 'unsupported_format' });
    const noise = Buffer.from(whole);
    for (let at = 600; at < noise.length; at += 3) noise[at] = (at * 7_919) & 0xff;
    expect((await inspect(noise)).system.error ?? 'damaged').toBe('damaged');
  });

  it('reports what people wrote into it', async () => {
    const city = Buffer.concat([Buffer.from([0x1c, 2, 90, 0, 5]), Buffer.from('Siena')]);
    const resources = Buffer.concat([
      resource(0x0404, city),
      resource(0x0424, Buffer.from(xmpPacket({ 'dc:title': 'Harbour', 'xmp:CreateDate': '2024-05-17T08:30:00+02:00' }))),
    ]);
    const { system } = await inspect(photoshopFile({ mode: CMYK, left: [1, 0, 0, 1], right: [1, 1, 1, 1], resources }));
    expect(system).toMatchObject({
      embedded: { title: 'Harbour', city: 'Siena' },
      taken_local: '2024-05-17T08:30:00.000',
      taken_zone: '+02:00',
    });
  });

  it('is shown by the small picture it carries where the large one is missing', async () => {
    const thumbnail = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#00aa00' } })
      .jpeg()
      .toBuffer();
    const whole = photoshopFile({
      mode: CMYK,
      left: [1, 0, 0, 1],
      right: [1, 1, 1, 1],
      resources: resource(1_036, Buffer.concat([Buffer.alloc(28), thumbnail])),
    });
    const { system, renditions } = await inspect(whole.subarray(0, whole.length - 10_000));
    expect(system).toMatchObject({ width: WIDTH, height: HEIGHT });
    expect(renditions).toHaveLength(3);
    const { data } = await sharp(join(folder, 'small.webp')).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    near([...data.subarray(0, 3)], [0, 170, 0]);
  });
});
