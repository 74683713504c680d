import { findEndingBy } from '@atrium/platform/kernel';
import { LookTime, type StoredAnswer, type StoredQuestion } from './stored-look';

const SECOND = 1_000;

/** Limits of statements in milliseconds, in the order in which they were set. */
let limits: number[];
let asked: string[];
let now: number;
const tx = {
  query: ({ values }: { values: unknown[] }) => Promise.resolve(limits.push(Number.parseInt(values[0] as string, 10))),
} as unknown as Parameters<LookTime['answerQuestions']>[0];

beforeEach(() => {
  [limits, asked, now] = [[], [], 0];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const question = (name: string, seconds: number, answer: StoredAnswer = 0): StoredQuestion => ({
  name,
  ask: () => {
    asked.push(name);
    now += seconds * SECOND;
    return Promise.resolve(answer);
  },
  refuses: (said) => said !== 0,
});

describe('what a change of a form asks of stored rows', () => {
  it('has two minutes for all of it: a statement has what is left, and nothing begins after that', async () => {
    const time = new LookTime();
    const asking = time.answerQuestions(tx, [question('a', 50), question('b', 69.5), question('c', 1), question('d', 1)]);
    await expect(asking).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(limits).toEqual([120_000, 70_000, 500]);
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  it('has no more than that where it begins again, and does not count what it waits in between', async () => {
    const time = new LookTime();
    await time.answerQuestions(tx, [question('a', 100)]);
    now += 3_600 * SECOND;
    await time.answerQuestions(tx, [question('b', 15)]);
    await expect(time.answerQuestions(tx, [question('c', 10), question('d', 1)])).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(limits).toEqual([120_000, 20_000, 5_000]);
  });

  it('ends with the first answer that refuses the change', async () => {
    const answers = await new LookTime().answerQuestions(tx, [question('a', 1), question('b', 1, 7), question('c', 1)]);
    expect([...answers]).toEqual([
      ['a', 0],
      ['b', 7],
    ]);
    expect(asked).toEqual(['a', 'b']);
  });

  it('ends between two questions when nobody waits for it any more', async () => {
    const gone = new AbortController();
    const forget = findEndingBy(() => gone.signal);
    const leaving: StoredQuestion = { ...question('a', 1), ask: () => Promise.resolve(gone.abort(new Error('gone'))).then(() => 0) };
    await expect(new LookTime().answerQuestions(tx, [leaving, question('b', 1)])).rejects.toThrow('gone');
    forget();
    expect(asked).toEqual([]);
  });
});
