import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import fc from 'fast-check';
import type { MappingContext, RemotePage } from '../cms-port';
import { SchemaBook, type RemoteSchema } from '../cms-schema';
import { ContentfulMapping } from './contentful-mapping';

const mapping = new ContentfulMapping();
const SETTINGS = { contentTypes: [{ id: 'page', slug: 'slug', title: 'title', parent: 'parent', blocks: ['sections'] }] };

const entries = { type: 'Link', linkType: 'Entry', validations: [{ linkContentType: ['teaser'] }] };
const PAGE: readonly JsonObject[] = [
  { id: 'title', name: 'Title', type: 'Symbol', localized: true },
  { id: 'slug', name: 'Slug', type: 'Symbol' },
  { id: 'parent', name: 'Parent', type: 'Link', linkType: 'Entry' },
  { id: 'sections', name: 'Sections', type: 'Array', items: entries },
  { id: 'heroImage', name: 'Picture', type: 'Link', linkType: 'Asset' },
  { id: 'text', name: 'Text', type: 'RichText', localized: true },
  { id: 'place', name: 'Place', type: 'Location' },
  { id: 'count', name: 'Count', type: 'Integer' },
  { id: 'when', name: 'When', type: 'Date' },
  { id: 'data', name: 'Data', type: 'Object' },
  {
    id: 'related',
    name: 'Related',
    type: 'Array',
    items: { type: 'Link', linkType: 'Entry', validations: [{ linkContentType: ['page'] }] },
  },
];
const type = (name: string, fields: readonly JsonObject[]): RemoteSchema => ({
  external_id: name,
  name,
  version: '1',
  raw: { sys: { id: name }, name, fields },
});
const TYPES = [
  type('page', PAGE),
  type('teaser', [
    { id: 'headline', name: 'Headline', type: 'Symbol', localized: true },
    { id: 'inner', name: 'Inner', ...entries },
  ]),
];
const BOOK = new SchemaBook(mapping.toSchemas(TYPES, [], SETTINGS));
const CONTEXT: MappingContext = { default_locale: 'en', locales: { en: 'en-US', de: 'de' }, schemas: BOOK, settings: SETTINGS };

const link = (linkType: string, id: string): JsonObject => ({ sys: { type: 'Link', linkType, id } });
const entry = (id: string, contentType: string, fields: JsonObject): JsonObject => ({
  sys: { id, version: 3, contentType: link('ContentType', contentType) },
  fields,
});

const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
const word = fc.string({ maxLength: 12 });
const IDS = ['block-001', 'block-002', 'block-003', 'gone-0001'];
const entryLink = fc.constantFrom(...IDS).map((id) => link('Entry', id));
const localized = (value: fc.Arbitrary<unknown>): fc.Arbitrary<JsonValue> =>
  fc.record(
    { 'en-US': fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: anything }), de: value, fr: anything },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonValue>;
const mark = fc.constantFrom('bold', 'code', 'italic', 'unheard');
const text = fc.record({
  nodeType: fc.constant('text'),
  value: fc.oneof(word, fc.constant('a\nb')),
  marks: fc.array(
    mark.map((name) => ({ type: name })),
    { maxLength: 2 },
  ),
  data: fc.constant({}),
});
const node = fc.oneof(
  fc.record({
    nodeType: fc.constantFrom('paragraph', 'heading-2', 'blockquote', 'unheard'),
    content: fc.array(text, { maxLength: 3 }),
    data: anything,
  }),
  fc.record({ nodeType: fc.constant('hyperlink'), data: fc.record({ uri: word }), content: fc.array(text, { maxLength: 2 }) }),
  fc.record({
    nodeType: fc.constantFrom('embedded-entry-block', 'embedded-entry-inline'),
    data: fc.record({ target: entryLink }),
    content: fc.constant([]),
  }),
  fc.record({
    nodeType: fc.constant('embedded-asset-block'),
    data: fc.record({ target: fc.constantFrom(link('Asset', 'asset-1'), link('Asset', 'none')) }),
    content: fc.constant([]),
  }),
  anything,
);
const richText = fc.record({ nodeType: fc.constant('document'), data: fc.constant({}), content: fc.array(node, { maxLength: 4 }) });
const pageFields = fc.record(
  {
    title: localized(word), slug: localized(fc.constantFrom('lamp', 'products/lamp')), parent: localized(entryLink), sections: localized(fc.uniqueArray(entryLink, { maxLength: 3, selector: (one) => JSON.stringify(one) })),
    heroImage: localized(fc.constantFrom(link('Asset', 'asset-1'), link('Asset', 'none'))), text: localized(richText), place: localized(anything), count: localized(fc.integer()), when: localized(fc.constantFrom('2026-01-31T10:00+02:00', 'soon')), data: localized(anything), related: localized(fc.array(entryLink, { maxLength: 2 })), unknown: localized(anything),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>; // prettier-ignore
const blockFields = fc.record(
  { headline: localized(word), inner: localized(entryLink), unknown: localized(anything) },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

/** As it comes out of a parser: objects that are drawn have no prototype. */
const asParsed = (value: JsonObject): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

const ASSETS = {
  'asset-1': {
    sys: { id: 'asset-1' },
    fields: { file: { 'en-US': { url: '//images.example/a.jpg' } }, description: { 'en-US': 'A lamp' } },
  },
};
const pageOf = (fields: JsonObject, blocks: readonly JsonObject[]): RemotePage => ({
  external_id: 'page-0001',
  external_path: 'lamp',
  path: 'lamp',
  external_version: '3',
  name: 'Lamp',
  parent: null,
  states: { '*': 'draft' },
  isDeleted: false,
  raw: {
    entry: entry('page-0001', 'page', fields),
    blocks: Object.fromEntries(blocks.map((inner, at) => [IDS[at], entry(IDS[at] ?? '', 'teaser', inner)])),
    assets: ASSETS,
  },
});

describe('an entry', () => {
  it('that comes back unchanged sends nothing, and leaves no block', () => {
    fc.assert(
      fc.property(pageFields, fc.array(blockFields, { minLength: 3, maxLength: 3 }), (drawn, blocks) => {
        const fields = asParsed(drawn);
        const page = pageOf(fields, blocks.map(asParsed));
        const { document } = mapping.toDocument(page, CONTEXT);
        const { raw, left } = mapping.toRemote(document, page, CONTEXT);
        expect(raw).toEqual({ entry: { id: 'page-0001', contentType: 'page', fields, isSame: true }, blocks: [] });
        expect(left).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('sends the entries whose values changed alone, everything else in them as it was', () => {
    const page = pageOf(
      {
        title: { 'en-US': 'Lamp', de: 'Lampe', fr: 'Lampe' },
        place: { 'en-US': { lat: 1, lon: 2 } },
        sections: { 'en-US': [link('Entry', 'block-001')] },
      },
      [{ headline: { 'en-US': 'Light', de: 'Licht' }, unknown: { 'en-US': 1 } }],
    );
    const { document } = mapping.toDocument(page, CONTEXT);
    expect(document).toMatchObject({
      content: {
        _uid: 'page-root',
        component: 'page',
        title: 'Lamp',
        place: { lat: 1, lon: 2 },
        sections: [{ _uid: 'block-001', component: 'teaser', headline: 'Light' }],
      },
      overlays: { de: { 'page-root.title': 'Lampe', 'block-001.headline': 'Licht' } },
    });
    const { raw } = mapping.toRemote(
      { ...document, overlays: { de: { 'page-root.title': 'Lampe', 'block-001.headline': 'Hell' } } },
      page,
      CONTEXT,
    );
    expect(raw['entry']).toMatchObject({ isSame: true });
    expect(raw['blocks']).toEqual([
      {
        id: 'block-001',
        contentType: 'teaser',
        fields: { headline: { 'en-US': 'Light', de: 'Hell' }, unknown: { 'en-US': 1 } },
        isNew: false,
      },
    ]);
  });

  it('that is used twice in a page is unsupported', () => {
    const page = pageOf({ sections: { 'en-US': [link('Entry', 'block-001'), link('Entry', 'block-001')] } }, [{}]);
    expect(mapping.toDocument(page, CONTEXT).unsupported).toEqual([
      { path: 'fields.sections[1]', reason: 'The entry block-001 is used twice in the page.' },
    ]);
  });

  it('whose content type is not in the library asks for the schemas', () => {
    const page = pageOf({ sections: { 'en-US': [link('Entry', 'block-001')] } }, [{}]);
    const schemas = new SchemaBook(mapping.toSchemas(TYPES.slice(0, 1), [], SETTINGS));
    expect(mapping.toDocument(page, { ...CONTEXT, schemas }).unsupported).toEqual([
      { path: 'fields.sections[0]', reason: 'The content type teaser is not in the library of the site. Pull the schemas first.' },
    ]);
  });

  it('becomes text with links, breaks and files, and comes back as it was written', () => {
    const document: JsonObject = {
      nodeType: 'document',
      data: {},
      content: [
        { nodeType: 'paragraph', data: {}, content: [
          { nodeType: 'text', value: 'One\nTwo', marks: [{ type: 'bold' }], data: {} },
          { nodeType: 'entry-hyperlink', data: { target: link('Entry', 'page-0002') }, content: [{ nodeType: 'text', value: 'there', marks: [], data: {} }] },
        ] },
        { nodeType: 'embedded-asset-block', data: { target: link('Asset', 'asset-1') }, content: [] },
        { nodeType: 'hr', data: {}, content: [] },
      ],
    }; // prettier-ignore
    const page = pageOf({ text: { 'en-US': document } }, []);
    const read = mapping.toDocument(page, CONTEXT).document;
    expect(read.content['text']).toEqual({
      type: 'doc',
      content: [
        { type: 'paragraph', content: [
          { type: 'text', text: 'One', marks: [{ type: 'bold' }] }, { type: 'hard_break' }, { type: 'text', text: 'Two', marks: [{ type: 'bold' }] },
          { type: 'text', text: 'there', marks: [{ type: 'link', attrs: { kind: 'page', ref: 'page-0002' } }] },
        ] },
        { type: 'image', attrs: { src: 'https://images.example/a.jpg', alt: 'A lamp', title: null, source: 'asset-1' } },
        { type: 'horizontal_rule' },
      ],
    }); // prettier-ignore
    const { raw } = mapping.toRemote(read, null, CONTEXT);
    expect((raw['entry'] as { fields: JsonObject }).fields['text']).toEqual({ 'en-US': document });
  });

  it('with a text that Contentful has no place for is refused, and names the field', () => {
    const { document } = mapping.toDocument(pageOf({}, []), CONTEXT);
    const text = { type: 'doc', content: [{ type: 'code_block', content: [] }] };
    expect(() => mapping.toRemote({ ...document, content: { ...document.content, text } }, pageOf({}, []), CONTEXT)).toThrow(
      expect.objectContaining({ reason: 'unsupported_field', field: 'text' }),
    );
  });
});

describe('a content type', () => {
  const field = fc.record(
    {
      type: fc.constantFrom('Symbol', 'Text', 'RichText', 'Integer', 'Number', 'Boolean', 'Date', 'Location', 'Object', 'Link', 'Array', 'ResourceLink'),
      name: word, required: fc.boolean(), localized: fc.boolean(), omitted: fc.boolean(), disabled: fc.boolean(), linkType: fc.constantFrom('Entry', 'Asset'), widget: fc.constantFrom('markdown', 'other'),
      items: fc.constantFrom<JsonValue>({ type: 'Symbol' }, { type: 'Symbol', validations: [{ in: ['a', 'b'] }] }, { type: 'Link', linkType: 'Asset' }, entries),
      validations: fc.array(fc.constantFrom<JsonValue>({ in: ['a', 'b'] }, { size: { max: 40 } }, { linkContentType: ['page', 'teaser'] }, { unique: true }), { maxLength: 2 }), strange: anything,
    },
    { requiredKeys: ['type'] },
  ); // prettier-ignore
  const fields = fc
    .uniqueArray(fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_]{0,40}$/), { maxLength: 8 })
    .chain((ids) => fc.tuple(...ids.map((id) => field.map((one): JsonObject => ({ ...(one as JsonObject), id })))));

  it('that comes back unchanged is the content type', () => {
    fc.assert(
      fc.property(fields, (declared) => {
        const mapped = mapping.toSchemas([type('thing', declared), ...TYPES], [], SETTINGS);
        expect(mapping.toRemoteSchema(mapped[0]!, new SchemaBook(mapped))).toEqual({
          raw: { sys: { id: 'thing' }, name: 'thing', fields: declared },
          unsupported: [],
        });
        for (const { key } of mapped[0]?.fields ?? []) expect(key).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
      }),
      { numRuns: 300 },
    );
  });

  it('omits a field that is gone here, and keeps rules that have no equivalent', () => {
    const remote = type('teaser', [
      { id: 'headline', name: 'Headline', type: 'Symbol', validations: [{ unique: true }] },
      { id: 'old', name: 'Old', type: 'Text' },
    ]);
    const book = new SchemaBook(mapping.toSchemas([remote], [], {}));
    const draft = {
      ...book.schemas[0]!,
      tpl_config: { version: 1, fields: [{ key: 'headline', type: 'text', label: 'Heading', required: true }] },
    };
    expect(mapping.toRemoteSchema(draft, book).raw['fields']).toEqual([
      { id: 'headline', name: 'Heading', type: 'Symbol', required: true, localized: false, validations: [{ unique: true }] },
      { id: 'old', name: 'Old', type: 'Text', omitted: true },
    ]);
  });
});
