import Ajv2020 from 'ajv/dist/2020';
import { Effort, findEffortBy, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { JsonSchema } from './json-schema';

describe('a JSON Schema', () => {
  it('names the value and the place that do not fit', () => {
    const schema = new JsonSchema({ type: 'object', properties: { due: { type: 'string', format: 'date' } }, required: ['due'] });
    expect(schema.faults({ due: '2026-11-23' })).toEqual([]);
    expect(schema.faults({ due: 'soon' }, 'answer')).toEqual(['answer/due must match format "date"']);
    expect(schema.faults({})).toEqual(["value must have required property 'due'"]);
  });

  it('matches patterns in linear time', () => {
    const schema = new JsonSchema({ type: 'string', pattern: '^(a+)+$' });
    expect(schema.faults('aaaa')).toEqual([]);
    expect(schema.faults(`${'a'.repeat(50_000)}!`)).toHaveLength(1);
  });

  it('keeps its patterns apart', () => {
    const schema = new JsonSchema({
      type: 'object',
      properties: { a: { type: 'string', pattern: '^a' }, b: { type: 'string', pattern: '^b' } },
    });
    expect(schema.faults({ a: 'a', b: 'b' })).toEqual([]);
    expect(schema.faults({ a: 'a', b: 'a' })).toHaveLength(1);
  });

  it('of the service itself is compiled once, and not held against the schema of all schemas', () => {
    const [compiles, checks] = [jest.spyOn(Ajv2020.prototype, 'compile'), jest.spyOn(Ajv2020.prototype, 'validateSchema')];
    try {
      const schema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
      const first = JsonSchema.ofOwn(schema);
      for (let flood = 0; flood < 12; flood++) JsonSchema.of({ title: `${flood}`.padEnd(50_000) });
      compiles.mockClear();
      checks.mockClear();
      expect(JsonSchema.ofOwn(schema)).toBe(first);
      expect(JsonSchema.ofOwn({ ...schema })).not.toBe(first);
      expect(first.faults({})).toEqual(["value must have required property 'query'"]);
      expect([compiles.mock.calls.length, checks.mock.calls.length]).toEqual([1, 0]);
    } finally {
      compiles.mockRestore();
      checks.mockRestore();
    }
  });

  it('is kept compiled no longer than a few hundred others, however small they are', () => {
    const schema = { title: 'first', type: 'string' };
    const first = JsonSchema.of(schema);
    expect(JsonSchema.of({ ...schema })).toBe(first);
    for (let at = 0; at < 310; at++) JsonSchema.of({ title: `${at}` });
    expect(JsonSchema.of(schema)).not.toBe(first);
  });

  it('may bear the same $id as another', () => {
    const named = (type: string): JsonSchema => new JsonSchema({ $id: 'https://example.com/one', type });
    expect([named('string').faults(1), named('number').faults(1)]).toEqual([['value must be string'], []]);
  });

  it.each<[string, JsonObject]>([
    ['an unknown type', { type: 'person' }],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['a pattern that looks behind', { type: 'string', pattern: '(?<=a)b' }],
    ['a pattern that refers back', { type: 'string', pattern: '(a+)\\1' }],
  ])('is refused with %s', (_, schema) => expect(() => new JsonSchema(schema)).toThrow());
});

describe('what a JSON Schema refers to', () => {
  const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
  const node = (properties: JsonObject, beside: JsonObject = {}): JsonSchema =>
    new JsonSchema({ ...ref('node'), $defs: { node: { type: 'object', properties, ...beside } } });
  const chain = (depth: number, value: JsonValue = {}): JsonValue => (depth === 0 ? value : { a: chain(depth - 1, value) });

  it('may be itself in properties and items', () => {
    const tree = node({ name: { type: 'string' }, left: ref('node'), right: ref('node'), rest: { type: 'array', items: ref('node') } });
    expect(tree.faults({ left: { name: 'a' }, rest: [{ right: { name: 'b' } }] })).toEqual([]);
    expect(tree.faults({ left: { name: 'a' }, rest: [{ right: { name: 5 } }] })).toEqual(['value/rest/0/right/name must be string']);
  });

  it('may be one of several forms that refer to all of them', () => {
    const binary = (op: string): JsonObject => ({
      properties: { op: { const: op }, left: ref('node'), right: ref('node') },
      required: ['op', 'left', 'right'],
    });
    const term = new JsonSchema({
      ...ref('node'),
      $defs: { node: { oneOf: [binary('add'), binary('times'), { properties: { op: { const: 'one' } }, required: ['op'] }] } },
    });
    const grown = (depth: number): JsonValue =>
      depth === 0 ? { op: 'one' } : { op: 'times', left: grown(depth - 1), right: grown(depth - 1) };
    expect(term.faults(grown(8))).toEqual([]);
    expect(term.faults({ op: 'add', left: { op: 'two' }, right: { op: 'one' } })).not.toEqual([]);
  });

  it('is found by pointer, anchor, name and dynamic anchor', () => {
    const schema = new JsonSchema({
      $id: 'https://example.com/root',
      type: 'object',
      properties: {
        pointed: { $ref: '#/$defs/a~1b%20c' },
        anchored: { $ref: '#here' },
        named: { $ref: 'other' },
        inside: { $ref: 'other#/$defs/deep' },
        dynamic: { $dynamicRef: '#here' },
        anything: { $ref: '#/$defs/yes' },
        rooted: { $ref: 'root#here' },
      },
      $defs: {
        'a/b c': { type: 'string' },
        b: { $dynamicAnchor: 'here', type: 'integer' },
        c: { $id: 'other', type: 'boolean', $defs: { deep: { type: 'null' } } },
        yes: true,
      },
    });
    const right = { pointed: 'x', anchored: 1, named: true, inside: null, dynamic: 2, anything: {}, rooted: 3 };
    expect(schema.faults(right)).toEqual([]);
    for (const [name, wrong] of Object.entries({ pointed: 1, anchored: 'x', named: 'x', inside: 1, dynamic: 'x', rooted: 'x' }))
      expect(schema.faults({ ...right, [name]: wrong })).toHaveLength(1);
  });

  it.each<[string, RegExp, JsonObject]>([
    ['back to the same value', /same value/, { type: 'object', allOf: [{ $ref: '#' }] }],
    ['only to itself', /same value/, { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { not: { $ref: '#/$defs/a' } } } }],
    ['back to the same value by a dynamic anchor', /same value/, { $dynamicAnchor: 'x', if: { $dynamicRef: '#x' } }],
    ['back to the same value in a definition that nothing uses', /same value/, { $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } }],
    [
      'twice to what refers twice to what refers twice',
      /more than 1000 schemas/,
      {
        $ref: '#/$defs/a0',
        $defs: Object.fromEntries([
          ...Array.from({ length: 40 }, (_, at): [string, JsonObject] => [`a${at}`, { allOf: [ref(`a${at + 1}`), ref(`a${at + 1}`)] }]),
          ['a40', {}],
        ]),
      },
    ],
    [
      'through a long chain',
      /more than 100 schemas/,
      {
        $ref: '#/$defs/a0',
        $defs: Object.fromEntries([
          ...Array.from({ length: 200 }, (_, at): [string, JsonObject] => [`a${at}`, ref(`a${at + 1}`)]),
          ['a200', {}],
        ]),
      },
    ],
    ['to what is no schema', /not lead to a schema of this document/, { $ref: '#/const', const: { type: 'object' } }],
    ['to what is not there', /not lead to a schema of this document/, { $ref: '#/$defs/a' }],
    ['to the schema of schemas', /not lead to a schema of this document/, { $ref: 'https://json-schema.org/draft/2020-12/schema' }],
    ['by a keyword of another version', /dynamicRef/, { $recursiveRef: '#' }],
  ])('is refused where it leads %s', (_, why, schema) => expect(() => new JsonSchema(schema)).toThrow(why));

  it('is checked in bounded steps where the same property is held against it twice at each depth', () => {
    const twins = node({ a: ref('node') }, { patternProperties: { '^a': ref('node') } });
    expect(twins.faults(chain(8))).toEqual([]);
    expect(twins.faults(chain(40))).toEqual(['value is too large or too deeply nested to be validated with this schema']);
    expect(twins.faults(chain(8))).toEqual([]);
  });

  it('is checked in bounded depth', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as JsonValue;
    expect(node({ a: ref('node') }).faults(deep)).toEqual(['value is too large or too deeply nested to be validated with this schema']);
  });

  it('costs as much as its patterns read', () => {
    const patterns = new JsonSchema({ anyOf: Array.from({ length: 250 }, (_, at) => ({ pattern: `b${at}$` })) });
    expect(patterns.faults('short')).not.toEqual([]);
    expect(patterns.faults('a'.repeat(50_000))).toEqual(['value is too large or too deeply nested to be validated with this schema']);
  });

  it('costs as much as its items are compared, where each is compared with each', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `item ${at}`);
    const tooLarge = ['value is too large or too deeply nested to be validated with this schema'];
    expect(new JsonSchema({ uniqueItems: true }).faults(many)).toEqual(tooLarge);
    expect(new JsonSchema({ uniqueItems: true, items: { type: ['string', 'object'] } }).faults(many)).toEqual(tooLarge);
    expect(new JsonSchema({ uniqueItems: true, items: { type: 'string' } }).faults(many)).toEqual([]);
    expect(new JsonSchema({ uniqueItems: false }).faults(many)).toEqual([]);
    const unique = new JsonSchema({ uniqueItems: true });
    expect([unique.faults([{ a: 1 }, { a: 2 }]), unique.faults([{ a: 1 }, { a: 1 }])]).toEqual([
      [],
      [expect.stringContaining('duplicate')],
    ]);
  });
});

describe('what a JSON Schema may cost', () => {
  const many = (count: number, one: (at: number) => JsonObject): JsonObject[] => Array.from({ length: count }, (_, at) => one(at));
  const properties = (count: number): JsonObject =>
    Object.fromEntries(many(count, () => ({ type: 'string' })).map((one, at) => [`p${at}`, one]));

  it('is bounded by the number of schemas in it', () => {
    expect(() => new JsonSchema({ properties: properties(299) })).not.toThrow();
    expect(() => new JsonSchema({ properties: properties(300) })).toThrow(/301 schemas/);
    expect(() => new JsonSchema({ allOf: many(58, () => ({ minProperties: 1 })), unevaluatedProperties: false })).not.toThrow();
    expect(() => new JsonSchema({ allOf: many(60, () => ({ minProperties: 1 })), unevaluatedProperties: false })).toThrow(/at most 60/);
  });

  it('is spent when it is compiled, and it is compiled once', () => {
    const schema = { properties: properties(200), title: 'compiled once' };
    const first = JsonSchema.of(schema);
    const effort = Effort.ofRequest();
    const restore = findEffortBy(() => effort);
    try {
      for (let time = 0; time < 10; time++) expect(JsonSchema.of(structuredClone(schema))).toBe(first);
      expect(() => {
        for (let time = 0; time < 10; time++) JsonSchema.of({ ...schema, title: `compiled ${time}` });
      }).toThrow('too much work');
    } finally {
      restore();
    }
  });

  it('is bounded by the programs of its patterns, which are held against a text within the effort', () => {
    const large = '(?:(?:.?.?.?.?.?.?.?.?.?.?){31}){31}x';
    expect(() => new JsonSchema({ pattern: large })).toThrow(/too large/);
    const slow = new JsonSchema({ type: 'string', pattern: '(?:(?:.?.?.?.?.?){31}){15}x' });
    expect(slow.faults('a'.repeat(1_000))).toEqual(['value is too large or too deeply nested to be validated with this schema']);
  });

  it('is shared by checks that belong together', () => {
    const schema = new JsonSchema({ uniqueItems: true });
    const effort = Effort.ofRequest();
    const items = Array.from({ length: 500 }, (_, at) => at);
    expect(schema.findMisfit(items, effort)).toBeNull();
    expect(schema.findMisfit(items, effort)).not.toBeNull();
  });

  it('says of a text that is longer than any address that it has no such format', () => {
    const schema = new JsonSchema({ type: 'string', format: 'uri' });
    expect(schema.faults('https://example.com/')).toEqual([]);
    expect(schema.faults(`https://example.com/${'a'.repeat(5_000)}`)).toEqual([expect.stringContaining('format')]);
  });
});
