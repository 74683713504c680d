import { isId, isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { textSetting } from '@atrium/platform/settings';
import Ajv2020 from 'ajv/dist/2020';
import { Cells } from './cells';
import type { CompiledForm } from './compiled-form';
import { checkContent } from './content-check';
import { plainText, settingFlag, type FieldType } from './field';
import { FieldTypes } from './field-types';
import { diffForms } from './form-diff';
import type { FormKind } from './form-kinds';
import { formMarkdown } from './form-markdown';
import { FormReader } from './form-reader';
import { contentSchema } from './json-schema';
import { applyMoves } from './moves';
import { referencesType, referenceType } from './types/references';
import { indexEntries } from './value-index';
import { projectContent } from './visible-fields';
import { wordsOf } from './words';

const NOW = new Date('2026-03-01T12:00:00Z');
const ID = '0190a8c4-0000-7000-8000-00000000000a';
const OTHER = '0190a8c4-0000-7000-8000-00000000000b';

/** A picture with a text, as a context adds it: it has parts, a search of its own, a block of Markdown, and no cell of its own. */
const picture: FieldType = {
  name: 'picture',
  settings: { alt_required: (value) => value === true, credit: textSetting({ max: 20 }) },
  holds: 'nested',
  isText: true,
  indexed: 'text',
  becomes: { pictures: 'list' },
  check(value, field, place) {
    if (!isObject(value) || typeof value.url !== 'string') return place.refuse(field, 'type', 'must be a picture.');
    if (settingFlag(field, 'alt_required') && !value.alt && !place.below('alt', undefined).lack(field, 'required', 'must have a text.'))
      return undefined;
    return value;
  },
  fits: (value) => isObject(value) && typeof value.url === 'string',
  schema: () => ({ type: 'object', properties: { url: { type: 'string' }, alt: { type: 'string' } }, required: ['url'] }),
  indexKeys: (value) => (isObject(value) ? [{ text: plainText(value.url) }] : []),
  text: (value) => (isObject(value) ? plainText(value.url) : ''),
  words: (value) => (isObject(value) ? plainText(value.alt) : ''),
  markdown: (value) => (isObject(value) ? `![${plainText(value.alt)}](${plainText(value.url)})` : ''),
};
const pictures: FieldType = { ...picture, name: 'pictures', holds: 'many', fits: Array.isArray };
const boxes: FieldType = { ...picture, name: 'boxes', localizable: false };

function typesOf(kind: FormKind): FieldTypes {
  const types = new FieldTypes();
  const page = [
    referenceType('page', 'page', { settings: { under: textSetting({ max: 36 }) } }),
    { ...referencesType('pages', 'page'), localizable: true },
  ];
  for (const type of [picture, pictures, boxes, ...page]) types.register(kind, type);
  return types;
}

const read = (kind: FormKind, fields: readonly JsonObject[]) =>
  new FormReader(typesOf(kind), kind, NOW).readForm({ fields: fields.map((field) => ({ label: 'Field', ...field })) }, 'tpl_config');
const faultsOf = (kind: FormKind, ...fields: JsonObject[]): string[] => {
  const found = read(kind, fields);
  return 'faults' in found ? found.faults.map(({ path, code, message }) => `${path} ${code}: ${message}`) : [];
};
function compiled(...fields: JsonObject[]): CompiledForm {
  const found = read('content', fields);
  if ('faults' in found) throw new Error(JSON.stringify(found.faults));
  return found.form;
}

describe('a configuration of content', () => {
  it.each(['auto_number', 'user', 'role', 'record'])('has no fields of the type %s, which others have', (type) => {
    expect(faultsOf('content', { key: 'f', type })).toEqual([
      `tpl_config.fields[0].type option: The type ${type} is not available in content schemas.`,
    ]);
    expect(faultsOf('content', { key: 'g', type: 'group', fields: [{ key: 'f', label: 'F', type }] })[0]).toBe(
      `tpl_config.fields[0].fields[0].type option: The type ${type} is not available in content schemas.`,
    );
    expect(faultsOf('object', { key: 'f', type })).toEqual([]);
  });

  it('has no unique fields', () => {
    expect(faultsOf('content', { key: 'f', type: 'text', unique: true })).toEqual([
      'tpl_config.fields[0].unique option: unique is not available in content schemas.',
    ]);
    expect(faultsOf('content', { key: 'f', type: 'tags', unique: true })).toHaveLength(1);
    expect(faultsOf('content', { key: 'f', type: 'text', unique: false })).toEqual([]);
    expect(faultsOf('object', { key: 'f', type: 'text', unique: true })).toEqual([]);
  });

  it('has no type of a context under the name of one that it does without', () => {
    const types = new FieldTypes();
    expect(() => types.register('content', { ...picture, name: 'user' })).toThrow('The field type user is known already.');
    types.register('content', picture);
    expect(() => types.register('content', picture)).toThrow('The field type picture is known already.');
    expect(types.find('object', 'picture')).toBeUndefined();
  });

  it('says which fields of the top level are localized', () => {
    const form = compiled(
      { key: 'a', type: 'text', localized: true },
      { key: 'b', type: 'text' },
      { key: 'c', type: 'text', localized: false },
    );
    expect(form.fields.map(({ key, localized }) => [key, localized])).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
    ]);
    const whole = { key: 'l', type: 'list', localized: true, fields: [{ key: 'a', label: 'A', type: 'text' }] };
    expect(compiled(whole).all.map(({ path, localized }) => [path, localized])).toEqual([
      ['l', true],
      ['l.a', false],
    ]);
  });

  it('refuses localized where no locale has a value of its own', () => {
    const inner = [{ key: 'a', label: 'A', type: 'text', localized: true }];
    expect(faultsOf('content', { key: 'g', type: 'group', fields: inner })).toEqual([
      'tpl_config.fields[0].fields[0].localized option: localized is allowed only for fields of the top level.',
    ]);
    expect(faultsOf('content', { key: 'f', type: 'boxes', localized: true })).toEqual([
      'tpl_config.fields[0].localized option: Fields of the type boxes cannot be localized.',
    ]);
    expect(faultsOf('content', { key: 'f', type: 'text', localized: 'de' })).toEqual([
      'tpl_config.fields[0].localized type: localized must be true or false.',
    ]);
    expect(faultsOf('content', { key: 'f', type: 'note', localized: true })).toEqual([
      'tpl_config.fields[0].localized unknown_field: A field of the type note has no key localized.',
    ]);
  });

  it.each(['object', 'record', 'task', 'workflow', 'extension'] as const)('alone knows localized: the kind %s does not', (kind) => {
    expect(faultsOf(kind, { key: 'f', type: 'text', localized: 'de' })).toEqual([
      'tpl_config.fields[0].localized unknown_field: A field of the type text has no key localized.',
    ]);
  });

  it('changes what is localized without anything to do for what is stored', () => {
    const [plain, localized] = [compiled({ key: 'f', type: 'text' }), compiled({ key: 'f', type: 'text', localized: true })];
    const nothing = { changes: [], moves: [], blocked: [], strays: [], reindexed: [], unindexed: [], reworded: false, retired: {} };
    expect(diffForms(plain, localized, {}, NOW, () => null)).toMatchObject(nothing);
    expect(diffForms(localized, plain, {}, NOW, () => null)).toMatchObject(nothing);
  });
});

describe('a type of a context', () => {
  const form = compiled(
    { key: 'lead', label: 'Lead', type: 'picture', filterable: true, alt_required: true, credit: 'A' },
    { key: 'more', label: 'More', type: 'page', under: ID },
    { key: 'others', label: 'Others', type: 'pages', filterable: true, max_items: 2 },
    { key: 'intro', label: 'Intro', type: 'long_text' },
  );
  const content: JsonObject = { lead: { url: 'https://a/b.jpg', alt: 'A boat' }, more: ID, others: [ID, OTHER], intro: 'Words' };

  it('is checked, asked after and shown like those of the language', () => {
    const checked = checkContent(form, content, { mode: 'create', now: NOW, at: 'c' });
    expect({ content: checked.content, faults: checked.faults }).toEqual({ content, faults: [] });
    expect(checked.references.map(({ kind, id, path, field }) => [kind, id, path, field.settings])).toEqual([
      ['page', ID, 'c.more', { under: ID }],
      ['page', ID, 'c.others[0]', { max_items: 2 }],
      ['page', OTHER, 'c.others[1]', { max_items: 2 }],
    ]);
    expect(projectContent(form, { ...content, lead: 'https://a' })).toMatchObject({ issues: [{ field: 'lead', code: 'type' }] });
  });

  it('has its setting, schema and keys of the index', () => {
    const schema = contentSchema(form.fields) as { readonly properties: Readonly<Record<string, JsonValue>> };
    expect(schema.properties.lead).toEqual({ title: 'Lead', ...picture.schema(form.fields[0] as never) });
    expect(new Ajv2020({ strict: false, formats: { uuid: isId } }).validate(schema, content)).toBe(true);
    expect(indexEntries(form, content).map(({ field_key, value_text, value_ref }) => [field_key, value_text ?? value_ref])).toEqual([
      ['lead', 'https://a/b.jpg'],
      ['more', ID],
      ['others', ID],
      ['others', OTHER],
    ]);
    expect(faultsOf('content', { key: 'f', type: 'picture', credit: 'x'.repeat(21) })).toHaveLength(1);
  });

  it('gives words and Markdown of its own', () => {
    expect(wordsOf(form, content).text).toBe('A boat\nWords');
    expect(formMarkdown(form, content, { names: new Map([[ID, 'Home']]) })).toBe(
      'More: Home\nOthers: Home\n\n**Lead**\n\n![A boat](https://a/b.jpg)\n\n**Intro**\n\nWords',
    );
    expect(formMarkdown(form, { lead: { url: 'u' } })).toBe('**Lead**\n\n![](u)');
  });

  it('has cells of JSON where it does not read them itself', () => {
    const cells = Cells.of(form, { Lead: 'lead', Others: 'others' });
    const row = cells.writeRow(content);
    expect(row).toEqual({ Lead: '{"url":"https://a/b.jpg","alt":"A boat"}', Others: `${ID}; ${OTHER}` });
    expect(cells.readRow(row)).toEqual({ content: { lead: content.lead, others: content.others }, faults: [] });
  });

  it('says what its values become without a loss', () => {
    const after = compiled({ key: 'leads', label: 'Lead', type: 'pictures', renamed_from: 'lead' });
    const { moves, blocked } = diffForms(compiled({ key: 'lead', type: 'picture' }), after, {}, NOW, () => null);
    expect(blocked).toEqual([]);
    const moved = applyMoves({ lead: { url: 'u' } }, moves);
    expect(moved).toEqual({ leads: [{ url: 'u' }] });
    expect(applyMoves(moved, moves)).toBe(moved);
    expect(diffForms(compiled({ key: 'f', type: 'picture' }), compiled({ key: 'f', type: 'boxes' }), {}, NOW, () => null).blocked).toEqual([
      { path: 'f', declared: 'tpl_config.fields[0]', from_type: 'picture', to_type: 'boxes' },
    ]);
  });

  it('reports what is missing as an issue where content may be incomplete', () => {
    const check = (incomplete: boolean) => checkContent(form, { lead: { url: 'u' } }, { mode: 'create', now: NOW, at: 'c', incomplete });
    const missing = { path: 'c.lead.alt', code: 'required', message: 'Lead must have a text.' };
    expect(check(false)).toMatchObject({ faults: [missing], issues: [] });
    expect(check(true)).toMatchObject({ content: { lead: { url: 'u' } }, faults: [], issues: [missing] });
  });
});
