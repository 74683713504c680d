import type { LevelFormat, ListNumbers } from './odf-numbers';
import type { OdfStyles } from './odf-styles';

interface Item {
  readonly html: string;
  /** Its count, where it has one. */
  readonly number: number | undefined;
  /** It is before the items, and is none. */
  readonly isHeader: boolean;
  readonly isHeading: boolean;
}

export interface ListOptions {
  readonly style: string | undefined;
  /** From 1. */
  readonly level: number;
  readonly numbers: ListNumbers;
  readonly styles: OdfStyles;
}

/**
 * A list on its way to HTML. Plain numbers are those of the list; labels of another form (`2.1`, `a)`, `§ 3`) are text of their
 * item, so that they can be cited. Items that hold headings are no items: programs number headings that way.
 */
export class OdfList {
  private readonly items: Item[] = [];
  private pending: { readonly isCounted: boolean; readonly from: number | undefined } | undefined;
  private isHeading = false;
  private isHeader = false;
  private number: number | undefined;

  constructor(private readonly options: ListOptions) {}

  get style(): string | undefined {
    return this.options.style;
  }

  get level(): number {
    return this.options.level;
  }

  get holdsHeading(): boolean {
    return this.items.some(({ isHeading }) => isHeading);
  }

  /** Inner lists count with the outer one, unless they have a style of their own. */
  numbersFor(style: string | undefined): ListNumbers | undefined {
    return style === this.options.style ? this.options.numbers : undefined;
  }

  get html(): string {
    if (this.holdsHeading) return this.items.map(({ html }) => html).join('');
    let html = '';
    let open: 'ol' | 'ul' | undefined;
    let next = 1;
    for (const item of this.items) {
      const isNext = item.number === undefined || item.number === next;
      if (open !== undefined && (item.isHeader || (open === 'ol' && !isNext))) {
        html += `</${open}>`;
        open = undefined;
      }
      if (item.isHeader) {
        html += `<div>${item.html}</div>`;
        continue;
      }
      next = (item.number ?? next) + 1;
      if (open === undefined) {
        open = this.isPlain() ? 'ol' : 'ul';
        html += open === 'ol' ? `<ol start="${next - 1}">` : '<ul>';
      }
      html += `<li>${item.html}</li>`;
    }
    return open === undefined ? html : `${html}</${open}>`;
  }

  beginItem(isCounted: boolean, from: number): void {
    this.isHeading = false;
    this.isHeader = !isCounted;
    this.number = undefined;
    this.pending = { isCounted, from: Number.isSafeInteger(from) && from >= 0 ? from : undefined };
  }

  endItem(html: string): void {
    this.pending = undefined;
    const { isHeading, isHeader, number } = this;
    this.items.push({ html: isHeading ? html : tight(html), isHeading, isHeader, number });
  }

  /** An item that begins with an inner list has no number of its own. */
  beginInner(): void {
    this.pending = undefined;
  }

  noteHeading(): void {
    this.isHeading = true;
  }

  /** The label of the first paragraph of an item, where it is text. */
  takeLabel(): string {
    const label = this.counted();
    return this.isPlain() ? '' : label;
  }

  takeHeading(): string {
    this.isHeading = true;
    return this.counted();
  }

  private counted(): string {
    const { pending } = this;
    this.pending = undefined;
    const { level, numbers } = this.options;
    if (!pending?.isCounted || this.format.format === '') return '';
    this.number = numbers.next(level, this.format, pending.from);
    return numbers.label(level, (at) => this.formatOf(at));
  }

  private get format(): LevelFormat {
    return this.formatOf(this.level);
  }

  private formatOf(level: number): LevelFormat {
    return this.options.styles.listLevel(this.style, level);
  }

  private isPlain(): boolean {
    const { format, levels, before, behind } = this.format;
    return format === '1' && levels === 1 && before.trim() === '' && behind.trim() === '.';
  }
}

const [OPEN, CLOSE] = ['<p>', '</p>'];

/** An item of one paragraph, and of lists below it, is a line of its list. */
function tight(html: string): string {
  const end = html.indexOf(CLOSE);
  if (!html.startsWith(OPEN) || end < 0 || html.includes(OPEN, end)) return html;
  return html.slice(OPEN.length, end) + html.slice(end + CLOSE.length);
}
