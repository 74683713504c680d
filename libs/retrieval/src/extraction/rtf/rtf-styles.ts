const HEADING = /^(?:heading|überschrift|titre|título|заголовок)\s*([1-9])\b/i;
const TITLE = /^title\b/i;

/** Which styles of a rich text are headings, by their outline level or name. */
export class RtfStyles {
  private readonly headings = new Map<number, number>();
  private current = 0;
  private name = '';

  /** An entry that names no style is that of usual paragraphs. */
  beginEntry(): void {
    this.begin(0);
  }

  word(name: string, value: number | undefined): void {
    if (name === 's') this.begin(value ?? 0);
    else if (name === 'outlinelevel' && value !== undefined && value < 6) this.headings.set(this.current, value + 1);
    // Styles of characters, sections and tables have numbers of their own.
    else if (name === 'cs' || name === 'ds' || name === 'ts') this.begin(-1);
  }

  text(text: string): void {
    this.name = (this.name + text).slice(0, 100);
    if (!text.includes(';')) return;
    const level = TITLE.test(this.name.trim()) ? 1 : Number(HEADING.exec(this.name.trim())?.[1] ?? 0);
    if (level > 0 && this.current >= 0 && !this.headings.has(this.current)) this.headings.set(this.current, Math.min(6, level));
    this.name = '';
  }

  /** 1 to 6; 0 for a style that is none. */
  heading(style: number): number {
    return this.headings.get(style) ?? 0;
  }

  private begin(style: number): void {
    this.current = style;
    this.name = '';
  }
}
