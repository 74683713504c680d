/** The parts of a cell that lists several things: `a; b`, or texts in JSON, of which one may hold a semicolon. */
export const listedIn = (cell: string): string[] =>
  (textsOf(cell.trim()) ?? cell.split(';')).map((part) => part.trim()).filter((part) => part !== '');

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
