import type { JsonObject } from '@atrium/platform/kernel';

export const IMPORT_FORMATS = ['csv', 'tsv', 'xlsx', 'jsonl', 'json'] as const;
type ImportFormat = (typeof IMPORT_FORMATS)[number];
export const IMPORT_MODES = ['insert', 'upsert'] as const;
export const ON_ERROR = ['skip', 'abort'] as const;
export const MOST_INLINE_ROWS = 1_000;
const MIB = 1024 * 1024;
export const MOST_IMPORT_BYTES = 50 * MIB;
const MOST_IMPORT_ROWS = 100_000;
const MOST_COLUMNS = 500;

/** Bounds of a table that is imported; the header is a row of its own. */
export const IMPORT_LIMITS = { maxBytes: MOST_IMPORT_BYTES, maxRows: MOST_IMPORT_ROWS + 1, maxColumns: MOST_COLUMNS };

/** Where the rows of an import come from, and how they are read. */
export interface TableOrder {
  readonly file_id?: string;
  readonly rows?: readonly JsonObject[];
  readonly format?: ImportFormat;
  readonly sheet?: string;
  readonly delimiter?: string;
  readonly encoding?: string;
}

/** The field of each column; null: the column is left out. */
export type ImportMapping = Readonly<Record<string, string | null>>;

/** The same as a client says it: a column of dates may say how they are written. */
export type SaidMapping = Readonly<Record<string, string | { readonly field: string; readonly format: string } | null>>;

/** An import as a client asks for it; a context adds what its rows need besides. */
export interface ImportOrder extends TableOrder {
  readonly mapping?: SaidMapping;
  readonly mode: (typeof IMPORT_MODES)[number];
  /** By what an upsert finds rows; the external id when absent. */
  readonly key?: string;
  readonly on_error: (typeof ON_ERROR)[number];
}
