/** Until all have ended, well or not, or the time is over. */
export async function waitAtMost(milliseconds: number, ...ends: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([Promise.allSettled(ends.map(async (end) => end)), over]);
  clearTimeout(timer);
}
