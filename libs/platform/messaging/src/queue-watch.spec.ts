import { QueueWatch, type QueueSnapshot } from './queue-watch';

const glance = (running: readonly string[], claimable: readonly string[] = []): QueueSnapshot => ({
  running: new Set(running),
  claimable: new Set(claimable),
});

/** Queues that hold what the test says, and how often they were asked. */
function queuesWith(...answers: (QueueSnapshot | Error)[]) {
  let asked = 0;
  const ask = (): Promise<QueueSnapshot> => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? glance([]));
  };
  return { glance: new QueueWatch(ask, 5_000), asked: () => asked };
}

describe('a glance at the queues', () => {
  beforeEach(() => void jest.useFakeTimers({ now: 0 }));
  afterEach(() => void jest.useRealTimers());

  it('answers all workers of a process by one question', async () => {
    const { glance: queues, asked } = queuesWith(glance(['pack']));
    const names = Array.from({ length: 57 }, (_, at) => (at === 3 ? 'pack' : `job ${at}`));
    const answers = await Promise.all(names.map((name) => queues.hasRunning(name)));
    expect(answers.flatMap((isRunning, at) => (isRunning ? [names[at]] : []))).toEqual(['pack']);
    expect(asked()).toBe(1);
  });

  it('is repeated before a worker comes to look again', async () => {
    const { glance: queues, asked } = queuesWith(glance([]), glance(['pack']));
    expect(await queues.hasRunning('pack')).toBe(false);
    jest.advanceTimersByTime(2_499);
    expect(await queues.hasRunning('pack')).toBe(false);
    jest.advanceTimersByTime(1);
    expect(await queues.hasRunning('pack')).toBe(true);
    expect(asked()).toBe(2);
  });

  it('wakes those who wait although there are jobs, and nobody else', async () => {
    const { glance: queues } = queuesWith(glance([], ['pack']));
    const woken: string[] = [];
    const workers = ['pack', 'bill', 'pack'].map((queue, at) => ({ queue, wake: () => void woken.push(`${queue} ${at}`) }));
    for (const worker of workers) queues.add(worker);
    const [gone] = workers;
    if (gone) queues.remove(gone);
    await queues.hasRunning('bill');
    expect(woken).toEqual(['pack 2']);
  });

  it('is taken again at once where it failed', async () => {
    const { glance: queues } = queuesWith(new Error('The database went away.'), glance(['pack']));
    await expect(queues.hasRunning('pack')).rejects.toThrow('The database went away.');
    expect(await queues.hasRunning('pack')).toBe(true);
  });
});
