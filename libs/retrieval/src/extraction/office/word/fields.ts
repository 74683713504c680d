/** Fields of a paragraph that are not at their end, one inside of the other: each is its instruction first, and then its result. */
export class OpenFields {
  private readonly path: ('instruction' | 'result')[] = [];
  private instructions = 0;

  /** What is a result for the instruction of another field is no text: `IF f = "f" "Mrs"`. */
  get isForAnother(): boolean {
    return this.instructions > 0 && this.path.at(-1) === 'result';
  }

  /** One of the signs that fields are parted by. */
  see(sign: string | undefined): void {
    if (sign === 'begin') {
      this.path.push('instruction');
      this.instructions++;
      return;
    }
    if (this.path.length === 0 || (sign !== 'separate' && sign !== 'end')) return;
    if (this.path.pop() === 'instruction') this.instructions--;
    if (sign === 'separate') this.path.push('result');
  }

  /** An instruction that goes on behind its paragraph may have lost its end. */
  endParagraph(): void {
    if (this.instructions === 0) return;
    this.path.length = this.path.indexOf('instruction');
    this.instructions = 0;
  }
}
