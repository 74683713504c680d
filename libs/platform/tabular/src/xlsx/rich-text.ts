import { ShiftedText, type Shift } from '@atrium/platform/kernel';
import type { XmlElement } from '../xml-events';

const SHIFTS: ReadonlyMap<string, Shift> = new Map(Object.entries<Shift>({ superscript: 'raised', subscript: 'lowered' }));

/** The text of a cell, run by run. Phonetic readings are left out. */
export class RichText {
  private readonly written = new ShiftedText();
  private shift: Shift | undefined;
  private phonetic = 0;
  private inText = false;

  open(element: XmlElement): void {
    if (element.name === 'r') this.shift = undefined;
    else if (element.name === 'vertAlign') this.shift = SHIFTS.get(element.attribute('val') ?? '');
    else if (element.name === 'rPh') this.phonetic++;
    else if (element.name === 't') this.inText = this.phonetic === 0;
  }

  /** Whether it was part of the text. */
  text(piece: string): boolean {
    if (this.inText) this.written.add(piece, this.shift);
    return this.inText;
  }

  close(name: string): void {
    if (name === 't') this.inText = false;
    else if (name === 'r') this.shift = undefined;
    else if (name === 'rPh') this.phonetic--;
  }

  end(): string {
    return unescaped(this.written.end());
  }
}

/** Characters that XML cannot hold stand as `_x000D_`; a line break of Windows is one line break. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))).replace(/\r\n?/g, '\n')
    : text;
