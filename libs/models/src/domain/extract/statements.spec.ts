import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import type { ModelSource } from '../grounding';
import { readQuestion } from './question';
import { quotablesOf, quotesFor } from './quotes';
import { statementsOf } from './statements';
import { loadReader, type Reader } from './words';

const said = (text: string): [string, ...string[]][] => statementsOf(text).map((one) => [one.text, ...one.near]);

describe('what a text says', () => {
  it('is about the heading above it, also where no empty line is between them', () => {
    expect(statementsOf('# Pool\n## Prices\nLockers take a coin.')).toMatchObject([
      { text: 'Lockers take a coin.', near: ['Prices'], far: ['Pool'] },
    ]);
  });

  it('is about a line that heads those below it, up to the next empty line', () => {
    expect(said('1. Lift\nIt stops on 4 May.\nResponsible: P. Mbeki\n\nNext meeting: 14 May')).toEqual([
      ['It stops on 4 May.', '1. Lift'],
      ['Responsible: P. Mbeki', '1. Lift'],
      ['Next meeting: 14 May'],
    ]);
  });

  it('answers the question before it, which is no answer itself', () => {
    expect(said('Q: Do you print labels?\nA: For 50 pence.\n\nQ: How heavy?\nA: 31.5 kg.')).toEqual([
      ['For 50 pence.', 'Q: Do you print labels?'],
      ['31.5 kg.', 'Q: How heavy?'],
    ]);
  });

  it('are the rows of a table, about its head', () => {
    expect(said('| Ticket | Adult |\n|---|---|\n| Season | £140 |\n| Single | £6 |')).toEqual([
      ['Season | £140', 'Ticket | Adult'],
      ['Single | £6', 'Ticket | Adult'],
    ]);
  });

  it('are lines with a label, each for itself', () => {
    expect(said('Phone: 01632 960 114\nEmail: a@b.example\nMonday: 8-12').map(([text]) => text)).toEqual([
      'Phone: 01632 960 114',
      'Email: a@b.example',
      'Monday: 8-12',
    ]);
  });

  it('is about the subject of a letter throughout', () => {
    expect(statementsOf('Subject: Trip\n\nDear all,\n\nthe coach leaves at eight.').at(-1)).toMatchObject({ far: ['Trip'] });
  });
});

describe('answering', () => {
  let reader: Reader;
  beforeAll(async () => {
    reader = await loadReader('When does the harbour office open?');
  });

  it.each([
    '# a b c\n',
    'Open: 8\n',
    'a b c? d e f. ',
    '| a | 8 |\n',
    'word ',
    'The office opens at 8:00. ',
    '1. a\nb c d.\n',
    '\n\na b c:\n',
  ])('takes a time that grows with the length of the text alone: %j', (part) => {
    const question = readQuestion(['When does the harbour office open on Monday?'], reader);
    const texts = (length: number): string => part.repeat(Math.floor(length / part.length));
    const answer = (text: string) => quotesFor(quotablesOf([{ n: 1, kind: 'passage', text }], reader), question);
    expect(growth(texts, 2_000, answer)).toBeLessThan(LINEAR);
  });

  it('takes what no search has ranked for as near as the best that it has', () => {
    const question = readQuestion(['What does the berth of the memory quay cost a day?'], reader);
    const fact = (quay: string): string => `The berth of the ${quay} quay costs 12 euros a day.`;
    const sources: readonly ModelSource[] = [
      { n: 1, kind: 'memory', text: fact('memory'), score: 0 },
      { n: 2, kind: 'passage', text: fact('record'), score: 0.98 },
    ];
    expect(quotesFor(quotablesOf(sources, reader), question).map(({ n }) => n)).toEqual([1]);
  });

  it('takes a time that grows with a heading alone, however many lines stand below it', () => {
    const text = (length: number): string => `# ${'word '.repeat(length / 10)}\n${'Open: 8\n'.repeat(length / 16)}`;
    expect(growth(text, 4_000, (long) => quotablesOf([{ n: 1, kind: 'passage', text: long }], reader))).toBeLessThan(LINEAR);
  });
});
