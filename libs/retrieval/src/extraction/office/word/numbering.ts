import { formatCount } from './counted';
import type { List, ListLevel, Lists } from './lists';
import type { WordStyles } from './styles';

/** What a paragraph says of its list: its style, and its own list and level. */
export interface ListedParagraph {
  readonly style: string | undefined;
  readonly list: string | undefined;
  readonly level: number | undefined;
}

/** The place of a paragraph in a list. */
export interface ListItem {
  readonly level: number;
  /** Undefined for a bullet. */
  readonly number: string | undefined;
  /** Its count, where its number is that alone with a dot or bracket: lists of markdown show those themselves. */
  readonly plain: number | undefined;
  readonly isClose: boolean;
}

/** What switches a list of the style off. */
const NO_LIST = '0';
const PLAIN = /^%\d[.)]$/;
const COUNT = /%(\d)/g;
/** Programs write far shorter ones. */
const LONGEST_TEXT = 200;

/** Counts the paragraphs of lists as their program does. */
export class Numbering {
  /** By lists that share their levels. */
  private readonly counts = new Map<string, (number | undefined)[]>();
  private readonly begun = new Set<string>();
  /** Levels that styles take, by list and style. */
  private readonly levelsOfStyles = new Map<List, ReadonlyMap<string, number>>();

  constructor(
    private readonly lists: Lists,
    private readonly styles: WordStyles,
  ) {}

  /** The place of the next paragraph; undefined for one that is in no list, or has no sign. */
  next(paragraph: ListedParagraph): ListItem | undefined {
    const style = paragraph.style === undefined ? undefined : this.styles.get(paragraph.style);
    const id = paragraph.list ?? style?.list;
    const list = id === undefined || id === NO_LIST ? undefined : this.lists.get(id);
    if (!list || id === undefined) return undefined;
    const at =
      paragraph.level ?? (paragraph.list === undefined ? this.levelOfStyle(list, paragraph.style) : undefined) ?? style?.level ?? 0;
    const level = list.levels.get(at);
    if (!level) return undefined;
    if (level.format === 'bullet') return { level: at, number: undefined, plain: undefined, isClose: false };
    const counts = this.count(list, id, at, level);
    const number = numberOf(list, at, level, counts);
    if (number === '') return undefined;
    const isPlain = level.format === 'decimal' && PLAIN.test(level.text) && level.text.startsWith(`%${at + 1}`);
    return { level: at, number, plain: isPlain ? counts[at] : undefined, isClose: level.isClose };
  }

  private levelOfStyle(list: List, style: string | undefined): number | undefined {
    let levels = this.levelsOfStyles.get(list);
    if (!levels) {
      levels = new Map([...list.levels].flatMap(([at, level]) => (level.style === undefined ? [] : [[level.style, at]])));
      this.levelsOfStyles.set(list, levels);
    }
    return style === undefined ? undefined : levels.get(style);
  }

  private count(list: List, id: string, at: number, level: ListLevel): (number | undefined)[] {
    const counts = this.counts.get(list.shared) ?? [];
    this.counts.set(list.shared, counts);
    const anew = list.starts.get(at);
    const mark = `${id} ${at}`;
    const begins = anew !== undefined && !this.begun.has(mark);
    this.begun.add(mark);
    const before = counts[at];
    counts[at] = begins ? anew : before === undefined ? (anew ?? level.start) : before + 1;
    for (let below = at + 1; below < counts.length; below++) {
      const restart = list.levels.get(below)?.restart;
      if (restart === undefined || at < restart) counts[below] = undefined;
    }
    return counts;
  }
}

function numberOf(list: List, at: number, { text, isLegal }: ListLevel, counts: readonly (number | undefined)[]): string {
  return text
    .slice(0, LONGEST_TEXT)
    .replace(COUNT, (_, digit: string) => {
      const above = Number(digit) - 1;
      const level = list.levels.get(above);
      if (!level || above > at) return '';
      const count = counts[above] ?? list.starts.get(above) ?? level.start;
      return level.format === 'none' ? '' : formatCount(count, isLegal ? 'decimal' : level.format);
    })
    .trim();
}
