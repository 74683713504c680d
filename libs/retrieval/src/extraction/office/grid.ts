import { Problem } from '@atrium/platform/kernel';
import { PACKAGE_LIMITS, shownText, Tabular, type Cell, type PackageLimits, type Row, type Table } from '@atrium/platform/tabular';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { foundBy, resultOf } from '../extraction-result';
import { MarkdownWriter } from '../text/markdown-writer';
import { escapeMarkdown, tableOf } from '../text/markdown-syntax';
import { SignCounts } from '../text/sign-counts';
import { workbookWords } from './workbook-words';

const ENGINES = { xlsx: 2, csv: 1, tsv: 1 } as const;

/** Spreadsheets and delimited text: a table a sheet, under the name of the sheet. */
export async function extractGrid(task: ExtractionTask, format: 'xlsx' | 'csv' | 'tsv'): Promise<ExtractedText> {
  const { path, limits } = task;
  const what = format === 'xlsx' ? 'spreadsheet' : 'table';
  // What the words of a workbook are is counted in its parts; numbers are compared as the sheet shows them.
  const isCounted = (cell: Cell): boolean => format === 'xlsx' && typeof cell === 'string';
  const table = await Tabular.open(path, {
    format,
    fillMerged: true,
    what,
    limits: { maxBytes: limits.maxFileBytes, maxRows: Number.MAX_SAFE_INTEGER, package: packageLimits(limits.maxUnpackedBytes) },
  });
  try {
    const writer = new MarkdownWriter(limits.maxMarkdown);
    const left = { rows: limits.maxRows };
    const source = format === 'xlsx' ? await workbookWords(path, what, limits.maxUnpackedBytes).catch(() => undefined) : new SignCounts();
    let truncated = false;
    for (const [at, sheet] of sheetsOf(table).entries()) {
      const { rows, more } = await firstRows(table, sheet?.name, left);
      if (sheet) {
        writer.beginPage(at + 1);
        if (rows.length > 0) writer.heading(2, `${sheet.name}${sheet.hidden ? ' (hidden sheet)' : ''}`);
      }
      for (const { cells } of rows) source?.add(cells.map((cell) => (isCounted(cell) ? '' : shownText(cell))).join('\n'));
      writer.block(tableOf(gridOf(rows)));
      truncated ||= more;
    }
    const found = foundBy(writer);
    return resultOf({
      ...found,
      engine: `${format}/${ENGINES[format]}`,
      pages: format === 'xlsx' ? table.sheets.length : null,
      truncated: truncated || found.truncated,
      source,
      guessed: table.isEncodingGuessed ? (table.encoding ?? undefined) : undefined,
      whenEmpty: `The ${what} has only empty cells.`,
    });
  } finally {
    await table.close();
  }
}

const packageLimits = (maxBytes: number): PackageLimits => ({ ...PACKAGE_LIMITS, maxBytes });

const sheetsOf = (table: Table): readonly (Table['sheets'][number] | undefined)[] => (table.format === 'xlsx' ? table.sheets : [undefined]);

/** Rows of a sheet as long as rows are left; a sheet that goes beyond a bound of its own ends there. */
async function firstRows(table: Table, sheet: string | undefined, left: { rows: number }): Promise<{ rows: Row[]; more: boolean }> {
  const rows: Row[] = [];
  if (left.rows <= 0) return { rows, more: true };
  try {
    for await (const row of table.rows(sheet)) {
      if (left.rows-- <= 0) return { rows, more: true };
      rows.push(row);
    }
  } catch (error) {
    if (rows.length === 0 || !(error instanceof Problem) || error.code !== 'payload_too_large') throw error;
    return { rows, more: true };
  }
  return { rows, more: false };
}

/** Cells as text, without columns that no row uses. The first cell of what the sheet does not show says so. */
function gridOf(rows: readonly Row[]): string[][] {
  const used = new Set<number>();
  for (const { cells } of rows) for (const [column, cell] of cells.entries()) if (cell !== null) used.add(column);
  const columns = [...used].sort((a, b) => a - b);
  const unmarked = new Set(rows[0]?.hiddenColumns);
  return rows.map(({ cells, hidden }) => {
    let isHidden = hidden === true;
    return columns.map((column) => {
      const text = escapeMarkdown(shownText(cells[column] ?? null));
      if (text === '') return text;
      const row = isHidden ? ' (hidden row)' : '';
      isHidden = false;
      return `${text}${row}${unmarked.delete(column) ? ' (hidden column)' : ''}`;
    });
  });
}
