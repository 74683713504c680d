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

/** What is written raised and is no power: ends of ordinals, of shortened words, and signs of trade. */
const PLAIN = /^(?:st|nd|rd|th|er|ers|re|res|e|es|o|a|os|as|ème|ère|me|mes|lle|gr|tm|sm|[^\p{L}\p{N}])$/iu;

/** The line of a fraction is alone, or a sign of its own; m²/s is none. */
const FRACTION = /^\s*(?:\/\s*$|⁄)/;

/** A raised sign behind the words before it: a power and the number of a note are marked, so that 10⁶ is not 106. */
export function raisedSign(before: string, text: string, after: string | undefined): string {
  const sign = text.trim();
  const last = before.at(-1) ?? ' ';
  // The upper half of a fraction.
  if (after !== undefined && FRACTION.test(after)) return /\d/.test(last) ? ` ${sign}` : text;
  if (/\s/.test(last) || PLAIN.test(sign)) return text;
  if (/^[-+−–]?\d/.test(sign) || /[\d)\]]/.test(last) || /(?:^|[^\p{L}])\p{L}$/u.test(before.slice(-2))) return `^${text.trimStart()}`;
  return text;
}
