/** Whole numbers by the types of the format. */
const UINT16 = 5;
const UINT32 = 6;
const UINT64 = 9;

type Value = string | readonly Value[] | { readonly [name: string]: Value } | Whole;

class Whole {
  constructor(
    readonly type: number,
    readonly value: number,
  ) {}
}

const control = (type: number, size: number): Buffer => (type > 7 ? Buffer.from([size, type - 7]) : Buffer.from([(type << 5) | size]));

function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, value.length), Buffer.from(value)]);
  if (value instanceof Whole) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value.value);
    const short = bytes.subarray(bytes.findIndex((byte) => byte !== 0) < 0 ? 4 : bytes.findIndex((byte) => byte !== 0));
    return Buffer.concat([control(value.type, short.length), short]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map((one: Value) => encode(one))]);
  const entries = Object.entries(value as { readonly [name: string]: Value });
  return Buffer.concat([control(7, entries.length), ...entries.flatMap(([name, one]) => [encode(name), encode(one)])]);
}

/** A MaxMind database (version 2) of IPv4 networks and their countries. */
export function countryDatabase(networks: Readonly<Record<string, string>>): Buffer {
  const nodes: [number | null, number | null][] = [[null, null]];
  const leaves: [node: number, side: 0 | 1, offset: number][] = [];
  const data: Buffer[] = [];
  let size = 0;
  for (const [network, iso_code] of Object.entries(networks)) {
    const [address = '', prefix = '32'] = network.split('/');
    const bits = address
      .split('.')
      .map((byte) => Number(byte).toString(2).padStart(8, '0'))
      .join('')
      .slice(0, Number(prefix));
    let node = 0;
    [...bits].forEach((bit, at) => {
      const side = bit === '1' ? 1 : 0;
      if (at === bits.length - 1) return leaves.push([node, side, size]);
      const next = nodes[node]?.[side] ?? nodes.push([null, null]) - 1;
      (nodes[node] as [number | null, number | null])[side] = next;
      node = next;
    });
    const record = encode({ country: { iso_code } });
    data.push(record);
    size += record.length;
  }
  const tree = Buffer.alloc(nodes.length * 8);
  nodes.forEach((sides, node) => sides.forEach((next, side) => tree.writeUInt32BE(next ?? nodes.length, node * 8 + side * 4)));
  for (const [node, side, offset] of leaves) tree.writeUInt32BE(nodes.length + 16 + offset, node * 8 + side * 4);
  const about = encode({
    binary_format_major_version: new Whole(UINT16, 2),
    binary_format_minor_version: new Whole(UINT16, 0),
    build_epoch: new Whole(UINT64, 1_700_000_000),
    database_type: 'Test-Country',
    description: { en: 'Countries of a test' },
    ip_version: new Whole(UINT16, 4),
    languages: ['en'],
    node_count: new Whole(UINT32, nodes.length),
    record_size: new Whole(UINT16, 32),
  });
  return Buffer.concat([tree, Buffer.alloc(16), ...data, Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com'), about]);
}
