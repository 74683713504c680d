import type { JsonObject } from '@atrium/platform/kernel';
import type { Block } from './content-form';
import { diffTexts } from './text-diff';
import { diffVersions } from './version-diff';

const block = (_uid: string, fields: JsonObject = {}): JsonObject => ({ _uid, component: 'text', ...fields });
const version = (body: readonly JsonObject[], seo: JsonObject = {}): { content: Block; seo: JsonObject } => ({
  content: { _uid: 'root0001', component: 'page', body },
  seo,
});
const [a, b, c, d] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd'].map((uid) => block(uid, { text: uid })) as [
  JsonObject,
  JsonObject,
  JsonObject,
  JsonObject,
];

describe('the difference of two versions', () => {
  it('compares the words of texts as long as all of them together cost little, and then names texts as a whole', () => {
    const words = (of: string): string => Array.from({ length: 450 }, (_, at) => `${of}${at}`).join(' ');
    const texts = (of: string) =>
      Array.from({ length: 40 }, (_, at) => block(`text-${at}`.padEnd(8, '0'), { text: `${words(of)} same ${words(of)}` }));
    const { changed } = diffVersions(version(texts('a')), version(texts('b')));
    const wholes = changed.map(({ text_diff }) => text_diff?.length === 2);
    expect(wholes.slice(0, 1)).toEqual([false]);
    expect(wholes.slice(10)).toEqual(wholes.slice(10).map(() => true));
  });

  it('is nothing for the same content, also where one has empty values', () => {
    const nothing = { added: [], removed: [], moved: [], changed: [] };
    expect(diffVersions(version([a]), version([{ ...a, note: '', items: [] }]))).toEqual(nothing);
  });

  it('names added and removed blocks, without those within them', () => {
    const section = block('ssssssss', { items: [c] });
    expect(diffVersions(version([a]), version([b, section]))).toEqual({
      added: [
        { uid: 'bbbbbbbb', component: 'text', path: 'root0001.body' },
        { uid: 'ssssssss', component: 'text', path: 'root0001.body' },
      ],
      removed: [{ uid: 'aaaaaaaa', component: 'text', path: 'root0001.body' }],
      moved: [],
      changed: [],
    });
  });

  it('names the one block that was moved, not those that it passed', () => {
    expect(diffVersions(version([a, b, c, d]), version([b, c, d, a])).moved).toEqual([
      { uid: 'aaaaaaaa', component: 'text', from: { path: 'root0001.body', position: 0 }, to: { path: 'root0001.body', position: 3 } },
    ]);
    expect(diffVersions(version([a, b, c]), version([d, a, b, c])).moved).toEqual([]);
  });

  it('names a block that was moved to another list', () => {
    expect(diffVersions(version([a, block('ssssssss')]), version([block('ssssssss', { items: [a] })]))).toEqual({
      added: [],
      removed: [],
      moved: [
        { uid: 'aaaaaaaa', component: 'text', from: { path: 'root0001.body', position: 0 }, to: { path: 'ssssssss.items', position: 0 } },
      ],
      changed: [],
    });
  });

  it('shows changed texts and documents word by word, and other values whole', () => {
    const doc = (text: string): JsonObject => ({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] });
    const { changed } = diffVersions(
      version([block('aaaaaaaa', { text: 'a red lamp', body: doc('old'), size: 1 })], { title: 'Lamp' }),
      version([block('aaaaaaaa', { text: 'a blue lamp', body: doc('new'), size: 2 })]),
    );
    expect(changed).toEqual([
      {
        path: 'aaaaaaaa.text',
        from: 'a red lamp',
        to: 'a blue lamp',
        text_diff: [
          { op: 'same', text: 'a ' },
          { op: 'removed', text: 'red' },
          { op: 'added', text: 'blue' },
          { op: 'same', text: ' lamp' },
        ],
      },
      {
        path: 'aaaaaaaa.body',
        from: doc('old'),
        to: doc('new'),
        text_diff: [
          { op: 'removed', text: 'old' },
          { op: 'added', text: 'new' },
        ],
      },
      { path: 'aaaaaaaa.size', from: 1, to: 2, text_diff: null },
      { path: 'seo.title', from: 'Lamp', to: null, text_diff: [{ op: 'removed', text: 'Lamp' }] },
    ]);
  });
});

describe('the difference of two texts', () => {
  const side = (changes: ReturnType<typeof diffTexts>, op: 'removed' | 'added'): string =>
    changes
      .filter((change) => change.op === 'same' || change.op === op)
      .map(({ text }) => text)
      .join('');

  it.each([
    ['', 'new'],
    ['old', ''],
    ['one, two; three', 'one two, three'],
    ['Straße und Gasse', 'Strasse und Gassen'],
    ['a\nb\nc\n', 'a\nx\nc'],
    ['word '.repeat(5_000), `${'word '.repeat(2_500)}new ${'word '.repeat(2_500)}`],
    [Array.from({ length: 3_000 }, (_, at) => `w${at}`).join(' '), Array.from({ length: 3_000 }, (_, at) => `v${at}`).join(' ')],
    [Array.from({ length: 1_200 }, (_, at) => `a${at} same`).join(' '), Array.from({ length: 900 }, (_, at) => `b${at} same`).join(' ')],
  ])('makes both texts again, in a bounded number of pieces (%#)', (before, after) => {
    const changes = diffTexts(before, after);
    expect([side(changes, 'removed'), side(changes, 'added')]).toEqual([before, after]);
    expect(changes.length).toBeLessThanOrEqual(500);
  });
});
