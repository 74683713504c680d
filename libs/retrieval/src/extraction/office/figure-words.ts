import { ShiftedText, type Shift } from '@atrium/platform/kernel';
import { readXml, type Package, type XmlElement, type XmlHandler } from '@atrium/platform/tabular';

/** Kinds of parts that figures have their words in. */
export const FIGURES: ReadonlySet<string> = new Set(['chart', 'diagramData']);
const MOST_WORDS = 2_000;

/** The words of a chart or of SmartArt: what is written in it as lines, then the names of the series and categories, each once. */
export async function figureWords(pack: Package, part: string, what: string): Promise<string[]> {
  const reader = new FigureReader();
  await readXml(await pack.stream(part), reader, what);
  return reader.words;
}

export class FigureReader implements XmlHandler {
  private readonly written: string[] = [];
  private readonly names = new Set<string>();
  private piece = new ShiftedText();
  private shift: Shift | undefined;
  private isCached = false;
  private isText = false;

  get words(): string[] {
    return [...this.written, ...this.names];
  }

  open(element: Pick<XmlElement, 'name' | 'attribute'>): void {
    const { name } = element;
    if (name === 'strCache') this.isCached = true;
    const isName = this.isCached && name === 'v';
    this.isText = name === 't' || isName;
    if (name === 'p' || isName) this.piece = new ShiftedText();
    else if (name === 'br') this.piece.add(' ');
    if (name === 'r' || name === 'fld' || isName) this.shift = undefined;
    else if (name === 'rPr') this.shift = shiftOf(element.attribute('baseline'));
  }

  text(text: string): void {
    if (this.isText) this.piece.add(text, this.shift);
  }

  close(name: string): void {
    this.isText = false;
    if (name === 'strCache') this.isCached = false;
    else if (name === 'p') this.endLine();
    else if (this.isCached && name === 'v') this.endName();
  }

  private endLine(): void {
    const words = this.taken();
    if (words !== '' && this.written.length < MOST_WORDS) this.written.push(words);
  }

  private endName(): void {
    const words = this.taken();
    if (words !== '' && this.names.size < MOST_WORDS) this.names.add(words);
  }

  /** A piece is looked at once, however many elements end behind it. */
  private taken(): string {
    const words = this.piece.end().replace(/\s+/g, ' ').trim();
    this.piece = new ShiftedText();
    return words;
  }
}

/** Above the line, or below it. */
function shiftOf(baseline: string | undefined): Shift | undefined {
  const height = Number.parseFloat(baseline ?? '0');
  return height > 0 ? 'raised' : height < 0 ? 'lowered' : undefined;
}
