import 'reflect-metadata';
import { Flag, IdList, Json, NestedList, Text, TextList } from '@atrium/platform/database';
import type { Problem } from '@atrium/platform/kernel';
import { ArrayMaxSize, IsArray, registerDecorator } from 'class-validator';
import { Accepts } from './bodies';
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
  @Flag({ optional: true }) album_active?: boolean;
  @Json({ optional: true }) album_acl?: object;
  @IdList({ optional: true, max: 10 }) file_ids?: string[];
  @TextList({ optional: true }) words?: string[];
  @NestedList(() => Item, { optional: true, max: 10 }) items?: Item[];
  @NestedList(() => Holder, { optional: true, max: 3 }) holders?: Holder[];
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

  it('never reaches the prototype of its class', async () => {
    const body = (await read(JSON.parse('{"album_name":"x","__proto__":{"polluted":true}}') as object)) as object;
    expect(body).not.toHaveProperty('polluted');
    expect(body).toBeInstanceOf(Body);
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
