import { canonicalDocument, documentHashes, documentUnits, type PageDocument } from './page-document';

const lamp = (rest: Partial<PageDocument> = {}): PageDocument => ({
  name: 'Lamp',
  slugs: { en: 'lamp', de: 'lampe' },
  parent: 'story-1',
  template: 'page',
  kind: 'page',
  content: {
    _uid: 'root0001',
    component: 'page',
    title: 'Lamp',
    body: [
      { _uid: 'hero0001', component: 'hero', headline: 'Light', _editable: '<!--#storyblok#-->' },
      { _uid: 'text0001', component: 'text', body: { type: 'doc', content: [{ type: 'paragraph' }] }, note: '', tags: [], extra: null },
    ],
  },
  overlays: { de: { 'hero0001.headline': 'Licht', 'gone0001.text': 'weg', 'seo.title': 'Lampe' }, fr: {} },
  seo: { title: 'A lamp', description: '' },
  order: 3,
  ...rest,
});

describe('the canonical document of a page', () => {
  it('is taken apart into its units', () => {
    expect(Object.fromEntries(documentUnits(lamp()))).toEqual({
      root: 'root0001',
      name: 'Lamp',
      parent: 'story-1',
      template: 'page',
      kind: 'page',
      order: 3,
      'slug@en': 'lamp',
      'slug@de': 'lampe',
      'seo.title': 'A lamp',
      'seo.title@de': 'Lampe',
      'root0001.component': 'page',
      'root0001.title': 'Lamp',
      'root0001.body': ['hero0001', 'text0001'],
      'hero0001.component': 'hero',
      'hero0001.headline': 'Light',
      'hero0001.headline@de': 'Licht',
      'text0001.component': 'text',
    });
  });

  it('has no volatile keys, nothing empty and no overlays of absent blocks', () => {
    expect(canonicalDocument(lamp())).toEqual({
      ...lamp(),
      content: {
        _uid: 'root0001',
        component: 'page',
        title: 'Lamp',
        body: [
          { _uid: 'hero0001', component: 'hero', headline: 'Light' },
          { _uid: 'text0001', component: 'text' },
        ],
      },
      overlays: { de: { 'hero0001.headline': 'Licht', 'seo.title': 'Lampe' } },
      seo: { title: 'A lamp' },
    });
  });

  it('stays as it is when it is made again', () => {
    expect(canonicalDocument(canonicalDocument(lamp()))).toEqual(canonicalDocument(lamp()));
  });

  it('has the same hash whatever the order of its keys', () => {
    const { content, ...rest } = lamp();
    const turned = { content: Object.fromEntries(Object.entries(content).reverse()), ...rest };
    expect(documentHashes(turned)).toEqual(documentHashes(lamp()));
    expect(documentHashes(lamp()).hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[unit: string, changed: Partial<PageDocument>]>([
    ['name', { name: 'Lamps' }],
    ['slug@de', { slugs: { en: 'lamp', de: 'leuchte' } }],
    ['parent', { parent: null }],
    ['order', { order: 4 }],
    ['seo.title', { seo: { title: 'Lamps' } }],
    ['hero0001.headline@de', { overlays: { de: { 'hero0001.headline': 'Helligkeit', 'seo.title': 'Lampe' } } }],
    ['root0001.body', { content: { ...lamp().content, body: [...(lamp().content.body as readonly never[])].reverse() } }],
  ])('changes the hash of %s alone, and of all, with that unit', (unit, changed) => {
    const [before, after] = [documentHashes(lamp()), documentHashes(lamp(changed))];
    const names = new Set([...Object.keys(before.units), ...Object.keys(after.units)]);
    expect([...names].filter((name) => before.units[name] !== after.units[name])).toEqual([unit]);
    expect(after.hash).not.toBe(before.hash);
  });

  it('takes a list that repeats a block for a value', () => {
    const twice = { _uid: 'text0001', component: 'text', body: 'x' };
    const units = documentUnits(lamp({ content: { _uid: 'root0001', component: 'page', body: [twice, twice] } }));
    expect(units.get('root0001.body')).toEqual([twice, twice]);
    expect(units.has('text0001.body')).toBe(false);
  });
});
