/** More than this no field takes. */
export const MOST_LISTED = 1_000;
/** What is listed behind these is not read. */
const MOST_PARTS = MOST_LISTED + 1;
/** Begins with what is no blank, so that empty parts are none. */
const PART = /[^;\s][^;]*/g;

/** The parts of a cell that lists several things: `a; b`, or texts in JSON, of which one may hold a semicolon. At most 1,001 of them. */
export function listedIn(cell: string): string[] {
  const parts: string[] = [];
  for (const part of textsOf(cell.trim()) ?? splitUp(cell)) {
    const text = part.trim();
    if (text !== '' && parts.push(text) === MOST_PARTS) break;
  }
  return parts;
}

function* splitUp(cell: string): Generator<string, void> {
  for (const [part] of cell.matchAll(PART)) yield part;
}

/** The cell that lists texts, such that `listedIn` gives them again. */
export function listCell(texts: readonly string[]): string {
  const cell = texts.join('; ');
  return cell.startsWith('[') || texts.some((text) => text.includes(';')) ? JSON.stringify(texts) : cell;
}

function textsOf(cell: string): readonly string[] | undefined {
  if (!cell.startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(cell);
    return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}
