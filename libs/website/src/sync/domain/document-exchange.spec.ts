import type { JsonObject } from '@atrium/platform/kernel';
import type { PageDocument } from '../../content/domain/page-document';
import { SchemaBook } from './cms-schema';
import { DocumentExchange, rootOf, type Identities } from './document-exchange';

const field = (key: string, type: string, localized = false) => ({ key, remote: key, type: type as 'text', localized, raw: {} });
const BOOK = new SchemaBook([
  {
    tpl_key: 'page',
    tpl_name: 'Page',
    tpl_kind: 'page',
    tpl_config: { fields: [] },
    remote: { external_id: 'page', name: 'page', version: '1', raw: {} },
    fields: [
      field('title', 'text', true),
      field('body', 'blocks'),
      field('picture', 'asset'),
      field('button', 'link'),
      field('related', 'page'),
      field('others', 'pages'),
    ],
    unsupported: [],
  },
]);
const ALL = { seo: true, order: true, name: true, asset_texts: true, root: true };
const FEW = { seo: false, order: false, name: false, asset_texts: false, root: false };
const exchange = (carries: typeof ALL): DocumentExchange =>
  new DocumentExchange({ default_locale: 'en', locales: { en: 'en-US', de: 'de' }, schemas: BOOK, settings: {} }, carries);

/** `node-1` is `ext-1` at the CMS, and `file-1` was sent. */
const IDS: Identities = {
  findExternal: (id) => (id === 'node-1' ? 'ext-1' : undefined),
  findNode: (id) => (id === 'ext-1' ? 'node-1' : undefined),
  findSentFile: (id) => (id === 'file-1' ? { url: 'https://cms.example/1.jpg', external_id: 'asset-1' } : undefined),
  findFileOf: (url) => (url === 'https://cms.example/1.jpg' ? 'file-1' : undefined),
};
const page = (content: JsonObject, more: Partial<PageDocument> = {}): PageDocument => ({
  name: 'Lamp',
  slugs: { en: 'lamp' },
  parent: null,
  template: 'page',
  kind: 'page',
  content: { _uid: 'root-0001', component: 'page', ...content },
  overlays: {},
  seo: {},
  order: null,
  ...more,
});

describe('a document that goes out and comes back', () => {
  it.each<[string, JsonObject]>([
    ['a link to a page that is linked', { button: { kind: 'page', ref: 'node-1', title: 'Go' } }],
    ['a link to one that is not', { button: { kind: 'page', ref: 'node-2', title: 'Go' } }],
    ['a page that is linked', { related: 'node-1' }],
    ['a file that was sent', { picture: { file: 'file-1', alt: 'A lamp' } }],
    ['a file that was not', { picture: { file: 'file-2' } }],
    ['an address', { button: { kind: 'url', url: 'https://example.com' } }],
    ['blocks', { body: [{ _uid: 'block-01', component: 'page', related: 'node-1' }] }],
  ])('is what it was: %s', (_what, content) => {
    for (const carries of [ALL, FEW]) {
      const document = page(content, { overlays: { de: { 'root-0001.title': 'Lampe' } } });
      const out = exchange(carries).toOutside(document, IDS);
      expect(exchange(carries).toInside(out.document, IDS, 'root-0001').document).toEqual(document);
    }
  });

  it('names linked pages by their identity at the CMS, and is whole only if it names no others', () => {
    const { document, isWhole } = exchange(ALL).toOutside(page({ related: 'node-1', others: ['node-1'] }), IDS);
    expect(document.content).toMatchObject({ related: 'ext-1', others: ['ext-1'] });
    expect(isWhole).toBe(true);
    expect(exchange(ALL).toOutside(page({ button: { kind: 'page', ref: 'node-2' } }), IDS).isWhole).toBe(false);
  });

  it('keeps pages that it cannot name here for the way back, unless someone has written others', () => {
    const theirs = page({ others: ['ext-1', 'ext-9'] });
    const inside = exchange(ALL).toInside(theirs, IDS, '');
    expect(inside.document.content['others']).toEqual(['node-1']);
    expect(exchange(ALL).toOutside(inside.document, IDS, inside.pending).document).toEqual(theirs);
    const edited = { ...inside.document, content: { ...inside.document.content, others: [] } };
    expect(exchange(ALL).toOutside(edited, IDS, inside.pending).document.content['others']).toEqual([]);
  });
});

describe('what a CMS has no place for', () => {
  const here = page({ picture: { file: 'file-1', alt: 'Here' }, title: 'Lamp' }, { name: 'Named here', seo: { title: 'Lamp' } });
  const there = page({ picture: { file: 'file-1', alt: 'There' }, title: 'Lamp' }, { name: 'Lamp' });
  const hashOf = (document: PageDocument, carries: typeof ALL): string => exchange(carries).fingerprint(document).hash;

  it('makes no difference', () => {
    const outside = exchange(FEW).toOutside(here, IDS).document;
    const other = {
      ...there,
      content: { ...there.content, _uid: 'page-root', picture: { url: 'https://cms.example/1.jpg', source: 'asset-1', alt: 'There' } },
    };
    expect(hashOf(outside, FEW)).toBe(hashOf(other, FEW));
    expect(hashOf(outside, ALL)).not.toBe(hashOf(other, ALL));
  });

  it('does not hide a difference of what it has a place for', () => {
    const edited = { ...there, content: { ...there.content, title: 'Floor lamp' } };
    expect(hashOf(there, FEW)).not.toBe(hashOf(edited, FEW));
    expect(exchange(FEW).listChangedUnits(there, edited)).toEqual(['root-0001.title']);
  });

  it('stays as it is here when the page comes in: texts of files, and a name that was given here', () => {
    const kept = exchange(FEW).keepOwn(there, here, page({}, { name: 'Lamp' }));
    expect(kept.content['picture']).toEqual({ file: 'file-1', alt: 'Here' });
    expect(kept.name).toBe('Named here');
    expect(exchange(FEW).keepOwn(there, here, page({}, { name: 'Named here' })).name).toBe('Lamp');
    expect(exchange(ALL).keepOwn(there, here, null)).toBe(there);
  });

  it('leaves locales out that the CMS does not have', () => {
    const french = page({}, { slugs: { en: 'lamp', fr: 'lampe' }, overlays: { fr: { 'root-0001.title': 'Lampe' } } });
    expect(hashOf(french, ALL)).toBe(hashOf(page({}), ALL));
  });
});

describe('a write that ended half way', () => {
  const [before, after] = [page({ title: 'Old', related: 'ext-1' }), page({ title: 'New' })];

  it.each<[string, JsonObject, boolean]>([
    ['nothing was written', { title: 'Old', related: 'ext-1' }, true],
    ['a part was', { title: 'New', related: 'ext-1' }, true],
    ['all was', { title: 'New' }, true],
    ['somebody else wrote', { title: 'Theirs', related: 'ext-1' }, false],
    ['somebody added something', { title: 'New', button: { kind: 'url', url: 'https://example.com' } }, false],
  ])('is known where %s', (_what, content, isBetween) => {
    expect(exchange(ALL).isBetween(page(content), before, after)).toBe(isBetween);
  });
});

describe('the root of a page', () => {
  it('is that of the page here, else one that follows from its identity at the CMS', () => {
    expect(rootOf(page({}), 'ext-1')).toBe('root-0001');
    expect(rootOf(null, '5KsDBWseXY6QegucYAoacS')).toBe('5KsDBWseXY6QegucYAoacS');
    expect(rootOf(null, 'a.b')).toMatch(/^at-[0-9a-f]{24}$/);
    expect(rootOf(null, 'a.b')).toBe(rootOf(null, 'a.b'));
  });
});
