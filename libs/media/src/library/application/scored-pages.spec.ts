import { MOST_SCORED, scoredDepth, scoredPage } from './scored-pages';

const near = Array.from({ length: 10 }, (_, i) => ({ id: `file-${i}`, similarity: 1 - i / 10 }));
const ids = (page: { readonly slice: readonly { readonly id: string }[] }): string[] => page.slice.map(({ id }) => id);

describe('a page by score', () => {
  it('goes on behind the match where the last one ended, to the end', () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = scoredPage(near, { limit: 4, cursor });
      seen.push(...ids(page));
      cursor = page.next_cursor ?? undefined;
      expect(page.has_more).toBe(cursor !== undefined);
    } while (cursor);
    expect(seen).toEqual(near.map(({ id }) => id));
  });

  it('finds its place again when a better match came in the meantime, and its old place when the match is gone', () => {
    const { next_cursor } = scoredPage(near, { limit: 4 });
    expect(ids(scoredPage([{ id: 'new', similarity: 1 }, ...near], { limit: 2, cursor: next_cursor as string }))).toEqual([
      'file-4',
      'file-5',
    ]);
    expect(
      ids(
        scoredPage(
          near.filter(({ id }) => id !== 'file-3'),
          { limit: 2, cursor: next_cursor as string },
        ),
      ),
    ).toEqual(['file-5', 'file-6']);
  });

  it('needs no more of the best than its end, one more, and never more than there are pages of', () => {
    expect(scoredDepth({ limit: 4 })).toBe(5);
    expect(scoredDepth({ limit: 4, offset: 6 })).toBe(11);
    const { next_cursor } = scoredPage(near.slice(0, scoredDepth({ limit: 4 })), { limit: 4 });
    const second = { limit: 4, cursor: next_cursor as string };
    expect(scoredDepth(second)).toBe(9);
    expect(scoredPage(near.slice(0, scoredDepth(second)), second)).toEqual(scoredPage(near, second));
    expect(scoredDepth({ limit_extended: 10_000 })).toBe(MOST_SCORED);
  });

  it('takes an offset, and no cursor of another order', () => {
    expect(ids(scoredPage(near, { limit: 2, offset: 8 }))).toEqual(['file-8', 'file-9']);
    expect(ids(scoredPage(near, { limit: 2, cursor: 'bm9uc2Vuc2U' }))).toEqual(['file-0', 'file-1']);
  });
});
