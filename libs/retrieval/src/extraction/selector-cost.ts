/** Parts of a selector that are of no weight: quoted texts, attributes, escaped characters. */
const WITHOUT_WEIGHT = /\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]/g;
const MOST_COMBINATORS = 12;
const MOST_SELECTORS = 20;

/**
 * Why a selector would take more time than a page is worth; undefined where it does not. Each `~` looks at all siblings of an element
 * and each `:has` at all that it holds, so one inside or behind another multiplies.
 */
export function selectorCost(selector: string): string | undefined {
  const bare = selector.replace(WITHOUT_WEIGHT, 'x');
  const count = (part: RegExp): number => bare.match(part)?.length ?? 0;
  if (count(/~/g) > 1) return 'must contain ~ at most once';
  if (count(/:has\(/gi) > 1) return 'must contain :has() at most once';
  if (count(/:(?:nth-|only-)/gi) > 3) return 'must count siblings at most three times';
  if (count(/,/g) >= MOST_SELECTORS) return `must list at most ${MOST_SELECTORS} selectors`;
  if (count(/[^\s,>+~(]\s*[\s>+~]\s*(?=[^\s,>+~)])/g) > MOST_COMBINATORS) return `must nest at most ${MOST_COMBINATORS} elements`;
  return undefined;
}
