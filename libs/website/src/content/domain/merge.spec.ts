import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import * as fc from 'fast-check';
import { mergeDocuments } from './merge';
import { canonicalDocument, documentHashes, type PageDocument } from './page-document';

const block = (uid: string, fields: JsonObject = {}): JsonObject => ({ _uid: uid.padEnd(8, '-'), component: 'text', ...fields });
const page = (body: readonly JsonObject[], rest: Partial<PageDocument> = {}): PageDocument => ({
  name: 'Home',
  slugs: { en: 'home' },
  parent: null,
  template: 'page',
  kind: 'page',
  content: { _uid: 'root----', component: 'page', body },
  overlays: {},
  seo: {},
  order: 1,
  ...rest,
});
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((uid) => block(uid, { text: uid })) as [JsonObject, JsonObject, JsonObject, JsonObject];
const bodyOf = ({ content }: PageDocument): readonly JsonValue[] => (content.body ?? []) as readonly JsonValue[];
const uidsOf = (document: PageDocument): readonly string[] =>
  bodyOf(document).map((one) => JSON.stringify((one as JsonObject)._uid).replace(/-*"/g, ''));
const same = (one: PageDocument, other: PageDocument): void => expect(canonicalDocument(one)).toEqual(canonicalDocument(other));

describe('the merge of two versions of a page', () => {
  it('takes changes of different blocks, and an order that one side changed', () => {
    const merged = mergeDocuments({
      base: page([a, b, c]),
      local: page([c, block('a', { text: 'local' }), b]),
      remote: page([a, block('b', { text: 'remote' }), c]),
    });
    expect(merged.open).toEqual([]);
    same(merged.document, page([c, block('a', { text: 'local' }), block('b', { text: 'remote' })]));
  });

  it('lists a text that both sides changed, with all three versions, and keeps the local one', () => {
    const merged = mergeDocuments({
      base: page([a]),
      local: page([block('a', { text: 'local' })]),
      remote: page([block('a', { text: 'remote' })]),
    });
    expect(merged.open).toEqual([{ path: 'a-------.text', locale: null, base: 'a', local: 'local', remote: 'remote' }]);
    same(merged.document, page([block('a', { text: 'local' })]));
  });

  it.each([
    [{ take: 'local' as const }, 'local'],
    [{ take: 'remote' as const }, 'remote'],
    [{ take: 'base' as const }, 'a'],
    [{ value: 'both' }, 'both'],
  ])('settles a conflict by the choice %j', (choice, text) => {
    const versions = { base: page([a]), local: page([block('a', { text: 'local' })]), remote: page([block('a', { text: 'remote' })]) };
    const merged = mergeDocuments(versions, [
      { path: 'a-------.text', ...choice },
      { path: 'nothing', take: 'local' },
    ]);
    expect(merged.open).toEqual([]);
    expect(merged.settled.map(({ path }) => path)).toEqual(['a-------.text']);
    expect(merged.unused).toEqual([{ path: 'nothing', take: 'local' }]);
    same(merged.document, page([block('a', { text })]));
  });

  it('merges the same field of two locales independently', () => {
    const overlays = (de: string, fr: string): Partial<PageDocument> => ({
      overlays: { de: { 'a-------.text': de }, fr: { 'a-------.text': fr } },
    });
    const merged = mergeDocuments({
      base: page([a], overlays('eins', 'un')),
      local: page([a], overlays('zwei', 'un')),
      remote: page([a], overlays('drei', 'deux')),
    });
    expect(merged.open).toEqual([{ path: 'a-------.text', locale: 'de', base: 'eins', local: 'zwei', remote: 'drei' }]);
    same(merged.document, page([a], overlays('zwei', 'deux')));
  });

  it('removes a block that one side removed and the other left alone, with its overlay', () => {
    const overlays = { overlays: { de: { 'b-------.text': 'zwei' } } };
    const merged = mergeDocuments({ base: page([a, b], overlays), local: page([a]), remote: page([a, b, c], overlays) });
    expect(merged.open).toEqual([]);
    same(merged.document, page([a, c]));
  });

  it.each([
    ['text', block('b', { text: 'changed' }), {}],
    ['translation', b, { overlays: { de: { 'b-------.text': 'anders' } } }],
    ['block below', block('b', { text: 'b', items: [d] }), {}],
  ])('lists a block that one side removed while the other changed its %s', (_, changed, rest) => {
    const versions = { base: page([a, b]), local: page([a]), remote: page([a, changed], rest) };
    const merged = mergeDocuments(versions);
    expect(merged.open.map(({ path, local }) => ({ path, local }))).toEqual([{ path: 'b-------', local: null }]);
    same(merged.document, page([a]));
    same(mergeDocuments(versions, [{ path: 'b-------', take: 'remote' }]).document, versions.remote);
    same(mergeDocuments(versions, [{ path: 'b-------', take: 'base' }]).document, page([a, b]));
    const mirrored = { base: versions.base, local: versions.remote, remote: versions.local };
    same(mergeDocuments(mirrored).document, versions.remote);
    same(mergeDocuments(mirrored, [{ path: 'b-------', take: 'remote' }]).document, page([a]));
  });

  it('reports one conflict for a whole part that was removed, and brings all of it back', () => {
    const section = (text: string): JsonObject => block('s', { items: [block('t', { items: [block('u', { text })] }), d] });
    const versions = { base: page([a, section('old')]), local: page([a]), remote: page([a, section('new')]) };
    expect(mergeDocuments(versions).open.map(({ path }) => path)).toEqual(['s-------']);
    same(mergeDocuments(versions, [{ path: 's-------', take: 'remote' }]).document, versions.remote);
  });

  it('keeps a block that was moved out of a part that the other side removed', () => {
    const merged = mergeDocuments({ base: page([a, block('s', { items: [b] })]), local: page([a]), remote: page([a, b, block('s')]) });
    expect(merged.open.map(({ path }) => path)).toEqual(['b-------']);
    same(merged.document, page([a]));
  });

  it('takes a move to another list from the side that moved', () => {
    const merged = mergeDocuments({
      base: page([a, b, block('s', { items: [c] })]),
      local: page([a, block('s', { items: [c, b] })]),
      remote: page([a, block('b', { text: 'remote' }), block('s', { items: [c] })]),
    });
    expect(merged.open).toEqual([]);
    same(merged.document, page([a, block('s', { items: [c, block('b', { text: 'remote' })] })]));
  });

  it('lists a block that both sides moved to different lists', () => {
    const at = (one: readonly JsonObject[], two: readonly JsonObject[], rest: readonly JsonObject[]): PageDocument =>
      page([block('s', { items: one }), block('t', { items: two }), ...rest]);
    const versions = { base: at([], [], [a]), local: at([a], [], []), remote: at([], [a], []) };
    expect(mergeDocuments(versions).open).toEqual([
      { path: 'a-------', locale: null, base: 'root----.body', local: 's-------.items', remote: 't-------.items' },
    ]);
    same(mergeDocuments(versions, [{ path: 'a-------', take: 'remote' }]).document, versions.remote);
  });

  it('does not lose two blocks that were moved into each other', () => {
    const merged = mergeDocuments({
      base: page([block('s'), block('t')]),
      local: page([block('t', { items: [block('s')] })]),
      remote: page([block('s', { items: [block('t')] })]),
    });
    expect(merged.open.map(({ path }) => path)).toEqual(['t-------']);
    same(merged.document, page([block('t', { items: [block('s')] })]));
  });

  it('keeps what both sides inserted at one place, the local first', () => {
    const merged = mergeDocuments({ base: page([a, b]), local: page([a, c, b]), remote: page([a, d, b]) });
    expect(merged.open).toEqual([]);
    expect(uidsOf(merged.document)).toEqual(['a', 'c', 'd', 'b']);
  });

  it('lists the order where both sides changed it differently, and takes the chosen one', () => {
    const versions = { base: page([a, b, c, d]), local: page([b, a, c, d]), remote: page([c, a, b, d]) };
    const merged = mergeDocuments(versions);
    expect(merged.open).toEqual([
      {
        path: 'root----.body',
        locale: null,
        base: ['a-------', 'b-------', 'c-------', 'd-------'],
        local: ['b-------', 'a-------', 'c-------', 'd-------'],
        remote: ['c-------', 'a-------', 'b-------', 'd-------'],
      },
    ]);
    expect(uidsOf(merged.document)).toEqual(['b', 'a', 'c', 'd']);
    expect(uidsOf(mergeDocuments(versions, [{ path: 'root----.body', take: 'remote' }]).document)).toEqual(['c', 'a', 'b', 'd']);
  });

  it('merges different lines of one long text, and lists the same line', () => {
    const text = (...lines: readonly string[]): PageDocument => page([block('a', { text: lines.join('\n') })]);
    const merged = mergeDocuments({
      base: text('1', '2', '3', '4'),
      local: text('one', '2', '3', '4'),
      remote: text('1', '2', '3', 'four'),
    });
    expect(merged.open).toEqual([]);
    same(merged.document, text('one', '2', '3', 'four'));
    expect(mergeDocuments({ base: text('1', '2'), local: text('one', '2'), remote: text('uno', '2') }).open).toHaveLength(1);
  });

  it('merges the facts of a page one by one', () => {
    const merged = mergeDocuments({
      base: page([], { slugs: { en: 'home', de: 'start' }, seo: { title: 'Old' } }),
      local: page([], { slugs: { en: 'welcome', de: 'start' }, seo: { title: 'Old' }, parent: 'p1' }),
      remote: page([], { slugs: { en: 'home', de: 'anfang' }, seo: { title: 'New' }, name: 'Start', order: 2 }),
    });
    expect(merged.open).toEqual([]);
    same(
      merged.document,
      page([], { slugs: { en: 'welcome', de: 'anfang' }, seo: { title: 'New' }, name: 'Start', order: 2, parent: 'p1' }),
    );
  });

  it('without a base takes what is the same and lists the rest', () => {
    const merged = mergeDocuments({
      base: null,
      local: page([a, block('b', { text: '1' })]),
      remote: page([a, block('b', { text: '2' })]),
    });
    expect(merged.open.map(({ path, base }) => ({ path, base }))).toEqual([{ path: 'b-------.text', base: null }]);
  });

  it('takes a field for a value where it is a list of blocks in one version only', () => {
    const versions = {
      base: page([]),
      local: page([], { content: { _uid: 'root----', component: 'page', body: 'words' } }),
      remote: page([a]),
    };
    expect(mergeDocuments(versions).open.map(({ path }) => path)).toEqual(['root----.body']);
    same(mergeDocuments(versions, [{ path: 'root----.body', take: 'remote' }]).document, versions.remote);
  });
});

interface Nested {
  readonly uid: string;
  readonly text: string;
  readonly items: readonly Nested[];
}

/** A tree over some of a few identities, each once, of up to three levels. */
const tree: fc.Arbitrary<readonly Nested[]> = fc
  .record({
    uids: fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f', 'g']),
    texts: fc.array(fc.constantFrom('', 'x', 'y', 'z'), { minLength: 7, maxLength: 7 }),
    parents: fc.array(fc.nat({ max: 6 }), { minLength: 7, maxLength: 7 }),
  })
  .map(({ uids, texts, parents }) => {
    const nodes = uids.map((uid, at) => ({ uid, text: texts[at] ?? '', items: [] as Nested[] }));
    const top: Nested[] = [];
    nodes.forEach((node, at) => {
      const parent = nodes[(parents[at] ?? 0) % (at + 2)];
      (parent && nodes.indexOf(parent) < at ? parent.items : top).push(node);
    });
    return top;
  });
const blocksOf = (nodes: readonly Nested[]): readonly JsonObject[] =>
  nodes.map(({ uid, text, items }) => block(uid, { text, items: blocksOf(items) }));
const document: fc.Arbitrary<PageDocument> = fc
  .record({
    nodes: tree,
    name: fc.constantFrom('One', 'Two', 'Three'),
    slugs: fc.dictionary(fc.constantFrom('en', 'de'), fc.constantFrom('x', 'y')),
    de: fc.dictionary(fc.constantFrom('a-------.text', 'b-------.text', 'seo.title'), fc.constantFrom('eins', 'zwei')),
    order: fc.option(fc.nat({ max: 3 })),
  })
  .map(({ nodes, name, slugs, de, order }) => page(blocksOf(nodes), { name, slugs, order, overlays: { de } }));
const equals = (one: PageDocument, other: PageDocument): boolean => documentHashes(one).hash === documentHashes(other).hash;

describe('the laws of the merge', () => {
  const RUNS = { numRuns: 500 };

  it('gives the side that changed where the other did not', () => {
    fc.assert(
      fc.property(document, document, (base, changed) => {
        const [local, remote] = [
          mergeDocuments({ base, local: changed, remote: base }),
          mergeDocuments({ base, local: base, remote: changed }),
        ];
        expect([local.open, remote.open]).toEqual([[], []]);
        expect([canonicalDocument(local.document), canonicalDocument(remote.document)]).toEqual([
          canonicalDocument(changed),
          canonicalDocument(changed),
        ]);
      }),
      RUNS,
    );
  });

  it('gives what both sides have where they are the same', () => {
    fc.assert(
      fc.property(document, document, (base, both) => {
        const merged = mergeDocuments({ base, local: both, remote: both });
        return merged.open.length === 0 && equals(merged.document, both);
      }),
      RUNS,
    );
  });

  it('has no conflict where the sides changed different texts, and one of them the order', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e'], { minLength: 5 }),
        fc.subarray(['a', 'b', 'c', 'd', 'e']),
        (order, localOnes) => {
          const uids = ['a', 'b', 'c', 'd', 'e'];
          const of = (list: readonly string[], text: (uid: string) => string): PageDocument =>
            page(list.map((uid) => block(uid, { text: text(uid) })));
          const merged = mergeDocuments({
            base: of(uids, () => 'old'),
            local: of(order, (uid) => (localOnes.includes(uid) ? 'local' : 'old')),
            remote: of(uids, (uid) => (localOnes.includes(uid) ? 'old' : 'remote')),
          });
          return (
            merged.open.length === 0 &&
            equals(
              merged.document,
              of(order, (uid) => (localOnes.includes(uid) ? 'local' : 'remote')),
            )
          );
        },
      ),
      RUNS,
    );
  });

  it('gives each block once, whatever was moved, and the same again when its choices are made', () => {
    fc.assert(
      fc.property(document, document, document, (base, local, remote) => {
        const merged = mergeDocuments({ base, local, remote });
        const uids = [...JSON.stringify(merged.document.content).matchAll(/"_uid":"([^"]+)"/g)].map(([, uid]) => uid);
        expect(new Set(uids).size).toBe(uids.length);
        const chosen = mergeDocuments(
          { base, local, remote },
          merged.open.map(({ path, locale }) => ({ path, locale, take: 'local' })),
        );
        expect(chosen.open).toEqual([]);
        expect(canonicalDocument(chosen.document)).toEqual(canonicalDocument(merged.document));
      }),
      RUNS,
    );
  });
});

describe('the cost of the merge', () => {
  /** How often the keys of blocks are looked at while two versions of so many blocks are merged. */
  function looksAt(blocks: number): number {
    let looks = 0;
    const counted = (uid: string, text: string): JsonObject =>
      new Proxy(block(uid, { text }), {
        get: (target, key) => {
          looks += 1;
          return Reflect.get(target, key) as unknown;
        },
      });
    const of = (side: string): PageDocument =>
      page(
        Array.from({ length: blocks / 100 }, (_, section) =>
          block(`section${section}`, {
            items: Array.from({ length: 99 }, (_one, at) => counted(`block${section}_${at}`, at % 2 ? side : 'same')),
          }),
        ),
      );
    mergeDocuments({ base: of('base'), local: of('local'), remote: of('remote') });
    return looks;
  }

  it('grows with the number of blocks', () => {
    const [few, many] = [looksAt(200), looksAt(2_000)];
    expect(many / few).toBeCloseTo(10, 0);
  });
});
