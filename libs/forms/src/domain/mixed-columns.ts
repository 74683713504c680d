import { hasForeignFraction, type JsonValue } from '@atrium/platform/kernel';
import type { CellLocale } from './cell-locale';
import type { Field } from './field';

const NUMBERS = new Set(['number', 'integer', 'decimal', 'percent', 'currency', 'rating']);

/** Columns of numbers in which some cells have the sign of another locale before a fraction: others can be two numbers. */
export class MixedColumns {
  private readonly found = new Set<string>();
  private readonly numbers: readonly string[];

  constructor(
    columns: readonly { readonly column: string; readonly field: Field }[],
    private readonly locale: CellLocale,
  ) {
    this.numbers = columns.flatMap(({ column, field }) => (NUMBERS.has(field.type.name) ? [column] : []));
  }

  /** Looks at rows before any is read. */
  inspectRows(rows: readonly Readonly<Record<string, JsonValue>>[]): void {
    for (const column of this.numbers) {
      if (this.found.has(column)) continue;
      const isMixed = rows.some((row) => {
        const cell = Object.hasOwn(row, column) ? row[column] : undefined;
        return typeof cell === 'string' && hasForeignFraction(cell, this.locale);
      });
      if (isMixed) this.found.add(column);
    }
  }

  /** How the cells of a column are read. */
  localeOf(column: string): CellLocale {
    return this.found.has(column) ? { ...this.locale, isMixed: true } : this.locale;
  }
}
