import type { XmlElement } from '@atrium/platform/tabular';
import type { XmlText } from './xml-text';

type Frame =
  | { readonly kind: 'drawing'; readonly boxes: string[][] }
  | { readonly kind: 'box'; readonly mark: number }
  | { readonly kind: 'alternatives'; isChosen: boolean; pieces: readonly string[] }
  | { readonly kind: 'choice'; readonly mark: number; readonly said: number };

const DRAWINGS = new Set(['drawing', 'pict', 'object']);

/** Pictures and shapes. The boxes of text in them stand behind them, and what is said in two ways for programs of two ages is said once. */
export class Drawings {
  private readonly frames: Frame[] = [];
  private said = 0;

  constructor(
    private readonly xml: XmlText,
    private readonly tag: (name: string) => string,
  ) {}

  /** Inside of a drawing and outside of its boxes, where elements are no words of the document. */
  get isRaw(): boolean {
    const frame = this.frames.findLast(({ kind }) => kind === 'drawing' || kind === 'box');
    return frame?.kind === 'drawing';
  }

  /** Paragraphs that the drawing shows. */
  addBox(pieces: string[]): void {
    const drawing = this.frames.findLast(({ kind }) => kind === 'drawing');
    if (drawing?.kind === 'drawing') drawing.boxes.push(pieces);
    this.hasSaid();
  }

  hasSaid(): void {
    this.said++;
  }

  /** Whether the element says again what was said. */
  isRepeated(name: string): boolean {
    const frame = this.frames.at(-1);
    return (name === 'Choice' || name === 'Fallback') && frame?.kind === 'alternatives' && frame.isChosen;
  }

  /** True for an element that is taken in here, and not written. */
  open(element: XmlElement): boolean {
    const { name } = element;
    if (name === 'AlternateContent') this.frames.push({ kind: 'alternatives', isChosen: false, pieces: [] });
    else if (name === 'Choice') this.frames.push({ kind: 'choice', mark: this.xml.mark, said: this.said });
    else if (name === 'txbxContent') this.frames.push({ kind: 'box', mark: this.xml.mark });
    else if (name === 'Fallback') this.replaceChoice();
    else {
      if (DRAWINGS.has(name) && !this.isRaw) this.frames.push({ kind: 'drawing', boxes: [] });
      return false;
    }
    return true;
  }

  /** Behind the closing tag of an element, where it had one. */
  close(name: string): void {
    const frame = this.frames.at(-1);
    if (name === 'txbxContent' && frame?.kind === 'box') this.closeBox(frame.mark);
    else if (name === 'Choice' && frame?.kind === 'choice') this.closeChoice(frame);
    else if (name === 'AlternateContent' && frame?.kind === 'alternatives') {
      this.frames.pop();
      this.xml.addAll(frame.pieces);
    } else if (DRAWINGS.has(name) && frame?.kind === 'drawing') {
      this.frames.pop();
      for (const box of frame.boxes) {
        this.xml.add(`<${this.tag('pict')}><${this.tag('txbxContent')}>`);
        this.xml.addAll(box);
        this.xml.add(`</${this.tag('txbxContent')}></${this.tag('pict')}>`);
      }
    }
  }

  private closeBox(mark: number): void {
    this.frames.pop();
    const drawing = this.frames.findLast(({ kind }) => kind === 'drawing');
    const pieces = this.xml.takeFrom(mark);
    if (drawing?.kind === 'drawing') drawing.boxes.push(pieces);
    else this.xml.addAll(pieces);
  }

  /** A choice that says something counts; of any other, what replaces it. */
  private closeChoice({ mark, said }: { readonly mark: number; readonly said: number }): void {
    this.frames.pop();
    const alternatives = this.frames.at(-1);
    if (alternatives?.kind !== 'alternatives') return;
    alternatives.isChosen = this.said > said;
    if (!alternatives.isChosen) alternatives.pieces = this.xml.takeFrom(mark);
  }

  private replaceChoice(): void {
    const alternatives = this.frames.at(-1);
    if (alternatives?.kind === 'alternatives') alternatives.pieces = [];
  }
}
