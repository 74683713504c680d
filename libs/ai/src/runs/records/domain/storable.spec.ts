import { storableText, storableJson, TextPieces } from './storable';

describe('what models and tools send', () => {
  it('is stored without NUL and halves of characters, and otherwise as it is', () => {
    expect(storableText('a\u0000b\ud83dc\ude00d\u{1f600}\n\u0007')).toBe('abcd\u{1f600}\n\u0007');
  });

  it('is cleaned in all of a value', () => {
    expect(storableJson({ 'k\u0000': ['a\ud800', 1, null, true, { b: '\u0000' }] })).toEqual({ k: ['a', 1, null, true, { b: '' }] });
  });

  it('may be cut within a character', () => {
    const pieces = new TextPieces();
    expect(['a\ud83d', '\ude00b', '\ud83d', '', '\ude00', '\ud83dx', '\ud83d'].map((piece) => pieces.takePiece(piece)).join('|')).toBe(
      'a|\u{1f600}b|||\u{1f600}|x|',
    );
  });
});
