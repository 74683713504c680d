import { loweredText, raisedText } from '@atrium/platform/kernel';
import type { XmlElement } from '@atrium/platform/tabular';
import { levelNumber } from './lists';
import type { ListItem, Numbering } from './numbering';
import { ShownLists } from './shown-lists';
import type { Shift, WordStyles } from './styles';
import { escapeXml, type XmlText } from './xml-text';

/** Characters before a raised text that say what it is. */
const BESIDE = 8;

interface Paragraph {
  style: string | undefined;
  list: string | undefined;
  level: number | undefined;
  /** Its mark was deleted: it goes on in the next one. */
  isDeleted: boolean;
  item: ListItem | undefined;
  spaces: { readonly list: number; readonly words: number } | undefined;
  /** The end of what is written in it. */
  last: string;
  endsInEquation: boolean;
  /** Raised or lowered text, of as many runs as follow each other, and the place that it is written to when what follows is known. */
  shifted: { readonly shift: Shift; readonly space: number; readonly before: string; text: string } | undefined;
  hasText: boolean;
}

/** The paragraphs that are being read, one inside of the other where it holds a box of text; and their places in lists. */
export class Paragraphs {
  private readonly path: Paragraph[] = [];
  private readonly lists = new ShownLists();

  constructor(
    private readonly xml: XmlText,
    private readonly context: { readonly numbering: Numbering; readonly styles: WordStyles },
    private readonly tag: (name: string) => string,
  ) {}

  get current(): Paragraph | undefined {
    return this.path.at(-1);
  }

  /** The style of the paragraph hides its text. */
  get isHidden(): boolean {
    const style = this.current?.style;
    return style !== undefined && this.context.styles.get(style)?.isHidden === true;
  }

  open(): void {
    this.path.push({
      style: undefined,
      list: undefined,
      level: undefined,
      isDeleted: false,
      item: undefined,
      spaces: undefined,
      last: '',
      endsInEquation: false,
      shifted: undefined,
      hasText: false,
    });
  }

  /** A property of the paragraph. */
  property(element: XmlElement): void {
    const { current } = this;
    if (!current) return;
    if (element.name === 'pStyle') current.style = element.attribute('val');
    else if (element.name === 'numId') current.list = element.attribute('val');
    else if (element.name === 'ilvl') current.level = levelNumber(element.attribute('val'));
    else if (element.name === 'del') current.isDeleted = true;
  }

  /** Its properties end here, where the list is written that it is shown in, and behind them its number. */
  endProperties(closing: string): void {
    const { current, xml } = this;
    if (!current) return;
    const list = xml.leaveSpace();
    xml.add(closing);
    current.spaces = { list, words: xml.leaveSpace() };
    if (!current.isDeleted) current.item = this.context.numbering.next(current);
  }

  /** A text as it is written behind this: a blank parts the digits of an equation from those beside it. */
  said(text: string, isEquation: boolean): string {
    const { current } = this;
    if (!current || text === '') return text;
    // Signs that wait for what follows them see to the blank themselves.
    const isBeside = (isEquation || current.endsInEquation) && !current.shifted && /\d$/.test(current.last) && /^\d/.test(text);
    this.endShifted(current, text);
    current.last = endOf(current.last, text);
    current.endsInEquation = isEquation;
    current.hasText ||= text.trim() !== '';
    return isBeside ? ` ${text}` : text;
  }

  /** Whether a raised or lowered text is written with what belongs to it; outside of paragraphs none is. */
  saidShifted(shift: Shift, text: string): boolean {
    const { current } = this;
    if (!current) return false;
    if (current.shifted?.shift !== shift) this.endShifted();
    current.shifted ??= { shift, space: this.xml.leaveSpace(), before: current.last, text: '' };
    current.shifted.text += text;
    current.hasText ||= text.trim() !== '';
    return true;
  }

  /** What comes now is not part of the raised or lowered text before it. */
  endShifted(paragraph = this.current, after = ''): void {
    const signs = paragraph?.shifted;
    if (!paragraph || !signs) return;
    const { shift, space, before, text } = signs;
    paragraph.shifted = undefined;
    paragraph.last = endOf(before, text);
    paragraph.endsInEquation = false;
    this.xml.fill(space, textOf(shift === 'raised' ? raisedText(text, before, after) : loweredText(text, before, after), this.tag));
  }

  /** Pictures and references are said, too. */
  holdsSomething(): void {
    if (!this.current) return;
    this.endShifted();
    this.current.hasText = true;
  }

  close(): void {
    const closed = this.path.pop();
    if (!closed?.hasText) return;
    this.endShifted(closed);
    if (!closed.item || !closed.spaces) return this.lists.end();
    const { list, words } = this.isHeading(closed.style) ? this.heading(closed.item) : this.lists.show(closed.item);
    const { tag } = this;
    if (list !== undefined)
      this.xml.fill(
        closed.spaces.list,
        `<${tag('numPr')}><${tag('ilvl')} ${tag('val')}="${closed.item.level}"/><${tag('numId')} ${tag('val')}="${list}"/></${tag('numPr')}>`,
      );
    if (words !== '') this.xml.fill(closed.spaces.words, runOf(words, tag));
  }

  /** What is between paragraphs, such as a table. */
  endLists(): void {
    this.lists.end();
  }

  private heading({ number, isClose }: ListItem): { readonly list: undefined; readonly words: string } {
    this.lists.end();
    return { list: undefined, words: number === undefined ? '' : `${number}${isClose ? '' : ' '}` };
  }

  private isHeading(style: string | undefined): boolean {
    return style !== undefined && this.context.styles.get(style)?.isHeading === true;
  }
}

const endOf = (last: string, text: string): string => (last + text.slice(-BESIDE)).slice(-BESIDE);

/** Text as a run of its own. */
export const runOf = (text: string, tag: (name: string) => string): string => `<${tag('r')}>${textOf(text, tag)}</${tag('r')}>`;

export const textOf = (text: string, tag: (name: string) => string): string =>
  `<${tag('t')} xml:space="preserve">${escapeXml(text)}</${tag('t')}>`;
