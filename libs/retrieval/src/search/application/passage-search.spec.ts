import type { Principal } from '@atrium/platform/access';
import { PassageSearch } from './passage-search';

const NOBODY = {} as Principal;

/** A search in a workspace without sources, what was embedded, and how many units of work it took. */
function searching() {
  const embedded: string[] = [];
  const units = { open: 0, most: 0, count: 0 };
  const db = {
    read: async (work: () => Promise<unknown>) => {
      units.count++;
      units.most = Math.max(units.most, ++units.open);
      return work().finally(() => units.open--);
    },
  };
  const embedder = {
    embedQuery: (query: string) => {
      embedded.push(query);
      return Promise.resolve({ model: 'hash', tokens: 3, vector: [1], threshold: 0, knowsMeaning: true });
    },
  };
  const rows = {
    findIdentities: () => Promise.resolve(new Map()),
    findHits: () => Promise.resolve(new Map()),
    findNeighbours: () => Promise.resolve([]),
  };
  const parts = [
    db,
    embedder,
    { getEngine: () => Promise.resolve('exact') },
    { findOpenSources: () => Promise.resolve({ scopes: [], ignored: [] }) },
    {},
    rows,
  ];
  return { search: new PassageSearch(...(parts as unknown as ConstructorParameters<typeof PassageSearch>)), embedded, units };
}

describe('a search in several places', () => {
  it('embeds the same words once, and has a unit of work for each place', async () => {
    const { search, embedded, units } = searching();
    const found = await search.searchEach(['ferry', 'ferry', 'tide'].map((query) => ({ actor: NOBODY, query, scopes: null })));
    expect(found.map(({ usage }) => usage.embedding_tokens)).toEqual([3, 3, 3]);
    expect(embedded).toEqual(['ferry', 'tide']);
    expect(units).toMatchObject({ count: 3, most: 1 });
  });

  it('embeds nothing for words alone, though they are embedded for another place', async () => {
    const { search, embedded } = searching();
    const [words] = await search.searchEach([{ actor: NOBODY, query: 'ferry', scopes: null, mode: 'text' }]);
    expect([words?.mode, words?.model, embedded]).toEqual(['text', null, []]);
    const both = await search.searchEach([
      { actor: NOBODY, query: 'ferry', scopes: null },
      { actor: NOBODY, query: 'ferry', scopes: null, mode: 'text' },
    ]);
    expect(both.map(({ model }) => model)).toEqual(['hash', null]);
    expect(embedded).toEqual(['ferry']);
  });
});
