import { beginningOf, fittingTurns, inputBudget, type Turn } from './input-budget';

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const turns: readonly Turn[] = [
  { role: 'user', text: 'one two three' },
  { role: 'assistant', text: 'four five' },
  { role: 'user', text: 'six' },
  { role: 'assistant', text: 'seven eight' },
];

describe('the budget of an input', () => {
  it('leaves room for the answer and a reserve', () => {
    expect(inputBudget(32_768, 4_096)).toBe(Math.floor(32_768 * 0.95) - 4_096);
  });

  it.each([
    [100, 4],
    [24, 4],
    [23, 2],
    [11, 2],
    [10, 0],
    [0, 0],
  ])('of %d tokens keeps the newest %d turns, the first of them a question', (budget, kept) => {
    expect(fittingTurns(turns, budget, ({ text }) => words(text) + 4)).toEqual(turns.slice(turns.length - kept));
  });

  it('cuts a text where its tokens end, and never within a character', () => {
    const text = 'word '.repeat(1_000);
    const { text: cut, tokens } = beginningOf(text, 100, words);
    expect(tokens).toBe(words(cut));
    expect(words(cut)).toBeLessThanOrEqual(100);
    expect(cut.length).toBeGreaterThan(450);
    const faces = '😀'.repeat(500);
    expect(beginningOf(faces, 101, (part) => part.length).text).toMatch(/^(?:😀)+$/u);
    expect(beginningOf('short', 10, words)).toEqual({ text: 'short', tokens: 1 });
    expect(beginningOf('short', 0, words)).toEqual({ text: '', tokens: 0 });
  });

  it('reads little more of a text than fits, however long it is', () => {
    let read = 0;
    const letters = (text: string): number => {
      read += text.length;
      return text.length;
    };
    for (const text of ['語'.repeat(200_000), 'ab '.repeat(70_000)]) {
      read = 0;
      const { text: cut, tokens } = beginningOf(text, 20_000, letters);
      expect(text.startsWith(cut)).toBe(true);
      expect(tokens).toBe(cut.length);
      expect(tokens).toBeGreaterThan(19_980);
      expect(read).toBeLessThan(24_000);
    }
  });
});
