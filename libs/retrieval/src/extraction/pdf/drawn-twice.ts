import type { TextPiece } from './text-piece';

/** How far apart, in parts of its size, a text is drawn a second time to look bold or to have a shadow. */
const SAME_PLACE = 0.1;

/** Texts of a page that are drawn again where they stand already: they are there once. */
export class DrawnTwice {
  private readonly last = new Map<string, TextPiece>();

  has(piece: TextPiece): boolean {
    if (piece.text.trim() === '') return false;
    const before = this.last.get(piece.text);
    this.last.set(piece.text, piece);
    const most = SAME_PLACE * piece.size;
    return (
      before !== undefined &&
      Math.abs(before.size - piece.size) <= most &&
      Math.abs(before.x - piece.x) <= most &&
      Math.abs(before.y - piece.y) <= most
    );
  }
}
