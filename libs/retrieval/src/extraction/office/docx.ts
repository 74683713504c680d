import { Problem } from '@atrium/platform/kernel';
import { declaresEntities, mainPart, damagedFile, Package, relationshipsOf } from '@atrium/platform/tabular';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { resultOf } from '../extraction-result';
import { markdownOfHtml } from '../html/markdown-of-html';
import { cleanText } from '../text/clean-text';
import { cutText } from '../text/markdown-writer';
import { outlineOf } from '../text/markdown-outline';
import type { SignCounts } from '../text/sign-counts';
import { FIGURES } from './figure-words';
import { officeFacts, openOffice, partKey } from './office-package';
import { sourceWords } from './source-words';
import { AltChunks } from './word/alt-chunks';
import { stylesOf } from './word/styles';
import { rewriteDocument, type WordFile } from './word/word-file';

const ENGINE = 'docx/3';
const WHAT = 'document';
const NOTES = /^(?:footnote|endnote)-\d+$/;
const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];
const NOTE_PARTS = new Set(['footnotes', 'endnotes']);
const XML_PART = /\.(?:xml|rels)$/i;
/** Each attempt ends at the next tag, which no value may hold. */
const TAG = /<(\/?)[A-Za-z_](?:[^<>"'/]|"[^"<]*"|'[^'<]*'|\/(?!>))*(\/?)>/g;
const LONGEST_TAG = 64 * 1024;
/** Elements inside each other; Word writes a few dozen. */
const DEEPEST = 500;
const tooDeep = (): Problem => new Problem('unprocessable_content', `The ${WHAT} is nested too deeply to be read.`);
/** Parts that are unpacked at once. */
const AT_ONCE = 8;

/** A document of Word: headings, lists, tables, notes, links and the words of its pictures. Deleted text of revisions is left out. */
export async function extractDocx({ path, limits }: ExtractionTask): Promise<ExtractedText> {
  const pack = await openOffice(path, WHAT, limits.maxUnpackedBytes);
  try {
    const main = (await mainPart(pack, WHAT)) ?? 'word/document.xml';
    if (!pack.has(main)) throw damagedFile(WHAT);
    await refuseHostile(pack);
    const { metadata, pages } = await officeFacts(pack, WHAT);
    const whole = cleanText(await markdownOf(pack, limits.maxUnpackedBytes));
    const truncated = whole.length > limits.maxMarkdown;
    const markdown = truncated ? cutText(whole, limits.maxMarkdown) : whole;
    const whenEmpty = 'The document contains no text, only pictures.';
    const source = await wordsOf(pack, main);
    return resultOf({ engine: ENGINE, markdown, outline: outlineOf(markdown), pages, truncated, metadata, whenEmpty, source });
  } finally {
    pack.close();
  }
}

/** The words of the parts that are read; those of hidden styles are no loss. */
async function wordsOf(pack: Package, main: string): Promise<SignCounts | undefined> {
  const related = (await relationshipsOf(pack, main, WHAT)).filter(({ external }) => !external);
  const notes = related.filter(({ kind }) => NOTE_PARTS.has(kind)).map(({ target }) => target);
  const styles = await stylesOf(pack, related.find(({ kind }) => kind === 'styles')?.target, WHAT);
  const hidden = [...styles].flatMap(([id, { isHidden }]) => (isHidden ? [id] : []));
  const figures = related.filter(({ kind }) => FIGURES.has(kind)).map(({ target }) => partKey(target));
  return sourceWords(pack, [main, ...notes, ...new Set(figures)], new Set(hidden));
}

async function markdownOf(pack: Package, mostBytes: number): Promise<string> {
  const chunks = await AltChunks.of(pack, WHAT, (bytes) => innerMarkdown(bytes, mostBytes));
  const markdown = await converted(await rewriteDocument(pack, { chunk: chunks.wordFor, mostBytes, what: WHAT }));
  return chunks.insertChunks(markdown);
}

/** A document inside of a document; those inside of it are not read. */
async function innerMarkdown(bytes: Buffer, maxBytes: number): Promise<string> {
  const pack = await Package.open(bytes, { what: WHAT, limits: { maxBytes } });
  try {
    await refuseHostile(pack);
    return await converted(await rewriteDocument(pack, { chunk: () => undefined, mostBytes: maxBytes, what: WHAT }));
  } finally {
    pack.close();
  }
}

async function converted(file: WordFile): Promise<string> {
  const { default: mammoth } = await import('mammoth');
  // Its types leave out the files of a document that is open already.
  const input = { file, path: '' };
  const { value } = await mammoth
    .convertToHtml(input, {
      styleMap: STYLES,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    })
    .catch((cause: unknown) => {
      throw cause instanceof Problem ? cause : damagedFile(WHAT, cause);
    });
  return markdownOfHtml(value, { cellBreak: '<br>', keepMerged: true, notes: NOTES });
}

/** The converter reads whole parts at once and walks them by recursion; what they declare, and how deep they are, is looked at before. */
async function refuseHostile(pack: Package): Promise<void> {
  const parts = pack.names.filter((name) => XML_PART.test(name));
  for (let at = 0; at < parts.length; at += AT_ONCE) {
    await Promise.all(parts.slice(at, at + AT_ONCE).map((name) => refuseHostilePart(pack, name)));
  }
}

async function refuseHostilePart(pack: Package, name: string): Promise<void> {
  let before = '';
  let depth = 0;
  for await (const chunk of await pack.stream(name)) {
    // Without zeros, UTF-16 reads like ASCII.
    const text = before + (chunk as Buffer).toString('latin1').replaceAll('\0', '');
    if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw declaresEntities(WHAT);
    const end = text.lastIndexOf('>') + 1;
    for (const [, closes, isEmpty] of text.slice(0, end).matchAll(TAG)) {
      if (closes === '/') depth--;
      else if (isEmpty === '') depth++;
      if (depth > DEEPEST) throw tooDeep();
    }
    before = text.slice(end).slice(-LONGEST_TAG);
  }
}
