import { hashOf, mintKey, publicIdOf } from './api-key';

describe('an API key', () => {
  it('shows its public id, and is known by its checksum', () => {
    for (let i = 0; i < 50; i++) {
      const { value, public_id, hash } = mintKey();
      expect(value).toMatch(/^atk_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
      expect(publicIdOf(value)).toBe(public_id);
      expect(hash).toBe(hashOf(value));
    }
  });

  it('is not known after any change of one sign', () => {
    const { value } = mintKey();
    for (let i = 0; i < value.length; i++) {
      for (const sign of ['0', 'z', '_', ' ', 'é']) {
        if (value[i] !== sign) expect(publicIdOf(value.slice(0, i) + sign + value.slice(i + 1))).toBeNull();
      }
    }
    for (const other of ['', value.slice(1), `${value}0`, ` ${value}`, `${value}\n`, value.toLowerCase()])
      expect(publicIdOf(other)).toBeNull();
  });

  it('is never made twice', () => {
    const keys = Array.from({ length: 500 }, mintKey);
    expect(new Set(keys.map(({ public_id }) => public_id)).size).toBe(500);
    expect(new Set(keys.map(({ value }) => value.slice(17, 60))).size).toBe(500);
  });
});
