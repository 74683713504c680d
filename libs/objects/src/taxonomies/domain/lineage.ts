/** How many levels of terms a taxonomy has at most. */
export const MOST_LEVELS = 10;

const STEP = 32;

/** The ids from the top to a term, as one text: everything below the term begins with it. */
export const lineageBelow = (above: string, term_id: string): string => above + term_id.toLowerCase().replaceAll('-', '');

/** 1 at the top. */
export const levelOf = (lineage: string): number => lineage.length / STEP;

/** The ids in a lineage, top first. */
export function idsIn(lineage: string): string[] {
  const steps = lineage.match(/.{32}/g) ?? [];
  return steps.map((digits) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
}

/** Whether the lineage is the other one or is below it. */
export const isWithin = (lineage: string, other: string): boolean => lineage.startsWith(other);
