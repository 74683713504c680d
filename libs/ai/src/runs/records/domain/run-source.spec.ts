import { RunSources, type FoundSource } from './run-source';

const found = (source_id: string, passage_id: string | null = 'p'): FoundSource => ({
  source_kind: 'file',
  source_id,
  passage_id,
  version_id: null,
  title: 'T',
  url: null,
  page_from: null,
  page_to: null,
  char_start: 0,
  char_end: 1,
  version: null,
  updated: null,
  score: 1,
  text: 'x',
});

describe('the sources of a run', () => {
  it('are numbered once, however often they are found', () => {
    const sources = new RunSources();
    expect(sources.addSources([found('a'), found('b')]).map(({ n }) => n)).toEqual([1, 2]);
    expect(sources.addSources([found('b'), found('c'), found('b', 'other')]).map(({ n }) => n)).toEqual([2, 3, 4]);
    expect(sources.all.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
  });

  it('keep their numbers when the run goes on elsewhere', () => {
    const before = new RunSources();
    before.addSources([found('a'), found('b')]);
    const after = new RunSources(before.all);
    expect(after.addSources([found('c'), found('a')]).map(({ n }) => n)).toEqual([3, 1]);
  });

  it('that are left out give their numbers to no other', () => {
    const sources = new RunSources();
    const [first] = sources.addSources([found('a'), found('b')]);
    sources.dropSources(first ? [first] : []);
    expect(sources.addSources([found('c')]).map(({ n }) => n)).toEqual([3]);
    expect(sources.all.map(({ source_id }) => source_id)).toEqual(['b', 'c']);
  });

  it('are two where a page of the web says something else by now, and one where it does not', () => {
    const page = (text: string): FoundSource => ({ ...found('https://harbour.example', null), source_kind: 'web', text });
    const sources = new RunSources();
    expect(sources.addSources([page('Open'), page('Closed'), page('Open')]).map(({ n, text }) => [n, text])).toEqual([
      [1, 'Open'],
      [2, 'Closed'],
      [1, 'Open'],
    ]);
    expect(new RunSources(sources.all).addSources([page('Closed')]).map(({ n }) => n)).toEqual([2]);
  });
});
