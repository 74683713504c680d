import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { decodedText, encodingOf, mainPart, relationshipsOf, type Package, damagedFile } from '@atrium/platform/tabular';
import { htmlToMarkdown } from '../../html/page-text';
import { markdownOfRtf } from '../../rtf/rtf';
import { escapeMarkdown } from '../../text/markdown-syntax';

/** Parts inside each other; programs write two. */
const LIMITS = { maxNestingDepth: 20, maxRfc822NestingDepth: 2 };

/** The HTML of a page that was saved with its pictures in one file, which is written as a mail is. */
async function pageOfArchive(bytes: Buffer): Promise<string> {
  const { default: PostalMime } = await import('postal-mime');
  const { html = '' } = await PostalMime.parse(bytes, LIMITS).catch((cause: unknown) => {
    throw damagedFile('document', cause);
  });
  return html;
}

/** Documents inside of one; programs that join files write one for each. */
const MOST_CHUNKS = 100;
/** Bytes of all of them together: their converters keep them as a whole. */
const MOST_BYTES = 32 * 1024 * 1024;
const KIND = 'aFChunk';
const READ = /\.(?:docx|x?html?|mht(?:ml)?|rtf|txt)$/i;

/** Reads a document of Word that is in another. */
export type ReadInner = (bytes: Buffer) => Promise<string>;

/**
 * Other documents that are in a document of Word as they are, of HTML, of text, of rich text or of Word. In the document is a word for each,
 * which nobody can have written, until its own text takes that place.
 */
export class AltChunks {
  private readonly nonce = `chunk${randomBytes(12).toString('hex')}n`;
  private readonly asked: string[] = [];

  private constructor(
    private readonly pack: Package,
    private readonly parts: ReadonlyMap<string, string>,
    private readonly readInner: ReadInner,
  ) {}

  static async of(pack: Package, what: string, readInner: ReadInner): Promise<AltChunks> {
    const main = (await mainPart(pack, what)) ?? 'word/document.xml';
    const related = await relationshipsOf(pack, main, what);
    const parts = related.filter(({ kind, external, target }) => kind === KIND && !external && READ.test(target) && pack.has(target));
    return new AltChunks(pack, new Map(parts.map(({ id, target }) => [id, target])), readInner);
  }

  /** The word that means a document; undefined for one that is not read. */
  readonly wordFor = (id: string): string | undefined => {
    const part = this.parts.get(id);
    if (part === undefined || this.asked.length >= MOST_CHUNKS) return undefined;
    return `${this.nonce}${this.asked.push(part) - 1}`;
  };

  /** The markdown with the documents in their places. */
  async insertChunks(markdown: string): Promise<string> {
    if (this.asked.length === 0) return markdown;
    const texts = new Map<string, string>();
    let left = MOST_BYTES;
    for (const [at, part] of this.asked.entries()) {
      left -= this.pack.size(part);
      texts.set(`${this.nonce}${at}`, left < 0 ? '' : await this.textOf(part));
    }
    return markdown
      .split('\n')
      .map((line) => texts.get(line.trim()) ?? line)
      .join('\n')
      .replace(/\n{3,}/g, '\n\n');
  }

  private async textOf(part: string): Promise<string> {
    const bytes = await this.pack.bytes(part, MOST_BYTES);
    if (/\.docx$/i.test(part)) return this.readInner(bytes);
    if (/\.x?html?$/i.test(part)) return htmlToMarkdown(await decoded(bytes));
    if (/\.mht(?:ml)?$/i.test(part)) return htmlToMarkdown(await pageOfArchive(bytes));
    if (/\.rtf$/i.test(part)) return (await markdownOfRtf(bytes, MOST_BYTES)).markdown;
    return escapeMarkdown((await decoded(bytes)).trim());
  }
}

async function decoded(bytes: Buffer): Promise<string> {
  let text = '';
  const { encoding } = await encodingOf(Readable.from([bytes]));
  for await (const piece of decodedText(Readable.from([bytes]), encoding)) text += piece;
  return text;
}
