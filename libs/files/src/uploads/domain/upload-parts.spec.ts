import { comesInParts, partCount, partLength, partSizeFor } from './upload-parts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

describe('the parts of an upload', () => {
  it.each([
    [64 * MIB, false, true],
    [64 * MIB - 1, false, false],
    [5 * MIB, true, true],
    [5 * MIB - 1, true, false],
    [0, true, false],
  ])('an upload of %d bytes (asked: %s) comes in parts: %s', (size, asked, expected) => expect(comesInParts(size, asked)).toBe(expected));

  it.each([
    [5 * MIB, 8 * MIB],
    [80 * MIB, 8 * MIB],
    [20 * GIB, 8 * MIB],
    [80_000 * MIB, 8 * MIB],
    [80_000 * MIB + 1, 9 * MIB],
    [5_000 * GIB, 512 * MIB],
  ])('of %d bytes have %d bytes each', (size, expected) => expect(partSizeFor(size)).toBe(expected));

  it('are never more than ten thousand, and end with the rest', () => {
    for (const file_size of [64 * MIB, 64 * MIB + 1, 80 * MIB - 7, 90_000 * MIB, 5_000 * GIB]) {
      const upload = { file_size, upl_part_size: partSizeFor(file_size) };
      const count = partCount(upload);
      expect(count).toBeLessThanOrEqual(10_000);
      expect((count - 1) * upload.upl_part_size + partLength(upload, count)).toBe(file_size);
      expect(partLength(upload, count)).toBeGreaterThan(0);
    }
  });

  it('is one body when nothing was cut', () => {
    expect(partCount({ file_size: 0, upl_part_size: null })).toBe(1);
    expect(partLength({ file_size: 7, upl_part_size: null }, 1)).toBe(7);
  });
});
