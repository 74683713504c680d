import type { Principal } from '@atrium/platform/access';
import type { PassageQuery, PassageSearch } from '@atrium/retrieval';
import { RunSearch, type SearchPlace } from './run-search';

const ACTOR = { user_id: 'u1' } as Principal;

/** The queries by which a run searches for something. */
async function queriesOf(plan: Partial<SearchPlace['plan']>, thread_id: string | null = null): Promise<PassageQuery[]> {
  const asked: PassageQuery[] = [];
  const passages = {
    searchEach: (queries: readonly PassageQuery[]) => {
      asked.push(...queries);
      return Promise.resolve([]);
    },
  };
  const place = { plan: { knowledge: [], folders: [], files: [], retrieval: { k: 7, min_score: 0 }, ...plan }, thread_id };
  await new RunSearch(passages as unknown as PassageSearch).findSources(ACTOR, place as unknown as SearchPlace, 'cranes');
  return asked;
}
const retrieval = { k: 7, min_score: 0.4 } as SearchPlace['plan']['retrieval'];

describe('the search of a run', () => {
  it('is for bases, folders, documents and the thread, each as the asker, as many and as near as the agent says', async () => {
    const common = { actor: ACTOR, query: 'cranes', k: 7, min_score: 0.4 };
    expect(await queriesOf({ knowledge: ['b1'], folders: ['f1'], files: ['d1'], retrieval }, 't1')).toEqual([
      { ...common, ds_ids: ['b1'] },
      { ...common, scopes: ['docs'], folder_ids: ['f1'] },
      { ...common, scopes: ['docs'], file_ids: ['d1'] },
      { ...common, scopes: ['thread:t1'] },
    ]);
  });

  it('is for all that the asker may read where the agent names nothing, and files of the thread still', async () => {
    expect((await queriesOf({}, 't1')).map(({ scopes, min_score }) => [scopes, min_score])).toEqual([
      [null, undefined],
      [['thread:t1'], undefined],
    ]);
    expect((await queriesOf({})).map(({ scopes }) => scopes)).toEqual([null]);
  });
});
