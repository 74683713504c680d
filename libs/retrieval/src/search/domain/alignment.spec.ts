import { alignSentences } from './alignment';

const EVIDENCE = [
  {
    passage_id: 'harbour',
    text: 'The harbour has 240 berths. Ferries to the island leave every hour from pier 3, between May and September.',
  },
  { passage_id: 'town', text: 'The town was founded in 1432 by fishermen from the north.' },
];

describe('where the sentences of an answer stand in the evidence', () => {
  it('finds the passage and the stretch for what is said in much the same words', () => {
    const [ferries, founded] = alignSentences(
      'Every hour a ferry leaves from pier 3 to the island. Fishermen founded the town in 1432.',
      EVIDENCE,
    );
    expect(ferries).toMatchObject({ passage_id: 'harbour', supported: true });
    expect(founded).toMatchObject({ passage_id: 'town', supported: true });
    expect(EVIDENCE[0]?.text.slice(ferries?.matched?.start, ferries?.matched?.end)).toContain('pier 3');
  });

  it('does not support what is nowhere in the text, nor a figure that is another one', () => {
    expect(alignSentences('Dogs are not allowed on the beach.', EVIDENCE)).toMatchObject([{ supported: false }]);
    const [right, wrong] = alignSentences('The harbour has 240 berths. The harbour has 420 berths.', EVIDENCE);
    expect(right?.supported).toBe(true);
    expect(wrong?.supported).toBe(false);
  });

  it('counts a word as often as it occurs', () => {
    const [repeated] = alignSentences('Fishermen fishermen fishermen fishermen.', EVIDENCE);
    expect(repeated?.overlap).toBeCloseTo(0.25);
  });

  it('compares texts without blanks by their characters', () => {
    const evidence = [{ passage_id: 'ja', text: '港には二百四十の係留場所がある。' }];
    expect(alignSentences('港に係留場所がある。', evidence)).toMatchObject([{ passage_id: 'ja', supported: true }]);
  });

  it('answers the place of each sentence in the answer', () => {
    const answer = 'One here. Two there.';
    expect(alignSentences(answer, []).map(({ sentence }) => answer.slice(sentence.start, sentence.end))).toEqual([
      'One here.',
      'Two there.',
    ]);
    expect(alignSentences('', EVIDENCE)).toEqual([]);
  });
});
