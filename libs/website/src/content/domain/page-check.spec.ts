import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import type { Block, Component, ContentField } from './content-form';
import { openPage, type OpenedPage } from './page-check';

const field = (key: string, type = 'text', rest: Partial<ContentField> = {}): ContentField => ({
  key,
  label: key,
  type: { name: type },
  settings: {},
  fields: [],
  ...rest,
});
const component = (key: string, fields: readonly ContentField[], rest: Partial<Component> = {}): Component => ({
  key,
  kind: 'block',
  group: null,
  active: true,
  form: { fields },
  ...rest,
});
const components = new Map(
  [
    component('page', [field('title'), field('body', 'blocks')], { kind: 'page' }),
    component('section', [
      field('items', 'blocks', { label: 'Items', settings: { components: ['text'], groups: ['Media'] } }),
      field('any', 'blocks'),
    ]),
    component('text', [field('text'), field('doc', 'doc'), field('rows', 'list', { fields: [field('doc', 'doc')] })]),
    component('image', [field('text')], { group: 'Media' }),
    component('quote', [field('text')], { group: 'Text' }),
    component('old', [field('text')], { active: false }),
  ].map((one) => [one.key, one]),
);

const open = (root: JsonValue, previous: Block | null = null): OpenedPage => {
  let made = 0;
  return openPage(root, {
    find: (key) => components.get(key),
    template: 'page',
    at: 'node_content',
    previous,
    newUid: () => `made000${++made}`,
  });
};
const page = (body: JsonValue): JsonObject => ({ _uid: 'root0001', component: 'page', body });
const block = (uid: string, name = 'text', fields: JsonObject = {}): JsonObject => ({
  _uid: uid.padEnd(8, '0'),
  component: name,
  ...fields,
});
const faultsOf = (root: JsonValue, previous: Block | null = null): string[] =>
  open(root, previous).faults.map(({ path, code }) => `${path} ${code}`);
const blok = (...body: readonly JsonObject[]): JsonObject => ({
  type: 'doc',
  content: [
    { type: 'paragraph', content: [] },
    { type: 'blok', attrs: { body } },
  ],
});

describe('a page taken apart', () => {
  it('has a part for each block, named as in the request, with the blocks below by their identity', () => {
    const { parts, faults } = open(page([block('a', 'text', { text: 'A' }), block('s', 'section', { items: [block('b')], any: [] })]));
    expect(faults).toEqual([]);
    expect(parts.map(({ at, content }) => ({ at, content }))).toEqual([
      {
        at: 'node_content',
        content: {
          body: [
            { _uid: 'a0000000', component: 'text' },
            { _uid: 's0000000', component: 'section' },
          ],
        },
      },
      { at: 'node_content.body[0]', content: { text: 'A' } },
      { at: 'node_content.body[1]', content: { items: [{ _uid: 'b0000000', component: 'text' }], any: [] } },
      { at: 'node_content.body[1].items[0]', content: {} },
    ]);
  });

  it('is put together from the checked contents of its parts', () => {
    const root = page([
      block('a', 'text', { text: 'A', doc: blok(block('c', 'quote', { text: 'C' })) }),
      block('s', 'section', { items: [block('b')] }),
    ]);
    const opened = open(root);
    expect(opened.assemble(opened.parts.map(({ content }) => content))).toEqual(root);
    const upper = opened.parts.map(({ content }) =>
      typeof content.text === 'string' ? { ...content, text: `${content.text}!` } : content,
    );
    expect(opened.assemble(upper)).toEqual(
      page([
        block('a', 'text', { text: 'A!', doc: blok(block('c', 'quote', { text: 'C!' })) }),
        block('s', 'section', { items: [block('b')] }),
      ]),
    );
  });

  it('takes blocks out of documents, also of those in lists, and puts them back', () => {
    const root = page([block('a', 'text', { doc: blok(block('b')), rows: [{ _id: 'r', doc: blok(block('c')) }] })]);
    const opened = open(root);
    expect(opened.parts.map(({ at }) => at)).toEqual([
      'node_content',
      'node_content.body[0]',
      'node_content.body[0].doc.content[1].attrs.body[0]',
      'node_content.body[0].rows[0].doc.content[1].attrs.body[0]',
    ]);
    expect(opened.assemble(opened.parts.map(({ content }) => content))).toEqual(root);
  });

  it('makes absent identities and the component of the root, and reports what it made', () => {
    const opened = open({ body: [{ component: 'text' }, block('a')] });
    expect(opened.faults).toEqual([]);
    expect(opened.made).toEqual(['made0001', 'made0002']);
    expect(opened.assemble(opened.parts.map(({ content }) => content))).toEqual({
      _uid: 'made0001',
      component: 'page',
      body: [{ _uid: 'made0002', component: 'text' }, block('a')],
    });
  });

  it('gives each part what was stored of the same block and component, wherever it was', () => {
    const previous = page([block('a', 'text', { text: 'A' }), block('b', 'quote')]) as Block;
    const { parts } = open(page([block('s', 'section', { any: [block('a', 'text', { text: 'B' })] }), block('b', 'image')]), previous);
    expect(parts.map(({ previous: stored }) => stored)).toEqual([
      {
        body: [
          { _uid: 'a0000000', component: 'text' },
          { _uid: 'b0000000', component: 'quote' },
        ],
      },
      null,
      { text: 'A' },
      null,
    ]);
  });

  it.each<[what: string, root: JsonValue, ...faults: string[]]>([
    ['no object', 'page', 'node_content type'],
    ['another root than the template', { _uid: 'root0001', component: 'text' }, 'node_content.component option'],
    ['an unknown component', page([block('a', 'teaser')]), 'node_content.body[0].component option'],
    ['a component that is an inherited name', page([block('a', 'constructor')]), 'node_content.body[0].component option'],
    ['no component', page([{ _uid: 'aaaaaaaa' }]), 'node_content.body[0].component required'],
    ['a component of pages as a block', page([block('a', 'page')]), 'node_content.body[0].component option'],
    ['an inactive component', page([block('a', 'old')]), 'node_content.body[0].component option'],
    [
      'a component that the list does not allow',
      page([block('s', 'section', { items: [block('q', 'quote')] })]),
      'node_content.body[0].items[0].component option',
    ],
    ['a short identity', page([{ _uid: 'a', component: 'text' }]), 'node_content.body[0]._uid format'],
    ['a number as identity', page([{ _uid: 12_345_678, component: 'text' }]), 'node_content.body[0]._uid format'],
    ['an identity twice', page([block('a'), block('s', 'section', { any: [block('a')] })]), 'node_content.body[1].any[0]._uid unique'],
    ['the identity of the root', page([block('root0001')]), 'node_content.body[0]._uid unique'],
    [
      'an identity twice, once in a document',
      page([block('a'), block('b', 'text', { doc: blok(block('a')) })]),
      'node_content.body[1].doc.content[1].attrs.body[0]._uid unique',
    ],
    ['a block that is no object', page(['text']), 'node_content.body[0] type'],
  ])('refuses %s', (_, root, ...faults) => expect(faultsOf(root)).toEqual(faults));

  it('takes a component by its group', () => {
    expect(faultsOf(page([block('s', 'section', { items: [block('i', 'image'), block('t')] })]))).toEqual([]);
  });

  it('keeps a block whose component is inactive by now, and takes no new one', () => {
    const previous = page([block('a', 'old')]) as Block;
    expect(faultsOf(page([block('a', 'old'), block('b', 'old')]), previous)).toEqual(['node_content.body[1].component option']);
  });

  it('takes eight levels of blocks and refuses nine', () => {
    const nested = (levels: number): JsonObject => block(`level${levels}`, 'section', levels === 1 ? {} : { any: [nested(levels - 1)] });
    expect(faultsOf(page([nested(8)]))).toEqual([]);
    expect(faultsOf(page([nested(9)]))).toEqual([`node_content.body[0]${'.any[0]'.repeat(8)} length`]);
  });

  it('takes 2,000 blocks and refuses one more', () => {
    const many = (count: number): JsonObject => page(Array.from({ length: count }, (_, at) => block(`b${at}`.padEnd(8, '_'))));
    expect(faultsOf(many(2_000))).toEqual([]);
    expect(faultsOf(many(2_001))).toEqual(['node_content length']);
  });

  it('refuses a page of more than 1 MB as too large', () => {
    expect(() => open(page([block('a', 'text', { text: 'x'.repeat(1024 * 1024) })]))).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    );
  });
});
