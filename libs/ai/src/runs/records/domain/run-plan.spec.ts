import { RETRIEVAL } from '../../../agents/domain/agent-settings';
import { toolsWithSearch } from './run-plan';

const NONE = { knowledge: [], folders: [], files: [], retrieval: RETRIEVAL };
const BASE = { ...NONE, knowledge: ['0198c0de-0000-7000-8000-000000000001'] };

describe('the tools of a run', () => {
  it('hold the search where sources are named and the model decides when to search', () => {
    expect(toolsWithSearch([], BASE)).toEqual([{ tool: 'search_knowledge', approval: 'never' }]);
    expect(toolsWithSearch([{ tool: 'calculate', approval: 'never' }], { ...NONE, files: BASE.knowledge })).toHaveLength(2);
  });

  it('are as they are listed where nothing is named, or the search is off or made before the model is asked', () => {
    expect(toolsWithSearch([], NONE)).toEqual([]);
    expect(toolsWithSearch([], { ...BASE, retrieval: { ...RETRIEVAL, mode: 'off' } })).toEqual([]);
    expect(toolsWithSearch([], { ...BASE, retrieval: { ...RETRIEVAL, mode: 'always' } })).toEqual([]);
  });

  it('hold the search once, with the approval that the agent lists', () => {
    const listed = [{ tool: 'search_knowledge', approval: 'always' as const }];
    expect(toolsWithSearch(listed, BASE)).toBe(listed);
    const client = [
      { client: true as const, name: 'search_knowledge', description: 'Searches.', schema: { type: 'object' }, approval: 'never' as const },
    ];
    expect(toolsWithSearch(client, BASE)).toBe(client);
  });
});
