const TRIES = 3;
/** What is below cannot be distinguished from what else the process does: a collection of garbage, code that is compiled. */
const LEAST_MS = 20;
/** Inputs are made no larger than so many times the size that is asked for: some work ends at a bound of its own, and patterns end with their stack. */
const MOST_TIMES = 8;

/** Milliseconds of processor time that work takes, at its best of three; what other processes do at the same time does not count. */
export function processorMs(work: () => unknown): number {
  let least = Infinity;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const begun = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begun);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/**
 * How many times longer work takes with an input of four times the size: about 4 where its time grows with the size, 16 where it
 * grows with the square of it. Begins with the size and doubles it until the work takes long enough to be measured. The inputs are
 * made before the time is taken.
 */
export function growth<T>(inputOf: (size: number) => T, size: number, work: (input: T) => unknown): number {
  for (let times = 1; ; times *= 2) {
    const small = inputOf(size * times);
    work(small);
    const taken = processorMs(() => work(small));
    if (taken < LEAST_MS && times < MOST_TIMES) continue;
    const large = inputOf(size * times * 4);
    return (
      Math.max(
        processorMs(() => work(large)),
        LEAST_MS,
      ) / Math.max(taken, LEAST_MS)
    );
  }
}

/** Between linear and square, with room for collections of garbage. */
export const LINEAR = 9;
