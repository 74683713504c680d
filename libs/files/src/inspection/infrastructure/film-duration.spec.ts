import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filmDuration } from './film-duration';

const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};

function header(units: number, length: number, version = 0): Buffer {
  const bytes = Buffer.alloc(version === 1 ? 112 : 100);
  bytes[0] = version;
  bytes.writeUInt32BE(units, version === 1 ? 20 : 12);
  if (version === 1) bytes.writeBigUInt64BE(BigInt(length), 24);
  else bytes.writeUInt32BE(length, 16);
  return box('mvhd', bytes);
}

function page(stream: number, position: bigint, data: Buffer): Buffer {
  const bytes = Buffer.alloc(27);
  bytes.write('OggS', 'latin1');
  bytes.writeBigInt64LE(position, 6);
  bytes.writeUInt32LE(stream, 14);
  bytes[26] = 1;
  return Buffer.concat([bytes, Buffer.of(data.length), data]);
}

function theora(frames: number, seconds: number, shift: number): Buffer {
  const bytes = Buffer.alloc(42);
  bytes.write('\x80theora', 'latin1');
  bytes.writeUInt32BE(frames, 22);
  bytes.writeUInt32BE(seconds, 26);
  bytes.writeUInt16BE(shift << 5, 40);
  return bytes;
}

describe('the duration of a film without tools for films', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'film-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const secondsOf = async (...parts: readonly Buffer[]): Promise<number | undefined> => {
    const path = join(folder, 'film');
    await writeFile(path, Buffer.concat(parts));
    return filmDuration(path);
  };

  it('is in the header of a QuickTime movie, before its pictures or behind them', async () => {
    const movie = box('moov', box('free'), header(600, 7_500));
    expect(await secondsOf(box('ftyp', Buffer.from('qt  \0\0\0\0qt  ')), box('wide'), box('mdat', Buffer.alloc(5_000)), movie)).toBe(12.5);
    expect(await secondsOf(movie, box('mdat', Buffer.alloc(50)))).toBe(12.5);
    expect(await secondsOf(box('moov', header(1_000, 90_250, 1)))).toBe(90.25);
  });

  it('is where the longest stream of an Ogg film ends', async () => {
    const vorbis = Buffer.concat([Buffer.from('\x01vorbis\0\0\0\0\x02', 'latin1'), Buffer.from([0x44, 0xac, 0, 0])]);
    const film = [
      page(1, 0n, theora(25, 1, 6)),
      page(2, 0n, vorbis),
      page(1, -1n, Buffer.alloc(60)),
      page(1, (3n << 6n) + 47n, Buffer.alloc(9)),
    ];
    expect(await secondsOf(...film)).toBe(2);
    expect(await secondsOf(...film, page(2, 44_100n * 3n, Buffer.alloc(9)))).toBe(3);
  });

  it('is not known of what is damaged', async () => {
    expect(await secondsOf(Buffer.alloc(40))).toBeUndefined();
    expect(await secondsOf(box('moov', header(0, 100)))).toBeUndefined();
    expect(await secondsOf(Buffer.from('OggS'))).toBeUndefined();
    expect(await secondsOf(Buffer.from('00000001', 'hex'), Buffer.from('moov'), Buffer.alloc(8))).toBeUndefined();
  });
});
