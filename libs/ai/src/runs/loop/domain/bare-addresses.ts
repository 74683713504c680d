import type { KnownAddresses } from './known-addresses';

const BEGINNINGS = ['https://', 'http://', 'ftp://', 'www.'];
/** How an address begins; in Markdown a mark of it may have a backslash before it. */
const BEGINNING = String.raw`(?:(?:https?|ftp)\\?:\\?/\\?/|www\\?\.)`;
const ADDRESS = `${BEGINNING}[^\\s<\`]*`;
/** Names of characters, besides numbers of them, by which clients may read an address where none was written. */
const NAMES = ['colon;', 'sol;', 'period;'];
const ENTITY = `&(?=#x?[0-9a-f]|${NAMES.join('|')})`;
/** An address, one that is code by itself, marks of code, the end of a paragraph, a character written as its number or name. */
const PARTS = new RegExp(`(?<![\`\\\\])\`${ADDRESS}\`(?!\`)|${ADDRESS}|\`+|\\n\\n|${ENTITY}`, 'gi');
const UNFINISHED = new RegExp(`\`?${ADDRESS}`, 'gi');
const SCHEMES = /(?:https?|ftp)\\?:(?=\\?\/\\?\/)|www(?=\\?\.)/gi;
const ENTITIES = new RegExp(ENTITY, 'gi');
/** A character that is written as its number or name, as far as it is there. */
const UNFINISHED_ENTITY = /&(?:#x?|[a-z]{0,6})$/i;
/** What clients leave out of an address at its end. */
const TRAILING = '?!.,:;*_~\'"()[]{}>|';
const MOST_MARKS = 4;
/** An address that goes on for longer is not waited for. */
const MOST_HELD = 4_000;

/**
 * Addresses that stand in a text as they are, which clients make links of: one that no source holds and the asker did not give becomes
 * code; where it is not certain what is code, it is parted behind its scheme. Characters that are written as their numbers or names, which
 * clients may put together to an address, are shown as they were written. A text may come in pieces.
 */
export class BareAddresses {
  private held = '';
  private last = '';
  /** There are marks of code in the paragraph, so that one more may open code or close it. */
  private hasMarks = false;

  constructor(private readonly known: KnownAddresses) {}

  passText(text: string): string {
    const all = this.held + text;
    const open = all.length - MOST_HELD > openingOf(all) ? all.length : openingOf(all);
    this.held = all.slice(open);
    return this.written(all.slice(0, open));
  }

  /** What is left at the end. */
  releaseRest(): string {
    const all = this.held;
    this.held = '';
    return this.written(all);
  }

  private written(text: string): string {
    const whole = this.last + text;
    const said: string[] = [];
    let from = this.last.length;
    PARTS.lastIndex = from;
    for (let match = PARTS.exec(whole); match; match = PARTS.exec(whole)) {
      const [part] = match;
      said.push(whole.slice(from, match.index));
      // Code that may be none is its mark and what follows.
      const taken = part.startsWith('`') && part.length > 1 && this.hasMarks ? '`' : part;
      said.push(this.part(taken));
      from = PARTS.lastIndex = match.index + taken.length;
    }
    this.last = whole.slice(-1);
    return said.join('') + whole.slice(from);
  }

  private part(part: string): string {
    if (part === '\n\n') this.hasMarks = false;
    else if (/^`+$/.test(part)) this.hasMarks = true;
    else if (part === '&') return AS_WRITTEN;
    else if (!part.startsWith('`')) return this.address(part);
    return part;
  }

  private address(part: string): string {
    let end = part.length;
    while (end > 0 && TRAILING.includes(part.charAt(end - 1))) end--;
    const address = part.slice(0, end);
    if (isBeginning(address) || this.isKnown(part, end)) return part;
    if (this.hasMarks) return part.replace(SCHEMES, (scheme) => `${scheme} `).replace(ENTITIES, AS_WRITTEN);
    return `\`${address}\`${part.slice(end)}`;
  }

  /** With some of the marks behind it, which may belong to it or to the sentence. */
  private isKnown(part: string, end: number): boolean {
    for (let at = end; at <= Math.min(part.length, end + MOST_MARKS); at++) if (this.known.hasAddress(part.slice(0, at))) return true;
    return false;
  }
}

const AS_WRITTEN = '&amp;';

/** `https://` with a backslash before each of its marks. */
const LONGEST_BEGINNING = 11;

const isUnfinished = (name: string): boolean => name.startsWith('#') || NAMES.some((one) => one.startsWith(name));

/** The beginning of an address, or less of it. */
function isBeginning(text: string): boolean {
  const plain = text.replaceAll('\\', '').toLowerCase();
  return BEGINNINGS.some((beginning) => beginning.startsWith(plain));
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
  for (let length = Math.min(LONGEST_BEGINNING, tail.length); length > 0; length--)
    if (isBeginning(tail.slice(-length))) {
      open = tail.length - length;
      break;
    }
  const entity = UNFINISHED_ENTITY.exec(tail);
  if (entity && isUnfinished(entity[0].slice(1).toLowerCase())) open = Math.min(open, entity.index);
  return start + (tail.charAt(open - 1) === '`' ? open - 1 : open);
}
