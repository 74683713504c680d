import { currentEnding, findEndingBy, onceForAll } from './ending';

describe('what is made once for all', () => {
  it('is made with the first use, and again after a failure', async () => {
    const answers = [Promise.reject(new Error('broken off')), Promise.resolve('made')];
    const make = jest.fn(() => answers.shift() ?? Promise.resolve('made twice'));
    const use = onceForAll(make);
    expect(make).not.toHaveBeenCalled();
    const [one, other] = await Promise.allSettled([use(), use()]);
    expect([one.status, other.status]).toEqual(['rejected', 'rejected']);
    await expect(use()).resolves.toBe('made');
    await expect(use()).resolves.toBe('made');
    expect(make).toHaveBeenCalledTimes(2);
  });

  it('does not end with the request that happens to be the first', async () => {
    let ending: AbortSignal | undefined = AbortSignal.abort(new Error('the connection was closed'));
    const forget = findEndingBy(
      () => ending,
      (work) => {
        const before = ending;
        ending = undefined;
        try {
          return work();
        } finally {
          ending = before;
        }
      },
    );
    const use = onceForAll(() => Promise.resolve(currentEnding()));
    await expect(use()).resolves.toBeUndefined();
    forget();
  });
});
