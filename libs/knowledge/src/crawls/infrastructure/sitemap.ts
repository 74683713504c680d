import { StringDecoder } from 'node:string_decoder';
import { Problem } from '@atrium/platform/kernel';

/** Addresses that all sitemaps of a site may name together. */
export const MOST_SITEMAP_URLS = 50_000;
/** Of an address; a longer one is passed over. */
const MOST_CHARACTERS = 4_096;
/** Elements inside each other; a sitemap has three. */
const DEEPEST = 50;
/** Characters of one tag or comment: its parser keeps all of it until it ends. */
const LONGEST_PART = 64 * 1024;
const ADDRESS = /^(?:https?:\/\/|\/)/i;
const ROOTS = new Set(['urlset', 'sitemapindex', 'rss', 'feed', 'rdf']);
/** Elements that hold the address of a page, each with the element that names it; feeds are sitemaps too. */
const ADDRESS_OF: Readonly<Record<string, string>> = { url: 'loc', sitemap: 'loc', item: 'link', entry: 'link' };

/** What one sitemap names: pages, or further sitemaps where it is an index. */
export interface Sitemap {
  readonly pages: readonly string[];
  readonly sitemaps: readonly string[];
  /** Whether it is one at all: many sites answer a page of theirs for whatever is asked. */
  readonly isSitemap: boolean;
  /** What could not be read of it, as a sentence. */
  readonly flaw: string | null;
}

/**
 * Reads a sitemap, an index of sitemaps, a feed, or a list of addresses, one in a line; what is beyond `most` addresses is not read. Sites
 * write them with flaws: what can be read is used, and the flaw says what could not.
 */
export async function readSitemap(source: AsyncIterable<Uint8Array>, most: number = MOST_SITEMAP_URLS): Promise<Sitemap> {
  const found = new Addresses(most);
  let reader: Reader | undefined;
  try {
    for await (const text of texts(source)) {
      reader ??= text.startsWith('<') ? await markupReader(found) : new LineReader(found);
      reader.write(text);
      if (found.areEnough) return found.sitemap(null);
    }
    reader?.end();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return found.sitemap(error.detail);
  }
  return found.sitemap(null);
}

interface Reader {
  write(text: string): void;
  end(): void;
}

/** The addresses of a sitemap as they are found. */
class Addresses {
  private readonly pages: string[] = [];
  private readonly sitemaps: string[] = [];
  private unread = 0;
  isSitemap = false;
  endsEarly = false;

  constructor(private readonly most: number) {}

  get areEnough(): boolean {
    return this.pages.length + this.sitemaps.length >= this.most;
  }

  add(written: string, kind: 'page' | 'sitemap'): void {
    // Some sites escape their addresses twice.
    const address = written.trim().replaceAll('&amp;', '&');
    if (address.length > MOST_CHARACTERS || !ADDRESS.test(address)) this.unread++;
    else if (!this.areEnough) (kind === 'page' ? this.pages : this.sitemaps).push(address);
  }

  sitemap(fault: string | null): Sitemap {
    const { pages, sitemaps } = this;
    const isSitemap = this.isSitemap || pages.length > 0;
    return { pages, sitemaps, isSitemap, flaw: fault ?? this.flaw(isSitemap) };
  }

  private flaw(isSitemap: boolean): string | null {
    if (!isSitemap) return 'It is not a sitemap.';
    if (this.unread > 0) return `It has ${this.unread} ${this.unread === 1 ? 'entry' : 'entries'} without the URL of a page.`;
    return this.endsEarly ? 'It is incomplete.' : null;
  }
}

/** XML that need not be well-formed. Of entities only the five of XML and codes of characters are read: nothing expands. */
async function markupReader(found: Addresses): Promise<Reader> {
  const { Parser } = await import('htmlparser2');
  const path: string[] = [];
  let text = '';
  let relation = '';
  let isNamed = false;
  let hasEnded = false;
  let written = 0;
  const parser = new Parser(
    {
      onopentagname: (tag) => {
        const name = localName(tag);
        if (path.length === 0 && ROOTS.has(name)) found.isSitemap = true;
        if (path.length >= DEEPEST) throw new Problem('unprocessable_content', 'Its elements are nested too deeply.');
        path.push(name);
        [text, relation] = ['', ''];
        if (name in ADDRESS_OF) isNamed = false;
      },
      // Its handlers take attributes one by one: the parser then gathers none.
      onattribute: (name, value) => {
        if (name === 'rel') relation = value.trim().toLowerCase();
        if (name === 'href' && text === '' && path.at(-1) === 'link' && path.at(-2) === 'entry') text = value;
      },
      ontext: (piece) => {
        if (isAddress(path) && text.length <= MOST_CHARACTERS) text += piece.slice(0, MOST_CHARACTERS + 1);
      },
      onclosetag: (_, isImplied) => {
        const holds = isAddress(path);
        const name = path.pop() ?? '';
        const holder = path.at(-1);
        // Where it breaks off, so may the address.
        if (hasEnded) {
          found.endsEarly ||= isImplied && ROOTS.has(name);
          return;
        }
        // A feed may have several links to one entry: to itself, to answers, to what is enclosed.
        if (holds && !isNamed && text.trim() !== '' && (relation === '' || relation === 'alternate')) {
          isNamed = true;
          found.add(text, holder === 'sitemap' ? 'sitemap' : 'page');
        } else if (name in ADDRESS_OF && !isNamed) found.add('', 'page');
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  return {
    write: (piece) => {
      parser.write(piece);
      written += piece.length;
      if (written - parser.startIndex > LONGEST_PART)
        throw new Problem('unprocessable_content', 'It has a tag or a comment that is longer than this service reads.');
    },
    end: () => {
      hasEnded = true;
      parser.end();
    },
  };
}

const isAddress = (path: readonly string[]): boolean => ADDRESS_OF[path.at(-2) ?? ''] === path.at(-1);

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/** A list of addresses, one in a line. */
class LineReader implements Reader {
  private line = '';

  constructor(private readonly found: Addresses) {}

  write(text: string): void {
    const lines = (this.line + text).split(/\r\n?|\n/);
    this.line = (lines.pop() ?? '').slice(0, MOST_CHARACTERS + 1);
    for (const line of lines) this.take(line);
  }

  end(): void {
    this.take(this.line);
  }

  private take(line: string): void {
    const written = line.trim();
    if (written !== '' && !written.startsWith('#')) this.found.add(written, 'page');
  }
}

/** The text without what comes before its first sign: a mark of the encoding, blank lines. Empty pieces are left out. */
async function* texts(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: { write(bytes: Buffer): string; end(): string } | undefined;
  let hasBegun = false;
  const shown = (text: string): string => {
    const piece = hasBegun ? text : text.replace(/^[\s\uFEFF]+/, '');
    hasBegun ||= piece !== '';
    return piece;
  };
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    decoder ??= decoderOf(bytes);
    const piece = shown(decoder.write(bytes));
    if (piece !== '') yield piece;
  }
  const last = decoder === undefined ? '' : shown(decoder.end());
  if (last !== '') yield last;
}

const DECLARED = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i;
/** Bytes in which an encoding is declared. */
const DECLARATION_BYTES = 512;

/** UTF-16 with its mark, the encoding that the document declares, or UTF-8. */
function decoderOf(bytes: Buffer): { write(bytes: Buffer): string; end(): string } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new StringDecoder('utf16le');
  const declared = DECLARED.exec(bytes.toString('latin1', 0, DECLARATION_BYTES))?.[1];
  // What could be read of it is in single bytes: a declaration of UTF-16 is wrong.
  const single = declared === undefined || /^utf/i.test(declared) ? undefined : declared;
  const label = first === 0xfe && second === 0xff ? 'utf-16be' : single;
  const named = label === undefined ? undefined : textDecoder(label);
  const decoder = single !== undefined && named?.encoding.startsWith('utf-16') ? undefined : named;
  return decoder ? { write: (more) => decoder.decode(more, { stream: true }), end: () => decoder.decode() } : new StringDecoder('utf8');
}

function textDecoder(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
