import { inTurns, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { Cells } from './cells';
import type { CompiledForm } from './compiled-form';
import { checkContent } from './content-check';
import { FieldTypes } from './field-types';
import { formMarkdown } from './form-markdown';
import { FormReader } from './form-reader';
import type { RetiredFields } from './retired-fields';
import { diffForms } from './form-diff';
import { assertSight, openedKeys } from './opened-fields';
import { NamedReferences } from './named-references';
import { isOpen, MASK, shortenedSentence, VisibleFields, type Sight } from './visible-fields';
import { repeatsClosed, titleOf, wordsOf } from './words';

const NOW = new Date('2026-03-01T12:00:00Z');
const SECRET = 'zebrafish';
const TAXONOMY = '0190a8c4-0000-7000-8000-00000000000a';
const field = (key: string, type: string, more: JsonObject = {}): JsonObject => ({ key, type, label: key, ...more });
const text = (key: string, more: JsonObject = {}): JsonObject => field(key, 'text', { filterable: true, searchable: true, ...more });

function compiled(fields: readonly JsonObject[], more: JsonObject = {}): CompiledForm {
  const read = new FormReader(new FieldTypes(), 'object', NOW).readForm({ fields, ...more }, 'form_config');
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return read.form;
}

const keyOf = ({ key }: JsonObject): string => (typeof key === 'string' ? key : '');

/** A field in each possible place, protected by itself or by what is around it. */
const placesOf = (flag: 'sensitive' | 'hidden'): readonly [string, JsonObject, JsonObject][] => [
  ['at the top', text('at', { [flag]: true }), { at: SECRET }],
  ['in a group', field('g', 'group', { fields: [text('at', { [flag]: true })] }), { g: { at: SECRET } }],
  ['in a protected group', field('g', 'group', { [flag]: true, fields: [text('at')] }), { g: { at: SECRET } }],
  ['in a protected list', field('l', 'list', { [flag]: true, fields: [text('at')] }), { l: [{ at: SECRET }] }],
  [
    'two groups below a protected one',
    field('g', 'group', { [flag]: true, fields: [field('h', 'group', { fields: [text('at')] })] }),
    { g: { h: { at: SECRET } } },
  ],
  [
    'in a protected group of a list',
    field('l', 'list', { fields: [field('h', 'group', { [flag]: true, fields: [text('at')] })] }),
    { l: [{ _id: '1', h: { at: SECRET } }] },
  ],
];

describe.each(['sensitive', 'hidden'] as const)('a %s value', (flag) => {
  describe.each(placesOf(flag))('%s', (_, config, content) => {
    const form = compiled([text('name'), config], { title: 'name', summary: [keyOf(config)] });
    const [secret] = form.all.filter(({ key }) => key === 'at');
    const reader = new VisibleFields(form);
    const key = keyOf(config);

    it('is not shown to a reader without the right, in content and in a change alike', () => {
      expect(JSON.stringify(reader.project(content))).not.toContain(SECRET);
      const change = reader.change(key, { from: null, to: content[key] ?? null });
      expect(JSON.stringify(change)).not.toContain(SECRET);
      expect(JSON.stringify(reader.revealed(content))).not.toContain(SECRET);
    });

    it('is shown to a reader with the right', () => {
      const insider = new VisibleFields(form, { [flag]: true });
      expect(insider.project(content).content).toEqual(content);
      expect(insider.change(key, { from: null, to: content[key] ?? null })).toMatchObject({ to: content[key] });
      expect(secret && insider.reveals(secret)).toBe(true);
    });

    it('may not be asked for, and serves neither words nor passages', () => {
      expect(secret && reader.reveals(secret)).toBe(false);
      expect(secret && isOpen(secret)).toBe(false);
      expect(JSON.stringify(wordsOf(form, content))).not.toContain(SECRET);
      expect(formMarkdown(form, content)).not.toContain(SECRET);
    });
  });

  it('gives no name, also where it was the title of an older form', () => {
    const form = compiled([text('ssn', { [flag]: true })], { title: 'ssn' });
    expect(form.closedTitle?.key).toBe('ssn');
    expect(titleOf(form, { ssn: SECRET })).toBeNull();
    expect(repeatsClosed(form, { ssn: SECRET }, SECRET)).toBe(true);
    expect(repeatsClosed(form, { ssn: SECRET }, 'Another name')).toBe(false);
  });

  it('is not quoted where a cell cannot be read', () => {
    const form = compiled([field('pay', 'number', { [flag]: true }), field('size', 'number')]);
    const { faults } = Cells.of(form, { Pay: 'pay', Size: 'size' }).readRow({ Pay: 'about 98000', Size: 'about 7' });
    expect(faults.map(({ message }) => message)).toEqual([expect.not.stringContaining('98000'), expect.stringContaining('about 7')]);
  });
});

describe('what a reader sees', () => {
  const form = compiled([text('open'), text('closed', { sensitive: true })]);

  it('of a sentence is without what it quotes, where the form keeps anything back', () => {
    const said = 'open: "a "quoted" value" is no number: "98000".';
    expect(new VisibleFields(form).sentence(said)).toBe(`open: "${MASK}".`);
    expect(new VisibleFields(form, { sensitive: true }).sentence(said)).toBe(said);
    expect(new VisibleFields(compiled([text('open')])).sentence(said)).toBe(said);
  });

  it.each<[string, JsonObject, RegExp]>([
    ['a day that can be two', { born: '03/04/2025' }, /2025|03|04/],
    ['a time that clocks show twice', { at: '26.10.2025 02:30' }, /2025|:30/],
    ['a name that is not known', { topic: 'Lightning' }, /Light/],
  ])('of a sentence on %s is without what it may mean', async (_, row, said) => {
    const dated = [field('born', 'date'), field('at', 'datetime'), field('topic', 'taxonomy', { taxonomy: TAXONOMY })];
    const before = compiled(dated);
    const named = new NamedReferences();
    for (const asked of await inTurns(Cells.of(before, { topic: 'topic' }).namesInRows([row])))
      named.add(asked, { misfit: 'names no term', detail: `there is no term ${asked.name}; did you mean "Lighting" or Light?` });
    const cells = Cells.of(before, { born: 'born', at: 'at', topic: 'topic' }, { zone: 'Europe/Berlin' });
    const message = cells.readValues(row, named).faults[0]?.message ?? '';
    expect(message).toMatch(said);
    expect(new VisibleFields(before).sentence(message)).toBe(message);
    const closed = compiled(dated.map((one) => ({ ...one, sensitive: true })));
    expect(new VisibleFields(closed).sentence(message)).toMatch(/^[a-z]+: "•••" [^(]+[^( ]\.$/);
    expect(new VisibleFields(closed).sentence(message)).not.toMatch(said);
  });

  it('of a sentence that was cut is nothing behind its first quotation mark', () => {
    const reader = new VisibleFields(form);
    expect(reader.sentence('pay is no number: "9800012345')).toBe(`pay is no number: "${MASK}"`);
    expect(reader.sentence('open: "x" is no date; pay is no number: "9800012345')).toBe(`open: "${MASK}"`);
    const raw = 'pay is no number: "98"000 and more"';
    for (let longest = 21; longest <= raw.length; longest += 1)
      expect(reader.sentence(shortenedSentence(raw, longest))).toBe(`pay is no number: "${MASK}"`);
    expect(shortenedSentence(raw, 25)).toHaveLength(25);
  });

  it('of a change stays where the field has another name by now', () => {
    const renamed = compiled([text('now', { renamed_from: 'then' })]);
    expect(new VisibleFields(renamed).change('then', { from: 'a', to: 'b' })).toEqual({ key: 'now', from: 'a', to: 'b' });
    expect(new VisibleFields(renamed).change('other', { from: 'a', to: 'b' })).toBeNull();
  });
});

describe('a configuration that opens a field', () => {
  const closed = compiled([text('at', { sensitive: true }), field('g', 'group', { fields: [text('at', { hidden: true })] })]);
  const step = (before: CompiledForm, after: CompiledForm, retired: RetiredFields = {}) =>
    diffForms(before, after, retired, NOW, (config) => compiled([config]).fields[0] ?? null);
  const opened = (fields: readonly JsonObject[], sight: Sight, retired: RetiredFields = {}, from?: CompiledForm) => {
    const before = from ?? (Object.keys(retired).length > 0 ? compiled([text('name')]) : closed);
    const after = compiled(fields);
    return () => assertSight(before, after, { sight, diff: step(before, after, retired) });
  };
  const insider = { hidden: true, sensitive: true };

  it.each<[string, readonly JsonObject[]]>([
    ['itself', [text('at')]],
    ['under another key', [text('now', { renamed_from: 'at' })]],
    ['in a group', [field('g', 'group', { fields: [text('at')] })]],
    ['in a group of another name', [field('h', 'group', { renamed_from: 'g', fields: [text('at')] })]],
    [
      'under another key in a group of another name',
      [field('h', 'group', { renamed_from: 'g', fields: [text('b', { renamed_from: 'at' })] })],
    ],
    ['in a group that becomes a list', [field('g', 'list', { fields: [text('at')] })]],
  ])('is refused to who may not see its values: %s', (_, fields) => {
    expect(opened(fields, {})).toThrow('cannot see');
    expect(opened(fields, insider)).not.toThrow();
  });

  it('is refused where the field was removed before', () => {
    const open = { hidden: false, sensitive: false };
    const config = { key: 'g', type: 'group', label: 'g', ...open, fields: [text('at', { ...open, sensitive: true })] };
    const retired = { g: { config, at: '2026-01-01' } };
    const again = [field('g', 'group', { fields: [text('at')] })];
    expect(opened(again, {}, retired)).toThrow('cannot see');
    expect(opened(again, insider, retired)).not.toThrow();
    expect(opened([field('g', 'group', { fields: [text('at', { sensitive: true })] })], {}, retired)).not.toThrow();
  });

  it('is refused where nobody knows whether the field that was removed was closed', () => {
    const retired = { at: { config: text('at'), at: '2026-01-01' } };
    expect(opened([text('at')], {}, retired)).toThrow('cannot see');
    expect(opened([text('at')], insider, retired)).not.toThrow();
    const { retired: kept } = step(compiled([text('at')]), compiled([text('name')]));
    expect(opened([text('at')], {}, kept)).not.toThrow();
  });

  it('is refused where a group was renamed after the field in it was removed, or at once with it', () => {
    const group = (key: string, fields: readonly JsonObject[], more: JsonObject = {}) => field(key, 'group', { fields, ...more });
    const [full, without] = [compiled([group('g', [text('b'), text('at', { sensitive: true })])]), compiled([group('g', [text('b')])])];
    const renamed = compiled([group('h', [text('b')], { renamed_from: 'g' })]);
    const removed = step(full, without).retired;
    expect(opened([group('h', [text('b'), text('at')], { renamed_from: 'g' })], {}, removed, without)).toThrow('cannot see');
    for (const retired of [step(without, renamed, removed).retired, step(full, renamed).retired]) {
      expect(Object.keys(retired)).toEqual(['h.at']);
      expect(opened([group('h', [text('b'), text('at')])], {}, retired, renamed)).toThrow('cannot see');
      expect(opened([group('h', [text('b'), text('at')])], insider, retired, renamed)).not.toThrow();
    }
  });

  it('may add fields, and leave others closed', () => {
    expect(opened([text('at', { sensitive: true }), text('more')], {})).not.toThrow();
  });
});

describe('content that another form takes over', () => {
  const content: JsonObject = { at: 'x', g: { at: 'x', b: 'x' }, l: [{ b: 'x' }, { at: 'x' }], gone: 'x' };
  const inner = (more: JsonObject) => [
    text('at', more),
    field('g', 'group', { fields: [text('b'), text('at', more)] }),
    field('l', 'list', { fields: [text('b'), text('at', more)] }),
  ];
  const opened = (before: CompiledForm | undefined, after: CompiledForm, sight: Sight) => [...openedKeys(content, before, after, sight)];

  it.each<[JsonObject, JsonObject, Sight, readonly string[]]>([
    [{ sensitive: true }, {}, {}, ['at', 'g', 'l']],
    [{ sensitive: true }, {}, { sensitive: true }, []],
    [{ hidden: true }, {}, { sensitive: true }, ['at', 'g', 'l']],
    [{ hidden: true, sensitive: true }, { sensitive: true }, { sensitive: true }, ['at', 'g', 'l']],
    [{ hidden: true }, {}, { hidden: true, sensitive: true }, []],
    [{ sensitive: true }, { sensitive: true }, {}, []],
    [{}, {}, {}, []],
  ])('leaves behind what was %j and would be %j for who sees %j', (before, after, sight, keys) => {
    expect(opened(compiled(inner(before)), compiled(inner(after)), sight)).toEqual(keys);
  });

  it('leaves behind what the form of before does not show at all, unless the reader sees everything', () => {
    const [before, after] = [compiled([text('at')]), compiled([text('gone'), text('empty')])];
    expect(opened(before, after, { sensitive: true })).toEqual(['gone']);
    expect(opened(undefined, after, {})).toEqual(['gone']);
    expect(opened(before, after, { hidden: true, sensitive: true })).toEqual([]);
    const renaming = compiled([text('new')]).withMoves([{ within: ['g'], from: 'at', to: 'b', convert: null }]);
    expect(opened(before, renaming, {})).toEqual(['g']);
  });
});

describe('a placeholder that comes back as a value', () => {
  const form = compiled([
    text('open'),
    text('closed', { sensitive: true }),
    field('g', 'group', { fields: [field('pay', 'number', { sensitive: true })] }),
    field('marks', 'tags', { sensitive: true }),
    field('any', 'json', { sensitive: true }),
  ]);
  const codes = (content: JsonObject, previous: JsonObject | null = null): string[] =>
    checkContent(form, content, { mode: previous ? 'update' : 'create', previous, now: NOW, at: 'c' }).faults.map(
      ({ path, code }) => `${path} ${code}`,
    );

  it('is refused in a sensitive field, however deep, and is a text like others elsewhere', () => {
    expect(codes({ open: MASK, closed: MASK, g: { pay: MASK } })).toEqual(['c.closed masked', 'c.g.pay masked']);
    expect(codes({ closed: ` ${MASK} ` }, { closed: 'DE89' })).toEqual(['c.closed masked']);
    // As a transform leaves it that divides a text.
    expect(codes({ marks: ['a', MASK] })).toEqual(['c.marks masked']);
    expect(codes({ any: { a: [MASK] } })).toEqual(['c.any masked']);
    let deep: JsonValue = MASK;
    for (let level = 0; level < 20_000; level++) deep = [deep];
    expect(codes({ any: deep })).toEqual(['c.any length']);
  });

  it('is refused in a cell', () => {
    const { content, faults } = Cells.of(form, { A: 'closed', B: 'g.pay', C: 'open' }).readRow({ A: MASK, B: MASK, C: MASK });
    expect(content).toEqual({ open: MASK });
    expect(faults.map(({ path, code }) => `${path} ${code}`)).toEqual(['A masked', 'B masked']);
  });
});
