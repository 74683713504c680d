import { SignCounts } from '../text/sign-counts';
import { PARTS_OF_EQUATIONS } from './rtf-equation';

/** Groups without a star that are no text of the document. */
const NO_TEXT =
  /^(?:fonttbl|colortbl|stylesheet|info|pict|objdata|objclass|header[lrf]?|footer[lrf]?|ftnsepc?|ftncn|aftnsepc?|aftncn|filetbl|listtable|listoverridetable|revtbl|fldinst|listtext|pntext|nonshppict|shprslt|sp|annotation|atn[a-z]+|atrf[a-z]+|xe|tc|rxe|txe|upr|nonesttables|m[a-zA-Z]{1,20}Pr)$/;
/** Groups with a star that are text of the document all the same. */
const TEXT_ALTHOUGH_STARRED = /^(?:shpinst|moMath(?:Para)?)$/;
const TOKEN = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^])|([{}])|[\r\n]+|([^\\{}\r\n]+)/g;
/** Words of control between which a word goes on: all but those that part texts. */
const PARTS = /^(?:par|page|sect|line|lbr|tab|cell|nestcell|row|nestrow|[lr]d?b?lquote|[lr]quote|bullet|e[mn]dash|[emnq]{1,2}space)$/;
/** In place of a byte whose letter its font decides: a word with one is not counted. */
const SOME_LETTER = '\uE000';
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}\uE000]+/u;
const MOST_WAITING = 64 * 1024;

interface Group {
  readonly isText: boolean;
  readonly isHidden: boolean;
  /** Characters behind one of Unicode that older readers show. */
  readonly fallback: number;
  /** It is an element of an equation, which no word goes on behind. */
  readonly isPart: boolean;
}

/**
 * The words of a rich text, found by its tokens alone: without its fonts, styles, tables and fields. Words with a letter beyond
 * ASCII count only where it is written as Unicode.
 */
export function wordsOfRtf(bytes: Buffer): SignCounts {
  const counts = new SignCounts();
  const source = bytes.toString('latin1');
  const groups: Group[] = [];
  let group: Group = { isText: true, isHidden: false, fallback: 1, isPart: false };
  let isStarred = false;
  let toSkip = 0;
  let text = '';
  const add = (piece: string): void => {
    const skipped = Math.min(toSkip, piece.length);
    toSkip -= skipped;
    if (group.isText && !group.isHidden) text += piece.slice(skipped);
  };
  const settle = (): void => {
    for (const word of text.split(BETWEEN_WORDS)) if (!word.includes(SOME_LETTER)) counts.add(word);
    text = '';
  };
  const word = (name: string, value: number | undefined): void => {
    if (isStarred ? !TEXT_ALTHOUGH_STARRED.test(name) : NO_TEXT.test(name)) group = { ...group, isText: false };
    else if (name === 'v' || name === 'deleted') group = { ...group, isHidden: value !== 0 };
    else if (name === 'plain') group = { ...group, isHidden: false };
    else if (name === 'uc') group = { ...group, fallback: value ?? 1 };
    else if (name === 'u') {
      toSkip = 0;
      add(String.fromCharCode((value ?? 0) & 0xffff));
      toSkip = Math.max(0, Math.min(10, group.fallback));
      return;
    } else if (PARTS.test(name)) add(' ');
    else if (PARTS_OF_EQUATIONS.has(name)) {
      add(' ');
      group = { ...group, isPart: true };
    }
    toSkip = 0;
  };
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(source); found; found = TOKEN.exec(source)) {
    const [, name, number, hex, sign, brace, plain] = found;
    if (text.length > MOST_WAITING && name !== undefined && PARTS.test(name)) settle();
    if (name === 'bin') TOKEN.lastIndex += Math.max(0, Number(number ?? 0));
    else if (name !== undefined) word(name, number === undefined ? undefined : Number(number));
    else if (hex !== undefined) add(Number.parseInt(hex, 16) < 0x80 ? String.fromCharCode(Number.parseInt(hex, 16)) : SOME_LETTER);
    else if (sign !== undefined) add(/[\\{}~_]/.test(sign) ? ' ' : '');
    else if (plain !== undefined) add(plain.replace(/[\x80-\xff]/g, SOME_LETTER));
    else if (brace === '{') {
      groups.push(group);
      if (group.isPart) group = { ...group, isPart: false };
    } else if (brace === '}') {
      if (group.isPart) add(' ');
      group = groups.pop() ?? group;
    }
    if (brace !== undefined) toSkip = 0;
    isStarred = sign === '*';
  }
  settle();
  return counts;
}
