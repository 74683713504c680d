import { formatCount } from './word/counted';

/** How a program numbers a paragraph: `alphaLcParenR`, from a number on. */
export interface AutoNumber {
  readonly type: string;
  readonly start: number;
}

const TYPE = /^(arabic|alphaLc|alphaUc|romanLc|romanUc)(Period|ParenR|ParenBoth|Plain)$/;
const FORMATS: Readonly<Record<string, string>> = {
  alphaLc: 'lowerLetter',
  alphaUc: 'upperLetter',
  romanLc: 'lowerRoman',
  romanUc: 'upperRoman',
};
const MARKS: Readonly<Record<string, readonly [before: string, behind: string]>> = {
  Period: ['', '.'],
  ParenR: ['', ')'],
  ParenBoth: ['(', ')'],
  Plain: ['', ''],
};

/** The numbers of the paragraphs of a shape: they go on from one to the next of a level, with deeper ones between them. */
export class SlideNumbers {
  private readonly counts: ({ readonly auto: AutoNumber; readonly count: number } | undefined)[] = [];

  /** The number of the next paragraph, as it is shown; undefined for one without. */
  next(level: number, auto: AutoNumber | undefined): string | undefined {
    const last = this.counts[level];
    this.counts.length = level;
    const [, kind = '', mark = ''] = TYPE.exec(auto?.type ?? '') ?? [];
    if (!auto || kind === '') {
      this.counts[level] = undefined;
      return undefined;
    }
    const goesOn = last?.auto.type === auto.type && last.auto.start === auto.start;
    const count = goesOn ? last.count + 1 : auto.start;
    this.counts[level] = { auto, count };
    const [before = '', behind = ''] = MARKS[mark] ?? [];
    return `${before}${formatCount(count, FORMATS[kind] ?? 'decimal')}${behind}`;
  }
}
