const MIB = 1024 * 1024;

/** Some rows in a row, as the JSON of their array. */
export interface JsonPiece<Row> {
  readonly text: string;
  readonly last: Row;
}

/**
 * Rows in order, as arrays of JSON of at most `longest` characters (a mebibyte), or of one row where it alone is longer: none takes
 * long to write, to send or to parse, however large all of them are together.
 */
export function* jsonPieces<Row>(
  rows: Iterable<Row>,
  { longest = MIB, textOf = (row: Row) => JSON.stringify(row) }: { readonly longest?: number; readonly textOf?: (row: Row) => string } = {},
): Generator<JsonPiece<Row>, void> {
  let texts: string[] = [];
  let size = 0;
  let last: Row | undefined;
  for (const row of rows) {
    const text = textOf(row);
    if (texts.length > 0 && size + text.length > longest) {
      yield { text: `[${texts.join()}]`, last: last as Row };
      [texts, size] = [[], 0];
    }
    texts.push(text);
    size += text.length + 1;
    last = row;
  }
  if (texts.length > 0) yield { text: `[${texts.join()}]`, last: last as Row };
}

/** The rows of pieces of JSON, each of which is parsed in a turn of the event loop of its own. */
export async function rowsOfPieces<Row>(pieces: Iterable<string>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const piece of pieces) {
    for (const row of JSON.parse(piece) as Row[]) rows.push(row);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return rows;
}
