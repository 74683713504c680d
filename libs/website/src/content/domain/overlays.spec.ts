import { isObject, Problem, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { Block, Component, ContentField } from './content-form';
import { applyOps } from './content-ops';
import type { ContentOp } from './op';
import { applyOverlayOps } from './overlay-ops';
import {
  changeOverlay,
  copyOverlay,
  deriveOverlay,
  deriveSeoOverlay,
  localeChain,
  pruneOverlay,
  resolvePage,
  sourceHash,
  sourcesAfter,
  translationState,
  type Overlay,
} from './overlays';
import { changeReferences, findReferences } from './references';

const field = (key: string, type = 'text', localized = false): ContentField => ({
  key,
  label: key,
  type: { name: type },
  settings: {},
  fields: [],
  localized,
});
const FORMS: Readonly<Record<string, readonly ContentField[]>> = {
  page: [field('title', 'text', true), field('body', 'blocks')],
  section: [field('items', 'blocks')],
  text: [
    field('text', 'text', true),
    field('size'),
    field('link', 'link'),
    field('image', 'asset'),
    field('doc', 'doc'),
    field('pages', 'pages'),
  ],
};
const find = (key: string): Component | undefined =>
  Object.hasOwn(FORMS, key) ? { key, kind: 'both', group: null, active: true, form: { fields: FORMS[key] ?? [] } } : undefined;
const block = (uid: string, fields: JsonObject = {}, component = 'text'): Block => ({ _uid: uid.padEnd(8, '0'), component, ...fields });
const page = (...body: readonly Block[]): Block => ({ _uid: 'root0001', component: 'page', title: 'Lamp', body });
const fallback = (tree: Block, seo: JsonObject = {}) => ({ tree, seo });

describe('the locales of a page', () => {
  it('are resolved through their fallbacks to the default, whatever circle there is', () => {
    const locales = [
      { code: 'en', fallback: null },
      { code: 'de', fallback: 'en' },
      { code: 'de-AT', fallback: 'de' },
      { code: 'x', fallback: 'y' },
      { code: 'y', fallback: 'x' },
    ];
    const chains = ['en', 'de', 'de-AT', 'x'].map((code) => localeChain(code, locales, 'en'));
    expect(chains).toEqual([[], ['de'], ['de-AT', 'de'], ['x', 'y']]);
  });

  it('show their own values, then those of the fallback, then those of the tree; null is empty', () => {
    const tree = page(block('a', { text: 'one', size: 's' }), block('b', { text: 'two' }), block('c', { text: 'three' }));
    const overlays: Overlay[] = [
      { 'a0000000.text': 'eins (AT)', 'c0000000.text': null },
      { 'a0000000.text': 'eins', 'b0000000.text': 'zwei', 'a0000000.size': 'ignored', 'seo.title': 'Lampe' },
    ];
    expect(resolvePage(fallback(tree, { title: 'Lamp', noindex: true }), overlays, find)).toEqual({
      tree: page(block('a', { text: 'eins (AT)', size: 's' }), block('b', { text: 'zwei' }), block('c')),
      seo: { title: 'Lampe', noindex: true },
    });
  });

  it('derive their overlay from the page as it is meant to be', () => {
    const tree = page(block('a', { text: 'one' }), block('b', { text: 'two' }), block('c', { text: 'three' }));
    const given = page(block('a', { text: 'eins' }), block('b', { text: 'two' }), block('c', { text: 'three' }));
    const overlay = { 'b0000000.text': 'zwei' };
    expect(deriveOverlay(given, { fallback: fallback(tree), overlay, find, at: 'node_content' })).toEqual({
      overlay: { 'a0000000.text': 'eins', 'b0000000.text': 'two' },
      faults: [],
    });
    const cleared = page(block('a'), block('b', { text: 'two' }), block('c', { text: 'three' }));
    expect(deriveOverlay(cleared, { fallback: fallback(tree), overlay: {}, find, at: 'node_content' }).overlay).toEqual({
      'a0000000.text': null,
    });
    expect(
      deriveSeoOverlay({ title: 'Lampe', noindex: true }, { fallback: fallback(tree, { title: 'Lamp', noindex: true }), overlay: {} }),
    ).toEqual({ 'seo.title': 'Lampe' });
  });

  it.each<[what: string, given: Block, path: string]>([
    [
      'a field that is not localized',
      page(block('s', { items: [block('a', { text: 'one', size: 'l' })] }, 'section')),
      'node_content.body[0].items[0].size',
    ],
    [
      'a block more',
      page(block('s', { items: [block('a', { text: 'one', size: 's' }), block('b')] }, 'section')),
      'node_content.body[0].items',
    ],
    ['another block', page(block('t', { items: [] }, 'section')), 'node_content.body'],
  ])('refuse %s', (_, given, path) => {
    const tree = page(block('s', { items: [block('a', { text: 'one', size: 's' })] }, 'section'));
    expect(deriveOverlay(given, { fallback: fallback(tree), overlay: {}, find, at: 'node_content' }).faults).toEqual([
      { path, code: 'not_localized', message: expect.stringContaining('change it in the default locale') as string },
    ]);
  });

  it('lose the values of removed blocks, and say which', () => {
    const overlay = { 'a0000000.text': 'eins', 'gone0000.text': 'weg', 'seo.title': 'Lampe' };
    expect(pruneOverlay(overlay, page(block('a')), find)).toEqual({
      overlay: { 'a0000000.text': 'eins', 'seo.title': 'Lampe' },
      dropped: ['gone0000.text'],
    });
  });

  it('follow copies of blocks and changed schemas', () => {
    expect(copyOverlay({ 'a0000000.text': 'eins' }, new Map([['a0000000', 'copy0001']]))).toEqual({
      'a0000000.text': 'eins',
      'copy0001.text': 'eins',
    });
    const renamed = changeOverlay({ 'a0000000.text': 'eins', 'b0000000.text': 'zwei' }, new Set(['a0000000']), ({ text, ...rest }) => ({
      ...rest,
      words: text ?? null,
    }));
    expect(renamed).toEqual({ 'b0000000.text': 'zwei', 'a0000000.words': 'eins' });
  });

  it('know what is missing, and what is stale until it is written again', () => {
    const before = page(block('a', { text: 'one' }), block('b', { text: 'two' }), block('c', { text: '' }));
    const overlay = { 'root0001.title': 'Lampe', 'a0000000.text': 'eins' };
    const sources = sourcesAfter({ before: {}, sources: {}, after: overlay }, fallback(before), find);
    expect(sources).toEqual({ 'root0001.title': sourceHash('Lamp'), 'a0000000.text': sourceHash('one') });
    expect(translationState({ overlay, sources }, fallback(before, { title: 'T', noindex: true }), find)).toEqual({
      missing: ['b0000000.text', 'seo.title'],
      stale: [],
    });

    const changed = fallback(page(block('a', { text: 'one!' })));
    expect(translationState({ overlay, sources }, changed, find)).toEqual({ missing: [], stale: ['a0000000.text'] });
    const after = { ...overlay, 'root0001.title': 'Leuchte' };
    expect(
      translationState({ overlay: after, sources: sourcesAfter({ before: overlay, sources, after }, changed, find) }, changed, find).stale,
    ).toEqual(['a0000000.text']);
    const confirmed = new Set(['a0000000.text']);
    expect(
      translationState(
        { overlay, sources: sourcesAfter({ before: overlay, sources, after: overlay, confirmed }, changed, find) },
        changed,
        find,
      ).stale,
    ).toEqual([]);
  });
});

const apply = (tree: Block, ...ops: readonly ContentOp[]) => {
  let made = 0;
  return applyOps(tree, ops, { find, at: 'ops', newUid: () => `made000${++made}` });
};
const faultOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return [error.code, ...(error.errors ?? []).map(({ path, code }) => `${path} ${code}`)].join(' ');
  }
  return 'no fault';
};

describe('operations on a page', () => {
  const tree = page(block('a', { text: 'one' }), block('s', { items: [block('b', { text: 'two' })] }, 'section'));

  it.each<[what: string, op: ContentOp, changed: Block]>([
    [
      'set a value',
      { op: 'set', uid: 'b0000000', key: 'text', value: 'new' },
      page(block('a', { text: 'one' }), block('s', { items: [block('b', { text: 'new' })] }, 'section')),
    ],
    [
      'unset a value',
      { op: 'unset', uid: 'a0000000', key: 'text' },
      page(block('a'), block('s', { items: [block('b', { text: 'two' })] }, 'section')),
    ],
    [
      'insert before',
      { op: 'insert', before: 's0000000', value: { _uid: 'cccccccc', component: 'text' } },
      page(block('a', { text: 'one' }), block('cccccccc'), block('s', { items: [block('b', { text: 'two' })] }, 'section')),
    ],
    [
      'insert at the end of a list',
      { op: 'insert', parent_uid: 's0000000', key: 'items', value: { component: 'text' } },
      page(block('a', { text: 'one' }), block('s', { items: [block('b', { text: 'two' }), block('made0001')] }, 'section')),
    ],
    [
      'move after',
      { op: 'move', uid: 'a0000000', after: 'b0000000' },
      page(block('s', { items: [block('b', { text: 'two' }), block('a', { text: 'one' })] }, 'section')),
    ],
    [
      'move within a list',
      { op: 'move', uid: 's0000000', before: 'a0000000' },
      page(block('s', { items: [block('b', { text: 'two' })] }, 'section'), block('a', { text: 'one' })),
    ],
    ['remove', { op: 'remove', uid: 's0000000' }, page(block('a', { text: 'one' }))],
    [
      'duplicate',
      { op: 'duplicate', uid: 's0000000' },
      page(
        block('a', { text: 'one' }),
        block('s', { items: [block('b', { text: 'two' })] }, 'section'),
        block('made0001', { items: [block('made0002', { text: 'two' })] }, 'section'),
      ),
    ],
    ['set a list of blocks', { op: 'set', uid: 'root0001', key: 'body', value: [{ component: 'text' }] }, page(block('made0001'))],
  ])('%s', (_, op, changed) => expect(apply(tree, op).tree).toEqual(changed));

  it('are applied in order, and name what they made and copied', () => {
    const {
      tree: changed,
      made,
      copies,
    } = apply(
      tree,
      { op: 'insert', after: 'a0000000', value: { _uid: 'cccccccc', component: 'text' } },
      { op: 'set', uid: 'cccccccc', key: 'text', value: 'three' },
      { op: 'duplicate', uid: 'cccccccc' },
      { op: 'remove', uid: 'a0000000' },
    );
    expect(made).toEqual(['cccccccc', 'made0001']);
    expect([...copies]).toEqual([['cccccccc', 'made0001']]);
    expect((changed.body as readonly Block[]).map(({ _uid, text }) => [_uid, text ?? null])).toEqual([
      ['cccccccc', 'three'],
      ['made0001', 'three'],
      ['s0000000', null],
    ]);
  });

  it('leave the stored tree as it was', () => {
    const before = structuredClone(tree);
    apply(tree, { op: 'remove', uid: 'b0000000' }, { op: 'set', uid: 'a0000000', key: 'text', value: 'x' });
    expect(tree).toEqual(before);
  });

  it.each<[op: ContentOp, fault: string]>([
    [{ op: 'set', uid: 'unknown0', key: 'text', value: 1 }, 'invalid_state'],
    [{ op: 'insert', after: 'unknown0', value: { component: 'text' } }, 'invalid_state'],
    [{ op: 'set', uid: 'a0000000', key: 'color', value: 1 }, 'validation_failed ops[0].key unknown_field'],
    [{ op: 'set', uid: 'a0000000', key: 'text' }, 'validation_failed ops[0].value required'],
    [{ op: 'set', key: 'text', value: 1 }, 'validation_failed ops[0].uid required'],
    [{ op: 'insert', value: { component: 'text' } }, 'validation_failed ops[0].parent_uid required'],
    [{ op: 'insert', parent_uid: 'a0000000', key: 'text', value: { component: 'text' } }, 'validation_failed ops[0].key unknown_field'],
    [{ op: 'insert', after: 'a0000000', value: { _uid: 'b0000000', component: 'text' } }, 'validation_failed ops[0].value._uid unique'],
    [{ op: 'insert', after: 'root0001', value: { component: 'text' } }, 'validation_failed ops[0].after invalid'],
    [{ op: 'remove', uid: 'root0001' }, 'validation_failed ops[0].uid invalid'],
    [{ op: 'move', uid: 's0000000', after: 'b0000000' }, 'invalid_move'],
  ])('refuse %j', (op, fault) => expect(faultOf(() => apply(tree, op))).toBe(fault));

  it('name the block that the page does not have', () => {
    expect(() => apply(tree, { op: 'remove', uid: 'unknown0' })).toThrow('The page has no block unknown0.');
    expect(() => apply(tree, { op: 'remove', uid: 's0000000' }, { op: 'set', uid: 'b0000000', key: 'text', value: 1 })).toThrow(
      'The page has no block b0000000.',
    );
  });

  it('write overlays outside the default locale, also where the value equals the fallback, and take them out', () => {
    const overlay = { 'b0000000.text': 'zwei' };
    const changed = applyOverlayOps(
      tree,
      overlay,
      [
        { op: 'set', uid: 'a0000000', key: 'text', value: 'one' },
        { op: 'unset', uid: 'b0000000', key: 'text' },
      ],
      { find, at: 'ops' },
    );
    expect(changed).toEqual({ overlay: { 'a0000000.text': 'one' }, confirmed: new Set(['a0000000.text']) });
  });

  it.each<[op: ContentOp, fault: string]>([
    [{ op: 'remove', uid: 'a0000000' }, 'validation_failed ops[0].op not_localized'],
    [{ op: 'set', uid: 'a0000000', key: 'size', value: 'x' }, 'validation_failed ops[0].key not_localized'],
    [{ op: 'set', uid: 'unknown0', key: 'text', value: 'x' }, 'invalid_state'],
  ])('refuse %j outside the default locale', (op, fault) =>
    expect(faultOf(() => applyOverlayOps(tree, {}, [op], { find, at: 'ops' }))).toBe(fault),
  );
});

describe('what a page refers to', () => {
  const doc = (...content: readonly JsonValue[]): JsonObject => ({ type: 'doc', content });
  const tree = page(
    block('a', { link: { kind: 'page', ref: 'p1' }, image: { file: 'f1', alt: 'A' }, pages: ['p2', 'p3'] }),
    block(
      's',
      { items: [block('b', { link: { kind: 'url', url: 'https://example.com' }, image: { url: 'https://example.com/a.png' } })] },
      'section',
    ),
    block('d', {
      doc: doc(
        {
          type: 'paragraph',
          content: [{ type: 'text', text: 'x', marks: [{ type: 'bold' }, { type: 'link', attrs: { kind: 'file', ref: 'f2' } }] }],
        },
        { type: 'image', attrs: { file: 'f3' } },
        { type: 'blok', attrs: { body: [block('e', { link: { kind: 'page', ref: 'p4' } })] } },
      ),
    }),
  );

  it('is found wherever it is', () => {
    expect(findReferences(tree, find)).toEqual([
      { kind: 'page', id: 'p1', uid: 'a0000000', path: 'body[0].link.ref' },
      { kind: 'file', id: 'f1', uid: 'a0000000', path: 'body[0].image.file' },
      { kind: 'page', id: 'p2', uid: 'a0000000', path: 'body[0].pages[0]' },
      { kind: 'page', id: 'p3', uid: 'a0000000', path: 'body[0].pages[1]' },
      { kind: 'file', id: 'f2', uid: 'd0000000', path: 'body[2].doc.content[0].content[0].marks[1].attrs.ref' },
      { kind: 'file', id: 'f3', uid: 'd0000000', path: 'body[2].doc.content[1].attrs.file' },
      { kind: 'page', id: 'p4', uid: 'e0000000', path: 'body[2].doc.content[2].attrs.body[0].link.ref' },
    ]);
  });

  it('is changed wherever it is, and nothing else is', () => {
    const turned = (value: JsonValue | undefined): JsonValue => (typeof value === 'string' ? value.toUpperCase() : null);
    const changed = changeReferences(tree, find, {
      link: (link) => (link.ref === undefined ? link : { ...link, ref: turned(link.ref) }),
      asset: (asset) => (asset.file === undefined ? asset : { ...asset, file: turned(asset.file) }),
      id: (_kind, id) => turned(id),
    });
    expect(findReferences(changed, find).map(({ id }) => id)).toEqual(['P1', 'F1', 'P2', 'P3', 'F2', 'F3', 'P4']);
    const back = JSON.parse(JSON.stringify(changed).replace(/"([PF]\d)"/g, (_, id: string) => `"${id.toLowerCase()}"`)) as JsonValue;
    expect(isObject(back) && back).toEqual(tree);
  });
});
