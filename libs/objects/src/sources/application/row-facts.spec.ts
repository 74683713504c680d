import { FormReferences, Forms, type CompiledForm } from '@atrium/forms';
import { SystemClock, TimeOrderedIds, type JsonObject } from '@atrium/platform/kernel';
import { digestOf, saidOf, type SaidFacts, type StoredFacts } from './row-facts';
import type { ConflictRule } from '../domain/object-source';
import { SourceMapping, type MappedRow } from '../domain/source-mapping';

const forms = new Forms(new FormReferences(), new SystemClock(), new TimeOrderedIds());
const field = (key: string, type: string, more: object = {}): JsonObject => ({ key, type, label: key, ...more });
const form = forms.compileForm({
  title: 'name',
  fields: [
    field('name', 'text'),
    field('price', 'number'),
    field('open', 'boolean'),
    field('tags', 'tags'),
    field('place', 'group', { fields: [field('city', 'text'), field('floor', 'integer')] }),
    field('number', 'auto_number'),
  ],
});
const MAPPING = {
  external_id: { path: '$.id' },
  name: { path: '$.title', transform: 'trim' },
  url: { path: '$.link' },
  price: { path: '$.price' },
  open: { path: '$.open' },
  tags: { path: '$.tags[*].name' },
  'place.city': { path: '$.city', default: 'Lisbon' },
  'place.floor': { path: '$.floor' },
};
const mapping = SourceMapping.read(MAPPING);
const paths = mapping.fieldsOf(form);
const cells = forms.openCells(form, Object.fromEntries(paths.map((path) => [path, path])), { plain: true, zone: 'Europe/Berlin' });

const say = (row: JsonObject, previous: StoredFacts | null = null, rule: ConflictRule = 'local_wins', by: CompiledForm = form): SaidFacts =>
  saidOf(mapping.map(row, by), { form: by, cells, rule, previous });
const stored = (obj_content: JsonObject, obj_locked_fields: readonly string[] = []): StoredFacts => ({
  obj_name: 'Lamp',
  obj_content,
  obj_locked_fields,
});

describe('a mapped row', () => {
  it('says its facts, and fills a field of the same key', () => {
    expect(mapping.map({ id: 7, title: ' Lamp ', link: 'https://shop.example.com/7' }, form)).toMatchObject({
      external_id: '7',
      name: 'Lamp',
      url: 'https://shop.example.com/7',
      deleted: false,
      faults: [],
    });
    expect(say({ id: 7, title: ' Lamp ' }).obj_content).toMatchObject({ name: 'Lamp' });
  });

  it.each<[JsonObject, string]>([
    [{ title: 'Lamp' }, 'external_id'],
    [{ id: '  ', title: 'Lamp' }, 'external_id'],
    [{ id: { a: 1 }, title: 'Lamp' }, 'external_id'],
    [{ id: 'x'.repeat(513), title: 'Lamp' }, 'external_id'],
    [{ id: 'a\0b', title: 'Lamp' }, 'external_id'],
    [{ id: 'a', title: 'Lamp \ud800' }, 'name'],
    [{ id: 'a', title: 'Lamp', link: 'javascript:alert(1)' }, 'url'],
    [{ id: 'a', title: 'Lamp', link: 'nowhere' }, 'url'],
  ])('of %j has a fault at %s', (row, path) => {
    expect(mapping.map(row, form).faults).toContainEqual(expect.objectContaining({ path }));
  });

  it.each([true, 'TRUE', ' yes ', 1, '1'])('with %j under deleted is gone, with others it is not', (gone) => {
    const told = SourceMapping.read({ ...MAPPING, deleted: { path: '$.gone' } });
    expect(told.map({ id: 'a', gone }, form).deleted).toBe(true);
    for (const kept of [false, 'no', 0, null, '']) expect(told.map({ id: 'a', gone: kept }, form).deleted).toBe(false);
  });

  it('fits the schema, apart from what nobody writes', () => {
    expect(() => mapping.assertFits(form)).not.toThrow();
    for (const key of ['number', 'place.street', 'weight', '__proto__x'])
      expect(() => SourceMapping.read({ ...MAPPING, [key]: { path: '$.x' } }).assertFits(form)).toThrow(
        expect.objectContaining({ errors: [expect.objectContaining({ path: `osr_mapping.${key}`, code: 'unknown_field' })] }),
      );
  });
});

describe('what a row says of its object', () => {
  it('is complete for a new one: groups part by part, texts as their fields take them, nothing for what is absent', () => {
    expect(say({ id: 1, title: 'Lamp', price: '12.5', open: 'yes', tags: [{ name: 'a' }, { name: 'b' }], floor: '3' })).toEqual({
      obj_name: 'Lamp',
      obj_content: { name: 'Lamp', price: 12.5, open: true, tags: ['a', 'b'], place: { city: 'Lisbon', floor: 3 } },
      conflicts: [],
      faults: [],
    });
    expect(say({ id: 1, title: 'Lamp' }).obj_content).toEqual({ name: 'Lamp', tags: [], place: { city: 'Lisbon' } });
  });

  it('clears what the row no longer says, and leaves the other parts of a group', () => {
    const previous = stored({ name: 'Lamp', price: 5, note: 'kept', place: { city: 'Porto', floor: 2, street: 'Rua' } });
    expect(say({ id: 1, title: 'Lamp', city: 'Faro' }, previous).obj_content).toEqual({
      name: 'Lamp',
      price: null,
      open: null,
      tags: [],
      place: { city: 'Faro', street: 'Rua' },
    });
  });

  it.each(['1,234', '0,750', '1 234', '9007199254740993'])('has no other number: %s is a fault without a transform', (price) => {
    expect(say({ id: 1, title: 'Lamp', price })).toMatchObject({
      obj_content: { name: 'Lamp' },
      faults: [{ path: 'price', code: 'format' }],
    });
    expect(say({ id: 1, title: 'Lamp', price }).obj_content).not.toHaveProperty('price');
  });

  it('has numbers as the texts that text fields take, with every digit', () => {
    expect(say({ id: 1, title: 'Lamp', city: 12 }).obj_content).toMatchObject({ place: { city: '12' } });
    expect(say({ id: 1, title: 'Lamp', city: '9007199254740993' }).obj_content).toMatchObject({ place: { city: '9007199254740993' } });
  });

  it('has a fault where a text fits no field', () => {
    expect(say({ id: 1, title: 'Lamp', price: 'free' }).faults).toMatchObject([{ path: 'price', code: 'format' }]);
  });

  it('leaves locked fields to local_wins, and is a conflict only where it says something else', () => {
    const previous = stored({ name: 'Lamp', price: 9 }, ['price', 'open']);
    const said = say({ id: 1, title: 'Other', price: 5 }, previous);
    expect(said.obj_content).not.toHaveProperty('price');
    expect(said.obj_content).toMatchObject({ name: 'Other' });
    expect(said.conflicts).toEqual([{ field: 'obj_content.price', from: 9, to: 5 }]);
    expect(said.obj_locked_fields).toBeUndefined();
    expect(say({ id: 1, title: 'Other', price: 9 }, previous).conflicts).toEqual([]);
  });

  it('overwrites locked fields under source_wins and releases them, not those that it does not write', () => {
    const said = say({ id: 1, title: 'Lamp', price: 5 }, stored({ price: 9, note: 'x' }, ['price', 'note']), 'source_wins');
    expect(said).toMatchObject({ obj_content: { price: 5 }, obj_locked_fields: ['note'], conflicts: [] });
  });
});

describe('the digest of a row', () => {
  const row = (more: object = {}): MappedRow => mapping.map({ id: 1, title: 'Lamp', price: 1, ...more }, form);

  it('is that of what it says, whatever else the row holds', () => {
    expect(digestOf('s', row({ other: 5 }))).toBe(digestOf('s', row()));
    for (const more of [{ price: 2 }, { title: 'B' }, { link: 'https://a.example.com/' }, { floor: 1 }])
      expect(digestOf('s', row(more))).not.toBe(digestOf('s', row()));
    expect(digestOf('t', row())).not.toBe(digestOf('s', row()));
  });
});
