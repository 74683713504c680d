import type { JsonObject } from '@atrium/platform/kernel';
import type { CompiledForm } from './compiled-form';
import { FieldTypes } from './field-types';
import { diffForms, type FormDiff } from './form-diff';
import type { RetiredFields } from './retired-fields';
import { FormReader } from './form-reader';
import { applyMoves } from './moves';
import { projectContent } from './visible-fields';

const NOW = new Date('2026-03-01T12:00:00Z');

function compiled(fields: readonly JsonObject[], more: JsonObject = {}): CompiledForm {
  const read = new FormReader(new FieldTypes(), 'object', NOW).readForm({ fields, ...more }, 'form_config');
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return read.form;
}

const field = (key: string, type: string, more: JsonObject = {}): JsonObject => ({ key, type, label: key, ...more });
const revive = (config: JsonObject) => compiled([config]).fields[0] ?? null;
const diff = (before: readonly JsonObject[], after: readonly JsonObject[], retired: RetiredFields = {}): FormDiff =>
  diffForms(compiled(before), compiled(after), retired, NOW, revive);
const OPTIONS = [{ value: 'a' }, { value: 'b' }];
const ID = '0190a8c4-0000-7000-8000-00000000000a';

describe('the way from one configuration to the next', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['text to long_text', field('f', 'text'), field('f', 'long_text'), { f: 'x' }],
    ['integer to number', field('f', 'integer'), field('f', 'number'), { f: 7 }],
  ])('leaves values from %s as they are', (_, old, now, content) => {
    const { moves, blocked } = diff([old], [now]);
    expect({ moves, blocked }).toEqual({ moves: [], blocked: [] });
    expect(applyMoves(content, moves)).toBe(content);
  });

  it.each<[string, JsonObject, JsonObject, JsonObject, JsonObject]>([
    ['integer to decimal', field('f', 'integer'), field('f', 'decimal'), { f: 1e21 }, { f: '1000000000000000000000' }],
    ['number to decimal', field('f', 'number'), field('f', 'decimal'), { f: -1.5e-7 }, { f: '-0.00000015' }],
    [
      'select to multi_select',
      field('f', 'select', { options: OPTIONS }),
      field('f', 'multi_select', { options: OPTIONS }),
      { f: 'a' },
      { f: ['a'] },
    ],
    ['file to files', field('f', 'file'), field('f', 'files'), { f: ID }, { f: [ID] }],
    ['object to objects', field('f', 'object', { schema: ID }), field('f', 'objects', { schema: ID }), { f: ID }, { f: [ID] }],
    [
      'one term to several',
      field('f', 'taxonomy', { taxonomy: ID }),
      field('f', 'taxonomy', { taxonomy: ID, multiple: true }),
      { f: ID },
      { f: [ID] },
    ],
    ['boolean to text', field('f', 'boolean'), field('f', 'text'), { f: false }, { f: 'false' }],
    ['rating to text', field('f', 'rating'), field('f', 'text'), { f: 3 }, { f: '3' }],
    ['date to text', field('f', 'date'), field('f', 'text'), { f: '2026-01-01' }, { f: '2026-01-01' }],
  ])('converts %s without a loss, once', (_, old, now, content, expected) => {
    const { moves, blocked } = diff([old], [now]);
    expect(blocked).toEqual([]);
    expect(applyMoves(content, moves)).toEqual(expected);
    expect(applyMoves(expected, moves)).toBe(expected);
    expect(projectContent(compiled([now]).withMoves(moves), content)).toEqual({ content: expected, issues: [] });
  });

  it.each<[string, string]>([
    ['number', 'date'],
    ['long_text', 'text'],
    ['text', 'number'],
    ['multi_select', 'select'],
    ['currency', 'text'],
    ['decimal', 'number'],
  ])('blocks %s to %s where something is stored', (old, now) => {
    const options = (type: string): JsonObject => (type.endsWith('select') ? { options: OPTIONS } : {});
    expect(diff([field('f', old, options(old))], [field('f', now, options(now))]).blocked).toMatchObject([
      { path: 'f', declared: 'form_config.fields[0]' },
    ]);
  });

  it('renames within groups and rows, parents before their parts', () => {
    const before = [field('a', 'group', { fields: [field('x', 'integer')] }), field('l', 'list', { fields: [field('y', 'text')] })];
    const after = [
      field('b', 'group', { renamed_from: 'a', fields: [field('z', 'decimal', { renamed_from: 'x' })] }),
      field('l', 'list', { fields: [field('w', 'text', { renamed_from: 'y' })] }),
    ];
    const { moves } = diff(before, after);
    const content: JsonObject = { a: { x: 1, kept: 2 }, l: [{ _id: 'r', y: 'p' }, { _id: 's' }] };
    const expected: JsonObject = { b: { z: '1', kept: 2 }, l: [{ _id: 'r', w: 'p' }, { _id: 's' }] };
    expect(applyMoves(content, moves)).toEqual(expected);
    expect(applyMoves(expected, moves)).toBe(expected);
  });

  it('takes what was written under the new name for the later word', () => {
    const { moves } = diff([field('a', 'text')], [field('b', 'text', { renamed_from: 'a' })]);
    expect(applyMoves({ a: 'old', b: 'new' }, moves)).toEqual({ b: 'new' });
  });

  it('keeps what is removed, and blocks a key whose hidden values are of another type', () => {
    const { retired, changes } = diff([field('f', 'number')], []);
    expect(changes).toMatchObject([{ field: 'f', change: 'removed' }]);
    expect(diff([], [field('f', 'number')], retired)).toMatchObject({ blocked: [], retired: {}, changes: [{ change: 'revived' }] });
    expect(applyMoves({ f: 5 }, diff([], [field('f', 'decimal')], retired).moves)).toEqual({ f: '5' });
    expect(diff([], [field('f', 'date')], retired).blocked).toMatchObject([{ path: 'f', from_type: 'number' }]);
    expect(diff([field('g', 'number')], [field('f', 'number', { renamed_from: 'g' })], retired).blocked).toMatchObject([{ path: 'f' }]);
  });

  it('names the keys whose index rows are made, and those that nothing asks for', () => {
    const plain = [field('f', 'text'), field('g', 'number', { filterable: true }), field('u', 'user')];
    expect(diff(plain, [field('f', 'text', { filterable: true }), field('u', 'user')])).toMatchObject({
      reindexed: ['f'],
      unindexed: ['g'],
    });
    expect(diff(plain, plain)).toMatchObject({ reindexed: [], unindexed: [], reworded: false, moves: [], changes: [] });
    expect(
      diff(plain, [field('f', 'text'), field('h', 'number', { filterable: true, renamed_from: 'g' }), field('u', 'user')]),
    ).toMatchObject({ reindexed: ['h'], unindexed: ['g'] });
    expect(diff(plain, [field('f', 'text', { unique: true }), ...plain.slice(1)])).toMatchObject({
      reindexed: ['f'],
      madeUnique: [{ stored: 'f' }],
    });
    expect(diff(plain, [field('f', 'text', { searchable: false }), ...plain.slice(1)]).reworded).toBe(true);
  });

  it('has words of stored rows made again where a field they have values of comes, goes or is named otherwise', () => {
    const named = [field('f', 'text'), field('g', 'text')];
    expect(diff(named, [...named, field('h', 'text')])).toMatchObject({ reworded: false, changes: [{ field: 'h', change: 'added' }] });
    expect(diff(named, [field('h', 'text'), ...named]).reworded).toBe(false);
    expect(diff(named, [...named, field('h', 'group', { fields: [field('i', 'text')] })]).reworded).toBe(false);
    expect(diff(named, [...named, field('h', 'text')], { h: { config: field('h', 'text'), at: NOW.toISOString() } }).reworded).toBe(true);
    expect(diff(named, [...named].reverse()).reworded).toBe(true);
    expect(diff(named, named.slice(1)).reworded).toBe(true);
    expect(diff(named, [field('f', 'text', { label: 'Other' }), ...named.slice(1)]).reworded).toBe(true);
  });

  it('has nothing to do for what only tightens', () => {
    const stricter = [field('f', 'number', { min: 5, required: true })];
    expect(diff([field('f', 'number')], stricter)).toMatchObject({ moves: [], blocked: [], reindexed: [], reworded: false });
  });
});
