import { BareAddresses } from './bare-addresses';
import type { KnownAddresses } from './known-addresses';

/** Something that waits for its end longer than this is none of what is looked for, and is written so that it cannot become it. */
const MOST_HELD = 4_000;
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(colon|tab|newline|sol|amp|period));?/gi;
const NAMED: Readonly<Record<string, string>> = { colon: ':', tab: '\t', newline: '\n', sol: '/', amp: '&', period: '.' };
/** Attributes that make a page load, go to or do something. */
const ATTRIBUTE = /\b(?:on[a-z]+|src|srcset|srcdoc|href|data|poster|action|formaction|background|style|content|ping|to|from|values)\s*=/i;

type Kind = 'harmless' | 'outside' | 'script';

/** An address as a browser would read it. */
function plain(address: string): string {
  const decoded = address.replace(ENTITY, (whole, hex: string | undefined, dec: string | undefined, name: string | undefined) => {
    const code = hex === undefined ? Number(dec) : Number.parseInt(hex, 16);
    return name === undefined ? (code <= 0x10ffff ? String.fromCodePoint(code) : whole) : (NAMED[name.toLowerCase()] ?? whole);
  });
  return decoded.replace(/\\(?=[!-/:-@[-`{-~])/g, '').replace(/[\u0000-\u0020]/g, '');
}

function kindOf(address: string, known: KnownAddresses): Kind {
  const read = plain(address);
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(read) ?? [];
  if (scheme === undefined) return /^[/\\]{2}/.test(read) && !known.hasAddress(address) ? 'outside' : 'harmless';
  if (!['http', 'https', 'mailto', 'tel', 'ftp'].includes(scheme.toLowerCase())) return 'script';
  return known.hasAddress(address) || known.hasAddress(read) || known.hasAddress(read.replace(/^(?:mailto|tel):/i, ''))
    ? 'harmless'
    : 'outside';
}

/** Where a link goes: its address, and the place behind its closing parenthesis. Read as far as the text is there, and then on. */
class LinkTarget {
  address = '';
  end: number | null = null;
  private part: 'space' | 'address' | 'title' = 'space';
  private isBracketed = false;
  private depth = 0;
  private quote = '';

  /** Begins behind the opening parenthesis. */
  constructor(private at: number) {}

  /** Whether it is all there. */
  read(text: string): boolean {
    while (this.end === null && this.at < text.length) this.take(text.charAt(this.at));
    return this.end !== null;
  }

  /** The text begins so many characters later. */
  shift(by: number): void {
    this.at -= by;
  }

  private take(char: string): void {
    if (this.part === 'title') return this.close(char);
    const isFirst = this.part === 'space';
    if (isFirst && /\s/.test(char)) return void this.at++;
    this.part = 'address';
    if (isFirst && char === '<') {
      this.isBracketed = true;
      this.at++;
    } else if (this.isBracketed ? char === '>' || char === '\n' : /\s/.test(char) || (char === ')' && this.depth === 0)) {
      this.part = 'title';
    } else {
      this.depth += char === '(' ? 1 : char === ')' ? -1 : 0;
      this.address += char;
      this.at++;
    }
  }

  /** A title may follow; whatever it is, it ends with the parenthesis. */
  private close(char: string): void {
    this.at++;
    if (this.quote === '' && char === ')') this.end = this.at;
    else if (this.quote === '' && (char === '"' || char === "'")) this.quote = char;
    else if (char === this.quote) this.quote = '';
  }
}

interface Opening {
  /** Place in the text. */
  at: number;
  /** Number of pieces before it. */
  piece: number;
  readonly isImage: boolean;
}

/** How far a text was read: what is held of it, and where the reading goes on. */
class Held {
  text = '';
  at = 0;
  readonly pieces: string[] = [];
  readonly openings: Opening[] = [];
  /** Of the link at this place, as far as it is there. */
  target: LinkTarget | undefined;
  /** From the place of the reading up to here no tag ends. */
  sought = 0;

  /** What cannot become anything else any more; what is left begins with the first opening, or where the reading goes on. */
  release(at: number, isWhole: boolean): string {
    const first = isWhole ? undefined : this.openings[0];
    const [open, count] = [first?.at ?? at, first?.piece ?? this.pieces.length];
    const said = this.pieces.splice(0, count).join('');
    for (const opening of this.openings) {
      opening.at -= open;
      opening.piece -= count;
    }
    this.target?.shift(open);
    this.sought = Math.max(0, this.sought - open);
    this.text = this.text.slice(open);
    this.at = at - open;
    return said;
  }
}

/** A text without what would load or run something, as far as it is known what the text becomes: all of it where no more follows. */
function scanned(held: Held, known: KnownAddresses, isWhole: boolean): string {
  const { text, pieces, openings } = held;
  let { at } = held;
  const upTo = (from: number): string => held.release(from, isWhole);
  while (at < text.length) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    const opening = openings.at(-1);
    if (!isWhole && next === '' && ('\\!<]'.includes(char) || (char === '\n' && opening))) return upTo(at);
    if (char === '\\') {
      pieces.push(char + next);
      at += 2;
    } else if (char === '[' || (char === '!' && next === '[')) {
      openings.push({ at, piece: pieces.length, isImage: char === '!' });
      pieces.push(char === '!' ? '![' : '[');
      at += char === '!' ? 2 : 1;
    } else if (char === '\n' && next === '\n') {
      // Neither links nor pictures go on behind a paragraph.
      openings.length = 0;
      pieces.push(char);
      at++;
    } else if (char === '<' && /[a-z/]/i.test(next)) {
      const end = text.indexOf('>', Math.max(at, held.sought));
      if (end < 0) held.sought = text.length;
      if (end < 0 && !isWhole) return upTo(at);
      // Where no more follows here, the page around it may end the tag.
      pieces.push(end < 0 ? '&lt;' : harmlessTag(text.slice(at, end + 1), known));
      at = end < 0 ? at + 1 : end + 1;
    } else if (char === ']' && opening) {
      const isTarget = next === '(';
      const isDefinition = next === ':' && !opening.isImage;
      if (!isTarget && !isDefinition) {
        openings.pop();
        pieces.push(char);
        at++;
        continue;
      }
      const target = isTarget ? targetAt(held, at) : definitionAt(text, at + 2, isWhole);
      if (!target && !isWhole) return upTo(at);
      held.target = undefined;
      openings.pop();
      if (!target) {
        pieces.push('] ');
        at++;
        continue;
      }
      const kind = kindOf(target.address, known);
      const whole = text.slice(at, target.end);
      if (kind === 'harmless') pieces.push(whole.replace(target.address, () => simply(target.address)));
      else {
        // Its text stays where it is: putting it together for each of many nested links would take their number times their length.
        pieces[opening.piece] = '';
        if (kind !== 'script' && !opening.isImage) pieces.push(`${isDefinition ? ':' : ''} ${coded(target.address)}`);
      }
      at = target.end;
    } else {
      pieces.push(char);
      at++;
    }
  }
  return upTo(text.length);
}

/** The target of the link whose text ends here; null while it is not all there. */
function targetAt(held: Held, at: number): { readonly address: string; readonly end: number } | null {
  const target = (held.target ??= new LinkTarget(at + 2));
  return target.read(held.text) && target.end !== null ? { address: target.address, end: target.end } : null;
}

/** The address behind `[name]:`, which many links may use. */
function definitionAt(text: string, from: number, isWhole: boolean): { readonly address: string; readonly end: number } | null {
  const [whole = '', address = ''] = /^[ \t]*\n?[ \t]*([^\s]*)/.exec(text.slice(from)) ?? [];
  const end = from + whole.length;
  return end >= text.length && !isWhole ? null : { address: address.replace(/^<|>$/g, ''), end };
}

/** Without characters that are written as their numbers or names, where it stays one address. */
function simply(address: string): string {
  const read = plain(address);
  return address.search(ENTITY) < 0 || /[^\w.~:/?#@!$&*+,;=%-]/.test(read) ? address : read;
}

/** As plain text, which no client makes a link of. */
const coded = (address: string): string => `(\`${address.replace(/[\s`]/g, encodeURIComponent)}\`)`;

/** A tag that loads nothing from elsewhere and runs nothing, or what it says in words. */
function harmlessTag(tag: string, known: KnownAddresses): string {
  const inner = tag.slice(1, -1);
  if (/^[a-z][a-z0-9+.-]*:/i.test(inner))
    return kindOf(inner, known) === 'harmless' ? tag : kindOf(inner, known) === 'script' ? inner : `\`${inner}\``;
  if (/^\/?(?:script|iframe|object|embed|style|base|meta|link|form)\b/i.test(inner)) return '';
  if (!ATTRIBUTE.test(inner)) return tag;
  const [, double, single] = /\balt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(inner) ?? [];
  const [, href, quoted] = /^(?:img|a)\s[^]*?\b(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(inner) ?? [];
  const address = href ?? quoted;
  const isPlain = !/\b(?:on[a-z]+|srcset|style|ping)\s*=/i.test(inner);
  if (address !== undefined && isPlain && kindOf(address, known) === 'harmless') return tag;
  return double ?? single ?? '';
}

/**
 * What a model says, without addresses that no source holds and the asker did not give: clients that show pictures or follow links
 * would carry out what the model has read. Pictures become their text, links plain text. What is unfinished is held back.
 */
export class HarmlessText {
  private held = new Held();
  private readonly bare: BareAddresses | null;

  constructor(private readonly known: KnownAddresses) {
    this.bare = known.leavesBare ? null : new BareAddresses(known);
  }

  passText(delta: string): string {
    const said = this.scan(delta);
    return this.bare ? this.bare.passText(said) : said;
  }

  /** What is left at the end. */
  releaseRest(): string {
    const said = this.scanRest();
    return this.bare ? this.bare.passText(said) + this.bare.releaseRest() : said;
  }

  private scan(delta: string): string {
    this.held.text += delta;
    const said = scanned(this.held, this.known, false);
    const { text } = this.held;
    if (text.length <= MOST_HELD) return said;
    this.held = new Held();
    return said + text.replace(/[[<]/g, (char) => (char === '<' ? '&lt;' : '\\['));
  }

  private scanRest(): string {
    // Read from its beginning: what waited for more is something else where no more follows.
    const left = Object.assign(new Held(), { text: this.held.text });
    this.held = new Held();
    return scanned(left, this.known, true);
  }
}
