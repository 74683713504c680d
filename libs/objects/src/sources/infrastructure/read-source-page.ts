import { exactJson, jsonPieces, Problem, type JsonValue } from '@atrium/platform/kernel';
import { decodedAnswer } from '@atrium/platform/tabular';
import { PathFault, RowPath } from '../domain/row-path';
import { sourceRow, type SourceRow } from '../domain/source-row';

/** A page of JSON as it came, and paths to what is read of it. */
export interface SourcePageBytes {
  readonly bytes: Uint8Array;
  /** The content type of the answer, which may name another encoding than UTF-8. */
  readonly type: string;
  readonly rows: string;
  readonly total: string | null;
  readonly next: string | null;
}

/** What a page says, its rows as `SourceRow[]` in pieces of JSON, none of which takes long to parse. */
export interface ReadSourcePage {
  readonly pieces: readonly string[];
  readonly total: JsonValue | undefined;
  readonly next: JsonValue | undefined;
}

const KIB = 1024;
const PIECE = 128 * KIB;
/** Characters of JSON of one row: as many as an object may have. */
const LONGEST_ROW = KIB * KIB;

/** No cursor is longer. */
const LONGEST_VALUE = 5_000;

/** Reads a page; a row that is too large or nests too deeply has a fault instead. */
export function readSourcePage({ bytes, type, ...paths }: SourcePageBytes): ReadSourcePage {
  const body = parsed(decodedAnswer(bytes, type));
  const rows = valueAt(paths.rows, body);
  if (!Array.isArray(rows))
    throw new Problem('unprocessable_content', `The response of the source has no list at ${paths.rows}. Check osr_config.rows.`);
  return {
    pieces: piecesOf(rows as readonly JsonValue[]),
    total: brief(valueAt(paths.total, body)),
    next: brief(valueAt(paths.next, body)),
  };
}

function parsed(text: string): JsonValue {
  try {
    return exactJson(text);
  } catch {
    // It may have been cut off on its way, so that asking again can help.
    throw new Problem('upstream_failed', 'The source returned invalid or incomplete JSON.');
  }
}

function valueAt(path: string | null, body: JsonValue): JsonValue | undefined {
  try {
    return path === null ? undefined : RowPath.parse(path).read(body);
  } catch (error) {
    if (error instanceof PathFault) throw new Problem('unprocessable_content', `${path} ${error.message}. Check osr_config.`);
    throw error;
  }
}

/** As much of a value as is needed to see what is wrong with it. */
function brief(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'string') return value.slice(0, LONGEST_VALUE);
  return typeof value === 'object' && value !== null ? {} : value;
}

const piecesOf = (rows: readonly JsonValue[]): string[] => Array.from(jsonPieces(rows, { longest: PIECE, textOf }), ({ text }) => text);

function textOf(row: JsonValue): string {
  const text = JSON.stringify(sourceRow(row));
  return text.length > LONGEST_ROW ? JSON.stringify(FAULT) : text;
}

const FAULT: SourceRow = { value: null, fault: 'The row is larger than 1 MiB.' };
