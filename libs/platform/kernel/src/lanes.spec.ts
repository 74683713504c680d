import { findEndingBy } from './ending';
import { Lanes } from './lanes';
import { Problem } from './problem';

const latch = (): { readonly open: () => void; readonly opened: Promise<void> } => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
};

describe('lanes', () => {
  it('run so many at once, the others in the order they came', async () => {
    const lanes = new Lanes(2, 10);
    const gates = [latch(), latch(), latch(), latch()];
    const begun: number[] = [];
    const all = gates.map((gate, i) =>
      lanes.runInLane(async () => {
        begun.push(i);
        await gate.opened;
      }),
    );
    await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    for (const gate of gates) gate.open();
    await Promise.all(all);
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('are taken in turns by the owners of what waits, and each owner in the order it asked', async () => {
    const lanes = new Lanes(1, 10);
    const gate = latch();
    const begun: string[] = [];
    const running = lanes.runInLane(() => gate.opened, 'busy');
    const all = ['busy 1', 'busy 2', 'busy 3', 'quiet 1', 'quiet 2', 'other 1'].map((name) =>
      lanes.runInLane(() => Promise.resolve(void begun.push(name)), name.split(' ')[0]),
    );
    gate.open();
    await Promise.all([running, ...all]);
    expect(begun).toEqual(['busy 1', 'quiet 1', 'other 1', 'busy 2', 'quiet 2', 'busy 3']);
  });

  it('refuse what finds the line full, and go on after a failure', async () => {
    const lanes = new Lanes(1, 1);
    const gate = latch();
    const failing = lanes.runInLane(async () => {
      await gate.opened;
      throw new Error('failed');
    });
    const second = lanes.runInLane(() => Promise.resolve('second'));
    await expect(lanes.runInLane(() => Promise.resolve('third'))).rejects.toBeInstanceOf(Problem);
    gate.open();
    await expect(failing).rejects.toThrow('failed');
    await expect(second).resolves.toBe('second');
    await expect(lanes.runInLane(() => Promise.resolve('fourth'))).resolves.toBe('fourth');
  });

  it('are left by what waits when its request ends, which takes the place of nobody', async () => {
    const lanes = new Lanes(1, 2);
    const gate = latch();
    const running = lanes.runInLane(() => gate.opened);
    const ending = new AbortController();
    const forget = findEndingBy(() => ending.signal);
    const work = jest.fn(() => Promise.resolve());
    const left = lanes.runInLane(work);
    forget();
    const next = lanes.runInLane(() => Promise.resolve('next'));
    ending.abort(new Error('the connection was closed'));
    await expect(left).rejects.toThrow('the connection was closed');
    gate.open();
    await running;
    await expect(next).resolves.toBe('next');
    expect(work).not.toHaveBeenCalled();
  });
});
