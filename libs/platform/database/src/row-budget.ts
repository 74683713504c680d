/** So many rows are asked for at once; of more, the others when the size of the first ones is known. */
const FIRST_ROWS = 101;
const LEAST_ROWS = 10;
/** Statements that are remembered as large. */
const MOST_LARGE = 500;

/** Statements whose last answer did not fit: those are asked for a part first, however few rows they answer. */
export class LargeStatements {
  private readonly texts = new Set<string>();

  has(text: string): boolean {
    return this.texts.has(text);
  }

  /** Notes how the answer was; the statement that was noted longest ago is forgotten. */
  recordAnswer(text: string, { isCut }: Pick<RowBudget, 'isCut'>): void {
    this.texts.delete(text);
    if (!isCut) return;
    this.texts.add(text);
    const [oldest] = this.texts;
    if (this.texts.size > MOST_LARGE && oldest !== undefined) this.texts.delete(oldest);
  }
}

/**
 * How much of an answer is read: as many of its rows as fit into so many bytes, and one in any case. Of a large answer
 * PostgreSQL is asked for a part at a time, so that it does not make what will not be read.
 */
export class RowBudget {
  private taken = 0;
  private bytes = 0;
  private full = false;

  constructor(
    /** Rows that the statement answers at most. */
    private readonly rows: number,
    private readonly mostBytes: number,
  ) {}

  /** Whether rows were left out. */
  get isCut(): boolean {
    return this.full;
  }

  /** Rows to ask for first; 0: all of them. Fewer where the last answer was too large. */
  first(wasLarge: boolean): number {
    const first = wasLarge ? LEAST_ROWS : FIRST_ROWS;
    return this.rows > first ? first : 0;
  }

  /** Rows to ask for next: about as many as still fit. */
  get next(): number {
    const fitting = Math.ceil((this.mostBytes - this.bytes) / Math.max(1, this.bytes / Math.max(1, this.taken)));
    return Math.min(Math.max(fitting, LEAST_ROWS), Math.max(this.rows - this.taken, 1));
  }

  /** Takes a row of so many bytes, or leaves it and all after it out. */
  admits(bytes: number): boolean {
    if (!this.full && this.taken > 0 && this.bytes + bytes > this.mostBytes) this.full = true;
    if (this.full) return false;
    this.taken += 1;
    this.bytes += bytes;
    return true;
  }
}

/** What completing a row costs its context, and how much of it one page may cost. */
export interface RowEffort {
  readonly most: number;
  readonly of: (row: Readonly<Record<string, unknown>>) => number;
}

/** How many of the rows, from the first on, may be completed: one in any case. */
export function affordableRows(rows: readonly Readonly<Record<string, unknown>>[], { most, of }: RowEffort): number {
  let spent = 0;
  const at = rows.findIndex((row) => (spent += of(row)) > most);
  return at < 0 ? rows.length : Math.max(at, 1);
}
