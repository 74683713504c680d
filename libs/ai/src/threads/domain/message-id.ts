/**
 * An id that is higher than that of the message before it: clocks of processes differ, and the order of ids is the order of a
 * branch. A made id that is not higher takes the moment after the other's.
 */
export function grownId(made: string, above: string | null): string {
  if (above === null || made > above) return made;
  const moment = (BigInt(`0x${above.slice(0, 8)}${above.slice(9, 13)}`) + 1n).toString(16).padStart(12, '0');
  return `${moment.slice(0, 8)}-${moment.slice(8)}${made.slice(13)}`;
}
