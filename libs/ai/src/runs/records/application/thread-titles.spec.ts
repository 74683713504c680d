import { titleOf } from './thread-titles';

describe('the title of a thread', () => {
  it.each([
    ['How long is the notice period? I want to move.', 'How long is the notice period?'],
    ['  Toner\n of the   printer ', 'Toner of the printer'],
    ['', ''],
    [`${'word '.repeat(30)}end`, `${'word '.repeat(16).trim()}…`],
    ['x'.repeat(100), `${'x'.repeat(80)}…`],
  ])('of %j', (text, title) => expect(titleOf(text)).toBe(title));
});
