import type { ListItem } from './numbering';

/** The lists of the document that replaces the original: one of bullets and one of numbers, with all levels. */
const BULLETS = 1;
const NUMBERS = 2;

/** How an item is written: as an item of a list, or its number as words of the paragraph, or both. */
export interface ShownItem {
  readonly list: typeof BULLETS | typeof NUMBERS | undefined;
  readonly words: string;
}

/**
 * Lists of markdown count by themselves, from 1 and without a gap. An item whose number is just that becomes one of such a list;
 * any other keeps its number as words, so that a clause is called what its document calls it.
 */
export class ShownLists {
  /** By level: the list that is open there, and its last number. */
  private open: { readonly list: number; readonly count: number }[] = [];

  /** Something else than an item of a list: the lists before it are over. */
  end(): void {
    this.open = [];
  }

  show({ level, number, plain, isClose }: ListItem): ShownItem {
    const words = number === undefined ? '' : `${number}${isClose ? '' : ' '}`;
    if (number !== undefined && level > this.open.length) {
      this.end();
      return { list: undefined, words };
    }
    this.open.length = Math.min(this.open.length, level + 1);
    while (this.open.length < level) this.open.push({ list: BULLETS, count: 1 });
    const before = this.open[level];
    const counted = before?.list === NUMBERS ? before.count + 1 : 1;
    if (number !== undefined && plain === counted) {
      this.open[level] = { list: NUMBERS, count: counted };
      return { list: NUMBERS, words: '' };
    }
    if (number !== undefined && level === 0) {
      this.end();
      return { list: undefined, words };
    }
    this.open[level] = { list: BULLETS, count: 1 };
    return { list: BULLETS, words };
  }
}

const LEVELS = Array.from({ length: 9 }, (_, level) => level);
const abstract = (id: number, format: string): string =>
  `<w:abstractNum w:abstractNumId="${id}">${LEVELS.map((level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="${format}"/></w:lvl>`).join('')}</w:abstractNum>`;
const num = (id: number): string => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`;

/** The part that declares these lists. */
export const LISTS_PART = `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${abstract(BULLETS, 'bullet')}${abstract(NUMBERS, 'decimal')}${num(BULLETS)}${num(NUMBERS)}</w:numbering>`;
