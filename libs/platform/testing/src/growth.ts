const TRIES = 3;
/** What is below cannot be distinguished from what else the process does. */
const LEAST_MS = 4;

/** Milliseconds of processor time that work takes, at its best of three; what other processes do at the same time does not count. */
export function processorMs(work: () => unknown): number {
  let least = Infinity;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const begun = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begun);
    least = Math.min(least, (user + system) / 1_000);
  }
  return Math.max(least, LEAST_MS);
}

/**
 * How many times longer work takes with an input of four times the size: about 4 where its time grows with the size, 16 where it
 * grows with the square of it. The inputs are made before the time is taken.
 */
export function growth<T>(inputOf: (size: number) => T, size: number, work: (input: T) => unknown): number {
  const [small, large] = [inputOf(size), inputOf(size * 4)];
  work(small);
  return processorMs(() => work(large)) / processorMs(() => work(small));
}

/** Between linear and square, with room for collections of garbage. */
export const LINEAR = 9;
