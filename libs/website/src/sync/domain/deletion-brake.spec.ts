import { brakeHolds } from './deletion-brake';

describe('The brake on deletions', () => {
  it.each([
    { deletions: 0, links: 0, held: false },
    { deletions: 4, links: 4, held: false },
    { deletions: 5, links: 24, held: true },
    { deletions: 5, links: 25, held: false },
    { deletions: 6, links: 25, held: true },
    { deletions: 20, links: 100, held: false },
    { deletions: 21, links: 100, held: true },
    { deletions: 500, links: 500, held: true },
  ])('holds $deletions of $links: $held', ({ held, ...counts }) => expect(brakeHolds(counts)).toBe(held));
});
