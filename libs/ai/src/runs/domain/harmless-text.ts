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
  if (scheme === undefined) return /^[/\\]{2}/.test(read) && !known.has(address) ? 'outside' : 'harmless';
  if (!['http', 'https', 'mailto', 'tel', 'ftp'].includes(scheme.toLowerCase())) return 'script';
  return known.has(address) || known.has(read) || known.has(read.replace(/^(?:mailto|tel):/i, '')) ? 'harmless' : 'outside';
}

/** Where a link goes: its address, and the place behind its closing parenthesis; null while that is not there. */
function targetAt(text: string, open: number): { readonly address: string; readonly end: number } | null {
  let at = open + 1;
  while (/\s/.test(text.charAt(at))) at++;
  const isBracketed = text.charAt(at) === '<';
  let address = '';
  let depth = 0;
  for (at += isBracketed ? 1 : 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (isBracketed ? char === '>' || char === '\n' : /\s/.test(char) || (char === ')' && depth === 0)) break;
    depth += char === '(' ? 1 : char === ')' ? -1 : 0;
    address += char;
  }
  // A title may follow; whatever it is, it ends with the parenthesis.
  let quote = '';
  for (; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote === '' && char === ')') return { address, end: at + 1 };
    if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === quote) quote = '';
  }
  return null;
}

interface Opening {
  /** Place in the text. */
  readonly at: number;
  /** Number of pieces before it. */
  readonly piece: number;
  readonly isImage: boolean;
}

/** A text without what would load or run something, as far as it is known what the text becomes: all of it where no more follows. */
function scanned(text: string, known: KnownAddresses, isWhole: boolean): { readonly said: string; readonly open: number } {
  const pieces: string[] = [];
  const openings: Opening[] = [];
  let at = 0;
  const upTo = (from: number): { readonly said: string; readonly open: number } => {
    const first = isWhole ? undefined : openings[0];
    return { said: pieces.slice(0, first?.piece).join(''), open: first?.at ?? from };
  };
  const replace = (opening: Opening, by: (label: string) => string): void => {
    pieces.push(by(pieces.splice(opening.piece).slice(1).join('')));
  };
  while (at < text.length) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    const opening = openings.at(-1);
    if (!isWhole && next === '' && '\\!<]'.includes(char)) return upTo(at);
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
      const end = text.indexOf('>', at);
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
      const target = isTarget ? targetAt(text, at + 1) : definitionAt(text, at + 2, isWhole);
      if (!target && !isWhole) return upTo(at);
      openings.pop();
      if (!target) {
        pieces.push('] ');
        at++;
        continue;
      }
      const kind = kindOf(target.address, known);
      const whole = text.slice(at, target.end);
      if (kind === 'harmless') pieces.push(whole);
      else
        replace(opening, (label) =>
          kind === 'script' || opening.isImage ? label : `${label}${isDefinition ? ':' : ''} ${coded(target.address)}`,
        );
      at = target.end;
    } else {
      pieces.push(char);
      at++;
    }
  }
  return upTo(text.length);
}

/** The address behind `[name]:`, which many links may use. */
function definitionAt(text: string, from: number, isWhole: boolean): { readonly address: string; readonly end: number } | null {
  const [whole = '', address = ''] = /^[ \t]*\n?[ \t]*([^\s]*)/.exec(text.slice(from)) ?? [];
  const end = from + whole.length;
  return end >= text.length && !isWhole ? null : { address: address.replace(/^<|>$/g, ''), end };
}

/** As plain text, which no client makes a link of. */
const coded = (address: string): string => `(\`${address.replaceAll('`', '%60')}\`)`;

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
  private held = '';
  private readonly bare: BareAddresses | null;

  constructor(private readonly known: KnownAddresses) {
    this.bare = known.leavesBare ? null : new BareAddresses(known);
  }

  take(delta: string): string {
    const said = this.scan(delta);
    return this.bare ? this.bare.take(said) : said;
  }

  /** What is left at the end. */
  rest(): string {
    const said = this.scanRest();
    return this.bare ? this.bare.take(said) + this.bare.rest() : said;
  }

  private scan(delta: string): string {
    this.held += delta;
    const { said, open } = scanned(this.held, this.known, false);
    this.held = this.held.slice(open);
    if (this.held.length <= MOST_HELD) return said;
    const broken = this.held.replace(/[[<]/g, (char) => (char === '<' ? '&lt;' : '\\['));
    this.held = '';
    return said + broken;
  }

  private scanRest(): string {
    const { said } = scanned(this.held, this.known, true);
    this.held = '';
    return said;
  }
}
