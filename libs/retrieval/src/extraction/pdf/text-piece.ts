/** A piece of text as the page draws it, in points from its lower left corner. */
export interface TextPiece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly rightToLeft: boolean;
  /** It is written above or below the line that it is on, as a power or the number of a note is. */
  readonly shift?: 'raised' | 'lowered';
}
