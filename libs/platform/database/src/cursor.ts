/** Where a page ended: the order it was read in, the key of its last row, and that row's id. */
export interface Position {
  readonly sort: string;
  readonly key: string | number;
  readonly id: string;
}

const MAX_LENGTH = 512;

/** Opaque to clients: base64url of `[sort, key, id]`. */
export function encodeCursor({ sort, key, id }: Position): string {
  return Buffer.from(JSON.stringify([sort, key, id]), 'utf8').toString('base64url');
}

/** The position, or null when the cursor is unreadable or was issued under another order: then the first page answers. */
export function decodeCursor(cursor: string | undefined, sort: string): Position | null {
  if (!cursor || cursor.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(parsed) || parsed.length !== 3) return null;
    const [issued, key, id] = parsed as [unknown, unknown, unknown];
    if (issued !== sort || typeof id !== 'string' || (typeof key !== 'string' && typeof key !== 'number')) return null;
    return { sort, key, id };
  } catch {
    return null;
  }
}
