/** How many levels a site has at most. */
export const MOST_LEVELS = 15;

const STEP = 32;
/** Behind every digit: the end of the range of lineages that begin with one. */
export const BEHIND = 'g';

/** The ids from the top to a node, as one text: everything below the node begins with it. */
export const lineageBelow = (above: string, node_id: string): string => above + node_id.toLowerCase().replaceAll('-', '');

/** 1 at the top. */
export const levelOf = (lineage: string): number => lineage.length / STEP;

/** The ids in a lineage, top first. */
export function idsIn(lineage: string): string[] {
  const steps = lineage.match(/.{32}/g) ?? [];
  return steps.map((digits) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
}

/** Whether the lineage is the other one or is below it. */
export const isWithin = (lineage: string, other: string): boolean => lineage.startsWith(other);
