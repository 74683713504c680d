import { phrasesOf, shortTextOf } from './memory-phrases';

describe('the phrases of a memory', () => {
  it('are its text and its sentences with and without their last mark, the longest first', () => {
    expect(phrasesOf('My locker code is 4711. It opens at six.')).toEqual([
      'My locker code is 4711. It opens at six.',
      'My locker code is 4711.',
      'My locker code is 4711',
      'It opens at six.',
      'It opens at six',
    ]);
  });

  it('leave out sentences that are too short to mean this memory alone', () => {
    expect(phrasesOf('Yes. My boat is called Seal')).toEqual(['Yes. My boat is called Seal', 'My boat is called Seal']);
  });

  it('are none of a memory so short that it means much else', () => {
    expect(phrasesOf('Tea.')).toEqual([]);
  });

  it('are the whole text of such a memory where an answer rests on memories', () => {
    expect(shortTextOf(' PIN 47. ')).toEqual(['PIN 47.', 'PIN 47']);
    expect(shortTextOf('!')).toEqual([]);
    expect(shortTextOf('My boat is called Seal')).toEqual([]);
  });
});
