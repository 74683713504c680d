import { isShownNumber, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { samplesOf } from '@atrium/platform/tabular';
import type { ImportMapping } from '../domain/import-order';
import type { FoundTable } from './import-tables';

/** What an import would read. */
export interface ImportPreview {
  readonly columns: readonly {
    readonly name: string;
    readonly samples: readonly string[];
    readonly suggested_field: string | null;
    readonly type: string | null;
  }[];
  readonly rows: readonly JsonObject[];
  readonly total_estimate: number;
  readonly encoding: string | null;
  readonly delimiter: string | null;
}

/** What the columns of a table say to a context. */
export interface ColumnSuggestions {
  readonly mapping: ImportMapping;
  readonly typeOf: (target: string) => string;
}

const SHOWN_ROWS = 20;

/** Shows what an import would read; stores nothing. */
export async function previewTable(
  table: FoundTable,
  suggest: (columns: readonly string[]) => ColumnSuggestions | Promise<ColumnSuggestions>,
): Promise<ImportPreview> {
  const { columns, rows, total, encoding, delimiter } = await table.inspectTable(SHOWN_ROWS);
  const { mapping, typeOf } = await suggest(columns);
  return {
    columns: columns.map((name) => {
      const field = mapping[name] ?? null;
      return { name, samples: samplesOf(rows, name), suggested_field: field, type: field === null ? null : typeOf(field) };
    }),
    rows: rows.map(({ values }) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shownOf(value)]))),
    total_estimate: total,
    encoding,
    delimiter,
  };
}

/** People see numbers of a spreadsheet as it shows them. */
const shownOf = (value: JsonValue): JsonValue => (isShownNumber(value) ? value.shown : value);
