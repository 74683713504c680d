import { pauseAfter } from './uploads-finalize.service';

describe('an upload that another call finalizes', () => {
  it('is looked at again soon, then less often, and no fifteen times in twenty seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 100].map(pauseAfter)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
    let looks = 0;
    for (let waited = 0; waited < 20_000; looks++) waited += pauseAfter(looks);
    expect(looks).toBeLessThan(15);
  });
});
