/** Pixels of eight bits a color, in rows from the top; of Lab of sixteen. */
export interface FlatPicture {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly colors: 'gray' | 'rgb' | 'cmyk' | 'lab';
  /** How the colors are meant; undefined: as usual. */
  readonly profile?: Buffer | undefined;
}

const PHOTOMETRIC = { gray: 1, rgb: 2, cmyk: 5, lab: 8 } as const;
const [BYTES, SHORT, LONG] = [7, 3, 4];
const HEADER = 8;

type Tag = readonly [id: number, type: number, values: readonly number[] | Buffer];

/** Pixels as an uncompressed TIFF, so that a library that knows print colors and color profiles can read them as what they are. */
export function flatTiff({ pixels, width, height, channels, colors, profile }: FlatPicture): Buffer {
  const tags: Tag[] = [
    [256, LONG, [width]],
    [257, LONG, [height]],
    [258, SHORT, Array<number>(channels).fill(colors === 'lab' ? 16 : 8)],
    [259, SHORT, [1]],
    [262, SHORT, [PHOTOMETRIC[colors]]],
    [273, LONG, [HEADER]],
    [277, SHORT, [channels]],
    [278, LONG, [height]],
    [279, LONG, [pixels.length]],
    [284, SHORT, [1]],
    ...(profile ? [[34_675, BYTES, profile] as const] : []),
  ];
  const directory = HEADER + pixels.length + (pixels.length % 2);
  const head = Buffer.alloc(HEADER);
  head.write('II*\0', 'latin1');
  head.writeUInt32LE(directory, 4);
  return Buffer.concat([head, pixels, Buffer.alloc(pixels.length % 2), ...directoryOf(tags, directory)]);
}

/** Values that do not fit into their entry follow the entries. */
function directoryOf(tags: readonly Tag[], start: number): Buffer[] {
  const entries = Buffer.alloc(2 + tags.length * 12 + 4);
  const further: Buffer[] = [];
  let free = start + entries.length;
  entries.writeUInt16LE(tags.length, 0);
  tags.forEach(([id, type, values], index) => {
    const data = Buffer.isBuffer(values) ? values : packed(type, values);
    const at = 2 + index * 12;
    entries.writeUInt16LE(id, at);
    entries.writeUInt16LE(type, at + 2);
    entries.writeUInt32LE(values.length, at + 4);
    if (data.length <= 4) return void data.copy(entries, at + 8);
    entries.writeUInt32LE(free, at + 8);
    const padded = Buffer.concat([data, Buffer.alloc(data.length % 2)]);
    further.push(padded);
    free += padded.length;
  });
  return [entries, ...further];
}

function packed(type: number, values: readonly number[]): Buffer {
  const size = type === SHORT ? 2 : 4;
  const data = Buffer.alloc(values.length * size);
  values.forEach((value, at) => data.writeUIntLE(value, at * size, size));
  return data;
}
