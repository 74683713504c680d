/** What a translation must not touch within a line; the target of a link is kept, its text is translated. */
const INLINE = new RegExp(
  [
    /(?<escaped>\\[!-/:-@[-`{-~])/,
    /(?<code>``[^\n]{1,1000}?``|`[^`\n]{1,1000}`)/,
    /(?<image>!\[)(?=[^\]\n]{0,1000}\]\()/,
    /\]\(\s{0,100}<?(?<target>[^\s()<>]{0,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,2000})?)>?(?:\s{1,100}(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'))?\s{0,100}\)/,
    /(?<reference>\]\[[^\]\n]{1,200}\]|\[\^[^\]\s]{1,100}\]|^\[[^\]\n]{1,200}\]:\s{1,100}\S{1,2000})/,
    /(?<placeholder>\{\{[^{}]{1,200}\}\}|\$?\{[^{}\s]{0,100}\}|%(?:\d+\$)?[sdif@](?![\p{L}\d]))/u,
    /(?<tag><\/?[a-z][a-z0-9-]*(?:\s[^<>]{0,1000})?\/?>)/,
    /(?<url>https?:\/\/[^\s<>"')\]]+)/,
    /(?<strong>\*\*|__|~~)/,
    /(?<mark>[*_])/,
    /(?<end>\n[ \t]*\n)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gimu',
);
const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const QUOTE = /^[ \t]{0,3}>(?:[ \t]{0,3}>)*/;
const LEADING = /^(?:#{1,6}(?=\s)|[ \t]*[-*+](?=\s)|[ \t]*\d{1,3}[.)](?=\s))/;
const CELL_OF_RULE = /^:?-+:?$/;

/** All of it, each as often as it occurs. */
function keptMarkup(text: string): string[] {
  const { blocks, lines } = withoutFences(text.split('\n'));
  const quoted = withoutQuotes(lines);
  const leading = quoted.lines.flatMap((line) => LEADING.exec(line)?.[0].trim() ?? []);
  const flowing = quoted.lines.map((line) => line.replace(LEADING, '')).join('\n');
  return [...blocks, ...quoted.marks, ...leading, ...tableMarks(quoted.lines), ...inlineMarks(flowing)];
}

/** What a translation lost or made up; empty: nothing. */
export function changedMarkup(source: string, translation: string): string[] {
  const [before, after] = [counted(keptMarkup(source)), counted(keptMarkup(translation))];
  return [...new Set([...before.keys(), ...after.keys()])].filter((one) => before.get(one) !== after.get(one));
}

function counted(found: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

/** Blocks of code, which are kept as a whole, and the other lines; a fence that is not closed is kept alone. */
function withoutFences(all: readonly string[]): { readonly blocks: string[]; readonly lines: string[] } {
  const [blocks, lines]: [string[], string[]] = [[], []];
  const unclosed = new Set<string>();
  for (let at = 0; at < all.length; at++) {
    const [, fence] = FENCE.exec(all[at] ?? '') ?? [];
    if (fence === undefined) {
      lines.push(all[at] ?? '');
      continue;
    }
    const end = unclosed.has(fence) ? -1 : indexFrom(all, at + 1, (line) => line.trim() === fence);
    if (end < 0) unclosed.add(fence);
    blocks.push(
      all
        .slice(at, end < 0 ? at + 1 : end + 1)
        .join('\n')
        .trim(),
    );
    lines.push('');
    if (end >= 0) at = end;
  }
  return { blocks, lines };
}

function indexFrom(lines: readonly string[], from: number, fits: (line: string) => boolean): number {
  for (let at = from; at < lines.length; at++) if (fits(lines[at] ?? '')) return at;
  return -1;
}

/** Lines without their marks of a quote. A quote is one mark, however its lines are wrapped. */
function withoutQuotes(all: readonly string[]): { readonly marks: string[]; readonly lines: string[] } {
  const marks: string[] = [];
  let before = '';
  const lines = all.map((line) => {
    const [found = ''] = QUOTE.exec(line) ?? [];
    const depth = found.replace(/[ \t]/g, '');
    if (depth !== '' && depth !== before) marks.push(depth);
    before = depth;
    return found === '' ? line : line.slice(found.length).replace(/^ /, '');
  });
  return { marks, lines };
}

/** The rule below the head of each table, and the bars of its rows. */
function tableMarks(lines: readonly string[]): string[] {
  const marks: string[] = [];
  for (let at = 1; at < lines.length; at++) {
    const cells = cellsOf(lines[at] ?? '');
    if (cells.length < 2 || !cells.every((cell) => CELL_OF_RULE.test(cell)) || !lines[at - 1]?.includes('|')) continue;
    marks.push(`|${cells.map((cell) => cell.replace(/-+/, '-')).join('|')}|`);
    const end = indexFrom(lines, at + 1, (line) => !line.includes('|'));
    const rows = [lines[at - 1] ?? '', ...lines.slice(at + 1, end < 0 ? undefined : end)];
    for (const row of rows) marks.push(...cellsOf(row).map(() => '|'));
    at += rows.length;
  }
  return marks;
}

const cellsOf = (line: string): string[] => {
  const cells = line
    .replaceAll('\\|', '')
    .split('|')
    .map((cell) => cell.trim());
  return cells.slice(cells[0] === '' ? 1 : 0, cells.at(-1) === '' ? -1 : undefined);
};

function inlineMarks(text: string): string[] {
  const marks: string[] = [];
  let open = new Set<string>();
  for (const { groups = {}, index, 0: found } of text.matchAll(INLINE)) {
    const { escaped, target, mark, end } = groups;
    if (end !== undefined) open = new Set();
    else if (target !== undefined) marks.push(`](${target})`);
    else if (mark !== undefined) marks.push(...pairedBy(mark, { before: text[index - 1], behind: text[index + 1] }, open));
    else if (escaped === undefined) marks.push(found.trim());
  }
  return marks;
}

/** Emphasis is a pair within one paragraph: a single asterisk, a product of numbers and the line in a name are none. */
function pairedBy(
  mark: string,
  { before = ' ', behind = ' ' }: { readonly before: string | undefined; readonly behind: string | undefined },
  open: Set<string>,
): string[] {
  const inWord = mark === '_' ? /[\p{L}\p{N}]/u : /\p{N}/u;
  if (open.has(mark) && !/\s/.test(before) && !inWord.test(behind)) {
    open.delete(mark);
    return [mark];
  }
  if (!/\s/.test(behind) && !inWord.test(before)) open.add(mark);
  return [];
}
