import { UploadClaim } from './upload-claim';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

describe('the claim on an upload', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is renewed from moment to moment while the call is at work, and not afterwards', async () => {
    const asked: Date[] = [];
    const claim = new UploadClaim(at(0), (since) => Promise.resolve(at(asked.push(since))));
    await jest.advanceTimersByTimeAsync(6_000);
    expect(asked).toEqual([at(0), at(1), at(2)]);
    expect(await claim.stopRenewals()).toEqual(at(3));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(3);
  });

  it('is settled only when a renewal under way has ended', async () => {
    let answer: (moment: Date) => void = () => undefined;
    const claim = new UploadClaim(at(0), () => new Promise((resolve) => (answer = resolve)));
    await jest.advanceTimersByTimeAsync(2_000);
    const settled = claim.stopRenewals();
    answer(at(7));
    expect(await settled).toEqual(at(7));
  });

  it('stays the old one where it is lost or cannot be renewed, so that its holder finds out', async () => {
    const answers: (() => Promise<Date | null>)[] = [() => Promise.resolve(null), () => Promise.reject(new Error('away'))];
    const claim = new UploadClaim(at(0), () => answers.shift()?.() ?? Promise.resolve(null));
    await jest.advanceTimersByTimeAsync(6_000);
    expect(await claim.stopRenewals()).toEqual(at(0));
  });
});
