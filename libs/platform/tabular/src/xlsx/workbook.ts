import { Package } from '../package';
import { damagedFile, tooMany } from '../problems';
import { mainPart, relationshipsOf, type Relationship } from '../relationships';
import type { TabularLimits } from '../limits';
import type { Row, SheetName } from '../row';
import { readXml } from '../xml-events';
import { MergedCells, mergedRanges } from './merged-cells';
import { timeFormatOf } from './number-formats';
import { sharedStrings } from './shared-strings';
import { SheetRows, type CellFormat } from './sheet-rows';
import { NumberShows } from './shown-numbers';

export interface WorkbookOptions {
  readonly limits: TabularLimits;
  /** Every cell of a merged range holds its value, not the first one alone. */
  readonly fillMerged?: boolean;
  readonly what?: string;
}

interface Sheet extends SheetName {
  readonly part: string;
}

/** Formats of cells that a workbook may have, by its specification. */
const MOST_FORMATS = 65_490;
/** Sheets that a workbook may have here; programs hold no more in memory. */
const MOST_SHEETS = 10_000;
const NO_FORMATS: readonly CellFormat[] = [];

/** A spreadsheet of the Office Open XML format. Formulas show the value that the program saved with them. */
export class Workbook {
  private texts: readonly string[] | undefined;
  private formats: readonly CellFormat[] | undefined;

  private constructor(
    private readonly pack: Package,
    readonly sheets: readonly Sheet[],
    private readonly from1904: boolean,
    private readonly parts: readonly Relationship[],
    private readonly options: WorkbookOptions,
  ) {}

  static async open(source: string | Buffer, options: WorkbookOptions): Promise<Workbook> {
    const { what = 'file', limits } = options;
    const pack = await Package.open(source, { limits: limits.package, what });
    try {
      const main = (await mainPart(pack, what)) ?? 'xl/workbook.xml';
      const parts = await relationshipsOf(pack, main, what);
      const { sheets, from1904 } = await readWorkbook(pack, main, parts, what);
      return new Workbook(pack, sheets, from1904, parts, options);
    } catch (error) {
      pack.close();
      throw error;
    }
  }

  /** Rows of a sheet that hold something, in their order. */
  async *rows(sheet: Sheet): AsyncGenerator<Row, void> {
    const { what = 'file', limits, fillMerged = false } = this.options;
    this.texts ??= await this.sharedTexts(what);
    this.formats ??= await this.cellFormats(what);
    const merged = fillMerged ? new MergedCells(await mergedRanges(await this.pack.stream(sheet.part))) : undefined;
    const rows = new SheetRows({ texts: this.texts, formats: this.formats, from1904: this.from1904, limits, what });
    for await (const row of rows.read(await this.pack.stream(sheet.part))) {
      yield merged ? { ...row, cells: merged.fill(row.number, row.cells) } : row;
    }
  }

  close(): void {
    this.pack.close();
  }

  private async sharedTexts(what: string): Promise<readonly string[]> {
    const part = this.partOf('sharedStrings');
    return part === undefined ? [] : sharedStrings(this.pack, part, this.options.limits.maxSharedText, what);
  }

  private async cellFormats(what: string): Promise<readonly CellFormat[]> {
    const part = this.partOf('styles');
    return part === undefined ? NO_FORMATS : readStyles(this.pack, part, what);
  }

  private partOf(kind: string): string | undefined {
    return this.parts.find((part) => part.kind === kind && !part.external && this.pack.has(part.target))?.target;
  }
}

async function readWorkbook(
  pack: Package,
  main: string,
  parts: readonly Relationship[],
  what: string,
): Promise<{ sheets: Sheet[]; from1904: boolean }> {
  if (!pack.has(main)) throw damagedFile(what, `It contains no ${main}.`);
  const sheets: Sheet[] = [];
  const byId = new Map(parts.map((part) => [part.id, part]));
  let from1904 = false;
  await readXml(
    await pack.stream(main),
    {
      open(element) {
        if (element.name === 'workbookPr') from1904 = /^(1|true)$/.test(element.attribute('date1904') ?? '');
        if (element.name !== 'sheet') return;
        const id = element.reference('id');
        const part = id === undefined ? undefined : byId.get(id);
        // Charts and dialogs are sheets too, without rows.
        if (part?.kind !== 'worksheet' || part.external || !pack.has(part.target)) return;
        if (sheets.length === MOST_SHEETS) throw tooMany(what, MOST_SHEETS, 'sheets');
        const hidden = /^(hidden|veryHidden)$/.test(element.attribute('state') ?? '');
        sheets.push({ name: element.attribute('name') ?? `Sheet ${sheets.length + 1}`, hidden, part: part.target });
      },
    },
    what,
  );
  return { sheets, from1904 };
}

/** By the number of a cell's style: whether its number represents a time, and how it is shown. */
async function readStyles(pack: Package, part: string, what: string): Promise<CellFormat[]> {
  const codes = new Map<number, string>();
  const known = new Map<number, CellFormat>();
  const formats: CellFormat[] = [];
  const shows = new NumberShows();
  let inCells = false;
  await readXml(
    await pack.stream(part),
    {
      open(element) {
        if (element.name === 'numFmt') codes.set(Number(element.attribute('numFmtId')), element.attribute('formatCode') ?? '');
        else if (element.name === 'cellXfs') inCells = true;
        else if (element.name === 'xf' && inCells) {
          const id = Number(element.attribute('numFmtId') ?? 0);
          if (formats.length >= MOST_FORMATS) throw tooMany(what, MOST_FORMATS, 'formats of cells');
          const format = known.get(id) ?? formatOf(id, codes.get(id), shows);
          known.set(id, format);
          formats.push(format);
        }
      },
      close(name) {
        if (name === 'cellXfs') inCells = false;
      },
    },
    what,
  );
  return formats;
}

function formatOf(id: number, code: string | undefined, shows: NumberShows): CellFormat {
  const time = timeFormatOf(id, code);
  return time === undefined ? { show: shows.findFormat(id, code) } : { time };
}
