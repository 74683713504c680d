import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import fc from 'fast-check';
import type { MappingContext, RemotePage } from '../cms-port';
import { SchemaBook, type RemoteSchema } from '../cms-schema';
import { StoryblokMapping } from './storyblok-mapping';

const mapping = new StoryblokMapping();

const FIELDS: Readonly<Record<string, JsonObject>> = {
  title: { type: 'text', translatable: true, pos: 0 },
  heroImage: { type: 'asset', pos: 1 },
  gallery: { type: 'multiasset', pos: 2 },
  body: { type: 'bloks', pos: 3 },
  text: { type: 'richtext', translatable: true, pos: 4 },
  price: { type: 'number', pos: 5 },
  'when-at': { type: 'datetime', pos: 6 },
  more: { type: 'multilink', pos: 7 },
  prices: { type: 'table', pos: 8 },
  seo: { type: 'custom', field_type: 'seo-metatags', translatable: true, pos: 9 },
  shown: { type: 'boolean', pos: 10 },
  tone: { type: 'option', options: [{ name: 'Warm', value: 'warm' }], pos: 11 },
  related: { type: 'options', source: 'internal_stories', pos: 12 },
  general: { type: 'tab', keys: ['title'], pos: 13 },
};

const component = (name: string, schema: JsonObject, more: JsonObject = {}): RemoteSchema => ({
  external_id: name,
  name,
  version: '1',
  raw: { id: 1, name, display_name: null, schema, is_root: true, is_nestable: true, ...more },
});
const BOOK = new SchemaBook(
  mapping.toSchemas(
    [component('page', FIELDS), component('Feature Card', { title: { type: 'text', pos: 0 }, cards: { type: 'bloks', pos: 1 } })],
    [],
    {},
  ),
);
const CONTEXT: MappingContext = {
  default_locale: 'en',
  locales: { en: '[default]', de: 'de', 'pt-BR': 'pt-br' },
  schemas: BOOK,
  settings: {},
};

const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
const word = fc.string({ maxLength: 12 });
/** What a field may hold, and what only a broken client wrote into it. */
const maybe = (value: fc.Arbitrary<unknown>): fc.Arbitrary<JsonValue> =>
  fc.oneof({ weight: 4, arbitrary: value as fc.Arbitrary<JsonValue> }, { weight: 1, arbitrary: anything });
const uid = fc.oneof({ weight: 5, arbitrary: fc.uuid() }, { weight: 1, arbitrary: fc.constantFrom('a', 'same-0001') });

const asset = fc.record(
  {
    id: fc.nat(),
    filename: fc.constantFrom('', 'https://a.storyblok.com/f/1/400x300/abc/lamp.jpg', '//a.storyblok.com/f/1/abc/lamp.pdf'),
    alt: word,
    title: word,
    focus: fc.constantFrom('', '100x50:101x51'),
    name: word,
    meta_data: anything,
    fieldtype: fc.constant('asset'),
  },
  { requiredKeys: ['filename'] },
);
const multilink = fc.record(
  {
    linktype: fc.constantFrom('story', 'url', 'email', 'asset', 'other'),
    id: fc.uuid(),
    url: word,
    cached_url: word,
    email: word,
    anchor: word,
    target: fc.constant('_blank'),
    rel: word,
  },
  { requiredKeys: ['linktype'] },
);
const text = fc.record(
  {
    type: fc.constant('text'),
    text: word,
    marks: fc.array(
      fc.oneof(
        fc.record({ type: fc.constantFrom('bold', 'code', 'styled'), attrs: anything }, { requiredKeys: ['type'] }),
        fc.record({ type: fc.constant('link'), attrs: multilink }),
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['type', 'text'] },
);
const textNode = fc.oneof(
  fc.record(
    { type: fc.constantFrom('paragraph', 'heading', 'emoji', 'blockquote'), attrs: anything, content: fc.array(text, { maxLength: 3 }) },
    { requiredKeys: ['type'] },
  ),
  anything,
);

const { block } = fc.letrec<{ block: JsonObject; doc: JsonObject }>((tie) => ({
  doc: fc.record({
    type: fc.constant('doc'),
    content: fc.array(
      fc.oneof(
        { weight: 3, arbitrary: textNode },
        {
          weight: 1,
          arbitrary: fc.record({
            type: fc.constant('blok'),
            attrs: fc.record({ id: fc.uuid(), body: fc.array(tie('block'), { maxLength: 2 }) }),
          }),
        },
      ),
      { maxLength: 3 },
    ),
  }),
  block: fc.oneof(
    { maxDepth: 3 },
    fc.record({ _uid: uid, component: fc.constant('Feature Card'), title: maybe(word), _editable: word }, { requiredKeys: ['component'] }),
    fc.record({ _uid: uid, component: fc.constant('Feature Card'), cards: fc.array(tie('block'), { maxLength: 2 }), unknown: anything }),
    fc.record(
      {
        _uid: uid,
        component: fc.constant('page'),
        title: maybe(word),
        title__i18n__de: maybe(word),
        title__i18n__pt_br: maybe(word),
        body: fc.array(tie('block'), { maxLength: 3 }),
        text: tie('doc'),
        text__i18n__de: tie('doc'),
        heroImage: maybe(asset),
        gallery: maybe(fc.array(asset, { maxLength: 3 })),
        price: maybe(fc.oneof(fc.integer().map(String), fc.integer())),
        'when-at': maybe(fc.constantFrom('', '2026-01-31 10:00', 'soon')),
        more: maybe(multilink),
        prices: maybe(
          fc.record({
            thead: fc.array(fc.record({ value: word, _uid: fc.uuid() }), { maxLength: 2 }),
            tbody: fc.array(fc.record({ body: fc.array(fc.record({ value: word }), { maxLength: 3 }) }), { maxLength: 2 }),
          }),
        ),
        seo: anything,
        seo__i18n__de: anything,
        shown: maybe(fc.boolean()),
        tone: maybe(fc.constantFrom('warm', '')),
        related: maybe(fc.array(fc.uuid(), { maxLength: 2 })),
      },
      { requiredKeys: ['component'] },
    ),
  ),
}));

const pageOf = (content: JsonValue, more: JsonObject = {}): RemotePage => ({
  external_id: 'uuid-1',
  external_path: 'lamp',
  path: 'lamp',
  external_version: '1',
  name: 'Lamp',
  parent: null,
  states: { '*': 'draft' },
  isDeleted: false,
  raw: { story: { id: 1, uuid: 'uuid-1', name: 'Lamp', slug: 'lamp', is_folder: false, position: 3, content, ...more } },
});

const rootOf = (content: JsonObject): JsonObject => ({ ...content, component: 'page' });

describe('a story', () => {
  it('that comes back unchanged is the story, with everything that has no place here', () => {
    fc.assert(
      fc.property(block, (content) => {
        const page = pageOf(rootOf(content));
        const { document } = mapping.toDocument(page, CONTEXT);
        const draft = mapping.toRemote(document, page, CONTEXT);
        expect(JSON.stringify(draft.raw['story'])).toBe(JSON.stringify({ name: 'Lamp', slug: 'lamp', content: rootOf(content) }));
      }),
      { numRuns: 300 },
    );
  });

  it('says the same once it is written by what was read alone', () => {
    fc.assert(
      fc.property(block, (content) => {
        const { document } = mapping.toDocument(pageOf(rootOf(content)), CONTEXT);
        const draft = mapping.toRemote(document, null, CONTEXT);
        const written = (draft.raw['story'] as JsonObject)['content'] as JsonObject;
        const again = mapping.toDocument(pageOf(written), CONTEXT).document;
        expect(withoutExtents(again.content)).toEqual(withoutExtents(document.content));
        expect(Object.keys(again.overlays).toSorted()).toEqual(Object.keys(document.overlays).toSorted());
      }),
      { numRuns: 200 },
    );
  });

  it('has identities of blocks that no other block of the page has', () => {
    const twice: JsonObject = {
      component: 'page',
      body: [{ _uid: 'same-0001', component: 'page' }, { _uid: 'same-0001', component: 'page' }, { component: 'page' }],
    };
    const { document } = mapping.toDocument(pageOf(twice), CONTEXT);
    const blocks = document.content['body'] as JsonObject[];
    expect(new Set(blocks.map(({ _uid }) => _uid)).size).toBe(3);
    expect(blocks[0]?.['_uid']).toBe('same-0001');
  });

  it('takes changed values, drops removed ones and leaves the rest', () => {
    const content = {
      _uid: 'root-0001',
      component: 'page',
      title: 'Lamp',
      title__i18n__de: 'Lampe',
      seo: { x: 1 },
      price: '5',
      heroImage: { id: 7, filename: 'https://a/f/1/400x200/b/c.jpg', meta_data: { m: 1 }, alt: '', title: '', focus: '' },
    };
    const page = pageOf(content);
    const { document } = mapping.toDocument(page, CONTEXT);
    expect(document.content).toEqual({
      _uid: 'root-0001',
      component: 'page',
      title: 'Lamp',
      seo: { x: 1 },
      price: 5,
      hero_image: { url: 'https://a/f/1/400x200/b/c.jpg', source: '7' },
    });
    expect(document.overlays).toEqual({ de: { 'root-0001.title': 'Lampe' } });
    const { price: _price, ...rest } = document.content;
    const image = { ...(rest['hero_image'] as JsonObject), alt: 'A lamp', focus: { x: 0.25, y: 0.5 } };
    const draft = mapping.toRemote(
      { ...document, content: { ...rest, hero_image: image }, overlays: { 'pt-BR': { 'root-0001.title': 'Luz' } } },
      page,
      CONTEXT,
    );
    expect((draft.raw['story'] as JsonObject)['content']).toEqual({
      _uid: 'root-0001', component: 'page', title: 'Lamp', title__i18n__pt_br: 'Luz', seo: { x: 1 },
      heroImage: { id: 7, filename: 'https://a/f/1/400x200/b/c.jpg', meta_data: { m: 1 }, alt: 'A lamp', title: '', focus: '100x100:101x101' },
    }); // prettier-ignore
  });

  it('has translated slugs by locale, the home page an empty one', () => {
    const rows: readonly JsonObject[] = [
      { id: 4, lang: 'de', slug: 'lampe', path: 'produkte/lampe', name: null },
      { id: 5, lang: 'pt-br', path: 'produtos/luz', name: 'Luz' },
    ];
    const page = pageOf({ component: 'page' }, { translated_slugs: rows });
    const { document } = mapping.toDocument(page, CONTEXT);
    expect(document.slugs).toEqual({ en: 'lamp', de: 'lampe', 'pt-BR': 'luz' });
    const draft = mapping.toRemote({ ...document, slugs: { ...document.slugs, 'pt-BR': 'lanterna' } }, page, CONTEXT);
    expect((draft.raw['story'] as JsonObject)['translated_slugs_attributes']).toEqual([
      { id: 5, lang: 'pt-br', slug: 'lanterna', name: 'Luz' },
    ]);
    const home = mapping.toDocument(pageOf({ component: 'page' }, { slug: 'home' }), CONTEXT).document;
    expect(home.slugs).toEqual({ en: '' });
    expect((mapping.toRemote(home, null, CONTEXT).raw['story'] as JsonObject)['slug']).toBe('home');
  });

  it('with a component that the library does not have is unsupported, and names it', () => {
    const { unsupported } = mapping.toDocument(pageOf({ component: 'page', body: [{ component: 'gone' }] }), CONTEXT);
    expect(unsupported).toEqual([
      { path: 'content.body[0]', reason: 'The component gone is not in the library of the site. Pull the schemas first.' },
    ]);
    const document = {
      ...mapping.toDocument(pageOf({ component: 'page' }), CONTEXT).document,
      content: { _uid: 'root-0001', component: 'ours' },
    };
    expect(() => mapping.toRemote(document, null, CONTEXT)).toThrow(
      expect.objectContaining({ reason: 'unsupported_field', field: 'ours' }),
    );
  });
});

/** Points of focus are rounded to pixels of a picture whose size its address says. */
const withoutExtents = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'focus' || key === '_uid' ? undefined : inner)));

describe('a component', () => {
  const field = fc.record(
    {
      type: fc.constantFrom('text', 'textarea', 'markdown', 'richtext', 'number', 'datetime', 'boolean', 'option', 'options', 'asset', 'multiasset', 'multilink', 'table', 'bloks', 'custom', 'section', 'tab', 'unheard_of'),
      pos: fc.nat(20), display_name: fc.oneof(word, fc.constant(null)), description: word, required: fc.boolean(), translatable: fc.boolean(), max_length: fc.oneof(fc.nat(2_000), word), minimum: fc.nat(300), maximum: fc.nat(300), restrict_components: fc.boolean(), component_whitelist: fc.array(fc.constantFrom('page', 'Card', 'gone')), options: maybe(fc.array(fc.record({ name: word, value: word }), { maxLength: 3 })), source: fc.constantFrom('', 'self', 'internal', 'internal_stories'), filetypes: fc.constantFrom(['images'], []), strange: anything,
    },
    { requiredKeys: ['type'] },
  ); // prettier-ignore
  const schema = fc.dictionary(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_ -]{0,50}$/), field as fc.Arbitrary<JsonObject>, { maxKeys: 8 });

  it('that comes back unchanged is the component', () => {
    fc.assert(
      fc.property(schema, fc.boolean(), fc.boolean(), (fields, is_root, is_nestable) => {
        const remote = [component('Card', fields, { is_root, is_nestable, color: '#fff' }), component('page', {})];
        const mapped = mapping.toSchemas(remote, [], {});
        const [draft] = mapped;
        expect(mapping.toRemoteSchema(draft!, new SchemaBook(mapped))).toEqual({ raw: remote[0]?.raw, unsupported: [] });
      }),
      { numRuns: 300 },
    );
  });

  it('has keys that may be keys here, each once, which stay as they are', () => {
    fc.assert(
      fc.property(schema, schema, (fields, more) => {
        const [first] = mapping.toSchemas([component('Card', fields)], [], {});
        const keys = first?.fields.map(({ key }) => key) ?? [];
        expect(new Set(keys).size).toBe(keys.length);
        for (const key of keys) expect(key).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
        const [second] = mapping.toSchemas([component('Card', { ...more, ...fields })], [first!], {});
        const now = new Map(second?.fields.map(({ remote, key }) => [remote, key]));
        for (const { remote, key } of first?.fields ?? []) expect(now.get(remote)).toBe(key);
      }),
      { numRuns: 200 },
    );
  });

  it('says which fields Storyblok has no type for', () => {
    const draft = {
      tpl_key: 'card',
      tpl_name: 'Card',
      tpl_kind: 'block' as const,
      tpl_config: { version: 1, fields: [{ key: 'place', type: 'location', label: 'Place' }] },
    };
    expect(mapping.toRemoteSchema(draft, BOOK).unsupported).toEqual([
      { path: 'place', reason: 'Storyblok has no field type for location.' },
    ]);
  });
});
