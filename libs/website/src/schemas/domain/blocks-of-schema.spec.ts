import type { JsonObject } from '@atrium/platform/kernel';
import { blocksOf, mapEveryBlock, type FieldsOfComponent } from './blocks-of-schema';

const field = (key: string, type: string, fields: ReturnType<FieldsOfComponent> = []) => ({ key, type: { name: type }, fields });
const FIELDS: Readonly<Record<string, ReturnType<FieldsOfComponent>>> = {
  page: [field('body', 'blocks'), field('text', 'doc'), field('raw', 'foreign'), field('rows', 'list', [field('text', 'doc')])],
  hero: [field('title', 'text'), field('below', 'blocks')],
};
const fieldsOf: FieldsOfComponent = (component) => FIELDS[component];
const hero = (_uid: string, more: JsonObject = {}): JsonObject => ({ _uid, component: 'hero', ...more });
const doc = (...body: JsonObject[]): JsonObject => ({
  type: 'doc',
  content: [{ type: 'blockquote', content: [{ type: 'blok', attrs: { body } }] }],
});
const page: JsonObject = {
  _uid: 'root',
  component: 'page',
  body: [hero('a', { below: [hero('b')] }), { _uid: 'x', component: 'unknown', body: [hero('never')] }],
  text: doc(hero('c', { below: [hero('d')] })),
  rows: [{ text: doc(hero('e')) }, 'odd'],
  raw: hero('foreign'),
};
const renamed = (block: JsonObject): JsonObject => (block.component === 'hero' ? { ...block, seen: true } : block);

describe('the blocks of a schema', () => {
  it('are found in lists, in documents and in the rows of lists, and in no foreign value', () => {
    expect(blocksOf(page, fieldsOf, 'hero').map(({ _uid }) => _uid)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(blocksOf(page, fieldsOf, 'page').map(({ _uid }) => _uid)).toEqual(['root']);
  });

  it('are changed where they are, and everything else stays as it is', () => {
    const changed = mapEveryBlock(page, fieldsOf, renamed);
    expect(changed).toEqual({
      ...page,
      body: [hero('a', { below: [hero('b', { seen: true })], seen: true }), { _uid: 'x', component: 'unknown', body: [hero('never')] }],
      text: doc(hero('c', { below: [hero('d', { seen: true })], seen: true })),
      rows: [{ text: doc(hero('e', { seen: true })) }, 'odd'],
    });
    expect(changed.raw).toBe(page.raw);
  });

  it('are found under the new name of a list that the change renames', () => {
    const list: JsonObject = { _uid: 'top', component: 'hero', beneath: [hero('inner', { beneath: [hero('deepest')] })] };
    const moved = mapEveryBlock(list, fieldsOf, ({ beneath, ...block }) => (beneath === undefined ? block : { ...block, below: beneath }));
    expect(moved).toEqual({ _uid: 'top', component: 'hero', below: [hero('inner', { below: [hero('deepest')] })] });
  });

  it('that do not change leave the page the same object', () => {
    expect(mapEveryBlock(page, fieldsOf, (block) => block)).toBe(page);
  });
});
