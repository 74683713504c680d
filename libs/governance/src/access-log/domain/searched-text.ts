/** What every path begins with. The database narrows no search by it, so that it needs no place in the index. */
const BEGINNING = /^\/api\/v\d(?=\/)/;
/** Five groups of hexadecimal digits that no letter or digit adjoins: what the database calls an id in a text as well. */
const IDS = /(?<![0-9A-Za-z])[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}(?![0-9A-Za-z])/g;
/** A number as JavaScript writes it and PostgreSQL does not. */
const EXPONENT = /\de[+-]\d/;

/** What of a row is searched: its text without ids, and these. */
export interface SearchedText {
  readonly text: string;
  readonly ids: ReadonlySet<string> | undefined;
}

/**
 * The searched text of a row from its path and its parts as JSON. Ids are kept apart, because each is new to an index over
 * parts of words, and would be most of what it costs. Undefined where the database has to say it.
 */
export function searchedText(path: string, parts: readonly (string | undefined)[]): SearchedText | undefined {
  let whole = path.replace(BEGINNING, '');
  for (const part of parts) if (part !== undefined) whole += `\n${part}`;
  let ids: Set<string> | undefined;
  const text = whole.replace(IDS, (id) => {
    (ids ??= new Set()).add(id);
    return '';
  });
  // Ids are full of what looks like an exponent.
  return EXPONENT.test(text) ? undefined : { text, ids };
}
