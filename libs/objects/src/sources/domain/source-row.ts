import { nestsDeeper, type JsonValue } from '@atrium/platform/kernel';

/** A row as its source says it; one that cannot be read has a fault instead. */
export type SourceRow = { readonly value: JsonValue; readonly fault?: undefined } | { readonly value: null; readonly fault: string };

/** Levels of lists and objects inside each other in a row; everything behind this walks rows by recursion. */
const DEEPEST = 100;

/** A row of what a source says; one that nests beyond all use is refused alone. */
export function sourceRow(value: JsonValue, place = 'The row'): SourceRow {
  if (typeof value !== 'object' || value === null) return { value: null, fault: `${place} is not an object.` };
  return nestsDeeper(value, DEEPEST) ? { value: null, fault: `${place} is nested deeper than ${DEEPEST} levels.` } : { value };
}
