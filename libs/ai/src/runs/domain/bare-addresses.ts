import type { KnownAddresses } from './known-addresses';

const BEGINNINGS = ['https://', 'http://', 'ftp://', 'www.'];
/** An address, one that is code by itself, marks of code, the end of a paragraph. */
const PARTS = /(?<![`\\])`(?:(?:https?|ftp):\/\/|www\.)[^\s<`]*`(?!`)|(?:(?:https?|ftp):\/\/|www\.)[^\s<`]*|`+|\n\n/gi;
const UNFINISHED = /`?(?:(?:https?|ftp):\/\/|www\.)[^\s<`]*/gi;
/** What clients leave out of an address at its end. */
const TRAILING = '?!.,:;*_~\'"()[]{}>|';
const MOST_MARKS = 4;
/** An address that goes on for longer is not waited for. */
const MOST_HELD = 4_000;

/**
 * Addresses that stand in a text as they are, which clients make links of: one that no source holds and the asker did not give becomes
 * code; where it is not certain what is code, it is parted behind its scheme. A text may come in pieces.
 */
export class BareAddresses {
  private held = '';
  private last = '';
  /** There are marks of code in the paragraph, so that one more may open code or close it. */
  private hasMarks = false;

  constructor(private readonly known: KnownAddresses) {}

  take(text: string): string {
    const all = this.held + text;
    const open = all.length - MOST_HELD > openingOf(all) ? all.length : openingOf(all);
    this.held = all.slice(open);
    return this.written(all.slice(0, open));
  }

  /** What is left at the end. */
  rest(): string {
    const all = this.held;
    this.held = '';
    return this.written(all);
  }

  private written(text: string): string {
    const whole = this.last + text;
    let said = '';
    let from = this.last.length;
    PARTS.lastIndex = from;
    for (let match = PARTS.exec(whole); match; match = PARTS.exec(whole)) {
      const [part] = match;
      said += whole.slice(from, match.index);
      // Code that may be none is its mark and what follows.
      const taken = part.startsWith('`') && part.length > 1 && this.hasMarks ? '`' : part;
      said += this.part(taken);
      from = PARTS.lastIndex = match.index + taken.length;
    }
    this.last = whole.slice(-1);
    return said + whole.slice(from);
  }

  private part(part: string): string {
    if (part === '\n\n') this.hasMarks = false;
    else if (/^`+$/.test(part)) this.hasMarks = true;
    else if (!part.startsWith('`')) return this.address(part);
    return part;
  }

  private address(part: string): string {
    let end = part.length;
    while (end > 0 && TRAILING.includes(part.charAt(end - 1))) end--;
    const address = part.slice(0, end);
    if (BEGINNINGS.some((beginning) => beginning.startsWith(address.toLowerCase())) || this.isKnown(part, end)) return part;
    if (this.hasMarks) return part.replace(/^(?:www|[a-z]+:)/i, (beginning) => `${beginning} `);
    return `\`${address}\`${part.slice(end)}`;
  }

  /** With some of the marks behind it, which may belong to it or to the sentence. */
  private isKnown(part: string, end: number): boolean {
    for (let at = end; at <= Math.min(part.length, end + MOST_MARKS); at++) if (this.known.has(part.slice(0, at))) return true;
    return false;
  }
}

/** Where something begins that more text may make an address, or another one; the length of the text where nothing does. */
function openingOf(text: string): number {
  let lines = text.length;
  while (text.charAt(lines - 1) === '\n') lines--;
  if (lines < text.length) return lines;
  const start = Math.max(...[' ', '\n', '\t', '<'].map((mark) => text.lastIndexOf(mark))) + 1;
  const tail = text.slice(start);
  let open = tail.length;
  for (const match of tail.matchAll(UNFINISHED)) {
    const end = match.index + match[0].length;
    if (end === tail.length || (end === tail.length - 1 && match[0].startsWith('`'))) open = match.index;
  }
  if (open < tail.length) return start + open;
  const lower = tail.toLowerCase();
  for (let length = Math.min(BEGINNINGS.length * 2, tail.length); length > 0; length--)
    if (BEGINNINGS.some((beginning) => beginning.startsWith(lower.slice(-length)))) {
      open = tail.length - length;
      break;
    }
  return start + (tail.charAt(open - 1) === '`' ? open - 1 : open);
}
