const MOST_NAMES = 200;
const LONGEST = 64;

/**
 * The known name that was most likely meant, or undefined when none is near: names differ by a letter or two, more in
 * longer ones. Own code, because the one package for it is no dependency of the service and would save twelve lines.
 */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  if (given.length > LONGEST) return undefined;
  const wanted = normal(given);
  let [nearest, least]: [string | undefined, number] = [undefined, Math.min(3, Math.floor(wanted.length / 3) + 1)];
  for (const name of [...known].slice(0, MOST_NAMES)) {
    const away = distance(wanted, normal(name));
    if (away < least) [nearest, least] = [name, away];
  }
  return nearest ?? [...known].find((name) => normal(name).endsWith(`_${wanted}`) && wanted.length > 2);
}

/** `albumName` and `album-name` are the same word as `album_name`. */
const normal = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

/** Letters to insert, remove, replace or swap with their neighbour. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Infinity;
  let [before, last, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j), [] as number[]];
  for (let i = 1; i <= a.length; i++) {
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      row[j] = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same, swapped);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? Infinity;
}
