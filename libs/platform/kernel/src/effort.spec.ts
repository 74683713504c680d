import { currentEffort, Effort, findEffortBy, isTooComplex, spendEffort } from './effort';
import { Problem } from './problem';

const refusalOf = (work: () => void): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('effort', () => {
  /** A worker of the tests keeps its modules: others find their effort as before. */
  const restores: (() => void)[] = [];
  const spendFrom = (effort: Effort): void => void restores.push(findEffortBy(() => effort));
  afterEach(() =>
    restores
      .splice(0)
      .reverse()
      .forEach((restore) => restore()),
  );

  it('is one for all that a request computes', () => {
    const effort = Effort.ofRequest();
    spendFrom(effort);
    for (let time = 0; time < 10; time++) spendEffort(20_000);
    const refusal = refusalOf(() => spendEffort(1));
    expect(refusal).toBeInstanceOf(Problem);
    expect(refusal).toMatchObject({ code: 'unprocessable_content', errors: [{ code: 'too_complex' }] });
    expect(isTooComplex(refusal)).toBe(true);
  });

  it('stays used up', () => {
    const effort = Effort.ofRequest();
    effort.assertSome();
    expect(() => effort.spend(200_001)).toThrow();
    expect(() => effort.spend(0)).toThrow();
    expect(() => effort.assertSome()).toThrow();
  });

  it('is given back by an attempt that is made again, and spent by the one that is not', () => {
    const effort = Effort.ofRequest();
    for (let time = 0; time < 3; time++) {
      const attempt = effort.ofAttempt();
      attempt.ofAttempt().spend(50_000);
      attempt.spend(100_000);
      if (time < 2) attempt.restoreEffort();
    }
    expect(() => effort.spend(50_000)).not.toThrow();
    expect(() => effort.spend(1)).toThrow();
  });

  it('is more for a step of a job', () => {
    expect(() => Effort.ofStep().spend(2_000_000)).not.toThrow();
    expect(() => Effort.ofStep().spend(2_000_001)).toThrow();
  });

  it('is each piece of work its own where nothing is asked for', () => {
    expect(currentEffort()).not.toBe(currentEffort());
    for (let time = 0; time < 10; time++) spendEffort(200_000);
    expect(() => spendEffort(200_001)).toThrow();
  });

  it('is not mistaken for another refusal', () => {
    expect(isTooComplex(new Problem('unprocessable_content', 'It is damaged.'))).toBe(false);
    expect(isTooComplex(new Error('too_complex'))).toBe(false);
  });
});
