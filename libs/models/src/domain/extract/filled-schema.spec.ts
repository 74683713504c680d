import { Effort, findEffortBy, type JsonObject } from '@atrium/platform/kernel';
import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import { fillSchema } from './filled-schema';
import { valuesIn } from './values';
import { loadReader, type Reader } from './words';

let reader: Reader;
beforeAll(async () => {
  reader = await loadReader('The harbour office opens at seven in the morning.');
});

const filled = (schema: JsonObject, text: string) => fillSchema(schema, [{ n: null, kind: 'attachment', text }], reader);
const properties = (...named: readonly (readonly [string, JsonObject])[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(named),
});
const numbered = (count: number): (readonly [string, JsonObject])[] => Array.from({ length: count }, (_, at) => [`part${at}`, {}]);

describe('filling a schema from a text', () => {
  it('finds what a sentence or the whole text has', () => {
    const text = 'The harbour office is open all day. Its colour is dark red. Call 040/1234567 on 12.03.2026.';
    const schema = properties(['phone', {}], ['colour', { enum: ['blue', 'red'] }], ['fax', {}], ['website', {}]);
    expect(filled(schema, text).data).toEqual({ phone: '040/1234567', colour: 'red', fax: '040/1234567' });
  });

  it('is refused for more properties than anyone asks a person for, at any depth', () => {
    expect(() => filled(properties(...numbered(100)), 'A boat.')).not.toThrow();
    expect(() => filled(properties(...numbered(101)), 'A boat.')).toThrow('at most 100 properties');
    const nested = properties(...Array.from({ length: 20 }, (_, at) => [`group${at}`, properties(...numbered(20))] as const));
    expect(() => filled(nested, 'A boat.')).toThrow('at most 100 properties');
  });

  it.each<[string, JsonObject, string]>([
    ['phones', properties(['phone', {}]), '01234567 a '],
    ['dates and phones', properties(['phone', {}], ['fax', {}]), '01234567 a 12.03.2026 '],
    ['short sentences', properties(['opens', { type: 'string' }]), 'It opens late now. We open the boat. '],
    ['different sentences', properties(['opens', { type: 'string' }]), '#'],
  ])('takes a time that grows with the text alone: %s', (_, schema, part) => {
    const text = (length: number): string =>
      part === '#'
        ? Array.from({ length: length / 20 }, (_one, at) => `It opens word${at} x${at}. `).join('')
        : part.repeat(length / part.length);
    expect(growth(text, 12_000, (long) => filled(schema, long))).toBeLessThan(LINEAR);
  });

  it('spends for each sentence that is held against a word or a member', () => {
    const text = Array.from({ length: 3_000 }, (_, at) => `Boat number${at} opens. `).join('');
    const effort = Effort.ofRequest();
    const restore = findEffortBy(() => effort);
    try {
      const members = Array.from({ length: 2_000 }, (_, at) => `member ${at}`);
      expect(() => filled(properties(['colour', { enum: members }]), text)).toThrow('too much work');
    } finally {
      restore();
    }
  });
});

describe('numbers and phones beside dates', () => {
  it('are found in a time that grows with the text alone', () => {
    const text = (length: number): string => '12.03.2026 and 4711 or 01234567 '.repeat(length / 32);
    expect(growth(text, 10_000, (long) => [valuesIn(long, 'number'), valuesIn(long, 'phone')])).toBeLessThan(LINEAR);
    expect(valuesIn('2026-03-12 4711 12.03.2026', 'number').map(({ value }) => value)).toEqual([4711]);
  });
});
