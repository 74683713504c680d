import { PartSilent, Pulse } from './pulse';

/** A part that answers, is slow to answer or says nothing. */
class Part {
  silent = false;
  probes = 0;
  lettingGo = 0;
  readonly pulse = new Pulse({
    part: 'The part',
    quietMs: 20,
    limitMs: 40,
    probe: async (signal) => {
      this.probes += 1;
      if (this.silent) await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    },
    onLost: () => void (this.lettingGo += 1),
  });
}

const never = (): Promise<never> => new Promise(() => undefined);
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('A pulse', () => {
  let part: Part;

  beforeEach(() => {
    part = new Part();
  });
  afterEach(() => part.pulse.close());

  it('hands on what the work answers or throws', async () => {
    expect(await part.pulse.watchWork(async () => 7)).toBe(7);
    await expect(part.pulse.watchWork(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(part.probes).toBe(0);
  });

  it('leaves slow work alone while probes are answered', async () => {
    const slow = part.pulse.watchWork(async () => {
      await until(() => part.probes >= 2);
      return 'late';
    });
    expect(await slow).toBe('late');
    expect([part.pulse.isLost, part.lettingGo]).toEqual([false, 0]);
  });

  it('lets all go at once when nothing answers, refuses newcomers without asking, and comes back by itself', async () => {
    part.silent = true;
    const waiting = [part.pulse.watchWork(never), part.pulse.watchWork(never)];
    for (const one of waiting) await expect(one).rejects.toThrow(PartSilent);
    expect([part.pulse.isLost, part.lettingGo]).toEqual([true, 1]);
    const asked = jest.fn(never);
    await expect(part.pulse.watchWork(asked)).rejects.toThrow('The part does not respond.');
    expect(asked).not.toHaveBeenCalled();
    part.silent = false;
    await until(() => !part.pulse.isLost);
    expect(await part.pulse.watchWork(async () => 'back')).toBe('back');
  });

  it('is not lost while anything at all is heard', async () => {
    part.silent = true;
    const hearing = setInterval(() => part.pulse.recordActivity(), 5);
    const slow = part.pulse.watchWork(() => new Promise((resolve) => setTimeout(resolve, 300, 'late')));
    expect(await slow.finally(() => clearInterval(hearing))).toBe('late');
    expect(part.lettingGo).toBe(0);
  });
});
