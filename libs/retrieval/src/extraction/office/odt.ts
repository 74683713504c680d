import type { XmlElement, XmlHandler } from '@atrium/platform/tabular';
import { damagedFile } from '@atrium/platform/tabular';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { resultOf } from '../extraction-result';
import { markdownOfHtml } from '../html/markdown-of-html';
import { cleanText } from '../text/clean-text';
import { outlineOf } from '../text/markdown-outline';
import { cutText } from '../text/markdown-writer';
import { odfFacts, openOdf, readPart } from './odf-package';
import type { Setting } from './odf-shown';
import { OdfStyles } from './odf-styles';
import { OdfText } from './odf-text';
import { wordsOfOdf } from './odf-words';

const ENGINE = 'odt/1';
const WHAT = 'document';
const NOTES = /^footnote-\d+$/;

/** A text of OpenDocument: headings and lists with their numbers, tables, notes, links and the words of its pictures. */
export async function extractOdt({ path, limits }: ExtractionTask): Promise<ExtractedText> {
  const pack = await openOdf(path, WHAT, limits.maxUnpackedBytes);
  try {
    if (!pack.has('content.xml')) throw damagedFile(WHAT);
    const { metadata, pages } = await odfFacts(pack, WHAT);
    const source = await wordsOfOdf(pack, WHAT);
    const body = new OdtBody({ styles: await OdfStyles.of(pack, WHAT), words: source }, limits.maxMarkdown * 2);
    await readPart(pack, 'content.xml', body, WHAT);
    const whole = cleanText(await markdownOfHtml(body.words.html, { cellBreak: '<br>', keepMerged: true, notes: NOTES }));
    const isLong = whole.length > limits.maxMarkdown;
    const markdown = isLong ? cutText(whole, limits.maxMarkdown) : whole;
    return resultOf({
      engine: ENGINE,
      markdown,
      outline: outlineOf(markdown),
      pages,
      truncated: isLong || body.words.full,
      metadata,
      source,
      whenEmpty: 'The document contains no text, only pictures.',
    });
  } finally {
    pack.close();
  }
}

/** Styles come before the body. */
class OdtBody implements XmlHandler {
  readonly words: OdfText;
  private depth = 0;

  constructor(
    private readonly setting: Setting,
    most: number,
  ) {
    this.words = new OdfText(setting, most);
  }

  open(element: XmlElement): void {
    if (this.depth > 0 || element.name === 'body') this.depth++;
    if (this.depth > 1) this.words.open(element);
    else if (this.depth === 0) this.setting.styles.open(element);
  }

  text(text: string): void {
    if (this.depth > 1) this.words.text(text);
  }

  close(name: string): void {
    if (this.depth > 1) this.words.close();
    else if (this.depth === 0) this.setting.styles.close(name);
    if (this.depth > 0) this.depth--;
  }
}
