/** Text as markdown that shows exactly it: only what would be read as syntax in its place is escaped. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/`/g, '\\`')
    .replace(/(?<=\S)\*|\*(?=\S)/g, '\\*')
    .replace(/(?<![\p{L}\p{N}_])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}_])/gu, '\\_')
    .replace(/~~/g, '\\~~')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w{1,32};)/g, '\\&')
    .replace(/\[(?=[^\]\n]*\][([:])/g, '\\[')
    .replace(/^(\s*)(#{1,6}(?=\s|$)|[-+*](?=\s)|>|={3,}\s*$|-{3,}\s*$)/gm, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s)/gm, '$1\\$2');
}

/** One line of text: what a heading, a cell or the words of a link may hold. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const asCell = (text: string): string => oneLine(text).replace(/\|/g, '\\|');

/** A table whose first row is its header. Rows that are shorter than the longest are filled up. Cells are markdown of one line. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return '';
  const line = (row: readonly string[]): string => `| ${Array.from({ length: width }, (_, at) => asCell(row[at] ?? '')).join(' | ')} |`;
  const [header = [], ...body] = rows;
  return [line(header), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n');
}

/** Text in a fence that is longer than any inside it. */
export function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^\s*(`{3,})/gm)].map(([, ticks = '']) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`;
}

/** An address that markdown may point to; scripts and data are none. */
export function safeAddress(address: string): string | undefined {
  const trimmed = address.trim();
  if (!/^(?:https?:|mailto:|tel:)/i.test(trimmed) || /[\s<>]/.test(trimmed)) return undefined;
  return trimmed.replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
}
