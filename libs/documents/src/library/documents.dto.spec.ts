import { faultsOfQuery } from '@atrium/platform/testing';
import { ListDocuments } from './documents.dto';

describe('a query of documents by their meaning', () => {
  it.each<[string, string, string, string]>([
    ['a threshold above 1', 'embedding_search=x&similarityThreshold=1.01', 'similarityThreshold', 'too_large'],
    ['a threshold below 0', 'embedding_search=x&similarityThreshold=-0.1', 'similarityThreshold', 'too_small'],
    ['a word as its threshold', 'embedding_search=x&similarityThreshold=near', 'similarityThreshold', 'number'],
    ['no text', 'embedding_search=', 'embedding_search', 'too_short'],
    ['2,001 characters', `embedding_search=${'x'.repeat(2_001)}`, 'embedding_search', 'too_long'],
  ])('is refused with %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(ListDocuments, query)).toMatchObject([{ path, code }]);
  });
});
