// How long the turns of this process's event loop are, in processor time of its thread: a machine that has too much to do, or stops,
// lengthens them by the clock alone.
const { openSync, readSync } = require('node:fs');

/** So often the loop is looked at: turns that are shorter count together. */
const LOOK_MS = 5;
const MEMORY_EVERY = 8;

/** Watches from now on. */
class Turns {
  #clock = clockOfThread();
  #longest = 0;
  #at = [0, 0];
  #peak = 0;
  #looks = 0;
  #last = this.#clock();
  #lookedAt = now();

  constructor() {
    setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /**
   * `{ turn_ms, at, peak }` since it was asked last: processor time of the longest turn, when it began and ended in microseconds of the
   * clock that does not go back, and the most memory in use, in bytes.
   */
  take() {
    this.#look();
    this.#weigh();
    const taken = { turn_ms: this.#longest, at: this.#at, peak: this.#peak };
    [this.#longest, this.#at, this.#peak] = [0, [0, 0], 0];
    return taken;
  }

  #look() {
    const [used, at] = [this.#clock(), now()];
    if (used - this.#last > this.#longest) [this.#longest, this.#at] = [used - this.#last, [this.#lookedAt, at]];
    [this.#last, this.#lookedAt] = [used, at];
    if (this.#looks++ % MEMORY_EVERY === 0) this.#weigh();
  }

  #weigh() {
    const { heapUsed, external } = process.memoryUsage();
    this.#peak = Math.max(this.#peak, heapUsed + external);
  }
}

const now = () => Number(process.hrtime.bigint() / 1_000n);

/** Milliseconds that the main thread has run; where the system does not tell those of a thread, all threads of the process. */
const clockOfThread = () => bySchedule() ?? byProcess;

/** Linux counts nanoseconds of each thread; the first one has the number of its process. */
function bySchedule() {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    const bytes = Buffer.alloc(64);
    const read = () => Number.parseInt(bytes.latin1Slice(0, readSync(file, bytes, 0, bytes.length, 0)), 10) / 1e6;
    return Number.isFinite(read()) && read() > 0 ? read : undefined;
  } catch {
    return undefined;
  }
}

function byProcess() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

module.exports = { Turns };
