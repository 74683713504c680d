import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { damaged, protectedByPassword } from '@atrium/platform/tabular';
import type { ExtractedText, ExtractionLimits, ExtractionTask } from '../extracted-text';
import { foundBy, resultOf } from '../extraction-result';
import { escapeMarkdown } from '../text/markdown-syntax';
import { MarkdownWriter } from '../text/markdown-writer';
import { DocumentStyle, pointOf, type Block, type PageLines } from './document-blocks';
import { linesOf, type TextPiece } from './page-lines';

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;

const ENGINE = 'pdf/1';
const WHAT = 'PDF';
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
    const { pages, complete } = await readPages(document, count, limits, onPage);
    const style = new DocumentStyle(pages);
    const writer = new MarkdownWriter(limits.maxMarkdown);
    for (const page of pages) {
      if (writer.full) break;
      writer.beginPage(page.page);
      for (const block of style.blocksOf(page)) write(writer, block);
    }
    const found = foundBy(writer);
    return resultOf({
      ...found,
      engine: ENGINE,
      pages: document.numPages,
      truncated: found.truncated || !complete || count < document.numPages,
      metadata: await factsOf(document),
      whenEmpty: 'The PDF holds no text, only pictures, as a scan does. Text in pictures is not read yet.',
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
    throw cause instanceof Error && cause.name === 'PasswordException' ? protectedByPassword(WHAT) : damaged(WHAT, cause);
  });
}

/** Lines of pages until there is as much text as may be kept, or the time of the file is spent. A page that cannot be read has none. */
async function readPages(
  document: PDFDocumentProxy,
  count: number,
  { maxMarkdown: most, pagesMs }: ExtractionLimits,
  onPage?: (page: number) => void,
): Promise<{ pages: PageLines[]; complete: boolean }> {
  const pages: PageLines[] = [];
  let length = 0;
  let unreadable = 0;
  const begun = processorMs();
  for (let number = 1; number <= count; number++) {
    onPage?.(number);
    const page = await pageLines(document, number).catch(() => undefined);
    if (!page) unreadable++;
    pages.push(page ?? { page: number, height: 0, lines: [] });
    length += page?.lines.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
    const isSpent = processorMs() - begun > Math.min(LONGEST_MS, pagesMs + number * BUDGET_A_PAGE_MS);
    if (length > most || (isSpent && number < count)) return { pages, complete: false };
  }
  if (unreadable === count) throw damaged(WHAT);
  return { pages, complete: true };
}

async function pageLines(document: PDFDocumentProxy, number: number): Promise<PageLines> {
  const page = await document.getPage(number);
  try {
    const [, bottom = 0, , top = 0] = page.view;
    const pieces: TextPiece[] = [];
    for await (const item of itemsOf(page)) {
      if (!('str' in item) || item.str === '') continue;
      const [, , slant = 0, tall = 0, x = 0, y = 0] = item.transform as number[];
      const size = Math.hypot(slant, tall);
      if (size > 0) pieces.push({ text: item.str, x, y: y - bottom, width: item.width, size, rightToLeft: item.dir === 'rtl' });
      if (pieces.length >= MOST_PIECES) break;
    }
    return { page: number, height: top - bottom, lines: linesOf(pieces) };
  } finally {
    page.cleanup();
  }
}

/** What is on the page, as it is found; a reader that has enough, or has waited long enough, stops reading. */
async function* itemsOf(page: PDFPageProxy): AsyncGenerator<TextContent['items'][number]> {
  const begun = processorMs();
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      yield* next.value.items;
      if (processorMs() - begun > LONGEST_PAGE_MS) return;
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
