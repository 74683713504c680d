import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a package that is made by hand: what its bytes are, and what its directory says of them where that is false. */
export interface PackageEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** The size the directory declares. */
  readonly declaredSize?: number;
  readonly encrypted?: boolean;
}

type Parts = Readonly<Record<string, string | Buffer>> | readonly PackageEntry[];

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const DEFLATED = 8;

/** A ZIP of parts, deflated, in memory. */
export function packageOf(parts: Parts): Buffer {
  const entries = Array.isArray(parts)
    ? (parts as readonly PackageEntry[])
    : Object.entries(parts).map(([name, content]) => ({ name, content: content as string | Buffer }));
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries as readonly PackageEntry[]) {
    const content = Buffer.from(entry.content as string);
    const packed = deflateRawSync(content);
    const facts = factsOf(entry, content, packed);
    const name = Buffer.from(entry.name);
    const local = Buffer.concat([numbers([LOCAL, 4]), facts, numbers([name.length, 2], [0, 2]), name, packed]);
    directory.push(
      Buffer.concat([
        numbers([CENTRAL, 4], [20, 2]),
        facts,
        numbers([name.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
        name,
      ]),
    );
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = numbers([END, 4], [0, 2], [0, 2], [entries.length, 2], [entries.length, 2], [central.length, 4], [offset, 4], [0, 2]);
  return Buffer.concat([...files, central, end]);
}

/** What is the same before an entry and in the directory: version, flags, method, time, sum and sizes. */
function factsOf({ declaredSize, encrypted }: PackageEntry, content: Buffer, packed: Buffer): Buffer {
  const flags = 0x800 | (encrypted ? 1 : 0);
  return numbers(
    [20, 2],
    [flags, 2],
    [DEFLATED, 2],
    [0, 2],
    [0x21, 2],
    [crc32(content), 4],
    [packed.length, 4],
    [declaredSize ?? content.length, 4],
  );
}

function numbers(...fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  return Buffer.concat(
    fields.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes);
      if (bytes === 2) field.writeUInt16LE(value);
      else field.writeUInt32LE(value >>> 0);
      return field;
    }),
  );
}
