import type { RunSource } from '../../records/domain/run-source';
import { citationsOf, Passage, withKnownMarkers } from './cited-answer';

const quoteFor = (claim: string, passage: string) => new Passage(passage).quoteFor(claim);

const LEASE =
  'The lease runs for five years. Either party may terminate the lease with a notice of three months to the end of a quarter. The deposit is three monthly rents.';
const source = (n: number, text: string): RunSource => ({
  n,
  source_kind: 'file',
  source_id: `s${n}`,
  passage_id: `p${n}`,
  version_id: null,
  title: 'lease.pdf',
  url: null,
  page_from: 7,
  page_to: 7,
  char_start: 0,
  char_end: text.length,
  version: 'v',
  updated: null,
  score: 0.5,
  text,
});

describe('numbers of sources in an answer', () => {
  it.each([
    ['Yes [1]. No [99].', 'Yes [1]. No.', [1]],
    ['Both [1][2] and [2, 3].', 'Both [1][2] and [2].', [1, 2]],
    ['Nothing here.', 'Nothing here.', []],
    ['A [link](https://example.com) and [1](https://example.com).', 'A [link](https://example.com) and [1](https://example.com).', []],
    ['Code `a[99]` stays, [99] goes.', 'Code `a[99]` stays, goes.', []],
    ['```\nx[7] = 1\n```\nDone [7]', '```\nx[7] = 1\n```\nDone', []],
    ['Years [2024] are none.', 'Years are none.', []],
  ])('%j', (text, cleaned, cited) => {
    const known = withKnownMarkers(text, new Set([1, 2]));
    expect([known.text, [...known.cited]]).toEqual([cleaned, cited]);
  });
});

describe('the quote of a citation', () => {
  it('is the sentence of the passage, word for word, when the answer quotes it', () => {
    const found = quoteFor('Either party may terminate the lease with a notice of three months to the end of a quarter.', LEASE);
    expect(found).toMatchObject({
      check: 'exact',
      quote: 'Either party may terminate the lease with a notice of three months to the end of a quarter.',
    });
    expect(LEASE).toContain(found.quote);
  });

  it('is the sentence that says it in other words', () => {
    expect(quoteFor('The lease may be terminated with three months notice.', LEASE)).toMatchObject({
      check: 'overlap',
      quote: expect.stringContaining('notice of three months'),
    });
  });

  it('is the line that answers, where lines say one thing each', () => {
    const hours = '## Hours\nMonday: 8-12\nTuesday: 14-18\n\nThe office is reached by the gate\non the quay.';
    expect(quoteFor('Tuesday: 14-18', hours).quote).toBe('Tuesday: 14-18');
    expect(quoteFor('The office is reached by the gate on the quay.', hours)).toMatchObject({
      check: 'exact',
      quote: 'The office is reached by the gate\non the quay.',
    });
  });

  it('supports nothing that the passage does not say', () => {
    const found = quoteFor('Pets are forbidden in the whole building.', LEASE);
    expect(found.check).toBe('none');
    expect(LEASE).toContain(found.quote);
  });

  it('is never longer than 500 characters', () => {
    const long = `${'word '.repeat(300)}end.`;
    const { quote } = quoteFor('word word word word word word word word', long);
    expect(quote.length).toBeLessThanOrEqual(500);
    expect(long).toContain(quote);
  });

  it('takes eight words in a row for exact and seven for less', () => {
    const passage = 'alpha beta gamma delta epsilon zeta eta theta iota kappa.';
    expect(quoteFor('So alpha beta gamma delta epsilon zeta eta theta they say', passage).check).toBe('exact');
    expect(
      quoteFor('So alpha beta gamma delta epsilon zeta eta they would say again and again unbelievable nonsense', passage).check,
    ).not.toBe('exact');
  });

  it.each([
    ['The deposit is three monthly rents.', 'exact'],
    ['Three months.', 'overlap'],
    ['Lease', 'overlap'],
  ])('takes a short sentence that the source has for exact, and a word or two for no more than overlap: %s', (claim, check) => {
    expect(quoteFor(claim, LEASE).check).toBe(check);
  });
});

describe('the citations of an answer', () => {
  it('name each cited source once, by its number, with the sentence that fits what is said of it', () => {
    const texts = [
      'The deposit is three monthly rents. [2] Either party may terminate the lease with a notice of three months to the end of a quarter. [1][2]',
    ];
    const cited = citationsOf(texts, [source(1, LEASE), source(2, LEASE), source(3, LEASE)]);
    expect(cited.map(({ n }) => n)).toEqual([1, 2]);
    expect(cited[0]).toMatchObject({
      check: 'exact',
      quote: expect.stringContaining('Either party'),
      page_from: 7,
      title: 'lease.pdf',
      passage_id: 'p1',
    });
    expect(cited[1]).toMatchObject({ check: 'exact' });
    expect(cited.every((citation) => !('text' in citation))).toBe(true);
  });

  it('are not made by numbers in code, and what is said beside code is said whole', () => {
    expect(citationsOf(['Use `rent[1]` for it.\n```\nlease[1] = 5\n```'], [source(1, LEASE)])).toEqual([]);
    const [cited] = citationsOf(['`rent[0]` is nothing. The `deposit` is three monthly rents. [1]'], [source(1, LEASE)]);
    expect(cited).toMatchObject({ check: 'exact', quote: 'The deposit is three monthly rents.' });
  });

  it('of the web have the address, the title and the quote', () => {
    const page = { ...source(1, LEASE), source_kind: 'web', source_id: 'https://a.example/', url: 'https://a.example/', title: 'Lease' };
    expect(citationsOf(['The deposit is three monthly rents. [1]'], [page])).toEqual([
      {
        n: 1,
        source_kind: 'web',
        title: 'Lease',
        url: 'https://a.example/',
        score: 0.5,
        quote: 'The deposit is three monthly rents.',
        check: 'exact',
      },
    ]);
  });

  it('are none where nothing is cited', () => {
    expect(citationsOf(['The lease runs for five years.'], [source(1, LEASE)])).toEqual([]);
  });
});

describe('the citations of a very long answer', () => {
  it('have a quote each, from as many claims as an answer for people has', () => {
    const quotes = jest.spyOn(Passage.prototype, 'quoteFor');
    const many = Array.from({ length: 2_000 }, (_, at) => `The lease number ${at} runs. [1]`).join(' ');
    const cited = citationsOf([`${many} The deposit is three monthly rents. [2]`], [source(1, LEASE), source(2, LEASE)]);
    expect(quotes.mock.calls.length).toBeLessThanOrEqual(202);
    quotes.mockRestore();
    expect(cited.map(({ n, check }) => [n, check])).toEqual([
      [1, expect.any(String)],
      [2, 'exact'],
    ]);
  });
});
