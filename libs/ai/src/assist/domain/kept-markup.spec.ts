import { changedMarkup } from './kept-markup';

describe('what a translation keeps', () => {
  it.each([
    ['{name}', 'Hello {name}', 'Hallo {Name}'],
    ['{{name}}', 'Hello {{name}}', 'Hallo {name}'],
    ['%s', 'Hello %s', 'Hallo'],
    ['<b>', 'a <b>boat</b>', 'ein Boot</b>'],
    ['https://a.example/x', 'see https://a.example/x', 'siehe https://a.example/y'],
    ['`npm start`', 'run `npm start`', 'starte `npm starten`'],
    ['##', '## Title', '# Titel'],
    ['-', '- one', 'eins'],
    ['**', '**one**', 'eins'],
  ])('%s is missed where it changed', (kept, text, translation) => {
    expect(changedMarkup(text, translation)).toContain(kept);
    expect(changedMarkup(text, text)).toEqual([]);
  });

  it('may move, but must stand there as often', () => {
    expect(changedMarkup('{a} of {b}', '{b} von {a}')).toEqual([]);
    expect(changedMarkup('{a} of {b}', '{a} {a} von {b}')).toEqual(['{a}']);
  });

  it('is not a per cent sign or a comparison of numbers', () => {
    expect(changedMarkup('20 % discount, 1 < 2 > 0', '20 % Rabatt, 1 < 2 > 0')).toEqual([]);
    expect(changedMarkup('100% sure', '100% sicher')).toEqual([]);
  });
});
