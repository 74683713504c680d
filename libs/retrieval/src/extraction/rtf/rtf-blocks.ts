import { htmlText } from '../html/html-pieces';

const BULLET = /^[•·▪◦‣o§\u2013\u2014\uF0A7\uF0B7-]$/;
const NUMBER = /^(\d{1,9})\.$/;

/** What a paragraph is, besides its text. */
export interface ParagraphLayout {
  /** 1 to 6; 0 for none. */
  readonly heading: number;
  readonly inTable: boolean;
}

/** Raised or lowered beside the line. */
export type Shift = 'sup' | 'sub';

/** Paragraphs, lists and tables of a flow of text on their way to HTML. */
export class RtfBlocks {
  private html = '';
  private paragraph = '';
  /** The last sign of the paragraph. */
  private last = '';
  private endsInEquation = false;
  /** What the document shows before an item of a list. */
  private label = '';
  private cell = '';
  /** What comes behind the paragraph that it is anchored in. */
  private behind = '';
  private cells: string[] | undefined;
  private rows: string[] | undefined;
  private list: 'ol' | 'ul' | undefined;
  /** Raised or lowered text whose end was not seen: its pieces say together what it is. */
  private shifted: { readonly shift: Shift; text: string } | undefined;

  add(html: string): void {
    this.endShifted();
    this.write(html, false);
  }

  /** A blank parts its digits from those beside it: 2 1/2 is not 21/2. */
  addEquation(text: string): void {
    this.endShifted();
    if (text !== '') this.write(htmlText(text), true);
  }

  /** Pieces behind each other are one text, however they were written. */
  addShifted(shift: Shift, text: string): void {
    if (this.shifted?.shift === shift) {
      this.shifted.text += text;
      return;
    }
    this.endShifted();
    this.shifted = { shift, text };
  }

  addLabel(text: string): void {
    this.label += text;
  }

  endParagraph({ heading, inTable }: ParagraphLayout): void {
    if (!inTable) this.endTable();
    this.endShifted();
    const [text, label] = [this.paragraph.trim(), this.label.trim()];
    this.paragraph = '';
    this.last = '';
    this.label = '';
    if (text !== '' || label !== '') {
      if (heading > 0 || inTable) this.put(labelled(heading > 0 ? `h${heading}` : 'p', label, text), inTable);
      else this.putItem(label, text);
    }
    const { behind } = this;
    this.behind = '';
    if (behind !== '') this.put(behind, inTable);
  }

  addBehind(html: string): void {
    this.behind += html;
  }

  endCell(look: ParagraphLayout): void {
    this.endParagraph({ ...look, inTable: true });
    this.cells ??= [];
    this.cells.push(this.cell);
    this.cell = '';
  }

  endRow(): void {
    if (!this.cells) return;
    this.endList();
    this.rows ??= [];
    this.rows.push(`<tr>${this.cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
    this.cells = undefined;
  }

  end(look: ParagraphLayout): string {
    this.endParagraph({ ...look, inTable: false });
    this.endList();
    return this.html;
  }

  private write(html: string, isEquation: boolean): void {
    const isBeside = (isEquation || this.endsInEquation) && /\d/.test(this.last) && /^\d/.test(html);
    this.paragraph += isBeside ? ` ${html}` : html;
    this.last = html.slice(-1);
    this.endsInEquation = isEquation;
  }

  private endShifted(): void {
    if (!this.shifted) return;
    this.write(`<${this.shifted.shift}>${htmlText(this.shifted.text)}</${this.shifted.shift}>`, false);
    this.shifted = undefined;
  }

  private put(html: string, inTable: boolean): void {
    if (inTable) this.cell += html;
    else {
      this.endList();
      this.html += html;
    }
  }

  private putItem(label: string, text: string): void {
    const number = NUMBER.exec(label)?.[1];
    const kind = number !== undefined ? 'ol' : BULLET.test(label) ? 'ul' : undefined;
    if (kind === undefined) return this.put(labelled('p', label, text), false);
    if (this.list !== kind) {
      this.endList();
      this.html += kind === 'ol' ? `<ol start="${number}">` : '<ul>';
      this.list = kind;
    }
    this.html += `<li>${text}</li>`;
  }

  private endList(): void {
    if (this.list) this.html += `</${this.list}>`;
    this.list = undefined;
  }

  /** Cells without the end of their row are a row as well, and what is behind the last cell is text. */
  private endTable(): void {
    this.endRow();
    const rest = this.cell;
    this.cell = '';
    if (this.rows) {
      this.endList();
      this.html += `<table>${this.rows.join('')}</table>`;
    }
    this.rows = undefined;
    this.html += rest;
  }
}

const labelled = (tag: string, label: string, text: string): string =>
  `<${tag}>${label === '' ? '' : `${htmlText(label)} `}${text}</${tag}>`;
