import { Worker } from 'node:worker_threads';
import { growth, LINEAR, processorMs } from './growth';

/** Something that the compiler does not leave out. */
let sum = 0;
const turns = (count: number): void => {
  for (let at = 0; at < count; at++) sum = (sum * 31 + at) % 1_000_003;
};

describe('the growth of a time', () => {
  it('is that of its input for work that goes through it once', () => {
    const ratio = growth((size) => size, 1_000_000, turns);
    expect(ratio).toBeGreaterThan(2);
    expect(ratio).toBeLessThan(LINEAR);
  });

  it('is beyond the bound for work that goes through it once for each of its parts', () => {
    expect(
      growth(
        (size) => size,
        1_000,
        (size) => turns(size * size),
      ),
    ).toBeGreaterThan(LINEAR);
  });
});

describe('the time of work', () => {
  const whereCounted = process.platform === 'linux' ? it : it.skip;

  whereCounted('is that of its thread, whatever others do', async () => {
    const shared = new Int32Array(new SharedArrayBuffer(4));
    const other = new Worker(
      `const { workerData: turns } = require('node:worker_threads');
       for (let sum = 0; ; Atomics.add(turns, 0, 1), Atomics.notify(turns, 0))
         for (let at = 0; at < 3e7; at++) sum = (sum * 31 + at) % 1_000_003;`,
      { eval: true, workerData: shared },
    );
    const oneTurn = (): unknown => Atomics.wait(shared, 0, Atomics.load(shared, 0));
    oneTurn();
    const spent = processorMs(oneTurn);
    await other.terminate();
    expect(spent).toBeLessThan(20);
  });
});
