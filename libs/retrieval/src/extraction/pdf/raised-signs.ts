import { loweredText, raisedText } from '@atrium/platform/kernel';
import type { TextPiece } from './text-piece';

/** Sizes and distances in parts of the size of the line that a sign is raised or lowered from. */
const SMALL = 0.85;
const LEAST_SMALL = 0.45;
const FARTHEST = 0.65;
const SHIFTED = 0.12;
const SHIFTED_ALIKE = 0.2;
const FARTHEST_ALIKE = 0.55;
const TOUCHES = 0.5;
const OVERLAPS = 0.3;
const LONGEST = 12;

/** Pieces in the order in which they are drawn; raised and lowered signs come to the line that they belong to. */
export function withRaisedSigns<Piece extends TextPiece>(pieces: readonly Piece[]): Piece[] {
  const drawn = pieces.filter(({ text }) => text.trim() !== '');
  const placed: Piece[] = [];
  let host: Piece | undefined;
  let right = 0;
  for (const [at, piece] of drawn.entries()) {
    const next = drawn[at + 1];
    if (host && touches(right, piece.x, host.size) && isShifted(piece, host)) placed.push(shifted(piece, host));
    else if (
      next &&
      touches(piece.x + piece.width, next.x, next.size) &&
      isShifted(piece, next) &&
      piece.size < next.size &&
      piece.y > next.y
    ) {
      placed.push(shifted(piece, next));
      continue;
    } else {
      placed.push(piece);
      host = piece;
    }
    right = piece.x + piece.width;
  }
  return placed;
}

const touches = (right: number, x: number, size: number): boolean => x - right >= -OVERLAPS * size && x - right <= TOUCHES * size;

function isShifted(piece: TextPiece, host: TextPiece): boolean {
  const distance = Math.abs(piece.y - host.y) / host.size;
  const part = piece.size / host.size;
  if (piece.text.trim().length > LONGEST || part < LEAST_SMALL) return false;
  if (part <= SMALL) return distance >= SHIFTED && distance <= FARTHEST;
  return part <= 1.05 && distance >= SHIFTED_ALIKE && distance <= FARTHEST_ALIKE;
}

const shifted = <Piece extends TextPiece>(piece: Piece, host: Piece): Piece => ({
  ...piece,
  y: host.y,
  shift: piece.y > host.y ? 'raised' : 'lowered',
});

/** Pieces of a line that are raised or lowered alike, or one that is neither. */
export interface Stretch {
  readonly shift: TextPiece['shift'];
  readonly text: string;
}

/** A stretch behind the words before it, so that 10⁶ is not 106. */
export function signOf({ shift, text }: Stretch, end: string, next?: Stretch, second?: Stretch): string {
  const before = /^\s/.test(text) || /\s$/.test(end) ? '' : end;
  const after = next?.shift === undefined ? (next?.text ?? '') : '';
  if (shift === 'lowered') return /[/⁄]$/.test(before) ? text : loweredText(text, before, after);
  // The upper half of a fraction.
  if (/^⁄/.test(after) || (after === '/' && second?.shift === 'lowered')) return /\d$/.test(before) ? ` ${text}` : text;
  return raisedText(text, before, after);
}
