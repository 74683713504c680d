import { ShiftedText, type Shift } from '@atrium/platform/kernel';
import { readXml, type Package, type XmlElement, type XmlHandler } from '@atrium/platform/tabular';
import { escapeMarkdown, tableOf } from '../text/markdown-syntax';
import { SlideNumbers, type AutoNumber } from './slide-numbers';
import { Equation } from './word/equations';

/** A slide, or the page of its notes. */
export interface Slide {
  readonly title: string;
  readonly hidden: boolean;
  /** Markdown of its shapes besides the title, in their order. */
  readonly blocks: readonly string[];
  /** The plain lines of its body placeholder: of a notes page, what was written there. */
  readonly body: readonly string[];
  /** Charts and SmartArt by their relationships, and the number of blocks in front of each. */
  readonly figures: readonly { readonly id: string; readonly at: number }[];
}

const TITLES = new Set(['title', 'ctrTitle']);
/** Placeholders that say nothing of the slide: number, date, footer, header and its own picture. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
/** What a program writes where nobody described a picture. */
const FILE_NAME = /^\S+\.(?:png|jpe?g|gif|bmp|svg|tiff?|webp|emf|wmf)$/i;
/** Placeholders whose paragraphs are points. */
const POINTS = new Set(['body', 'obj', 'content']);

export async function readSlide(pack: Package, part: string, what: string): Promise<Slide> {
  const reader = new SlideReader();
  await readXml(await pack.stream(part), reader, what);
  return reader;
}

interface Paragraph {
  text: string;
  level: number;
  bullet: 'yes' | 'no' | 'unsaid';
  auto: AutoNumber | undefined;
}

interface Shape {
  placeholder: string | undefined;
  readonly paragraphs: Paragraph[];
}

interface Table {
  readonly rows: string[][];
}

class SlideReader implements Slide, XmlHandler {
  title = '';
  hidden = false;
  readonly blocks: string[] = [];
  readonly body: string[] = [];
  readonly figures: { readonly id: string; readonly at: number }[] = [];
  private shape: Shape | undefined;
  private table: Table | undefined;
  private paragraph: Paragraph | undefined;
  private words = new ShiftedText();
  private shift: Shift | undefined;
  private cell: string[] | undefined;
  private inText = false;
  private inField = false;
  private pictureText = '';
  private equation: { readonly of: Equation; depth: number } | undefined;
  /** Shapes inside an alternative for older programs say everything twice. */
  private fallback = 0;

  open(element: XmlElement): void {
    if (element.name === 'Fallback') this.fallback++;
    if (this.fallback > 0) return;
    if (this.equation) {
      this.equation.depth++;
      return this.equation.of.open(element);
    }
    switch (element.name) {
      case 'sld':
        this.hidden = /^(0|false)$/.test(element.attribute('show') ?? '1');
        return;
      case 'sp':
        this.shape = { placeholder: undefined, paragraphs: [] };
        return;
      case 'ph':
        if (this.shape) this.shape.placeholder = element.attribute('type') ?? 'content';
        return;
      case 'cNvPr':
        return this.describe(element.attribute('descr') ?? '');
      case 'oMath':
        this.equation = { of: new Equation(), depth: 1 };
        return;
      case 'chart':
        return this.addFigure(element.reference('id'));
      case 'relIds':
        return this.addFigure(element.reference('dm'));
      case 'tbl':
        this.table = { rows: [] };
        return;
      case 'tr':
        this.table?.rows.push([]);
        return;
      case 'tc':
        this.cell = [];
        return;
      default:
        this.openText(element);
    }
  }

  text(text: string): void {
    if (this.equation) this.equation.of.add(text);
    else if (this.inText && this.paragraph) this.words.add(text, this.shift);
  }

  close(name: string): void {
    if (name === 'Fallback') this.fallback--;
    else if (this.fallback > 0) return;
    else if (this.equation) this.closeEquation(this.equation);
    else if (name === 't') this.inText = false;
    else if (name === 'fld') this.inField = false;
    else if (name === 'p') this.closeParagraph();
    else if (name === 'tc') this.closeCell();
    else if (name === 'tbl') this.closeTable();
    else if (name === 'sp') this.closeShape();
    else if (name === 'pic') this.closePicture();
  }

  private addFigure(id: string | undefined): void {
    if (id !== undefined) this.figures.push({ id, at: this.blocks.length });
  }

  private closeEquation(equation: { readonly of: Equation; depth: number }): void {
    if (--equation.depth > 0) return equation.of.close();
    this.equation = undefined;
    if (this.paragraph) this.words.addApart(equation.of.text);
  }

  private openText(element: XmlElement): void {
    const { paragraph } = this;
    if (element.name === 'p') {
      this.words = new ShiftedText();
      this.shift = undefined;
      this.paragraph = { text: '', level: 0, bullet: 'unsaid', auto: undefined };
    } else if (element.name === 't') this.inText = true;
    else if (!paragraph) return;
    else if (element.name === 'pPr') paragraph.level = this.inField ? paragraph.level : levelOf(element.attribute('lvl'));
    else if (element.name === 'r' || element.name === 'fld') {
      this.shift = undefined;
      this.inField = element.name === 'fld';
    } else if (element.name === 'rPr') this.shift = shiftOf(element.attribute('baseline'));
    else if (element.name === 'br') this.words.add('\n');
    else if (element.name === 'tab') this.words.add('\t');
    else if (element.name === 'buNone') paragraph.bullet = 'no';
    else if (element.name === 'buChar') paragraph.bullet = 'yes';
    else if (element.name === 'buAutoNum') {
      paragraph.bullet = 'yes';
      paragraph.auto = { type: element.attribute('type') ?? '', start: Number(element.attribute('startAt') ?? 1) || 1 };
    }
  }

  /** The words for those who do not see a picture. */
  private describe(description: string): void {
    if (!this.shape) this.pictureText = FILE_NAME.test(description) ? '' : description.trim();
  }

  private closePicture(): void {
    if (this.pictureText !== '') this.blocks.push(`![${escapeMarkdown(this.pictureText).replace(/[[\]]/g, '')}]()`);
    this.pictureText = '';
  }

  private closeParagraph(): void {
    const { paragraph } = this;
    this.paragraph = undefined;
    if (!paragraph) return;
    paragraph.text = this.words.end();
    if (this.cell) this.cell.push(paragraph.text.trim());
    else this.shape?.paragraphs.push(paragraph);
  }

  private closeCell(): void {
    this.table?.rows.at(-1)?.push(escapeMarkdown((this.cell ?? []).join(' ')));
    this.cell = undefined;
  }

  private closeTable(): void {
    const rows = this.table?.rows.filter((row) => row.some((cell) => cell !== '')) ?? [];
    this.table = undefined;
    if (rows.length > 0) this.blocks.push(tableOf(rows));
  }

  private closeShape(): void {
    const { shape } = this;
    this.shape = undefined;
    const paragraphs = shape?.paragraphs.filter(({ text }) => text.trim() !== '') ?? [];
    if (!shape || paragraphs.length === 0 || FURNITURE.has(shape.placeholder ?? '')) return;
    const lines = paragraphs.map(({ text }) => text.trim());
    if (TITLES.has(shape.placeholder ?? '') && this.title === '') {
      this.title = lines.join(' ').replace(/\s+/g, ' ');
      return;
    }
    // One by one: there may be more than a call takes arguments.
    if (shape.placeholder === 'body') for (const line of lines) this.body.push(line);
    const blocks = blocksOf(paragraphs, POINTS.has(shape.placeholder ?? '') && paragraphs.length > 1);
    for (const block of blocks) this.blocks.push(block);
  }
}

/** Paragraphs, with those beside each other that are points as one list. */
function blocksOf(paragraphs: readonly Paragraph[], points: boolean): string[] {
  const blocks: string[] = [];
  let list: string[] = [];
  const numbers = new SlideNumbers();
  for (const { text, level, bullet, auto } of paragraphs) {
    const number = numbers.next(level, auto);
    const lines = text.trim().split('\n').map(escapeMarkdown);
    if (bullet === 'yes' || (bullet === 'unsaid' && (points || level > 0))) {
      const indent = '  '.repeat(list.length === 0 ? 0 : level);
      list.push(`${indent}${markOf(number)} ${lines.join(' ')}`);
      continue;
    }
    if (list.length > 0) blocks.push(list.join('\n'));
    list = [];
    blocks.push(lines.join('\n'));
  }
  if (list.length > 0) blocks.push(list.join('\n'));
  return blocks;
}

/** Numbers that lists of markdown show themselves are marks; any other is the first word of its point. */
function markOf(number: string | undefined): string {
  if (number === undefined) return '-';
  return /^\d{1,9}\.$/.test(number) ? number : `- ${escapeMarkdown(number)}`;
}

/** From 0 to 8. */
const levelOf = (written: string | undefined): number => Math.max(0, Math.min(8, Math.trunc(Number(written)) || 0));

/** In thousandths of a percent above the line, or below it. */
function shiftOf(baseline: string | undefined): Shift | undefined {
  const height = parseFloat(baseline ?? '0');
  return height > 0 ? 'raised' : height < 0 ? 'lowered' : undefined;
}
