import { growth, LINEAR } from '../../../../platform/testing/src/growth';
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
    ['*', 'an *old* boat', 'ein altes Boot'],
    ['*', 'an old boat', 'ein *altes* Boot'],
    ['_', 'an _old_ boat', 'ein *altes* Boot'],
    ['](fees.md)', 'see [the fees](fees.md)', 'siehe die Gebühren'],
    ['](../fees.md#due)', 'see [the fees](../fees.md#due "Fees")', 'siehe [die Gebühren](../gebuehren.md#due "Gebühren")'],
    ['![', '![a boat](boat.png)', '[ein Boot](boat.png)'],
    ['][fees]', 'see [the fees][fees]', 'siehe [die Gebühren][gebühren]'],
    ['[fees]: fees.md', '[fees]: fees.md', '[fees]: gebuehren.md'],
    ['[^1]', 'the fees[^1]', 'die Gebühren'],
    ['>', '> Pay in time.', 'Zahlen Sie pünktlich.'],
    ['>>', '> a\n>> b', '> a\n> b'],
    ['|', '| a | b |\n|---|---|\n| c | d |', '| a | b |\n|---|---|\n| c d |'],
    ['|:-|-:|', '| a | b |\n|:---|---:|\n| c | d |', '| a | b |\n|---|---|\n| c | d |'],
    ['```sh\nnpm start\n```', 'Run:\n```sh\nnpm start\n```', 'Starten:\n```sh\nnpm starten\n```'],
    ['~~~', 'Run:\n~~~\nnpm start', 'Starten:\nnpm start'],
  ])('%s is missed where it changed', (kept, text, translation) => {
    expect(changedMarkup(text, translation)).toContain(kept);
    expect(changedMarkup(text, text)).toEqual([]);
  });

  it('may move, but must stand there as often', () => {
    expect(changedMarkup('{a} of {b}', '{b} von {a}')).toEqual([]);
    expect(changedMarkup('{a} of {b}', '{a} {a} von {b}')).toEqual(['{a}']);
  });

  it('is the same where lines are wrapped or widths of columns are different', () => {
    expect(changedMarkup('> Pay in\n> time.', '> Zahlen Sie bitte\n> immer\n> pünktlich.')).toEqual([]);
    expect(changedMarkup('an *old and\ngrey* boat', 'ein *altes,\ngraues* Boot')).toEqual([]);
    expect(changedMarkup('a | b\n--- | ---\nc | d', 'eins | zwei\n------|------\ndrei | vier')).toEqual([]);
    expect(changedMarkup('a *key* point of [the fees](a.md)', '[料金](a.md)の*重要*な点')).toEqual([]);
    expect(changedMarkup('***one*** and **two *three***', '***eins*** und **zwei *drei***')).toEqual([]);
    expect(changedMarkup('[![a boat](boat.png)](b.md)', '[![ein Boot](boat.png)](b.md)')).toEqual([]);
  });

  it.each([
    ["the captain's boat isn't the owner's", 'das Boot des Kapitäns gehört nicht dem Eigner'],
    ['Fees* are due.\n\n*plus tax', 'Die Gebühren* sind fällig.\n\nzuzüglich Steuer'],
    ['a 4*hotel and a 5*hotel', 'ein 4-Sterne- und ein 5-Sterne-Hotel'],
    ['2*3*4 is 24', '2 mal 3 mal 4 ist 24'],
    ['2 * 3 * 4 is 24', '2 · 3 · 4 ist 24'],
    ['the fields boat_name and boat_size', 'die Felder Bootsname und Bootsgröße'],
    ['[Note](see below) [sic]', '[Hinweis](siehe unten)'],
    ['either | or', 'entweder oder'],
    ['a > b', 'a größer als b'],
    ['a \\* and a \\* too', 'ein Stern und noch einer'],
  ])('is nothing in %j', (text, translation) => {
    expect(changedMarkup(text, translation)).toEqual([]);
  });

  it('is not a per cent sign or a comparison of numbers', () => {
    expect(changedMarkup('20 % discount, 1 < 2 > 0', '20 % Rabatt, 1 < 2 > 0')).toEqual([]);
    expect(changedMarkup('100% sure', '100% sicher')).toEqual([]);
  });
});

describe('the markup of a long text', () => {
  it.each([
    ['tables', 'a|b\n-|-\n\n'],
    ['fences', '```\nx\n```\n'],
    ['fences that are not closed', '~~~\n````\n'],
    ['links', '[a]('],
    ['emphasis', '*a **b '],
    ['pictures', '!['],
    ['code', '`a'],
    ['tags', '<a '],
  ])('is compared in a time that grows with its length alone: %s', (_, part) => {
    const text = (length: number): string => part.repeat(length / part.length);
    expect(growth(text, 24_000, (long) => changedMarkup(long, long))).toBeLessThan(LINEAR);
  });
});
