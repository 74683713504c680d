import { ofMachineMib } from './machine-memory';

const GIB = 1024 ** 3;

describe('the memory of a machine', () => {
  it.each([
    ['is that of its container where that has less', 32 * GIB, 2 * GIB, 2_048],
    ['is its own where the container has no limit', 32 * GIB, 2 ** 64, 32_768],
    ['is its own where no limit is known', 32 * GIB, 0, 32_768],
  ])('%s', (_, whole, ofContainer, mib) => {
    expect(ofMachineMib(whole, ofContainer)).toBe(mib);
  });
});
