import { Problem } from '@atrium/platform/kernel';
import { decode } from 'iconv-lite';
import { htmlAttribute, htmlText } from '../html/html-pieces';
import { RtfBlocks, type ParagraphLayout, type Shift } from './rtf-blocks';
import { destinationOf, type Destination } from './rtf-destinations';
import { RtfEquation } from './rtf-equation';
import { encodingOfPage, RtfFonts } from './rtf-fonts';
import { RtfForm } from './rtf-form';
import { RtfStyles } from './rtf-styles';
import type { RtfHandler } from './rtf-tokens';

/** What is in force in a group; inner groups begin with it. */
interface Group {
  destination: Destination;
  font: number;
  /** Characters behind a sign of Unicode that older readers show instead. */
  fallback: number;
  hidden: boolean;
  deleted: boolean;
  shift: Shift | undefined;
  outline: number;
  inTable: boolean;
  /** The instruction of the field that the group is. */
  instruction: { text: string };
  /** That it is a part of. */
  equation: RtfEquation | undefined;
  /** At its end. */
  finish: (() => void) | undefined;
}

const DEEPEST = 2_000;
const LONGEST_FACT = 1_000;
const SIGNS: Readonly<Record<string, string>> = {
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  tab: ' ',
  nestcell: ' ',
};
const BREAKS = new Set(['line', 'lbr', 'nestrow']);
const PARAGRAPH_ENDS = new Set(['par', 'page', 'sect']);
const BOXES = new Set(['shptxt', 'dptxbxtext']);
const LINK = /HYPERLINK\s+"([^"]{1,2000})"/;

/** Text of a rich text as HTML. What was deleted or is hidden is left out. */
export class RtfText implements RtfHandler {
  readonly metadata: Record<string, string> = {};
  done = false;
  private readonly fonts = new RtfFonts();
  private readonly styles = new RtfStyles();
  private readonly groups: Group[] = [];
  private group: Group = {
    destination: 'text',
    font: -1,
    fallback: 1,
    hidden: false,
    deleted: false,
    shift: undefined,
    outline: 0,
    inTable: false,
    instruction: { text: '' },
    equation: undefined,
    finish: undefined,
  };
  private readonly flows: RtfBlocks[] = [new RtfBlocks()];
  private readonly notes: string[] = [];
  private noteCount = 0;
  private bytes: number[] = [];
  private form: RtfForm | undefined;
  private isOptional = false;
  private toSkip = 0;
  private length = 0;

  constructor(private readonly most: number) {}

  /** Everything that was read, with the notes at its end. */
  end(): string {
    this.flush();
    const { look } = this;
    while (this.groups.length > 0) this.endGroup();
    const html = this.flow.end(look);
    return this.notes.length === 0 ? html : `${html}<ol>${this.notes.join('')}</ol>`;
  }

  beginGroup(): void {
    this.flush();
    if (this.groups.length >= DEEPEST) throw new Problem('unprocessable_content', 'The document is nested too deeply to be read.');
    this.groups.push(this.group);
    const { instruction } = this.group;
    this.group = { ...this.group, instruction, finish: undefined };
    this.isOptional = false;
    this.toSkip = 0;
    if (this.group.destination === 'styles') this.styles.beginEntry();
  }

  endGroup(): void {
    this.flush();
    this.group.finish?.();
    this.group = this.groups.pop() ?? this.group;
    this.isOptional = false;
    this.toSkip = 0;
  }

  symbol(sign: string): void {
    this.flush();
    if (sign === '*') this.isOptional = true;
    else if (this.toSkip > 0) this.toSkip--;
    else if (sign === '~') this.add('\u00a0');
    else if (sign === '_') this.add('-');
  }

  byte(byte: number): void {
    this.isOptional = false;
    if (this.toSkip > 0) this.toSkip--;
    else this.bytes.push(byte);
  }

  word(name: string, value: number | undefined): void {
    this.flush();
    const optional = this.isOptional;
    this.isOptional = false;
    this.toSkip = 0;
    const destination = destinationOf(name, optional);
    if (destination !== undefined) this.enter(destination);
    else if (name === 'u') this.unicode(value ?? 0);
    else if (this.group.destination === 'fonts') this.describeFont(name, value);
    else if (this.group.destination === 'styles') this.styles.word(name, value);
    else if (this.group.destination === 'form') this.form?.word(name, value);
    else if (!this.setOfDocument(name, value)) this.inText(name, value);
  }

  private enter(destination: Destination): void {
    const { group } = this;
    // What is left out stays left out, but for the facts of the document and the form of text for readers of now.
    const isKept = destination === 'title' || destination === 'author' || destination === 'unicode';
    if (group.destination === 'none' && !isKept) return;
    group.destination = destination === 'unicode' ? (this.groups.at(-2)?.destination ?? 'text') : destination;
    if (destination === 'note') this.beginNote();
    if (destination === 'instruction') {
      const field = { text: '' };
      group.instruction = field;
      const outer = this.groups.at(-1);
      if (outer) outer.instruction = field;
    }
    if (destination === 'result') this.beginResult();
    if (destination === 'form') this.beginForm();
    if (destination === 'choice') this.form?.beginChoice();
  }

  /** It is within the instruction of its field, where that is text. */
  private beginForm(): void {
    const form = new RtfForm();
    this.form = form;
    const isText = this.groups.findLast(({ destination }) => destination !== 'instruction')?.destination === 'text';
    this.group.finish = () => {
      this.form = undefined;
      if (isText && this.isShown && form.shown !== '') this.addText(form.shown);
    };
  }

  private beginResult(): void {
    const { group } = this;
    const address = LINK.exec(group.instruction.text)?.[1];
    group.destination = this.groups.at(-1)?.destination ?? 'text';
    if (address === undefined || group.destination !== 'text' || group.hidden || group.deleted) return;
    this.flow.add(`<a href="${htmlAttribute(address)}">`);
    group.finish = () => this.flow.add('</a>');
  }

  private beginNote(): void {
    this.noteCount++;
    this.group.destination = 'text';
    this.group.equation = undefined;
    if (!this.isShown) return;
    this.flow.add(`<a href="#footnote-${this.noteCount}">[${this.noteCount}]</a>`);
    this.flows.push(new RtfBlocks());
    this.group.finish = () => this.endNote();
  }

  /** A box of text is no part of the paragraph that it is anchored in. */
  private beginBox(): void {
    if (!this.isShown || this.group.finish) return;
    this.group.equation = undefined;
    this.flows.push(new RtfBlocks());
    this.group.finish = () => {
      const box = this.flows.pop();
      if (box) this.flow.addBehind(box.end(this.look));
    };
  }

  private beginEquation(): void {
    const equation = new RtfEquation();
    this.group.equation = equation;
    this.group.finish = () => this.flow.addEquation(equation.text);
  }

  private endNote(): void {
    const note = this.flows.pop();
    if (note) this.notes.push(`<li id="footnote-${this.noteCount}">${note.end({ heading: 0, inTable: false })}</li>`);
  }

  private get flow(): RtfBlocks {
    return this.flows.at(-1) ?? new RtfBlocks();
  }

  private get look(): ParagraphLayout {
    return { heading: this.group.outline, inTable: this.group.inTable };
  }

  private get isShown(): boolean {
    return !this.group.hidden && !this.group.deleted;
  }

  private describeFont(name: string, value: number | undefined): void {
    if (name === 'f') this.fonts.begin(value ?? 0);
    else if (name === 'fcharset' || name === 'cpg') this.fonts.say(name, value ?? 0);
  }

  /** What holds for the whole document, and properties of text. Whether it was one of these. */
  private setOfDocument(name: string, value: number | undefined): boolean {
    const { group } = this;
    if (name === 'ansicpg') this.fonts.usual = encodingOfPage(value ?? 0);
    else if (name === 'mac') this.fonts.usual = encodingOfPage(10_000);
    else if (name === 'pc') this.fonts.usual = encodingOfPage(437);
    else if (name === 'pca') this.fonts.usual = encodingOfPage(850);
    else if (name === 'deff') this.fonts.first = value ?? 0;
    else if (name === 'f') group.font = value ?? 0;
    else if (name === 'uc') group.fallback = Math.max(0, Math.min(10, value ?? 1));
    else if (name === 'v') group.hidden = value !== 0;
    else if (name === 'deleted') group.deleted = value !== 0;
    else if (name === 'super') group.shift = 'sup';
    else if (name === 'sub') group.shift = 'sub';
    else if (name === 'nosupersub') group.shift = undefined;
    else if (name === 'plain') Object.assign(group, { hidden: false, deleted: false, shift: undefined, font: -1 });
    else return false;
    return true;
  }

  private inText(name: string, value: number | undefined): void {
    const { group } = this;
    const sign = SIGNS[name];
    if (sign !== undefined) this.add(sign);
    else if (name === 'pard') Object.assign(group, { outline: 0, inTable: false });
    else if (name === 's') group.outline = this.styles.heading(value ?? 0) || group.outline;
    else if (name === 'outlinelevel') group.outline = (value ?? 9) < 6 ? (value ?? 0) + 1 : 0;
    else if (name === 'intbl') group.inTable = true;
    else if (group.destination !== 'text') return;
    else if (name === 'moMath' && !group.finish) this.beginEquation();
    else if (group.equation && !group.finish && group.equation.open(name)) group.finish = () => group.equation?.close();
    else if (BOXES.has(name)) this.beginBox();
    else if (BREAKS.has(name) && this.isShown) this.flow.add('<br>');
    else if (PARAGRAPH_ENDS.has(name) && this.isShown) this.flow.endParagraph(this.look);
    else if (name === 'cell') this.flow.endCell(this.look);
    else if (name === 'row') this.flow.endRow();
  }

  private unicode(value: number): void {
    const code = value < 0 ? value + 0x10000 : value;
    // The bullets of symbol fonts.
    this.add(code === 0xf0b7 || code === 0xf0a7 ? '•' : String.fromCharCode(code & 0xffff));
    this.toSkip = this.group.fallback;
  }

  private flush(): void {
    if (this.bytes.length === 0) return;
    const { destination, font } = this.group;
    const bytes = Buffer.from(this.bytes);
    this.bytes = [];
    if (destination === 'none' || destination === 'fonts') return;
    this.add(decode(bytes, this.fonts.encoding(font < 0 ? this.fonts.first : font)));
  }

  private addText(text: string): void {
    const kept = text.slice(0, this.most - this.length);
    this.length += kept.length;
    this.done = kept.length < text.length;
    const { shift, equation } = this.group;
    if (equation) equation.add(kept);
    else if (shift === undefined) this.flow.add(htmlText(kept));
    else this.flow.addShifted(shift, kept);
  }

  private add(text: string): void {
    const { group } = this;
    switch (group.destination) {
      case 'text':
        if (this.isShown) this.addText(text);
        return;
      case 'label':
        return this.isShown ? this.flow.addLabel(text) : undefined;
      case 'styles':
        return this.styles.text(text);
      case 'instruction':
        if (group.instruction.text.length < LONGEST_FACT * 3) group.instruction.text += text;
        return;
      case 'choice':
        return this.form?.addToChoice(text);
      case 'title':
      case 'author':
        this.metadata[group.destination] = `${this.metadata[group.destination] ?? ''}${text}`.slice(0, LONGEST_FACT);
        return;
      default:
    }
  }
}
