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
      lanes.run(async () => {
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

  it('refuse what finds the line full, and go on after a failure', async () => {
    const lanes = new Lanes(1, 1);
    const gate = latch();
    const failing = lanes.run(async () => {
      await gate.opened;
      throw new Error('failed');
    });
    const second = lanes.run(() => Promise.resolve('second'));
    await expect(lanes.run(() => Promise.resolve('third'))).rejects.toBeInstanceOf(Problem);
    gate.open();
    await expect(failing).rejects.toThrow('failed');
    await expect(second).resolves.toBe('second');
    await expect(lanes.run(() => Promise.resolve('fourth'))).resolves.toBe('fourth');
  });
});
