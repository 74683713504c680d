import { PublicSampler, type Sampling } from './public-sampler';

const run = (sampler: PublicSampler, tenant: string, count: number, now: number): Sampling[] =>
  Array.from({ length: count }, () => sampler.sampleRequest(tenant, now));
const count = (taken: Sampling[], kind: Sampling): number => taken.filter((one) => one === kind).length;

describe('PublicSampler', () => {
  it('keeps fifty a second and every tenth of those above', () => {
    const taken = run(new PublicSampler(), 'a', 150, 1_000);
    expect([count(taken, 'kept'), count(taken, 'sampled'), count(taken, 'left')]).toEqual([50, 10, 90]);
  });

  it('counts each workspace by itself, and each second again', () => {
    const sampler = new PublicSampler();
    run(sampler, 'a', 100, 1_000);
    expect(count(run(sampler, 'b', 50, 1_500), 'kept')).toBe(50);
    expect(count(run(sampler, 'a', 50, 2_000), 'kept')).toBe(50);
  });
});
