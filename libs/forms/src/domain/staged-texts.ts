import { jsonPieces, type JsonPiece, type JsonValue } from '@atrium/platform/kernel';

/** A row of a file, as far as it is stored as JSON. */
export interface StagedRow {
  /** As it counts in its file. */
  readonly number: number;
  /** By the names of the columns that say something. */
  readonly values?: Readonly<Record<string, JsonValue>>;
}

/** The values of a row in columns that are not left out: those that nobody mapped yet are faults of the row. */
export const mappedValues = (
  values: Readonly<Record<string, JsonValue>>,
  mapping: Readonly<Record<string, string | null>>,
): Readonly<Record<string, JsonValue>> =>
  Object.fromEntries(Object.entries(values).filter(([column]) => !Object.hasOwn(mapping, column) || mapping[column] !== null));

const MIB = 1024 * 1024;

/** What may be staged, in bytes of UTF-8: of one import, and of all imports of a workspace that have not ended. */
export const MOST_STAGED = { job: 512 * MIB, workspace: 2_048 * MIB } as const;

/** Characters of one row, and of the rows that are stored together. */
const LONGEST = MIB;

/** Rows as they are staged, in order: those of one text are its JSON. A row that is too large for any content has a fault instead of its values. */
export const stagedTexts = (rows: readonly StagedRow[]): Generator<JsonPiece<StagedRow>, void> =>
  jsonPieces(rows, { longest: LONGEST, textOf });

function textOf(row: StagedRow): string {
  const text = isLarge(row) ? undefined : JSON.stringify(row);
  return text !== undefined && text.length <= LONGEST
    ? text
    : JSON.stringify({ number: row.number, values: {}, fault: 'The row is larger than 1 MiB.' });
}

/** Seen without writing it: one long text may stand in very many cells. */
const isLarge = ({ values = {} }: StagedRow): boolean =>
  Object.values(values).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0) > LONGEST;
