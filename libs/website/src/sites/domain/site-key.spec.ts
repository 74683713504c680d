import { newSiteKey } from './site-key';

describe('the key of a site', () => {
  it('is 24 letters and digits, and another one each time', () => {
    const keys = Array.from({ length: 1_000 }, newSiteKey);
    expect(new Set(keys).size).toBe(1_000);
    expect(keys.filter((key) => !/^wsk_[0-9A-Za-z]{24}$/.test(key))).toEqual([]);
  });
});
