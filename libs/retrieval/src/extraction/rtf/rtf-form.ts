const [BOX, LIST] = [1, 2];
/** Takes the place of a field that nobody filled in. */
const UNSAID = 25;
const MOST_CHOICES = 100;
const LONGEST_CHOICE = 1_000;

/** What a field of a form says of its tick, or of its choice. */
export class RtfForm {
  private kind: number | undefined;
  private result = UNSAID;
  private usual = 0;
  private readonly choices: string[] = [];

  word(name: string, value: number | undefined): void {
    if (name === 'fftype') this.kind = value;
    else if (name === 'ffres') this.result = value ?? UNSAID;
    else if (name === 'ffdefres') this.usual = value ?? 0;
  }

  beginChoice(): void {
    if (this.choices.length < MOST_CHOICES) this.choices.push('');
  }

  addToChoice(text: string): void {
    const last = this.choices.length - 1;
    if (last >= 0) this.choices[last] = `${this.choices[last] ?? ''}${text}`.slice(0, LONGEST_CHOICE);
  }

  /** Texts are the result of their field. */
  get shown(): string {
    const value = this.result === UNSAID ? this.usual : this.result;
    if (this.kind === BOX) return value === 1 ? '[x]' : '[ ]';
    return this.kind === LIST ? (this.choices[value] ?? '').trim() : '';
  }
}
