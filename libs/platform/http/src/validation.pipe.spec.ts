import 'reflect-metadata';
import { Flag, IdList, Json, NestedList, Text, TextList } from '@atrium/platform/database';
import type { FieldFault, Problem } from '@atrium/platform/kernel';
import { ArrayMaxSize, IsArray, registerDecorator } from 'class-validator';
import { Accepts } from './bodies';
import { knownNamesTransformer } from './body-bounds';
import { createValidationPipe } from './validation.pipe';

let looked = 0;
const Counted = (): PropertyDecorator => (target, name) =>
  registerDecorator({ target: target.constructor, propertyName: String(name), validator: { validate: () => (looked += 1) > 0 } });

@Accepts()
class Item {
  @Text({ min: 1 }) @Counted() item_name!: string;
}

@Accepts()
class Body {
  @Text({ min: 1, max: 20 }) album_name!: string;
  @Flag({ omittable: true }) album_active?: boolean;
  @Json({ omittable: true }) album_acl?: object;
  @IdList({ omittable: true, max: 10 }) file_ids?: string[];
  @TextList({ omittable: true }) words?: string[];
  @NestedList(() => Item, { omittable: true, max: 10 }) items?: Item[];
  @NestedList(() => Holder, { omittable: true, max: 3 }) holders?: Holder[];
}

@Accepts()
class Holder {
  @NestedList(() => Item, { max: 5 }) inner!: Item[];
}

@Accepts()
class Outcome {
  @Json({ optional: true, isOfAnyType: true, max: 40 }) output?: unknown;
}

class Decorated {
  @IsArray() @ArrayMaxSize(3, { message: 'too_many|must have at most 3 items' }) @Counted() parts!: number[];
}

const pipe = createValidationPipe();
const read = (body: object, type: new () => object = Body): Promise<unknown> =>
  pipe.transform(body, { type: 'body', metatype: type }) as Promise<unknown>;
const faults = (body: object, type: new () => object = Body): Promise<unknown> =>
  read(body, type).then(
    () => [],
    (problem: Problem) => problem.errors,
  );
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

beforeEach(() => (looked = 0));

describe('input', () => {
  it.each<[unknown, string | null]>([
    [{ a: [1] }, null],
    [['a', 1, null], null],
    ['words\nin lines', null],
    [7.4, null],
    [false, null],
    [null, null],
    ['x'.repeat(39), 'too_long'],
    [many(20, () => 'x'), 'too_long'],
    ['a\u0000', 'characters'],
    ['a\u007f', 'characters'],
    [{ a: ['\u0008', 1] }, 'characters'],
    [{ 'a\u000b': 1 }, 'characters'],
    [[['\ud83d']], 'characters'],
    [{ '\udc69\ud83d': 1 }, 'characters'],
    [{ 'a\t\n\r': '\t👩\\u0000\\b' }, null],
  ])('of any JSON takes %j as it is, within its bounds: %s', async (output, code) => {
    if (code === null) expect(await read({ output }, Outcome)).toEqual({ output });
    else expect(await faults({ output }, Outcome)).toMatchObject([{ path: 'output', code }]);
  });

  it('becomes an instance of its class, also within lists, and JSON stays what it was', async () => {
    const album_acl = { users: { a: 'view' }, list: [{ deep: [1, null] }] };
    const body = (await read({
      album_name: '  Harbour ',
      album_acl,
      words: ['a'],
      items: [{ item_name: ' one ' }],
      holders: [{ inner: [{ item_name: 'two' }] }],
    })) as Body;
    expect(body).toEqual({
      album_name: 'Harbour',
      album_acl,
      words: ['a'],
      items: [{ item_name: 'one' }],
      holders: [{ inner: [{ item_name: 'two' }] }],
    });
    expect([body, body.items?.[0], body.holders?.[0]?.inner[0]].map((part) => part?.constructor)).toEqual([Body, Item, Item]);
  });

  it('has lists of a decorator as they came: nobody walks through what is not converted', async () => {
    const parts = [1, 2, 3];
    expect(((await read({ parts }, Decorated)) as Decorated).parts).toBe(parts);
  });

  it('is refused by the size of a list or a map before one entry of it is looked at', async () => {
    const items = many(50_000, () => ({ item_name: 'x' }));
    expect(await faults({ album_name: 'x', items })).toEqual([{ path: 'items', code: 'too_many', message: 'must have at most 10 items' }]);
    expect(await faults({ album_name: 'x', holders: [{ inner: [] }, { inner: items }] })).toEqual([
      { path: 'holders[1].inner', code: 'too_many', message: 'must have at most 5 items' },
    ]);
    expect(await faults({ album_name: 'x', album_acl: { users: Object.fromEntries(many(50_000, (i) => [`user-${i}`, 'view'])) } })).toEqual(
      [{ path: 'album_acl', code: 'too_long', message: 'must have at most 65536 bytes as JSON' }],
    );
    expect(await faults({ album_name: 'x', words: many(1_001, String) })).toMatchObject([{ path: 'words', code: 'too_many' }]);
    expect(await faults({ parts: many(50_000, Number) }, Decorated)).toEqual([
      { path: 'parts', code: 'too_many', message: 'must have at most 3 items' },
    ]);
    expect(looked).toBe(0);
  });

  it('is left as it is where nobody asked for it, and a map of very many entries is refused like any other', async () => {
    const surprise = many(300_000, () => ({ item_name: 'x' }));
    expect(await faults({ album_name: 'x', surprise })).toMatchObject([{ path: 'surprise', code: 'unknown_field' }]);
    expect(await faults({ album_name: 'x', album_acl: { list: many(300_000, () => 0) } })).toMatchObject([{ code: 'too_long' }]);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('named %s is unknown and never reaches the prototype of its class', async (name) => {
    const given = JSON.parse(`{"album_name":"x","${name}":{"polluted":true},"items":[{"item_name":"x","${name}":1}]}`) as object;
    expect(await faults(given)).toEqual([
      { path: name, code: 'unknown_field', message: 'is unknown' },
      { path: `items[0].${name}`, code: 'unknown_field', message: 'is unknown' },
    ]);
    expect(new Body()).not.toHaveProperty('polluted');
  });

  it('with more unknown names than an answer lists is refused before anything is made of it', async () => {
    const transform = jest.spyOn(knownNamesTransformer, 'plainToInstance');
    const found = (await faults({ album_name: 'x', ...Object.fromEntries(many(51, (i) => [`albumname${i}`, 1])) })) as FieldFault[];
    expect(found).toHaveLength(50);
    expect(found[49]).toEqual({ path: 'albumname49', code: 'unknown_field', message: 'is unknown' });
    expect([transform.mock.calls.length, looked]).toEqual([0, 0]);
    transform.mockRestore();
  });

  it('is refused by all its unknown names together, wherever they are', async () => {
    const items = many(10, (i) => ({ item_name: 'x', ...Object.fromEntries(many(6, (j) => [`x${i}${j}`, 1])) }));
    expect(await faults({ album_name: 'x', items })).toHaveLength(50);
    expect(looked).toBe(0);
  });

  it('names up to 50 faults, the unknown names first, and looks for what was meant by the first ten of them', async () => {
    const found = (await faults({
      ...Object.fromEntries(many(12, (i) => [`album_name${String.fromCharCode(97 + i)}`, 1])),
      items: many(10, () => ({ item_name: '' })),
      holders: many(3, () => ({ inner: many(5, () => ({})) })),
    })) as FieldFault[];
    expect(found).toHaveLength(12 + 1 + 10 + 15);
    expect(found.filter(({ message }) => message.includes('did you mean album_name?'))).toHaveLength(10);
    expect(found.slice(12).map(({ code }) => code)).not.toContain('unknown_field');
    expect(await faults({ album_name: 'x', [`${'n'.repeat(100_000)}`]: 1 })).toEqual([
      { path: 'n'.repeat(255), code: 'unknown_field', message: 'is unknown' },
    ]);
  });

  it('of a hundred thousand unknown names costs no more than reading them', async () => {
    const given = Object.fromEntries(many(100_000, (i) => [`k${i}`, 1]));
    const before = process.cpuUsage();
    expect(await faults(given)).toHaveLength(50);
    const { user, system } = process.cpuUsage(before);
    // With the names handed on it was half a minute.
    expect((user + system) / 1_000_000).toBeLessThan(1);
  });

  it('that is a list or a text is no input of a class', async () => {
    await expect(read([{ album_name: 'x' }])).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(read(many(300_000, () => ({})))).rejects.toMatchObject({ detail: 'The body must be a JSON object.' });
    await expect(read([])).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('without a required field is answered with its name', async () => {
    expect(await faults({})).toEqual([{ path: 'album_name', code: 'required', message: 'is missing' }]);
    expect(await faults({}, Decorated)).toMatchObject([{ path: 'parts', message: 'is missing' }]);
    expect(await faults({ album_name: null })).toMatchObject([{ path: 'album_name', message: 'must be a string' }]);
  });

  it.each([
    ['albumname', 'album_name'],
    ['album_nmae', 'album_name'],
    ['albumName', 'album_name'],
    ['name', 'album_name'],
    ['file_id', 'file_ids'],
    ['item', 'items'],
  ])('with %s in it is asked whether %s was meant', async (given, meant) => {
    expect(await faults({ album_name: 'x', [given]: 1 })).toEqual([
      { path: given, code: 'unknown_field', message: `is unknown; did you mean ${meant}?` },
    ]);
  });

  it.each(['colour', 'x', 'z'.repeat(100)])('with %s in it gets no suggestion, because no name is near', async (given) => {
    expect(await faults({ album_name: 'x', [given]: 1 })).toEqual([{ path: given, code: 'unknown_field', message: 'is unknown' }]);
  });
});
