import { plainWords } from '../text/markdown-outline';
import { oneLine, tableOf } from '../text/markdown-syntax';

export type CellBreak = ' ' | '<br>';

export interface CellOptions {
  readonly cellBreak?: CellBreak;
  readonly keepMerged?: boolean;
}

interface Attributes {
  readonly nodeName: string;
  getAttribute(name: string): string | null;
}

interface Cell {
  readonly text: string;
  readonly across: number;
  readonly down: number;
  readonly head: boolean;
}

/** Signs of a private range that part cells and rows on their way to the table; texts lose them. */
const [CELL, FACTS, ROW, CAPTION] = ['\uE0F0', '\uE0F1', '\uE0F2', '\uE0F3'] as const;
const SIGNS = /[\uE0F0-\uE0F3]/g;
/** More columns or rows than that one cell covers are a mistake. */
const WIDEST = 100;
const DEEPEST = 1_000;

/**
 * Tables on their way from elements, which are converted from the inside out, to markdown. A table inside a cell is text of
 * that cell; one of a single column is layout, and its cells are blocks.
 */
export class Cells {
  constructor(private readonly options: CellOptions) {}

  cell(content: string, node: Attributes): string {
    const span = (name: string, most: number): number => Math.min(most, Math.max(1, Number(node.getAttribute(name) ?? 1) || 1));
    return `${CELL}${span('colspan', WIDEST)},${span('rowspan', DEEPEST)},${node.nodeName}${FACTS}${content.replace(SIGNS, ' ').trim()}`;
  }

  row(content: string): string {
    return content.includes(CELL) ? `${content}${ROW}` : '';
  }

  caption(words: string): string {
    return `${CAPTION}${words}${CAPTION}`;
  }

  table(content: string): string {
    // eslint-disable-next-line no-restricted-syntax -- made of a mark of its own
    const caption = new RegExp(`${CAPTION}([^${CAPTION}]*)${CAPTION}`).exec(content)?.[1];
    const rows = content
      .split(ROW)
      .map((row) => row.split(CELL).slice(1).map(cellOf))
      .filter((row) => row.length > 0);
    const before = caption === undefined ? '' : `${caption}\n\n`;
    if (rows.every((row) => row.length === 1)) return before + rows.map(([cell]) => cell?.text ?? '').join('\n\n');
    const merged = rows.flat().some(({ across, down }) => across > 1 || down > 1);
    if (merged && this.options.keepMerged) return before + htmlOf(rows);
    return before + tableOf(filled(rows).map((row) => row.map((text) => this.inOneLine(text))));
  }

  private inOneLine(text: string): string {
    const { cellBreak = ' ' } = this.options;
    return text
      .split(/\n+/)
      .map(oneLine)
      .filter((line) => line !== '' && !/^\|[ :|-]+\|$/.test(line))
      .join(cellBreak);
  }
}

function cellOf(text: string): Cell {
  const [facts = '', content = ''] = text.split(FACTS);
  const [across, down, name] = facts.split(',');
  return { text: content.trim(), across: Number(across) || 1, down: Number(down) || 1, head: name === 'TH' };
}

/** Rows whose merged cells are repeated in each place that they cover. */
function filled(rows: readonly (readonly Cell[])[]): string[][] {
  const grid: string[][] = rows.map(() => []);
  for (const [at, row] of rows.entries()) {
    let column = 0;
    for (const { text, across, down } of row) {
      while (grid[at]?.[column] !== undefined) column++;
      for (let y = at; y < Math.min(rows.length, at + down); y++) {
        const target = grid[y];
        if (target) for (let x = column; x < column + across; x++) target[x] = text;
      }
      column += across;
    }
  }
  return grid.map((row) => Array.from(row, (text: string | undefined) => text ?? ''));
}

function htmlOf(rows: readonly (readonly Cell[])[]): string {
  const cell = ({ text, across, down, head }: Cell): string => {
    const name = head ? 'th' : 'td';
    const spans = `${across > 1 ? ` colspan="${across}"` : ''}${down > 1 ? ` rowspan="${down}"` : ''}`;
    return `<${name}${spans}>${escapedHtml(text)}</${name}>`;
  };
  return `<table>\n${rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n')}\n</table>`;
}

/** The words of a cell of markdown as HTML: between its tags, markdown would be text. */
const escapedHtml = (markdown: string): string =>
  markdown
    .split(/\n+/)
    .map((line) => plainWords(line).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
    .join('<br>');
