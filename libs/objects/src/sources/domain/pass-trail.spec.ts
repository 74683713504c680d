import type { JsonObject } from '@atrium/platform/kernel';
import { MOST_PAGES, MOST_ROWS, PassTrail } from './pass-trail';
import type { SourcePage } from './source-port';

const page = (cursor: JsonObject, ids: readonly number[]): SourcePage => ({
  cursor,
  rows: ids.map((id) => ({ value: { id } })),
  next: null,
  total: null,
});

describe('the trail of a pass', () => {
  it('goes on while pages and rows are new', () => {
    const trail = new PassTrail();
    trail.recordPage(page({ page: 1 }, [1]));
    trail.recordPage(page({ page: 2 }, [2]));
    trail.recordPage(page({ page: 3 }, [1]));
    trail.recordPage(page({ page: 4 }, []));
    expect(() => trail.recordPage(page({ page: 5 }, []))).not.toThrow();
  });

  it('ends where a cursor comes back, however many pages are between', () => {
    const trail = new PassTrail();
    trail.recordPage(page({ cursor: 'a' }, [1]));
    trail.recordPage(page({ cursor: 'b' }, [2]));
    expect(() => trail.recordPage(page({ cursor: 'a' }, [3]))).toThrow('the same page twice');
  });

  it('ends where a page has the rows of the one before', () => {
    const trail = new PassTrail();
    trail.recordPage(page({ page: 1 }, [1, 2]));
    expect(() => trail.recordPage(page({ page: 2 }, [1, 2]))).toThrow('the same rows for two pages');
  });

  it('ends beyond the pages and the rows of a run, also those of an earlier worker', () => {
    expect(() => new PassTrail(MOST_PAGES - 1).recordPage(page({ page: 1 }, [1]))).not.toThrow();
    expect(() => new PassTrail(MOST_PAGES).recordPage(page({ page: 1 }, [1]))).toThrow('100,000 pages');
    expect(() => new PassTrail(0, MOST_ROWS - 1).recordPage(page({ page: 1 }, [1]))).not.toThrow();
    expect(() => new PassTrail(0, MOST_ROWS).recordPage(page({ page: 1 }, [1]))).toThrow('1,000,000 rows');
  });
});
