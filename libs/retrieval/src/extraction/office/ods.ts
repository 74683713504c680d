import { damagedFile } from '@atrium/platform/tabular';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { foundBy, resultOf } from '../extraction-result';
import { escapeMarkdown, tableOf } from '../text/markdown-syntax';
import { MarkdownWriter } from '../text/markdown-writer';
import { odfFacts, openOdf, readPart } from './odf-package';
import { OdfStyles } from './odf-styles';
import { wordsOfOdf } from './odf-words';
import { OdsSheets, type Sheet } from './ods-sheets';

const ENGINE = 'ods/1';
const WHAT = 'spreadsheet';
/** Every row of the largest sheet, with some columns each; a few seconds. */
const MOST_PLACES = 30_000_000;

/** The sheets of an OpenDocument spreadsheet: a table a sheet, with its cells as they show. */
export async function extractOds({ path, limits }: ExtractionTask): Promise<ExtractedText> {
  const pack = await openOdf(path, WHAT, limits.maxUnpackedBytes);
  try {
    if (!pack.has('content.xml')) throw damagedFile(WHAT);
    const source = await wordsOfOdf(pack, WHAT);
    const book = new OdsSheets(
      { styles: await OdfStyles.of(pack, WHAT), words: source },
      { rows: limits.maxRows, characters: limits.maxMarkdown, places: MOST_PLACES },
    );
    await readPart(pack, 'content.xml', book, WHAT);
    const writer = new MarkdownWriter(limits.maxMarkdown);
    for (const [at, sheet] of book.sheets.entries()) writeSheet(writer, sheet, at + 1);
    const found = foundBy(writer);
    const { metadata } = await odfFacts(pack, WHAT);
    return resultOf({
      ...found,
      engine: ENGINE,
      pages: book.sheets.length,
      truncated: book.isCut || found.truncated,
      metadata,
      source,
      whenEmpty: 'The spreadsheet has only empty cells.',
    });
  } finally {
    pack.close();
  }
}

function writeSheet(writer: MarkdownWriter, sheet: Sheet, page: number): void {
  writer.beginPage(page);
  if (sheet.rows.length === 0 && sheet.besides.length === 0) return;
  writer.heading(2, `${sheet.name}${sheet.hidden ? ' (hidden sheet)' : ''}`);
  writer.block(tableOf(gridOf(sheet)));
  for (const words of sheet.besides) writer.block(escapeMarkdown(words));
}

/** Rows without columns that none of them uses. The first cell of what the sheet does not show says so. */
function gridOf({ rows, hiddenRows, hiddenColumns }: Sheet): string[][] {
  const used = new Set<number>();
  for (const row of new Set(rows)) for (const column of row.keys()) used.add(column);
  const columns = [...used].sort((a, b) => a - b);
  const unmarked = new Set(hiddenColumns);
  return rows.map((row) => {
    let isHidden = hiddenRows.has(row);
    return columns.map((column) => {
      const text = row.get(column) ?? '';
      if (text === '') return text;
      const mark = isHidden ? ' (hidden row)' : '';
      isHidden = false;
      return `${text}${mark}${unmarked.delete(column) ? ' (hidden column)' : ''}`;
    });
  });
}
