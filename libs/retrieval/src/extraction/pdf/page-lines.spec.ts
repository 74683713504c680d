import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import { DocumentStyle } from './document-blocks';
import { linesOf } from './page-lines';
import type { TextPiece } from './text-piece';

const SIZE = 10;
const piece = (text: string, x: number, y = 700): TextPiece => ({
  text,
  x,
  y,
  width: SIZE * text.length * 0.5,
  size: SIZE,
  rightToLeft: false,
});
/** Pieces on one line, with a gap behind each: 2 is one between words, 50 one between cells. */
const row = (size: number, gap: number): TextPiece[] => Array.from({ length: size }, (_, at) => piece('word', at * (SIZE * 2 + gap)));

describe('the lines of a page', () => {
  it('are whole, with the parts that wide gaps make of them', () => {
    expect(linesOf(row(3, 3))).toMatchObject([{ text: 'word word word', parts: ['word word word'] }]);
    expect(linesOf(row(3, 50))).toMatchObject([{ text: 'word word word', parts: ['word', 'word', 'word'], x: 0, right: 160 }]);
    expect(linesOf([piece('10', 0), { ...piece('6', 10), shift: 'raised', size: 6 }, piece(' m', 14)])[0]?.text).toBe('10^6 m');
  });

  it('keep the number of a note apart from the number that it is in front of', () => {
    const mark = { shift: 'raised' as const, size: 6 };
    const notes = linesOf([piece('2018, ', 0), { ...piece('1', 30), ...mark }, piece('2019', 34)]);
    expect(notes[0]?.text).toBe('2018, 1 2019');
    expect(linesOf([{ ...piece('1', 0), ...mark }, piece('2019', 4)])[0]?.text).toBe('1 2019');
  });

  it.each(['/', '⁄'])('begin with a fraction that is drawn with %s', (stroke) => {
    const half = (text: string, x: number, shift: 'raised' | 'lowered'): TextPiece => ({ ...piece(text, x), shift, size: 6 });
    const line = linesOf([half('1', 0, 'raised'), piece(stroke, 4), half('2', 9, 'lowered'), piece(' cup', 13)]);
    expect(line[0]?.text).toBe(`1${stroke}2 cup`);
  });

  it.each([
    ['words', 3],
    ['cells', 50],
  ])('take a time that grows with their %s', (_, gap) => {
    expect(growth((size) => row(size, gap), 5_000, linesOf)).toBeLessThan(LINEAR);
  });

  it.each([
    ['paragraph', 'word'],
    ['list', '- word'],
  ])('become a %s in a time that grows with their number', (kind, text) => {
    const pageOf = (size: number) => ({
      page: 1,
      height: 792,
      aside: [],
      lines: Array.from({ length: size }, (_, at) => ({ text, parts: [text], x: 10, right: 50, y: 20_000_000 - at * 12, size: SIZE })),
    });
    const page = pageOf(3);
    expect(new DocumentStyle([page]).blocksOf(page)).toMatchObject([
      kind === 'list' ? { kind, items: [text, text, text] } : { kind, text: 'word word word' },
    ]);
    const blocks = (many: ReturnType<typeof pageOf>): unknown => new DocumentStyle([many]).blocksOf(many);
    expect(growth(pageOf, 5_000, blocks)).toBeLessThan(LINEAR);
  });
});
