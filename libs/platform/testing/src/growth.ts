import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const TRIES = 3;
/** What is below cannot be distinguished from what else the thread does: code that is compiled, pages of memory that are given. */
const LEAST_MS = 20;
/** Inputs are made no larger than so many times the size that is asked for: some work ends at a bound of its own, and patterns end with their stack. */
const MOST_TIMES = 8;
/** Linear work is measured once more as long as it seems to grow faster: on a busy machine work takes now and then several times as long. */
const MOST_ROUNDS = 8;

/** Between linear and square, with room for collections of garbage. */
export const LINEAR = 9;

/** Milliseconds of processor time that work takes, at its best of three; what other processes and threads do at the same time does not count. */
export function processorMs(work: () => unknown): number {
  return Math.min(...Array.from({ length: TRIES }, () => spentBy(work)));
}

/**
 * How many times longer work takes with an input of four times the size: about 4 where its time grows with the size, 16 where it
 * grows with the square of it. Begins with the size and doubles it until the work takes long enough to be measured. The inputs are
 * made before the time is taken. Both sizes are measured in turn, until the least times of each show that the work is linear, which
 * the least times of square work never do: the small input is measured three times as often, so that it is not taken for slow.
 */
export function growth<T>(inputOf: (size: number) => T, size: number, work: (input: T) => unknown): number {
  collectGarbage('major');
  for (let times = 1; ; times *= 2) {
    const small = inputOf(size * times);
    work(small);
    let less = processorMs(() => work(small));
    if (less < LEAST_MS && times < MOST_TIMES) continue;
    const large = inputOf(size * times * 4);
    for (let [round, more] = [1, Infinity]; ; round++) {
      more = Math.min(
        more,
        spentBy(() => work(large)),
      );
      const ratio = Math.max(more, LEAST_MS) / Math.max(less, LEAST_MS);
      if (ratio < LINEAR || round === MOST_ROUNDS) return ratio;
      less = Math.min(
        less,
        processorMs(() => work(small)),
      );
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
