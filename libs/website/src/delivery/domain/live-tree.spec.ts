import { buildLiveTree, type PlacedNode } from './live-tree';

const node = (node_id: string, parent: string | null, facts: Partial<PlacedNode> = {}): PlacedNode => ({
  node_id,
  parent,
  kind: 'page',
  name: node_id.toUpperCase(),
  path: `/${node_id}`,
  link: null,
  menu: true,
  template: 'page',
  ...facts,
});
const names = (rows: readonly PlacedNode[], options = { menu: false, depth: 15 }): unknown => {
  const named = (tree: ReturnType<typeof buildLiveTree>): unknown[] => tree.map(({ node_id, children }) => [node_id, ...named(children)]);
  return named(buildLiveTree(rows, options));
};

describe('the live tree', () => {
  it('nests what is live in the order of the rows', () => {
    expect(names([node('b', null), node('a', null), node('c', 'a'), node('d', 'c')])).toEqual([['b'], ['a', ['c', ['d']]]]);
  });

  it('shows no segment, and what is below it in its place', () => {
    expect(names([node('a', null), node('s', null, { kind: 'segment' }), node('b', 's'), node('c', null)])).toEqual([['a'], ['b'], ['c']]);
  });

  it('leaves out of menus what they do not show, with all that is below', () => {
    const rows = [node('a', null, { menu: false }), node('b', 'a'), node('c', null)];
    expect(names(rows, { menu: true, depth: 15 })).toEqual([['c']]);
    expect(names(rows)).toEqual([['a', ['b']], ['c']]);
  });

  it('ends at a depth, not counting segments', () => {
    const rows = [node('s', null, { kind: 'segment' }), node('a', 's'), node('b', 'a')];
    expect(names(rows, { menu: false, depth: 1 })).toEqual([['a']]);
  });

  it('gives an address to pages alone', () => {
    const link = { kind: 'url', url: 'https://example.com' };
    const [folder, leading] = buildLiveTree(
      [node('f', null, { kind: 'folder', template: null }), node('l', null, { kind: 'link', link })],
      {
        menu: true,
        depth: 2,
      },
    );
    expect([folder?.path, leading?.path, leading?.link]).toEqual([null, null, link]);
  });
});
