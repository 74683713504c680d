import { shiftMark } from '@atrium/platform/kernel';

/** Raw HTML of CommonMark at the start of a text: tags, comments, instructions, declarations. */
const TAG =
  /^(?:<[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>|<\/[A-Za-z][A-Za-z0-9-]*\s*>|<!--[^]*?-->|<\?[^]*?\?>|<![A-Za-z][^>]*>|<!\[CDATA\[[^]*?\]\]>)/;
const AUTOLINK = /^<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9.-]+)>/;
const FENCE = /^(`{3,}|~{3,})/;
/** A construct that is longer than this is no tag that anybody wrote; it is made harmless instead. */
const LONGEST_TAG = 2_000;
const MOST_PASSES = 4;
/** Characters beside a tag that say whether it parts numbers. */
const BESIDE = 16;

/**
 * Markdown without raw HTML. Code keeps its angle brackets: fences that begin a line, and spans within one line; whatever
 * else could be a tag is taken out, and what only begins like one loses its meaning. The result has nothing more to take out.
 */
export function withoutHtml(markdown: string): string {
  if (!markdown.includes('<')) return markdown;
  let text = markdown;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = stripped(text);
    if (next === text) return text;
    text = next;
  }
  return text.replace(/</g, '&lt;');
}

/** Signs that may begin something, and the ends of lines, behind which fences begin. */
const SIGN = /[<`~\\\n]/g;

/** Where the plain text that begins here ends; at the least it is one character. */
function plainEnd(text: string, at: number): number {
  SIGN.lastIndex = at + 1;
  return SIGN.exec(text)?.index ?? text.length;
}

function stripped(text: string): string {
  const out: string[] = [];
  // Of what is written so far: a look at the whole would copy it for every tag.
  let tail = '';
  const write = (part: string): void => {
    out.push(part);
    tail = (tail + part.slice(-BESIDE)).slice(-BESIDE);
  };
  let at = 0;
  let spansFrom = 0;
  while (at < text.length) {
    const fenced = at === 0 || text[at - 1] === '\n' ? fenceAt(text, at) : 0;
    const span = fenced === 0 && text[at] === '`' ? codeSpanAt(text, at) : { length: 0, isClosed: true };
    // Backticks that do not close on their line may close on a later one: until the paragraph ends, nothing is taken for code.
    if (!span.isClosed) spansFrom = Math.max(spansFrom, paragraphEnd(text, at));
    const length = fenced || (span.isClosed && at >= spansFrom ? span.length : 0);
    if (length > 0) {
      write(text.slice(at, at + length));
      at += length;
    } else if (text[at] === '\\' && at + 1 < text.length && text[at + 1] !== '\n') {
      write(text.slice(at, at + 2));
      at += 2;
    } else if (text[at] === '<') {
      const { kept, skipped } = angleAt(text, at, tail);
      write(kept);
      at += skipped;
    } else {
      const end = plainEnd(text, at);
      write(text.slice(at, end));
      at = end;
    }
  }
  return out.join('');
}

/** The length of the fenced code that begins here, its closing line included; 0 where none does. */
function fenceAt(text: string, at: number): number {
  const opening = lineAt(text, at);
  const mark = FENCE.exec(opening)?.[1];
  if (!mark || (mark.startsWith('`') && opening.slice(mark.length).includes('`'))) return 0;
  for (let line = at + opening.length + 1; line < text.length;) {
    const content = lineAt(text, line);
    const close = content.trim();
    if (/^ {0,3}\S/.test(content) && close.length >= mark.length && close === mark.charAt(0).repeat(close.length))
      return line + content.length - at;
    line += content.length + 1;
  }
  return text.length - at;
}

const lineAt = (text: string, at: number): string => {
  const end = text.indexOf('\n', at);
  return text.slice(at, end < 0 ? text.length : end);
};

function paragraphEnd(text: string, at: number): number {
  const end = text.indexOf('\n\n', at);
  return end < 0 ? text.length : end;
}

/** The length of the code span that begins with these backticks, and whether it ends on the same line. */
function codeSpanAt(text: string, at: number): { readonly length: number; readonly isClosed: boolean } {
  const ticks = /^`+/.exec(text.slice(at, at + 100))?.[0] ?? '`';
  const line = lineAt(text, at).slice(0, LONGEST_TAG);
  for (const found of line.slice(ticks.length).matchAll(/`+/g)) {
    if (found[0].length === ticks.length) return { length: ticks.length + found.index + ticks.length, isClosed: true };
  }
  return { length: ticks.length, isClosed: false };
}

function angleAt(text: string, at: number, before: string): { readonly kept: string; readonly skipped: number } {
  const rest = text.slice(at, at + LONGEST_TAG);
  const autolink = AUTOLINK.exec(rest);
  if (autolink) return { kept: autolink[0], skipped: autolink[0].length };
  const tag = TAG.exec(rest);
  if (tag) {
    const behind = at + tag[0].length;
    return { kept: shiftMark(tag[0], before, text.slice(behind, behind + BESIDE)), skipped: tag[0].length };
  }
  return /^<[A-Za-z/!?]/.test(rest) ? { kept: '&lt;', skipped: 1 } : { kept: '<', skipped: 1 };
}
