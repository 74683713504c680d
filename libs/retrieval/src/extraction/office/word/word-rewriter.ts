import type { XmlElement, XmlHandler } from '@atrium/platform/tabular';
import { ContentControl, FormField } from './controls';
import { Drawings } from './drawings';
import { Equation } from './equations';
import { OpenFields } from './fields';
import type { Numbering } from './numbering';
import { Paragraphs, runOf, textOf } from './paragraphs';
import { isOn, shiftOf, type Shift, type WordStyles } from './styles';
import { isSymbolFont, plainSign, symbolsOf } from './symbols';
import { escapeXml, XmlText } from './xml-text';

/** What is gone from the text: earlier words and properties, readings beside a word, places where it may be parted. */
const GONE = new Set(['del', 'moveFrom', 'delText', 'delInstrText', 'rt', 'rubyPr', 'sdtEndPr', 'fldData', 'softHyphen']);
const EARLIER = /.Change$/;
/** Elements around text, which say nothing of it. */
const WRAPPERS = new Set([
  'fldSimple',
  'dir',
  'bdo',
  'smartTag',
  'customXml',
  'ruby',
  'rubyBase',
  'sdt',
  'sdtContent',
  'ins',
  'moveTo',
  'oMathPara',
]);
/** Signs by what their converter knows. */
const SIGNS: Readonly<Record<string, string>> = { cr: 'br', ptab: 'tab' };
/** Where `del` says of the mark of a paragraph or row that it is deleted. */
const PROPERTIES = new Set(['rPr', 'trPr']);
const BREAKS = new Set(['br', 'cr', 'tab', 'ptab']);
/** Breaks that their converter leaves out, and that part words all the same. */
const BREAKS_OF_PAGES = new Set(['page', 'column']);
const MOVED = new Set(['txbxContent', 'Choice']);
const TEXTS = new Set(['t', 'instrText']);
/** Columns that a row may leave out at its beginning: Word has 63 at most. */
const MOST_COLUMNS = 63;
const FIGURES = new Set(['chart', 'relIds']);
/** What a paragraph may hold beside text. */
const THINGS = new Set(['drawing', 'pict', 'object', 'footnoteReference', 'endnoteReference', 'sym', 'fldChar']);

interface Open {
  readonly name: string;
  /** Nothing for an element that is not written. */
  readonly closing: string;
}

interface Run {
  isHidden: boolean;
  shift: Shift | undefined;
  /** A font of signs in place of letters. */
  symbols: string | undefined;
}

export interface RewriterContext {
  readonly numbering: Numbering;
  readonly styles: WordStyles;
  /** The words that stand for another document within this one, by its relationship. */
  readonly chunk: (id: string) => string | undefined;
  /** The lines of a chart or of SmartArt, by its relationship; none where it was asked for already. */
  readonly figure: (id: string) => readonly string[];
}

/**
 * Writes a part of a document of Word again, in what its converter knows: fields and their like as their text, ticks and equations
 * as signs, the numbers of paragraphs as words, boxes of text once; without what is hidden or deleted. It takes one pass.
 */
export class WordRewriter implements XmlHandler {
  private readonly xml = new XmlText();
  private readonly path: Open[] = [];
  private readonly runs: Run[] = [];
  private readonly controls: ContentControl[] = [];
  private readonly drawings: Drawings;
  private readonly paragraphs: Paragraphs;
  private prefix = '';
  /** Elements inside of one that is gone. */
  private gone = 0;
  /** Properties of a control or field are read, not written. */
  private reading: { readonly by: ContentControl | FormField; depth: number } | undefined;
  private equation: { readonly of: Equation; depth: number } | undefined;
  private field: FormField | undefined;
  private readonly fields = new OpenFields();
  private words = '';
  /** Columns that the row begins behind. */
  private leftOut = 0;

  constructor(private readonly context: RewriterContext) {
    this.drawings = new Drawings(this.xml, this.tag);
    this.paragraphs = new Paragraphs(this.xml, context, this.tag);
  }

  toString(): string {
    return this.xml.toString();
  }

  open(element: XmlElement): void {
    const { name } = element;
    if (this.path.length === 0) this.prefix = element.written.slice(0, element.written.length - name.length);
    if (this.gone > 0) this.gone++;
    else if (this.reading) {
      this.reading.depth++;
      this.reading.by.read(element);
    } else if (this.equation) {
      this.equation.depth++;
      this.equation.of.open(element);
    } else if (this.isGone(name)) this.gone = 1;
    else if (this.drawings.open(element)) this.path.push({ name, closing: '' });
    else if (this.drawings.isRaw) this.openRaw(element);
    else this.openWord(element);
  }

  text(text: string): void {
    if (this.gone > 0 || this.reading) return;
    if (this.equation) this.equation.of.add(text);
    else if (TEXTS.has(this.path.at(-1)?.name ?? '')) this.words += text;
  }

  close(): void {
    if (this.gone > 0) this.gone--;
    else if (this.reading) {
      if (--this.reading.depth === 0) this.reading = undefined;
    } else if (this.equation) this.closeEquation(this.equation);
    else this.closeWord();
  }

  private readonly tag = (name: string): string => `${this.prefix}${name}`;

  private isGone(name: string): boolean {
    if (this.drawings.isRepeated(name)) return true;
    if (this.drawings.isRaw) return false;
    return EARLIER.test(name) || (GONE.has(name) && !PROPERTIES.has(this.path.at(-1)?.name ?? ''));
  }

  /** Inside of a drawing; the words of a chart, of SmartArt or of WordArt are read as those of its boxes. */
  private openRaw(element: XmlElement): void {
    const id = FIGURES.has(element.name) ? element.reference(element.name === 'chart' ? 'id' : 'dm') : undefined;
    const art = element.name === 'textpath' ? (element.attribute('string') ?? '').trim() : '';
    const lines = id !== undefined ? this.context.figure(id) : art !== '' ? [art] : [];
    if (lines.length > 0) this.drawings.addBox(lines.map((line) => `<${this.tag('p')}>${runOf(line, this.tag)}</${this.tag('p')}>`));
    this.write(element);
  }

  private openWord(element: XmlElement): void {
    const { name } = element;
    const [above, parent] = [this.path.at(-2)?.name, this.path.at(-1)?.name];
    if (parent === 'pPr' || parent === 'numPr' || (parent === 'rPr' && above === 'pPr')) this.paragraphs.property(element);
    else if (parent === 'rPr' && above === 'r') this.runProperty(element);
    switch (name) {
      case 'p':
        this.paragraphs.open();
        return this.write(element);
      case 'r':
        this.runs.push({ isHidden: this.runs.at(-1)?.isHidden === true, shift: this.runs.at(-1)?.shift, symbols: undefined });
        return this.write(element);
      case 'sdt':
        this.controls.push(new ContentControl());
        return this.pass(name);
      case 'sdtPr':
        this.reading = { by: this.controls.at(-1) ?? new ContentControl(), depth: 1 };
        return;
      case 'ffData':
        this.field = new FormField();
        this.reading = { by: this.field, depth: 1 };
        return;
      case 'oMath':
        this.equation = { of: new Equation(), depth: 1 };
        return;
      default:
        this.openOther(element, parent, above);
    }
  }

  private openOther(element: XmlElement, parent: string | undefined, above: string | undefined): void {
    const { name } = element;
    if (THINGS.has(name)) this.paragraphs.holdsSomething();
    if (name === 'fldChar') this.fields.see(element.attribute('fldCharType'));
    if (parent === 'r' && BREAKS.has(name)) this.paragraphs.endShifted();
    if (name === 'tbl' || name === 'tc') this.paragraphs.endLists();
    if (name === 'gridBefore' && parent === 'trPr') this.leftOut = Math.min(MOST_COLUMNS, Number(element.attribute('val')) || 0);
    if (name === 'altChunk') this.addChunk(element.reference('id') ?? '');
    const said = parent === 'r' ? this.saidBy(element) : undefined;
    if (said !== undefined) this.say(said, (text) => textOf(text, this.tag));
    const isRead = parent === 'numPr' || name === 'numPr' || (name === 'vertAlign' && parent === 'rPr' && above === 'r');
    if (said !== undefined || isRead || name === 'altChunk' || WRAPPERS.has(name)) return this.pass(name);
    if (TEXTS.has(name)) {
      this.words = '';
      return this.pass(name);
    }
    const sign = parent === 'r' ? this.signOf(element) : undefined;
    if (sign === undefined) return this.write(element);
    this.xml.add(`<${this.tag(sign)}>`);
    this.path.push({ name, closing: `</${this.tag(sign)}>` });
  }

  /** The text of an element that is a sign; a box says what it means. */
  private saidBy(element: XmlElement): string | undefined {
    if (element.name === 'noBreakHyphen') return '-';
    if (element.name !== 'sym') return undefined;
    return this.controls.at(-1)?.isBox === true ? '-' : plainSign(element.attribute('font') ?? '', element.attribute('char') ?? '');
  }

  private signOf(element: XmlElement): string | undefined {
    if (element.name !== 'br') return SIGNS[element.name];
    const parts = BREAKS_OF_PAGES.has(element.attribute('type') ?? '') && this.paragraphs.current?.hasText === true;
    return parts ? 'br' : undefined;
  }

  private write(element: XmlElement): void {
    this.xml.openTag(element);
    this.path.push({ name: element.name, closing: `</${element.written}>` });
  }

  /** An element that is not written itself. */
  private pass(name: string): void {
    this.path.push({ name, closing: '' });
  }

  private runProperty(element: XmlElement): void {
    const run = this.runs.at(-1);
    if (!run) return;
    const font = element.name === 'rFonts' ? element.attribute('ascii') : undefined;
    if (font !== undefined) run.symbols = isSymbolFont(font) ? font : undefined;
    else if (element.name === 'vanish') run.isHidden = isOn(element);
    else if (element.name === 'rStyle') {
      const style = this.context.styles.get(element.attribute('val') ?? '');
      run.isHidden ||= style?.isHidden === true;
      run.shift ??= style?.shift;
    } else if (element.name === 'vertAlign') run.shift = shiftOf(element);
  }

  private closeWord(): void {
    const open = this.path.pop();
    if (!open) return;
    const { name, closing } = open;
    const isRaw = this.drawings.isRaw;
    if (name === 'pPr' && !isRaw) this.paragraphs.endProperties(closing);
    else if (name === 't') this.sayWords(isRaw ? '' : this.words);
    else if (name === 'instrText') this.xml.add(`<${this.tag(name)}>${escapeXml(this.words)}</${this.tag(name)}>`);
    else if (closing !== '') this.xml.add(closing);
    if (name === 'trPr' && !isRaw) this.endRowProperties();
    // What a box or an alternative holds may be moved, with the places that are left in it.
    if (MOVED.has(name)) this.paragraphs.endShifted();
    this.drawings.close(name);
    if (isRaw) return;
    if (name === 'p') {
      this.fields.endParagraph();
      this.paragraphs.close();
    } else if (name === 'r') this.runs.pop();
    else if (name === 'sdt') this.controls.pop();
    else if (name === 'tbl') this.paragraphs.endLists();
    else if (name === 'fldChar' && this.field) {
      this.say(this.field.shown, (text) => textOf(text, this.tag));
      this.field = undefined;
    }
  }

  /** Cells that are not there keep the others in their columns. */
  private endRowProperties(): void {
    const { tag } = this;
    for (; this.leftOut > 0; this.leftOut--) this.xml.add(`<${tag('tc')}><${tag('p')}></${tag('p')}></${tag('tc')}>`);
  }

  private closeEquation(equation: { readonly of: Equation; depth: number }): void {
    if (--equation.depth > 0) return equation.of.close();
    this.equation = undefined;
    // Equations of one paragraph are beneath each other.
    const end = this.path.at(-1)?.name === 'oMathPara' && equation.of.text !== '' ? ' ' : '';
    this.say(`${equation.of.text}${end}`, (text) => runOf(text, this.tag), true);
  }

  private sayWords(words: string): void {
    const font = this.runs.at(-1)?.symbols;
    this.say(words, (text) => (font === undefined ? textOf(text, this.tag) : symbolsOf(text, font, this.tag)));
  }

  private say(said: string, write: (text: string) => string, isEquation = false): void {
    const run = this.runs.at(-1);
    if (run?.isHidden === true || this.paragraphs.isHidden || this.fields.isForAnother) return;
    const text = (this.controls.at(-1)?.shown() ?? said).replaceAll('\u00AD', '');
    if (text === '') return;
    this.drawings.hasSaid();
    const shift = run?.shift ?? 'none';
    if (shift !== 'none' && this.paragraphs.saidShifted(shift, text)) return;
    this.xml.add(write(this.paragraphs.said(text, isEquation)));
  }

  private addChunk(id: string): void {
    const words = this.context.chunk(id);
    if (words === undefined) return;
    this.paragraphs.endLists();
    this.xml.add(`<${this.tag('p')}>${runOf(words, this.tag)}</${this.tag('p')}>`);
  }
}
