import { Problem } from '@atrium/platform/kernel';
import { busyProblem, isBusyStatus, OutboundRetries, retryAfterSeconds, type RetryWait } from './outbound-retries';

class Hasty extends OutboundRetries {
  override readonly pauseMs = 1;
}

const { signal } = new AbortController();

/** A question that fails some times before it is answered; counts how often it was asked. */
const questionThat = (failing: number, error: Error): jest.Mock<Promise<string>> => {
  let asked = 0;
  return jest.fn(() => (++asked <= failing ? Promise.reject(error) : Promise.resolve('answer')));
};

describe('a service that is asked with retries', () => {
  it.each(['upstream_failed', 'upstream_timeout'] as const)('is asked six times in all while it fails with %s', async (code) => {
    const passing = questionThat(5, new Problem(code, 'busy'));
    expect(await new Hasty().askWithRetries({ signal }, passing)).toBe('answer');
    const lasting = questionThat(6, new Problem(code, 'busy'));
    await expect(new Hasty().askWithRetries({ signal }, lasting)).rejects.toMatchObject({ code });
    expect(lasting).toHaveBeenCalledTimes(6);
  });

  it('is asked once where the fault does not pass, or where the caller asks once only', async () => {
    for (const [error, once] of [
      [new Problem('unprocessable_content', 'no'), false],
      [new Error('a fault of ours'), false],
      [new Problem('upstream_failed', 'busy'), true],
    ] as const) {
      const question = questionThat(1, error);
      await expect(new Hasty().askWithRetries({ signal, once }, question)).rejects.toBe(error);
      expect(question).toHaveBeenCalledTimes(1);
    }
  });

  it('is waited for with pauses that double, or that it asks for, up to five minutes', async () => {
    const waits: RetryWait[] = [];
    const leave = new Error('the run left its slot');
    const wait = async (error: Problem, tried: number) => {
      const waiting = (next: RetryWait): Promise<void> => Promise.reject((waits.push(next), leave));
      await expect(new OutboundRetries().askWithRetries({ signal, tried, waiting }, questionThat(1, error))).rejects.toBe(leave);
    };
    await wait(new Problem('upstream_failed', 'busy'), 0);
    await wait(new Problem('upstream_failed', 'busy'), 3);
    await wait(busyProblem('busy', { 'retry-after': '7' }), 0);
    await wait(busyProblem('busy', { 'retry-after': '99999' }), 0);
    expect(waits).toEqual([
      { tried: 1, leftMs: 1_000 },
      { tried: 4, leftMs: 8_000 },
      { tried: 1, leftMs: 7_000 },
      { tried: 1, leftMs: 300_000 },
    ]);
  });

  it('is not asked again by a run that was cancelled', async () => {
    const leaving = new AbortController();
    const question = jest.fn(() => {
      leaving.abort(new Error('cancelled'));
      return Promise.reject(new Problem('upstream_failed', 'busy'));
    });
    await expect(new Hasty().askWithRetries({ signal: leaving.signal }, question)).rejects.toThrow('cancelled');
    expect(question).toHaveBeenCalledTimes(1);
  });
});

it('a status is busy where the same request may succeed later', () => {
  expect([400, 401, 404, 408, 422, 425, 429, 500, 501, 502, 503, 504].filter(isBusyStatus)).toEqual([408, 425, 429, 500, 502, 503, 504]);
});

describe('the header Retry-After', () => {
  it.each([
    ['3', 3],
    [' 3 ', 3],
    ['0', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    [undefined, undefined],
    ['soon', undefined],
  ])('%j is %j seconds', (header, seconds) => {
    expect(retryAfterSeconds(header)).toBe(seconds);
  });

  it('may be a date', () => {
    const seconds = retryAfterSeconds(new Date(Date.now() + 60_000).toUTCString()) ?? 0;
    expect(Math.abs(seconds - 60)).toBeLessThanOrEqual(1);
  });
});
