import { damagedFile, type XmlElement, type XmlHandler } from '@atrium/platform/tabular';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { foundBy, resultOf } from '../extraction-result';
import { markdownOfHtml } from '../html/markdown-of-html';
import { plainWords } from '../text/markdown-outline';
import { MarkdownWriter } from '../text/markdown-writer';
import { odfFacts, openOdf, readPart } from './odf-package';
import type { Setting } from './odf-shown';
import { OdfStyles } from './odf-styles';
import { OdfText } from './odf-text';
import { wordsOfOdf } from './odf-words';

const ENGINE = 'odp/1';
const WHAT = 'presentation';
/** Frames that say nothing of the slide: its number, date, footer and header. */
const FURNITURE = new Set(['page-number', 'date-time', 'footer', 'header']);

/** The slides of an OpenDocument presentation in their order, or the pages of a drawing: title, shapes, tables and notes. */
export async function extractOdp({ path, limits }: ExtractionTask): Promise<ExtractedText> {
  const pack = await openOdf(path, WHAT, limits.maxUnpackedBytes);
  try {
    if (!pack.has('content.xml')) throw damagedFile(WHAT);
    const source = await wordsOfOdf(pack, WHAT);
    const show = new Show({ styles: await OdfStyles.of(pack, WHAT), words: source }, limits.maxMarkdown * 2, limits.maxPages);
    await readPart(pack, 'content.xml', show, WHAT);
    const writer = new MarkdownWriter(limits.maxMarkdown);
    for (const [at, slide] of show.slides.entries()) {
      if (writer.full) break;
      await writeSlide(writer, slide, at + 1, show.isDrawing ? 'Page' : 'Slide');
    }
    const found = foundBy(writer);
    const { metadata } = await odfFacts(pack, WHAT);
    return resultOf({
      ...found,
      engine: ENGINE,
      pages: show.count,
      truncated: found.truncated || show.count > show.slides.length || show.slides.some(({ full }) => full),
      metadata,
      source,
      whenEmpty: 'The presentation contains no text, only pictures.',
    });
  } finally {
    pack.close();
  }
}

async function writeSlide(writer: MarkdownWriter, slide: Slide, page: number, called: string): Promise<void> {
  const [title, body, notes] = await Promise.all([slide.title, slide.body, slide.notes].map(({ html }) => markdownOfHtml(html)));
  writer.beginPage(page);
  if (!title && !body && !notes) return;
  const words = plainWords((title ?? '').replaceAll('\n', ' '));
  writer.heading(2, `${words === '' ? `${called} ${page}` : words}${slide.hidden ? ' (hidden slide)' : ''}`);
  if (body) writer.block(body);
  if (notes) writer.block(`**Notes:** ${notes}`);
}

class Slide {
  readonly title: OdfText;
  readonly body: OdfText;
  readonly notes: OdfText;

  constructor(
    setting: Setting,
    most: number,
    readonly hidden: boolean,
  ) {
    [this.title, this.body, this.notes] = [new OdfText(setting, most), new OdfText(setting, most), new OdfText(setting, most)];
  }

  get full(): boolean {
    return [this.title, this.body, this.notes].some(({ full }) => full);
  }
}

interface Part {
  readonly text: OdfText | undefined;
  readonly depth: number;
}

class Show implements XmlHandler {
  readonly slides: Slide[] = [];
  /** Slides there are, those beyond the limit included. */
  count = 0;
  isDrawing = false;
  private readonly names: string[] = [];
  private slide: Slide | undefined;
  /** Where the text goes until the element at this depth ends; what has no place is left out. */
  private readonly parts: Part[] = [];
  private left: number;

  constructor(
    private readonly setting: Setting,
    most: number,
    private readonly mostSlides: number,
  ) {
    this.left = most;
  }

  open(element: XmlElement): void {
    const { name } = element;
    this.names.push(name);
    if (name === 'drawing' && this.names.length === 3) this.isDrawing = true;
    if (!this.names.includes('body')) this.setting.styles.open(element);
    else if (name === 'page') this.begin(element);
    else if (this.slide) {
      const part = this.partOf(element, this.slide);
      if (part) this.parts.push(part);
      this.place?.open(element);
    }
  }

  text(text: string): void {
    if (this.place) this.place.text(text);
    else this.setting.words.leaveOut(text);
  }

  close(name: string): void {
    if (name === 'page') this.slide = undefined;
    else if (this.slide) this.place?.close();
    else if (!this.names.includes('body')) this.setting.styles.close(name);
    if (this.parts.at(-1)?.depth === this.names.length) this.parts.pop();
    this.names.pop();
  }

  private get place(): OdfText | undefined {
    const part = this.parts.at(-1);
    return part ? part.text : this.slide?.body;
  }

  private begin(element: XmlElement): void {
    this.count++;
    if (this.slide || this.slides.length >= this.mostSlides) return;
    const hidden = this.setting.styles.isHidden('drawing-page', element.attribute('style-name'));
    this.slide = new Slide(this.setting, this.left, hidden);
    this.slides.push(this.slide);
  }

  /** A place of its own for what begins here: notes, the title, and frames that are left out. */
  private partOf(element: XmlElement, slide: Slide): Part | undefined {
    const outer = this.parts.at(-1);
    const kind = element.reference('class') ?? '';
    const depth = this.names.length;
    if (FURNITURE.has(kind)) return { text: undefined, depth };
    if (outer) return undefined;
    if (element.name === 'notes') return { text: slide.notes, depth };
    return kind === 'title' && slide.title.html === '' ? { text: slide.title, depth } : undefined;
  }
}
