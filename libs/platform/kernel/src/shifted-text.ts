import { loweredText, raisedText } from './shifted-signs';

export type Shift = 'raised' | 'lowered';

/** Characters beside a raised or lowered text that say what it is. */
const BESIDE = 8;

/** A text that comes piece by piece, some of them raised or lowered: `10^6`, as its digits would be one number. */
export class ShiftedText {
  private text = '';
  /** The end of it: to look at all of it before each sign would take the square of its length. */
  private last = '';
  /** Raised or lowered text whose end was not seen: its pieces say together what it is. */
  private waiting = '';
  private shift: Shift | undefined;
  private endsApart = false;

  add(piece: string, shift?: Shift): void {
    if (piece === '') return;
    // What is raised behind what is lowered, or the other way around, is no text that goes on.
    if (shift !== this.shift) this.settle(shift === undefined ? piece : '');
    this.shift = shift;
    if (shift === undefined) this.write(piece);
    else this.waiting += piece;
  }

  /** A piece whose numbers are its own, such as an equation: a blank parts its digits from those beside it. */
  addApart(piece: string): void {
    if (piece === '') return;
    this.settle(piece);
    this.write(piece, true);
  }

  /** All of it. */
  end(): string {
    this.settle('');
    return this.text;
  }

  private settle(after: string): void {
    const { waiting, shift } = this;
    this.waiting = '';
    this.shift = undefined;
    if (waiting === '') return;
    const { last } = this;
    this.write(shift === 'raised' ? raisedText(waiting, last, after) : loweredText(waiting, last, after));
  }

  private write(text: string, isApart = false): void {
    const written = (isApart || this.endsApart) && /\d$/.test(this.last) && /^\d/.test(text) ? ` ${text}` : text;
    this.endsApart = isApart;
    this.text += written;
    this.last = (this.last + written).slice(-BESIDE);
  }
}
