/**
 * Text as markdown that shows exactly it: only what would be read as syntax in its place is escaped. It takes time that grows with the text
 * alone: no pattern here looks further than its own line, and none looks twice at a run of blanks.
 */
export function escapeMarkdown(text: string): string {
  const escaped = text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/`/g, '\\`')
    .replace(/(?<=\S)\*|\*(?=\S)/g, '\\*')
    .replace(/(?<![\p{L}\p{N}_])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}_])/gu, '\\_')
    .replace(/~~/g, '\\~~')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w{1,32};)/g, '\\&');
  return escapeBrackets(escaped)
    .replace(/^([ \t\u00a0\u3000]*)(#{1,6}(?=\s|$)|[-+*](?=\s)|>|={3,}[ \t]*$|-{3,}[ \t]*$)/gm, '$1\\$2')
    .replace(/^([ \t\u00a0\u3000]*\d{1,9})([.)])(?=\s)/gm, '$1\\$2');
}

/** What makes a link or its definition of the brackets before it. */
const BEHIND_BRACKETS = new Set(['(', '[', ':']);

/** Escapes each `[` that begins a link. Read from the end, where the bracket that closes it is known. */
function escapeBrackets(text: string): string {
  if (!text.includes('[')) return text;
  const parts: string[] = [];
  let isOpen = false;
  let end = text.length;
  for (let at = text.length - 1; at >= 0; at--) {
    const sign = text[at];
    if (sign === '\n') isOpen = false;
    else if (sign === ']') isOpen = BEHIND_BRACKETS.has(text[at + 1] ?? '');
    else if (sign === '[' && isOpen) {
      parts.push(text.slice(at, end), '\\');
      end = at;
    }
  }
  return text.slice(0, end) + parts.reverse().join('');
}

/** The words of a link: brackets that would end it are escaped, links within them stay. */
export function escapeLinkWords(words: string): string {
  const parts: string[] = [];
  let isLink = false;
  let end = words.length;
  for (let at = words.length - 1; at >= 0; at--) {
    const sign = words[at];
    if (sign === ']') isLink = words[at + 1] === '(';
    if ((sign !== '[' && sign !== ']') || isLink || words[at - 1] === '\\') continue;
    parts.push(words.slice(at, end), '\\');
    end = at;
  }
  return words.slice(0, end) + parts.reverse().join('');
}

/** Lines without the blanks at their ends; two of them are a line break. */
export const withoutTrailingBlanks = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      let end = line.length;
      while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--;
      return line.slice(end) === '  ' ? line : line.slice(0, end);
    })
    .join('\n');

/** Text without the line breaks at its end. */
export function withoutTrailingBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

/** One line of text: what a heading, a cell or the words of a link may hold. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const asCell = (text: string): string => oneLine(text).replace(/\|/g, '\\|');

/** A table whose first row is its header. Rows that are shorter than the longest are filled up. Cells are markdown of one line. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const width = longestOf(rows);
  if (width === 0) return '';
  const line = (row: readonly string[]): string => `| ${Array.from({ length: width }, (_, at) => asCell(row[at] ?? '')).join(' | ')} |`;
  const [header = [], ...body] = rows;
  return [line(header), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n');
}

/** They may be more than a call takes arguments. */
function longestOf(things: Iterable<{ readonly length: number }>, least = 0): number {
  let longest = least;
  for (const { length } of things) longest = Math.max(longest, length);
  return longest;
}

/** A fence that is longer than any of these, each of which is the first group of what was found. */
export const fenceFor = (found: Iterable<readonly string[]>): string =>
  '`'.repeat(
    longestOf(
      Array.from(found, ([, ticks = '']) => ticks),
      2,
    ) + 1,
  );

/** Text in a fence that is longer than any inside it. */
export function fencedText(text: string, language: string): string {
  const fence = fenceFor(text.matchAll(/^[ \t]*(`{3,})/gm));
  return `${fence}${language}\n${withoutTrailingBreaks(text)}\n${fence}`;
}

/** An address that markdown may point to; scripts and data are none. */
export function safeAddress(address: string): string | undefined {
  const trimmed = address.trim();
  if (!/^(?:https?:|mailto:|tel:)/i.test(trimmed) || /[\s<>]/.test(trimmed)) return undefined;
  return trimmed.replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
}
