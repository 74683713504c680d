import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import { lossOf } from '../text/sign-counts';
import { wordsOfRtf } from './rtf-words';

const wordsOf = (inside: string): ReturnType<typeof wordsOfRtf> =>
  wordsOfRtf(Buffer.from(String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Times;}}${inside}}`, 'latin1'));

describe('the words of a rich text', () => {
  it.each([
    ['paragraphs and letters in several looks', String.raw`\pard The ketch lies{\b  at} an{\i chor}\par until noon\'2e\par`, 7],
    ['cells', String.raw`\trowd\cellx1\cellx2\pard\intbl Name\cell Price\cell\row`, 2],
    [
      'what is no text of the document',
      String.raw`{\info{\title Sail}}{\header Mast}{\*\generator Riched;}{\pict 8950}{\xe Oar}Ketch\bin4 {{{{`,
      1,
    ],
    ['what was deleted or is hidden', String.raw`Kept {\deleted gone}{\v secret}{\v hidden\v0 shown}{\v hidden\plain  back}`, 3],
    ['the address of a link', String.raw`{\field{\*\fldinst{HYPERLINK "https://example.org/a"}}{\fldrslt{the site}}}`, 2],
    ['labels of lists', String.raw`{\listtext 3.\tab}Three\par`, 1],
    ['Unicode with what older readers show', String.raw`\u8364?5 {\uc2\u26085??\u26412\'93\'fa} caf\u233\'e9`, 4],
    ['letters whose font decides', String.raw`caf\'e9 Bring`, 1],
    ['elements of equations', String.raw`2{\*\moMath{\mf{\mfPr{\mtype lin}}{\mnum{\mr\msty0 1}}{\mden{\mr 2}}}{\mr 3}{\mr 4}}`, 4],
    ['signs that are escaped', String.raw`a\{b\}c\\d e\~f\_g`, 7],
  ])('are counted: %s', (_, inside, words) => {
    expect(wordsOf(inside).total).toBe(words);
  });

  it('that are missing in a text are noticed', () => {
    const words = wordsOf(String.raw`\pard The fee is due\par`);
    expect(lossOf(words, 'The fee is due')).toBeNull();
    expect(lossOf(words, 'The is due')).toMatchObject({ share: 0.25 });
  });

  it.each([
    ['letters', 'a'],
    ['bytes beyond ASCII', "caf\\'e9"],
    ['groups', '{'],
    ['words of control', '\\b'],
    ['backslashes', '\\'],
    ['Unicode', '\\u8364?'],
  ])('are counted in a time that grows with the file: %s', (_, piece) => {
    expect(growth((size) => piece.repeat(size), 50_000, wordsOf)).toBeLessThan(LINEAR);
  });
});
