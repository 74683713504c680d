import { Metrics, type AppLogger } from '@atrium/platform/observability';
import { PermanentFailure } from './job-handling';
import { JobWatch } from './job-watch';
import type { ReceivedJob } from './queue-backend';

const ENVELOPE = {
  tenant_id: 't',
  job_id: 'j',
  key: 'k',
  version: 1,
  tracked: false,
  request_id: 'r',
  traceparent: null,
  actor: { type: 'system' },
  payload: { secret: 'hunter2' },
} as unknown as ReceivedJob['envelope'];
const RECEIVED: ReceivedJob = {
  envelope: ENVELOPE,
  attempt: 2,
  lastAttempt: false,
  isFirst: true,
  signal: new AbortController().signal,
  heartbeat: () => Promise.resolve(),
  returnToQueue: () => Promise.resolve(new Error('back')),
};

describe('a run of a job', () => {
  const lines: object[] = [];
  const metrics = new Metrics();
  const watch = new JobWatch(metrics, { info: (line: object) => void lines.push(line) } as unknown as AppLogger);
  const outcomes = async (): Promise<unknown[]> =>
    (await metrics.jobs.get()).values
      .filter(({ metricName }) => metricName?.endsWith('_count'))
      .map(({ labels, value }) => [labels.outcome, value]);

  it('is logged in a line with the request that added it, and without its payload', async () => {
    await watch.watchRun('shop.pack', RECEIVED, () => Promise.resolve('done'));
    expect(lines).toEqual([
      { job: 'shop.pack', job_id: 'j', tenant_id: 't', request_id: 'r', attempt: 2, outcome: 'done', ms: expect.any(Number) },
    ]);
  });

  it('is counted by what became of it', async () => {
    await watch.watchRun('shop.pack', RECEIVED, () => Promise.resolve('waits'));
    await expect(watch.watchRun('shop.pack', RECEIVED, () => Promise.reject(new PermanentFailure('no')))).rejects.toThrow('no');
    await expect(watch.watchRun('shop.pack', RECEIVED, () => Promise.reject(new Error('later')))).rejects.toThrow('later');
    await expect(
      watch.watchRun('shop.pack', RECEIVED, async ({ returnToQueue: handBack }) => Promise.reject(await handBack())),
    ).rejects.toThrow('back');
    expect(await outcomes()).toEqual([
      ['done', 1],
      ['waits', 1],
      ['failed', 1],
      ['retried', 1],
      ['handed_back', 1],
    ]);
  });

  it('counts as running until it ends', async () => {
    const running = async (): Promise<number | undefined> => (await metrics.jobsRunning.get()).values[0]?.value;
    await watch.watchRun('shop.pack', RECEIVED, async () => {
      expect(await running()).toBe(1);
      return 'done';
    });
    expect(await running()).toBe(0);
  });
});
