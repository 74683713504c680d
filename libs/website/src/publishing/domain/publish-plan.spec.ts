import { ownChanges, PublishPlan, type DraftPlace, type LivePlace } from './publish-plan';

const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const hex = (...ns: number[]): string => ns.map((n) => id(n).replaceAll('-', '')).join('');
const [SHOP, LAMP, DESK, LIGHTS] = [id(1), id(2), id(3), id(4)];

const draft = (node_id: string, parent: string | null, slug: string, kind: DraftPlace['kind'] = 'page'): [string, DraftPlace] => [
  node_id,
  { node_id, parent, slug, kind },
];
const live = (
  node: string,
  parent: string | null,
  lineage: string,
  path: string,
  kind: LivePlace['kind'] = 'page',
): [string, LivePlace] => [node, { kind, parent, lineage, path, slug: path.slice(path.lastIndexOf('/') + 1) }];
const plan = (drafts: [string, DraftPlace][], places: [string, LivePlace][], ...wished: string[]): PublishPlan =>
  new PublishPlan(new Map(drafts), new Map(places), new Set(wished));

describe('a plan to publish', () => {
  it('opens the folders above a page, and its unpublished pages above as segments', () => {
    const { placements, changes } = plan(
      [draft(SHOP, null, 'shop', 'folder'), draft(LAMP, SHOP, 'lamps'), draft(DESK, LAMP, 'desk')],
      [],
      DESK,
    );
    expect(placements).toEqual([
      { node_id: SHOP, wished: false, kind: 'folder', parent: null, lineage: hex(1), slug: 'shop', path: '/shop' },
      { node_id: LAMP, wished: false, kind: 'segment', parent: SHOP, lineage: hex(1, 2), slug: 'lamps', path: '/shop/lamps' },
      { node_id: DESK, wished: true, kind: 'page', parent: LAMP, lineage: hex(1, 2, 3), slug: 'desk', path: '/shop/lamps/desk' },
    ]);
    expect(changes).toEqual([]);
  });

  it('keeps a page below its live parent where that is live, whatever the draft of the parent says', () => {
    const { placements } = plan(
      [draft(SHOP, LIGHTS, 'store', 'folder'), draft(LIGHTS, null, 'lights'), draft(LAMP, SHOP, 'lamp')],
      [live(SHOP, null, hex(1), '/shop', 'folder')],
      LAMP,
    );
    expect(placements.map(({ node_id, path, lineage }) => [node_id, path, lineage])).toEqual([[LAMP, '/shop/lamp', hex(1, 2)]]);
  });

  it('names a live node that gets another path or another parent, and no other', () => {
    const { changes } = plan(
      [draft(SHOP, null, 'items', 'folder'), draft(LAMP, SHOP, 'lamp')],
      [live(SHOP, null, hex(1), '/products', 'folder'), live(LAMP, SHOP, hex(1, 2), '/products/lamp')],
      SHOP,
    );
    expect(changes.map(({ node_id, from, to }) => [node_id, from.path, to.path])).toEqual([[SHOP, '/products', '/items']]);
  });

  it('takes the new place of a live parent that is published together with what is below it', () => {
    const both = plan(
      [draft(SHOP, null, 'items', 'folder'), draft(LAMP, SHOP, 'lamp')],
      [live(SHOP, null, hex(1), '/products', 'folder'), live(LAMP, SHOP, hex(1, 2), '/products/lamp')],
      LAMP,
      SHOP,
    );
    expect(both.placements.map(({ path }) => path)).toEqual(['/items', '/items/lamp']);
    expect(ownChanges(both.changes).map(({ node_id }) => node_id)).toEqual([SHOP]);
  });

  it('finds the place below a live node that goes along with one further up', () => {
    const { placements } = plan(
      [draft(SHOP, null, 'items', 'folder'), draft(LIGHTS, SHOP, 'lights'), draft(DESK, LIGHTS, 'desk')],
      [live(SHOP, null, hex(1), '/products', 'folder'), live(LIGHTS, SHOP, hex(1, 4), '/products/lights')],
      SHOP,
      DESK,
    );
    expect(placements.map(({ path }) => path)).toEqual(['/items', '/items/lights/desk']);
  });

  it('is refused where a page would be live below itself', () => {
    // Live: shop/lamp. Draft: lamp at the top, shop below it.
    const circle = (): unknown =>
      plan(
        [draft(LAMP, null, 'lamp'), draft(SHOP, LAMP, 'shop')],
        [live(SHOP, null, hex(1), '/shop'), live(LAMP, SHOP, hex(1, 2), '/shop/lamp')],
        SHOP,
      );
    expect(circle).toThrow('Publish both of them together.');
  });

  it('keeps a change of its own beside one further up', () => {
    const { changes } = plan(
      [draft(SHOP, null, 'items', 'folder'), draft(LAMP, SHOP, 'lights')],
      [live(SHOP, null, hex(1), '/products', 'folder'), live(LAMP, SHOP, hex(1, 2), '/products/lamp')],
      SHOP,
      LAMP,
    );
    expect(ownChanges(changes).map(({ from, to }) => [from.path, to.path])).toEqual([
      ['/products', '/items'],
      ['/products/lamp', '/items/lights'],
    ]);
  });

  it('has the children of the home page at the top of paths', () => {
    const { placements } = plan([draft(SHOP, null, ''), draft(LAMP, SHOP, 'lamp')], [], SHOP, LAMP);
    expect(placements.map(({ path }) => path)).toEqual(['/', '/lamp']);
  });

  it('refuses a path of more than 2,000 characters', () => {
    const nodes = Array.from({ length: 15 }, (_, at) => draft(id(at + 1), at === 0 ? null : id(at), 'x'.repeat(140)));
    expect(() => plan(nodes, [], id(15))).toThrow('Shorten the slugs above it.');
  });
});
