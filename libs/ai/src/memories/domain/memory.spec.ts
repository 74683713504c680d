import { hashOf, saysAll, spokenValue } from './memory';

describe('a memory', () => {
  it('is the same text whatever its case, width and spaces', () => {
    expect(hashOf('  My favourite  COLOUR\nis ｔｅａｌ ')).toBe(hashOf('my favourite colour is teal'));
    expect(hashOf('my favourite colour is teal.')).not.toBe(hashOf('my favourite colour is teal'));
  });

  it('is meant by a query when it says each of its words', () => {
    expect(saysAll('My favourite colour is teal.', 'favourite COLOUR')).toBe(true);
    expect(saysAll('My favourite colour is teal.', 'favourite food')).toBe(false);
    expect(saysAll('My favourite colour is teal.', 'colo')).toBe(false);
    expect(saysAll('My favourite colour is teal.', ' … ')).toBe(false);
  });

  it('is stored without what cannot be stored, and not without a text', () => {
    expect(spokenValue(' a\u0000b\ud800 ')).toBe('ab');
    expect(spokenValue('😀'.repeat(1_000))).toHaveLength(2_000);
    expect(() => spokenValue('a'.repeat(1_001))).toThrow('at most 1000 characters');
    expect(() => spokenValue(' \u0001 ')).toThrow('must not be empty');
  });
});
