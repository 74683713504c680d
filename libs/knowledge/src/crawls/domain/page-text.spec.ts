import { hashOf, saysTheSame } from './page-text';

const words = Array.from({ length: 100 }, (_, n) => `word${n}`);
const page = (text: string, title: string | null = 'Fees'): { title: string | null; text: string } => ({ title, text });

describe('two pages', () => {
  it.each([
    ['with one text', page('A berth costs twelve euros.'), page('A berth costs twelve euros.')],
    ['in another order', page(words.join(' ')), page([...words].reverse().join('\n'))],
    ['beside a count', page(`${words.join(' ')} 12 visitors`), page(`${words.join(' ')} 13 visitors`)],
    ['without a word', page('', null), page('', null)],
  ])('say the same %s', (_, one, other) => expect(saysTheSame(one, other)).toBe(true));

  it.each([
    ['where a word is another', page('A berth costs twelve euros.'), page('A berth costs ten euros.')],
    ['where the title is another', page('A berth costs twelve euros.'), page('A berth costs twelve euros.', 'Harbour')],
    ['where one is part of the other', page(words.join(' ')), page(words.slice(0, 80).join(' '))],
    ['in Chinese', page('泊位费用'), page('开放时间')],
  ])('say something else %s', (_, one, other) => expect(saysTheSame(one, other)).toBe(false));

  it('have one digest only where all is the same', () => {
    const read = { title: 'Fees', markdown: 'A', language: 'en' };
    expect(hashOf({ ...read })).toBe(hashOf(read));
    for (const other of [{ title: null }, { markdown: 'B' }, { language: 'de' }])
      expect(hashOf({ ...read, ...other })).not.toBe(hashOf(read));
  });
});
