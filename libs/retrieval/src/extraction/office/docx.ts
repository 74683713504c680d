import { Problem } from '@atrium/platform/kernel';
import { declaresEntities, mainPart, damaged, type Package } from '@atrium/platform/tabular';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { resultOf } from '../extraction-result';
import { markdownOfHtml } from '../html/markdown-of-html';
import { cleanText } from '../text/clean-text';
import { cut } from '../text/markdown-writer';
import { outlineOf } from '../text/markdown-outline';
import { officeFacts, openOffice } from './office-package';

const ENGINE = 'docx/1';
const WHAT = 'document';
const NOTES = /^(?:footnote|endnote)-\d+$/;
const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];
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
    if (!pack.has((await mainPart(pack, WHAT)) ?? 'word/document.xml')) throw damaged(WHAT);
    await refuseHostile(pack);
    const { metadata, pages } = await officeFacts(pack, WHAT);
    const whole = cleanText(await markdownOf(path));
    const truncated = whole.length > limits.maxMarkdown;
    const markdown = truncated ? cut(whole, limits.maxMarkdown) : whole;
    const whenEmpty = 'The document holds no text, only pictures.';
    return resultOf({ engine: ENGINE, markdown, outline: outlineOf(markdown), pages, truncated, metadata, whenEmpty });
  } finally {
    pack.close();
  }
}

async function markdownOf(path: string): Promise<string> {
  const { default: mammoth } = await import('mammoth');
  const { value } = await mammoth
    .convertToHtml(
      { path },
      { styleMap: STYLES, externalFileAccess: false, convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
    )
    .catch((cause: unknown) => {
      throw damaged(WHAT, cause);
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
