import { posix } from 'node:path';
import { damagedFile, readXml, type Package, decodedMarkup } from '@atrium/platform/tabular';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { noText, resultOf } from '../extraction-result';
import { pageText } from '../html/page-text';
import { countTextNodes } from '../html/text-nodes';
import { openOffice } from '../office/office-package';
import { outlineOf } from '../text/markdown-outline';
import { MarkdownWriter } from '../text/markdown-writer';
import { SignCounts } from '../text/sign-counts';
import { readBook, type Book } from './epub-book';
import { isProtected } from './epub-protection';

/** Unambiguous on purpose: a tag that never ends costs no more than its own length. */
const TAG = /<([a-z][^\s/<>]*)(?:[\s/][^<>]*)?>/gi;
/** Elements of HTML that have no end tag. */
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr']);

/** XHTML as HTML: what is written as an empty element (`<title/>`, `<a id="x"/>`) would hold all that follows it. */
function htmlOfXhtml(bytes: Buffer): string {
  return decodedMarkup(bytes).replace(TAG, (tag, name: string) =>
    tag.endsWith('/>') && !VOID.has(name.toLowerCase()) ? `${tag.slice(0, -2)}></${name}>` : tag,
  );
}

const ENGINE = 'epub/1';
const WHAT = 'book';
const CHAPTER_BYTES = 50 * 1024 * 1024;

/** A book: its chapters in the order of reading. */
export async function extractEpub({ path, limits }: ExtractionTask): Promise<ExtractedText> {
  const pack = await openOffice(path, WHAT, limits.maxUnpackedBytes);
  try {
    const book = await readBook(pack, await packageFile(pack), WHAT);
    if (await isProtected(pack, book.chapters, WHAT))
      return noText('failed', ENGINE, 'The book is copy-protected and its text cannot be read. Upload a copy without protection.');
    const writer = new MarkdownWriter(limits.maxMarkdown);
    const source = new SignCounts();
    for (const chapter of book.chapters.slice(0, limits.maxPages)) {
      if (writer.full) break;
      if (pack.has(chapter)) writer.block(await textOf(pack, chapter, source));
    }
    return resultOf({
      engine: ENGINE,
      markdown: writer.markdown,
      outline: outlineOf(writer.markdown),
      truncated: writer.full || book.chapters.length > limits.maxPages,
      metadata: metadataOf(book),
      source,
      whenEmpty: 'The book contains no text, only pictures.',
    });
  } finally {
    pack.close();
  }
}

async function textOf(pack: Package, chapter: string, source: SignCounts): Promise<string> {
  const html = htmlOfXhtml(await pack.bytes(chapter, CHAPTER_BYTES));
  await countTextNodes(html, source, { around: true });
  return (await pageText(html, undefined, { whole: true })).markdown;
}

/** The file that lists the chapters, as the container names it. */
async function packageFile(pack: Package): Promise<string> {
  let found: string | undefined;
  if (!pack.has('META-INF/container.xml')) throw damagedFile(WHAT);
  await readXml(
    await pack.stream('META-INF/container.xml'),
    {
      open(element) {
        if (element.name === 'rootfile') found ??= element.attribute('full-path');
      },
    },
    WHAT,
  );
  const file = found === undefined ? '' : posix.normalize(found);
  if (!pack.has(file)) throw damagedFile(WHAT);
  return file;
}

const metadataOf = ({ title, author, language }: Book): Record<string, string> =>
  Object.fromEntries(Object.entries({ title, author, language }).filter(([, value]) => value !== ''));
