import { WireRows } from './row-wire';

const ID = '0190b2f4-0000-7000-8000-0000000000aF';
const TYPE = 70_001;

const ints = (...values: readonly number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeInt32BE(value);
      return bytes;
    }),
  );
const idBytes = Buffer.from(ID.replaceAll('-', ''), 'hex');

/** An array of one row with one field, whose bytes `write` puts. */
function fieldOf(write: (wire: WireRows) => void): Buffer {
  const wire = new WireRows(1);
  wire.begin(TYPE, 1);
  wire.writeRow(() => write(wire));
  const bytes = wire.finish();
  const field = bytes.subarray(28);
  expect(bytes.subarray(0, 28)).toEqual(ints(1, 0, TYPE, 1, 1, field.length + 4, 1));
  return Buffer.from(field);
}

describe('rows in binary form', () => {
  it('say the type, the length and the value of each field', () => {
    expect(fieldOf((wire) => wire.uuid(ID))).toEqual(Buffer.concat([ints(2950, 16), idBytes]));
    expect(fieldOf((wire) => wire.text('Größe €'))).toEqual(Buffer.concat([ints(25, 11), Buffer.from('Größe €')]));
    expect(fieldOf((wire) => wire.json('{"ü":1}'))).toEqual(Buffer.concat([ints(3802, 9), Buffer.from('\u0001{"ü":1}')]));
    expect(fieldOf((wire) => wire.whole(-7))).toEqual(ints(23, 4, -7));
    expect(fieldOf((wire) => wire.large(2 ** 40 + 3))).toEqual(ints(20, 8, 256, 3));
    expect(fieldOf((wire) => wire.real(0.5))).toEqual(ints(701, 8, 0x3fe00000, 0));
    expect(fieldOf((wire) => wire.flag(true))).toEqual(Buffer.concat([ints(16, 1), Buffer.from([1])]));
    expect(fieldOf((wire) => wire.moment(Date.UTC(2000, 0, 1) + 1))).toEqual(ints(1184, 8, 0, 1_000));
    expect(fieldOf((wire) => wire.moment(Date.UTC(2000, 0, 1) - 1))).toEqual(ints(1184, 8, -1, -1_000));
    expect(fieldOf((wire) => wire.uuids(new Set([ID])))).toEqual(Buffer.concat([ints(2951, 40, 1, 0, 2950, 1, 1, 16), idBytes]));
  });

  it('tell null from what is empty', () => {
    expect(fieldOf((wire) => wire.text(''))).toEqual(ints(25, 0));
    for (const [type, write] of [
      [25, (wire: WireRows) => wire.text(null)],
      [2950, (wire: WireRows) => wire.uuid(undefined)],
      [3802, (wire: WireRows) => wire.json(undefined)],
      [20, (wire: WireRows) => wire.large(null)],
      [2951, (wire: WireRows) => wire.uuids(undefined)],
    ] as const)
      expect(fieldOf(write)).toEqual(ints(type, -1));
  });

  it('grow as they must, and begin again', () => {
    const wire = new WireRows(1);
    const long = 'x'.repeat(700_000);
    wire.begin(TYPE, 2);
    for (let row = 0; row < 2; row++) wire.writeRow(() => wire.text(long));
    expect(wire.finish().length).toBe(20 + 2 * (4 + 4 + 8 + long.length));
    wire.begin(TYPE, 0);
    expect(Buffer.from(wire.finish())).toEqual(ints(0, 0, TYPE));
  });
});
