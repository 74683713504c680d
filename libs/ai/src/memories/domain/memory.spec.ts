import { createHash } from 'node:crypto';
import type { Clock } from '@atrium/platform/kernel';
import { hashOf, Memory, saysAll, spokenValue } from './memory';

describe('a memory', () => {
  it('is the same text whatever its case, width and spaces', () => {
    expect(hashOf('  My favourite  COLOUR\nis ｔｅａｌ ')).toBe(hashOf('my favourite colour is teal'));
    expect(hashOf('my favourite colour is teal.')).not.toBe(hashOf('my favourite colour is teal'));
  });

  it.each([
    ['I live at Hauptstraße 7', 'I LIVE AT HAUPTSTRASSE 7'],
    ['Hauptstraße', 'HAUPTSTRAẞE'],
    ['ὁ δρόμος μου', 'Ὁ ΔΡΌΜΟΣ ΜΟΥ'],
    ['δρόμος', 'δρόμοσ'],
    ['\u0390', '\u03aa\u0301'],
  ])('is the same text in any case of any script: %s, %s', (one, other) => {
    expect(hashOf(one)).toBe(hashOf(other));
  });

  it('is compared by the digest that the database makes of it as well', () => {
    expect(hashOf(' Ο  ΔΡΌΜΟΣ ')).toBe(createHash('sha256').update('ο δρόμοσ').digest('hex'));
    expect(hashOf('Große ＡＬＬＥＥ')).toBe(createHash('sha256').update('grosse allee').digest('hex'));
  });

  it('is another text with another letter', () => {
    expect(hashOf('sıkıldım')).not.toBe(hashOf('sikildim'));
    expect(hashOf('Masse')).not.toBe(hashOf('Mase'));
  });

  it('knows each text that it had before, once', () => {
    const clock = { now: () => new Date(0) } as Clock;
    const memory = Object.assign(new Memory(), { mem_wordings: [] });
    for (const mem_value of ['code 4711', 'code 9922', 'code 4711', 'code 1']) memory.describe({ mem_value }, clock);
    memory.describe({ mem_active: false }, clock);
    expect([memory.mem_value, memory.mem_wordings]).toEqual(['code 1', ['code 4711', 'code 9922']]);
  });

  it('takes 50 texts after its first one, and loses none', () => {
    const clock = { now: () => new Date(0) } as Clock;
    const memory = Object.assign(new Memory(), { mem_wordings: [] });
    for (let n = 0; n <= 50; n++) memory.describe({ mem_value: `code ${n}` }, clock);
    expect(() => memory.describe({ mem_value: 'code 51' }, clock)).toThrow('can have at most 50 earlier texts');
    expect(memory.mem_wordings).toEqual(Array.from({ length: 50 }, (_, n) => `code ${n}`));
  });

  it('is meant by a query when it says each of its words', () => {
    expect(saysAll('My favourite colour is teal.', 'favourite COLOUR')).toBe(true);
    expect(saysAll('My favourite colour is teal.', 'favourite food')).toBe(false);
    expect(saysAll('My favourite colour is teal.', 'colo')).toBe(false);
    expect(saysAll('My favourite colour is teal.', ' … ')).toBe(false);
    expect(saysAll('I live at Hauptstraße 7.', 'HAUPTSTRASSE')).toBe(true);
  });

  it('is stored without what cannot be stored, and not without a text', () => {
    expect(spokenValue(' a\u0000b\ud800 ')).toBe('ab');
    expect(spokenValue('😀'.repeat(1_000))).toHaveLength(2_000);
    expect(() => spokenValue('a'.repeat(1_001))).toThrow('at most 1000 characters');
    expect(() => spokenValue(' \u0001 ')).toThrow('must not be empty');
  });
});
