import type { XmlElement } from '@atrium/platform/tabular';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

export const escapeXml = (text: string): string => text.replace(/[&<>"\t\n\r]/g, (sign) => ESCAPES[sign] ?? sign);

/** XML that is written piece by piece. What was written since a mark can be taken back, to stand elsewhere or nowhere. */
export class XmlText {
  private readonly pieces: string[] = [];

  get mark(): number {
    return this.pieces.length;
  }

  add(piece: string): void {
    this.pieces.push(piece);
  }

  addAll(pieces: readonly string[]): void {
    for (const piece of pieces) this.pieces.push(piece);
  }

  openTag({ written, attributes }: XmlElement): void {
    let tag = `<${written}`;
    for (const name in attributes) tag += ` ${name}="${escapeXml(attributes[name] ?? '')}"`;
    this.pieces.push(`${tag}>`);
  }

  /** A place for what is known later. */
  leaveSpace(): number {
    this.pieces.push('');
    return this.pieces.length - 1;
  }

  fill(space: number, piece: string): void {
    this.pieces[space] = piece;
  }

  takeFrom(mark: number): string[] {
    return this.pieces.splice(mark);
  }

  toString(): string {
    return this.pieces.join('');
  }
}
