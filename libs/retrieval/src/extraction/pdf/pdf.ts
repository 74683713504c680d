import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { damagedFile, protectedByPassword } from '@atrium/platform/tabular';
import type { ExtractedText, ExtractionLimits, ExtractionTask } from '../extracted-text';
import { foundBy, noText, resultOf } from '../extraction-result';
import { holdsWords } from '../html/page-words';
import { escapeMarkdown } from '../text/markdown-syntax';
import { MarkdownWriter } from '../text/markdown-writer';
import { bothLosses, SignCounts } from '../text/sign-counts';
import { DocumentStyle, type Block } from './document-blocks';
import { FontTally } from './font-signs';
import { pointOf } from './list-items';
import { notesOf } from './page-notes';
import { DrawnTwice } from './drawn-twice';
import { pageLines, pieceOf, type DrawnPage, type TextItem } from './page-pieces';
import { UnreadPages } from './unread-pages';

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;

const ENGINE = 'pdf/2';
const WHAT = 'PDF';
const EMPTY = 'The PDF contains no text, only pictures, like a scan. Text in pictures cannot be read yet.';
const MEANINGLESS =
  'The fonts of the PDF do not state which characters they show, so its text cannot be read. Save the original document as PDF again, or upload a PDF with recognized text.';
const FORM_ALONE =
  'The PDF is a form that only Adobe programs can show (XFA). Its fields and values cannot be read. Print it to a new PDF in an Adobe program and upload that file.';
/** Pages that ask for another program have about 100 words. */
const LEAST_WORDS = 200;
const MOST_ATTACHED = 200;
const LONGEST_FACT = 1_000;
/** A page with more pieces of text than this is a drawing; its first ones are kept. */
const MOST_PIECES = 200_000;
/** Time of one page; what each adds to the time of all, ten times what one usually takes; and the longest time of all. */
const LONGEST_PAGE_MS = 10_000;
const BUDGET_A_PAGE_MS = 50;
const LONGEST_MS = 200_000;

/** The text of a PDF by its pages. Its scripts are not run, and nothing is read but the file itself. */
export async function extractPdf({ path, limits }: ExtractionTask, onPage?: (page: number) => void): Promise<ExtractedText> {
  const document = await open(await readFile(path));
  try {
    const count = Math.min(document.numPages, limits.maxPages);
    const reading = new PageReading(document, limits);
    const { drawn, complete } = await reading.pages(count, onPage);
    if (await isFormAlone(document, drawn)) return noText('unsupported', ENGINE, FORM_ALONE);
    const pages = drawn.map((page) => pageLines(page, reading.fonts.all));
    const style = new DocumentStyle(pages);
    const writer = new MarkdownWriter(limits.maxMarkdown);
    for (const page of pages) {
      if (writer.full) break;
      writer.beginPage(page.page);
      for (const block of style.blocksOf(page)) write(writer, block);
      for (const text of style.leftOutOf(page)) reading.source.leaveOut(text);
    }
    for (const line of await attachedFiles(document)) writer.block(escapeMarkdown(line));
    const found = foundBy(writer);
    return resultOf({
      ...found,
      engine: ENGINE,
      pages: document.numPages,
      truncated: found.truncated || !complete || count < document.numPages,
      metadata: await factsOf(document),
      whenEmpty: reading.fonts.hidesText ? MEANINGLESS : EMPTY,
      source: reading.source,
      unread: bothLosses(
        reading.fonts.hidesText ? { share: reading.fonts.hiddenShare, reason: MEANINGLESS } : undefined,
        reading.unread.lossOf(drawn.length),
      ),
    });
  } finally {
    await document.loadingTask.destroy();
  }
}

/** As the inspection of files opens it: no scripts, no forms, no fonts of the system, no address. */
async function open(bytes: Buffer): Promise<PDFDocumentProxy> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const parts = dirname(require.resolve('pdfjs-dist/package.json'));
  const folder = (name: string): string => `${join(parts, name)}/`;
  const task = getDocument({
    data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
    standardFontDataUrl: folder('standard_fonts'),
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    wasmUrl: folder('wasm'),
  });
  return task.promise.catch(async (cause: unknown) => {
    await task.destroy();
    throw cause instanceof Error && cause.name === 'PasswordException' ? protectedByPassword(WHAT) : damagedFile(WHAT, cause);
  });
}

/** Reads what pages draw, once, and counts its words and the signs of its fonts on the way. */
class PageReading {
  readonly source = new SignCounts();
  readonly fonts = new FontTally();
  readonly unread = new UnreadPages();

  constructor(
    private readonly document: PDFDocumentProxy,
    private readonly limits: ExtractionLimits,
  ) {}

  /** Pages until there is as much text as may be kept, or the time of the file is spent. A page that cannot be read has none. */
  async pages(count: number, onPage?: (page: number) => void): Promise<{ drawn: DrawnPage[]; complete: boolean }> {
    const drawn: DrawnPage[] = [];
    let length = 0;
    let unreadable = 0;
    const begun = processorMs();
    for (let number = 1; number <= count; number++) {
      onPage?.(number);
      const page = await this.page(number).catch(() => undefined);
      if (!page) this.unread.addDamaged(number);
      if (!page) unreadable++;
      drawn.push(page ?? { page: number, view: [], rotate: 0, pieces: [], notes: [] });
      length += page?.pieces.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
      const isSpent = processorMs() - begun > Math.min(LONGEST_MS, this.limits.pagesMs + number * BUDGET_A_PAGE_MS);
      if (length > this.limits.maxMarkdown || (isSpent && number < count)) return { drawn, complete: false };
    }
    if (unreadable === count) throw damagedFile(WHAT);
    return { drawn, complete: true };
  }

  private async page(number: number): Promise<DrawnPage> {
    const page = await this.document.getPage(number);
    try {
      const pieces: DrawnPage['pieces'][number][] = [];
      const drawnTwice = new DrawnTwice();
      let text = '';
      for await (const { item, isVertical } of itemsOf(page, () => this.unread.addCut(number))) {
        const piece = item.str === '' ? undefined : pieceOf(item, isVertical);
        const isAgain = piece !== undefined && drawnTwice.has(piece);
        text += (isAgain ? '' : item.str) + (item.hasEOL ? '\n' : '');
        if (piece && !isAgain) {
          pieces.push(piece);
          this.fonts.add(piece.font, piece.text);
        }
        if (pieces.length < MOST_PIECES) continue;
        this.unread.addCut(number);
        break;
      }
      const notes = notesOf(await page.getAnnotations().catch(() => []));
      this.source.add(text);
      for (const { kind, text: words } of notes) if (kind !== 'tick') this.source.add(words);
      return { page: number, view: page.view, rotate: page.rotate, pieces, notes };
    } finally {
      page.cleanup();
    }
  }
}

/** What is on the page, as it is found; a reader that has enough, or has waited long enough, stops reading. */
async function* itemsOf(page: PDFPageProxy, onCut: () => void): AsyncGenerator<{ readonly item: TextItem; readonly isVertical: boolean }> {
  const begun = processorMs();
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { items, styles } = next.value;
      for (const item of items) if ('str' in item) yield { item, isVertical: styles[item.fontName]?.vertical === true };
      if (processorMs() - begun > LONGEST_PAGE_MS) return onCut();
    }
  } finally {
    await reader.cancel(new Error('There is enough of the page.'));
  }
}

/** Time that this process has worked: a machine that is busy with others reads as much of a file as one that is not. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

function write(writer: MarkdownWriter, block: Block): void {
  if (block.kind === 'heading') writer.heading(block.level, block.text.replaceAll('\u00AD', ''));
  else if (block.kind === 'paragraph') writer.block(paragraph(block.text));
  else
    writer.block(
      block.items
        .map(pointOf)
        .map(({ mark, words }) => `${mark} ${paragraph(words)}`)
        .join('\n'),
    );
}

const paragraph = (text: string): string => escapeMarkdown(text.replaceAll('\u00AD', ''));

/** The names of the files that the PDF carries. */
async function attachedFiles(document: PDFDocumentProxy): Promise<string[]> {
  const files = (await document.getAttachments().catch(() => null)) as Readonly<Record<string, { readonly filename?: unknown }>> | null;
  const names = Object.values(files ?? {}).flatMap(({ filename }) =>
    typeof filename === 'string' && filename.trim() !== '' ? [filename.trim()] : [],
  );
  return names.slice(0, MOST_ATTACHED).map((name) => `Attached file: ${name.slice(0, LONGEST_FACT)}`);
}

/**
 * Its one page asks for another program, which makes the pages of it from a form that is no part of them. A page that says more than
 * that is read: forms whose fields are signatures alone count as without fields.
 */
async function isFormAlone(document: PDFDocumentProxy, drawn: readonly DrawnPage[]): Promise<boolean> {
  if (document.numPages > 1) return false;
  const text = drawn.flatMap(({ pieces }) => pieces.map((piece) => piece.text)).join(' ');
  if (holdsWords(text, LEAST_WORDS)) return false;
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  const { IsXFAPresent: hasForm, IsAcroFormPresent: hasFields } = info as Readonly<Record<string, unknown>>;
  return hasForm === true && hasFields !== true;
}

async function factsOf(document: PDFDocumentProxy): Promise<Record<string, string>> {
  const facts: Record<string, string> = {};
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  for (const [name, key] of [
    ['Title', 'title'],
    ['Author', 'author'],
    ['Subject', 'subject'],
    ['Keywords', 'keywords'],
    ['Language', 'language'],
  ] as const) {
    const value = (info as Record<string, unknown>)[name];
    if (typeof value === 'string' && value.trim() !== '') facts[key] = value.trim().slice(0, LONGEST_FACT);
  }
  return facts;
}
