import { faultsOfBody } from '@atrium/platform/testing';
import { RetrievalQuery } from './retrieval.dto';

describe('a search of documents', () => {
  it.each<[string, object, string, string]>([
    ['no words', { query: '' }, 'query', 'too_short'],
    ['4,001 characters', { query: 'x'.repeat(4_001) }, 'query', 'too_long'],
    ['101 results', { limit: 101 }, 'limit', 'too_large'],
    ['no results', { limit: 0 }, 'limit', 'too_small'],
    ['a threshold of 1.5', { similarity_threshold: 1.5 }, 'similarity_threshold', 'too_large'],
    ['an unknown mode', { mode: 'guess' }, 'mode', 'choice'],
    ['21 results of a source', { max_per_source: 21 }, 'max_per_source', 'too_large'],
    ['four neighbors', { neighbors: 4 }, 'neighbors', 'too_large'],
    ['no scope', { scopes: [] }, 'scopes', 'too_few'],
    ['an unknown field', { rerank: true }, 'rerank', 'unknown_field'],
    ['an empty folder', { filter: { folder: '' } }, 'filter.folder', 'too_short'],
    ['no bounds of a time', { filter: { updated: [] } }, 'filter.updated', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(RetrievalQuery, { query: 'x', ...more })).toMatchObject([{ path, code }]);
  });
});
