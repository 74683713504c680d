import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const TRIES = 3;
/** How many times larger the large input is. */
const WIDER = 4;
/** What is below cannot be distinguished from what else the thread does: code that is compiled, pages of memory that are given. */
const LEAST_MS = 20;
/** Inputs are made no larger than so many times the size that is asked for: some work ends at a bound of its own, and patterns end with their stack. */
const MOST_TIMES = 8;
/** Linear work is measured twice, and once more as long as it seems to grow faster: on a busy machine work takes now and then several times as long. */
const [LEAST_ROUNDS, MOST_ROUNDS] = [2, 8];

/** Between linear and square, with room for collections of garbage. */
export const LINEAR = 9;

/** Milliseconds of processor time that work takes, at its best of three; what other processes and threads do at the same time does not count. */
export function processorMs(work: () => unknown): number {
  return Math.min(...Array.from({ length: TRIES }, () => spentBy(work)));
}

/**
 * How many times longer work takes with an input of four times the size: about 4 where its time grows with the size, 16 where it
 * grows with the square of it. Begins with the size and doubles it until the work takes long enough to be measured. The inputs are
 * made before the time is taken. Both sizes are measured in turn, the small one four times in a row, so that both last as long, make
 * as much garbage and are disturbed alike where the work is linear; then until the least times of each show that it is.
 */
export function growth<T>(inputOf: (size: number) => T, size: number, work: (input: T) => unknown): number {
  collectGarbage('major');
  for (let times = 1; ; times *= 2) {
    const small = inputOf(size * times);
    work(small);
    if (processorMs(() => work(small)) < LEAST_MS && times < MOST_TIMES) continue;
    const large = inputOf(size * times * WIDER);
    const inARow = (): void => {
      for (let at = 0; at < WIDER; at++) work(small);
    };
    let [less, more] = [Infinity, Infinity];
    for (let round = 1; ; round++) {
      more = Math.min(
        more,
        spentBy(() => work(large)),
      );
      less = Math.min(less, spentBy(inARow) / WIDER);
      const ratio = Math.max(more, LEAST_MS) / Math.max(less, LEAST_MS);
      if (round === MOST_ROUNDS || (round >= LEAST_ROUNDS && ratio < LINEAR)) return ratio;
    }
  }
}

/** Milliseconds that one run takes, begun without garbage of the one before. */
function spentBy(work: () => unknown): number {
  collectGarbage('minor');
  const begun = threadMs();
  work();
  return threadMs() - begun;
}

/** Bytes of buffers that something still holds. */
export function heldBytes(): number {
  // What the first collection finds is given back by the second one at the latest.
  collectGarbage('major');
  collectGarbage('major');
  return process.memoryUsage().arrayBuffers;
}

/** Linux counts the time of each thread; elsewhere those that compile and collect garbage count as well. */
const OF_THREAD = '/proc/thread-self/schedstat';
const threadMs = isReadable(OF_THREAD)
  ? (): number => Number(readFileSync(OF_THREAD, 'latin1').split(' ', 1)[0]) / 1e6
  : (): number => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    };

function isReadable(path: string): boolean {
  try {
    return Number(readFileSync(path, 'latin1').split(' ', 1)[0]) > 0;
  } catch {
    return false;
  }
}

type Collect = (how: { readonly type: 'minor' | 'major' }) => void;

const collect = exposedCollection();

function collectGarbage(type: 'minor' | 'major'): void {
  collect({ type });
}

/** V8 gives its collection to contexts that are made while the flag is set. */
function exposedCollection(): Collect {
  setFlagsFromString('--expose-gc');
  const exposed = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return exposed;
}
