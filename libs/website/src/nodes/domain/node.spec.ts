import { lineageBelow } from './lineage';
import { Node } from './node';

const ID = (n: number): string => `0190a1b2-0000-7000-8000-${String(n).padStart(12, '0')}`;
const node = (n: number, above = ''): Node =>
  Object.assign(new Node(), { node_id: ID(n), node_parent: null, node_lineage: lineageBelow(above, ID(n)) });

describe('a node of a site', () => {
  it('goes below another one with its lineage, and back to the top', () => {
    const [parent, child] = [node(1), node(2)];
    child.placeUnder(parent, 1);
    expect(child).toMatchObject({ node_parent: parent.node_id, node_lineage: lineageBelow(parent.node_lineage, child.node_id) });
    child.placeUnder(null, 1);
    expect(child).toMatchObject({ node_parent: null, node_lineage: lineageBelow('', child.node_id) });
  });

  it('never goes below itself or what is below it', () => {
    const top = node(1);
    for (const below of [top, node(2, top.node_lineage)])
      expect(() => top.placeUnder(below, 2)).toThrow(expect.objectContaining({ code: 'invalid_move' }) as Error);
  });

  it('is on the fifteenth level at most, with all that is below it', () => {
    let parent = node(1);
    for (let level = 2; level <= 14; level += 1) parent = node(level, parent.node_lineage);
    expect(() => node(20).placeUnder(parent, 1)).not.toThrow();
    expect(() => node(20).placeUnder(parent, 2)).toThrow(expect.objectContaining({ code: 'invalid_move' }) as Error);
  });
});
