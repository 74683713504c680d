import { FormReferences, Forms, type ReferenceQuestion } from '@atrium/forms';
import { SystemClock, TimeOrderedIds, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { NODE_LINK_CONFIG, SEO_CONFIG, STANDARD_SCHEMAS } from '../../domain/standard-library';
import { CONTENT_FIELD_TYPES } from './content-field-types';

const ID = '0190a8c4-0000-7000-8000-000000000001';
const OTHER = '0190a8c4-0000-7000-8000-000000000002';
const UNKNOWN = '0190a8c4-0000-7000-8000-00000000000f';

const asked: { kind: string; questions: readonly ReferenceQuestion[] }[] = [];
const references = new FormReferences();
for (const kind of ['page', 'file'] as const)
  references.register(kind, {
    findMisfits: async (questions) => {
      asked.push({ kind, questions });
      return questions.map(({ id }) => (id === UNKNOWN ? 'points to something that does not exist.' : null));
    },
  });
const forms = new Forms(references, new SystemClock(), new TimeOrderedIds());
for (const type of CONTENT_FIELD_TYPES) forms.registerType('content', type);

const formOf = (type: string, settings: JsonObject = {}) =>
  forms.compileForm({ fields: [{ key: 'it', type, label: 'It', ...settings }] }, { kind: 'content', at: 'tpl_config' });

async function checkValue(type: string, value: JsonValue, settings: JsonObject = {}, previous: JsonObject | null = null) {
  const part = { form: formOf(type, settings), content: { it: value }, previous, at: 'node_content' };
  const [checked] = await forms.validateEach([part], null, { incomplete: true, scope: { site: ID } });
  if (!checked) throw new Error('Nothing was checked.');
  return checked;
}

const stored = async (type: string, value: JsonValue, settings?: JsonObject): Promise<unknown> => {
  const { content, faults } = await checkValue(type, value, settings);
  expect(faults).toEqual([]);
  return content.it;
};
const refusedFor = async (type: string, value: JsonValue, settings?: JsonObject): Promise<string[]> =>
  (await checkValue(type, value, settings)).faults.map(({ path, code }) => `${path} ${code}`);

const text = (words: string, marks?: readonly JsonObject[]): JsonObject => ({ type: 'text', text: words, ...(marks ? { marks } : {}) });
const paragraph = (...content: readonly JsonObject[]): JsonObject => ({ type: 'paragraph', content });
const doc = (...content: readonly JsonObject[]): JsonObject => ({ type: 'doc', content });
const nested = (levels: number): JsonObject =>
  levels === 0 ? paragraph(text('x')) : { type: 'blockquote', content: [nested(levels - 1)] };

describe('the field types of page content', () => {
  it.each<[type: string, value: JsonValue, settings?: JsonObject]>([
    ['link', { kind: 'page', ref: ID, anchor: 'top', target: '_blank', title: 'Lamp' }],
    ['link', { kind: 'file', ref: ID }],
    ['link', { kind: 'url', url: 'https://example.com/a?b=c#d' }],
    ['link', { kind: 'email', url: 'a@example.com' }],
    ['link', { kind: 'anchor', anchor: 'prices' }],
    ['asset', { file: ID, alt: 'A lamp', focus: { x: 0, y: 1 } }],
    ['asset', { url: 'https://example.com/a.png', source: 'storyblok' }],
    ['assets', [{ file: ID }, { url: 'https://example.com/a.png' }]],
    ['page', ID],
    ['pages', [ID, OTHER]],
    [
      'table',
      {
        head: ['a', 'b'],
        rows: [
          ['1', '2'],
          ['3', ''],
        ],
      },
    ],
    ['table', { head: ['a'], rows: [] }],
    ['foreign', { plugin: 'x', nested: [1, null, { __proto: '\\u0000' }] }],
    ['blocks', [{ _uid: 'aaaaaaaa', component: 'text' }]],
    ['doc', doc()],
    ['doc', doc(paragraph(text('a', [{ type: 'bold' }, { type: 'link', attrs: { kind: 'page', ref: ID } }])), { type: 'horizontal_rule' })],
    [
      'doc',
      doc(
        { type: 'heading', attrs: { level: 6 }, content: [text('a')] },
        { type: 'code_block', attrs: { language: 'c++' }, content: [text('x\ny')] },
      ),
    ],
    [
      'doc',
      doc({ type: 'image', attrs: { file: ID, alt: 'A' } }, { type: 'blok', attrs: { body: [{ _uid: 'aaaaaaaa', component: 'cta' }] } }),
    ],
    ['doc', doc({ type: 'foreign', attrs: { value: { any: ['thing'] } } }, nested(22))],
  ])('%s takes a value as it is (%#)', async (...[type, value, settings]: [type: string, value: JsonValue, settings?: JsonObject]) =>
    expect(await stored(type, value, settings)).toEqual(value),
  );

  it.each<[type: string, value: JsonValue, normal: JsonValue]>([
    ['link', { kind: 'page', ref: ID.toUpperCase(), url: null, title: '' }, { kind: 'page', ref: ID }],
    ['asset', { file: ID, url: null, alt: '', title: null }, { file: ID }],
    ['pages', [ID, OTHER, ID], [ID, OTHER]],
    ['doc', doc({ type: 'image', attrs: { file: ID, alt: null } }), doc({ type: 'image', attrs: { file: ID } })],
  ])('%s stores %j in its normal form', async (type, value, normal) => expect(await stored(type, value)).toEqual(normal));

  it.each<[type: string, value: JsonValue, fault: string, settings?: JsonObject]>([
    ['link', 'https://example.com', ' type'],
    ['link', { kind: 'url', url: 'javascript:alert(1)' }, '.url format'],
    ['link', { kind: 'url', url: 'java\nscript:alert(1)' }, '.url format'],
    ['link', { kind: 'url', url: 'data:text/html,x' }, '.url format'],
    ['link', { kind: 'url', url: '//example.com' }, '.url format'],
    ['link', { kind: 'url', url: 'https://user:secret@example.com' }, '.url format'],
    ['link', { kind: 'email', url: 'mailto:a@example.com' }, '.url format'],
    ['link', { kind: 'url' }, '.url required'],
    ['link', { kind: 'page' }, '.ref required'],
    ['link', { kind: 'page', ref: 'lamp' }, '.ref format'],
    ['link', { kind: 'page', ref: UNKNOWN }, '.ref reference'],
    ['link', { kind: 'page', ref: ID, url: 'https://example.com' }, '.url unknown_field'],
    ['link', { kind: 'anchor' }, '.anchor required'],
    ['link', { kind: 'anchor', anchor: 'a"b' }, '.anchor format'],
    ['link', { kind: 'url', url: 'https://example.com', target: '_top' }, '.target option'],
    ['link', { kind: 'url', url: 'https://example.com', onclick: 'x' }, '.onclick unknown_field'],
    ['link', { kind: 'file', ref: ID }, '.kind option', { kinds: ['page', 'url'] }],
    ['asset', { alt: 'nothing' }, ' required'],
    ['asset', { file: ID, url: 'https://example.com/a.png' }, ' type'],
    ['asset', { url: 'http://example.com/a.png' }, '.url format'],
    ['asset', { file: UNKNOWN }, '.file reference'],
    ['asset', { file: ID, focus: { x: 0.5, y: 1.1 } }, '.focus format'],
    ['asset', { file: ID, focus: { x: 0.5 } }, '.focus format'],
    ['assets', [{ file: ID }, { file: UNKNOWN }], '[1].file reference'],
    ['assets', [{ file: ID }, { file: ID }], ' length', { max_items: 1 }],
    ['page', 7, ' type'],
    ['page', UNKNOWN, ' reference'],
    ['pages', [ID, UNKNOWN], '[1] reference'],
    ['table', { head: ['a', 'b'], rows: [['1']] }, '.rows[0] length'],
    ['table', { head: [], rows: [] }, '.head length'],
    ['table', { head: ['a', 'b'], rows: [] }, '.head length', { max_columns: 1 }],
    ['table', { head: ['a'], rows: [['1'], ['2']] }, '.rows length', { max_rows: 1 }],
    ['table', { head: ['a'], rows: [[1]] }, '.rows[0][0] type'],
    ['foreign', 'x'.repeat(64 * 1024), ' length'],
    ['foreign', { text: '\u0000' }, ' format'],
    ['blocks', { _uid: 'aaaaaaaa' }, ' type'],
    ['blocks', ['aaaaaaaa'], '[0] type'],
    [
      'blocks',
      [
        { _uid: 'aaaaaaaa', component: 'a' },
        { _uid: 'bbbbbbbb', component: 'a' },
      ],
      ' length',
      { max_items: 1 },
    ],
    ['doc', { type: 'paragraph', content: [] }, '.type option'],
    ['doc', doc({ type: 'script', content: [] }), '.content[0].type option'],
    ['doc', doc(text('loose')), '.content[0].type option'],
    ['doc', doc({ type: 'bullet_list', content: [paragraph()] }), '.content[0].content[0].type option'],
    ['doc', doc(paragraph({ type: 'text', text: '' })), '.content[0].content[0].text required'],
    ['doc', doc(paragraph(text('a', [{ type: 'blink' }]))), '.content[0].content[0].marks[0].type option'],
    ['doc', doc(paragraph(text('a', [{ type: 'bold' }, { type: 'bold' }]))), '.content[0].content[0].marks unique'],
    [
      'doc',
      doc(paragraph(text('a', [{ type: 'link', attrs: { kind: 'url', url: 'javascript:x' } }]))),
      '.content[0].content[0].marks[0].attrs.url format',
    ],
    [
      'doc',
      doc(paragraph(text('a', [{ type: 'text_style', attrs: { color: 'red;x' } }]))),
      '.content[0].content[0].marks[0].attrs.color format',
    ],
    ['doc', doc({ ...paragraph(), onload: 'x' }), '.content[0].onload unknown_field'],
    ['doc', doc({ type: 'heading', attrs: { level: 7 }, content: [] }), '.content[0].attrs.level format'],
    ['doc', doc({ type: 'heading', content: [] }), '.content[0].attrs.level format'],
    ['doc', doc({ type: 'image', attrs: { url: 'data:image/png;base64,x' } }), '.content[0].attrs.url format'],
    ['doc', doc({ type: 'image', attrs: { file: UNKNOWN } }), '.content[0].attrs.file reference'],
    ['doc', doc({ type: 'heading', attrs: { level: 1 }, content: [] }), '.content[0].type option', { nodes: ['paragraph'] }],
    ['doc', doc(paragraph(text('a', [{ type: 'code' }]))), '.content[0].content[0].marks[0].type option', { marks: ['bold'] }],
    ['doc', doc(nested(30)), `${'.content[0]'.repeat(24)}.content length`],
    ['doc', doc(nested(200)), ' length'],
    ['doc', doc(...Array.from({ length: 6 }, () => paragraph(text('x'.repeat(90_000))))), ' length'],
  ])(
    '%s refuses a value (%#)',
    async (...[type, value, fault, settings]: [type: string, value: JsonValue, fault: string, settings?: JsonObject]) =>
      expect(await refusedFor(type, value, settings)).toEqual([`node_content.it${fault}`]),
  );

  it.each<[type: string, settings: JsonObject, fault: string]>([
    ['link', { kinds: ['phone'] }, 'kinds option'],
    ['doc', { nodes: ['script'] }, 'nodes option'],
    ['doc', { marks: ['blink'] }, 'marks option'],
    ['blocks', { max_items: 201 }, 'max_items maximum'],
    ['blocks', { localized: true }, 'localized option'],
    ['table', { max_rows: 501 }, 'max_rows maximum'],
    ['page', { under: 'x' }, 'under type'],
  ])('%s refuses the configuration %j', (type, settings, fault) => {
    const [path, code] = fault.split(' ');
    expect(() => formOf(type, settings)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ path: `tpl_config.fields[0].${path}`, code })] }),
    );
  });

  it('report what is only missing as issues', async () => {
    expect(await checkValue('asset', { file: ID }, { alt_required: true })).toMatchObject({
      content: { it: { file: ID } },
      faults: [],
      issues: [{ path: 'node_content.it.alt', code: 'required' }],
    });
    expect(await checkValue('blocks', [], { min_items: 1 })).toMatchObject({
      faults: [],
      issues: [{ path: 'node_content.it', code: 'length' }],
    });
  });

  it('ask after references that are new, with the settings of their field, and not after those that were stored', async () => {
    asked.length = 0;
    const before = { it: [{ file: ID }] };
    await checkValue('assets', [{ file: OTHER }, { file: ID }], { kinds: ['image'] }, before);
    expect(asked).toEqual([{ kind: 'file', questions: [expect.objectContaining({ id: OTHER, settings: { kinds: ['image'] } })] }]);
  });

  it('give their words to search and markdown to readers without a screen', () => {
    const form = forms.compileForm(
      {
        fields: [
          { key: 'body', type: 'doc', label: 'Body' },
          { key: 'prices', type: 'table', label: 'Prices' },
          { key: 'image', type: 'asset', label: 'Image' },
        ],
      },
      { kind: 'content' },
    );
    const content = { body: doc(paragraph(text('Hello'))), prices: { head: ['Lamp'], rows: [['7']] }, image: { file: ID, alt: 'A lamp' } };
    expect(forms.contentWords(form, content).text).toContain('Hello\nLamp\n7');
    expect(forms.toMarkdown(form, content)).toContain('**Prices**\n\n| Lamp |\n| --- |\n| 7 |');
  });
});

describe('the library "Standard"', () => {
  it('has the schemas that it is known for', () => {
    expect(STANDARD_SCHEMAS.map(({ tpl_key, tpl_kind }) => `${tpl_kind} ${tpl_key}`)).toEqual([
      'page page',
      'page article',
      ...['section', 'hero', 'text', 'image', 'gallery', 'cta', 'quote', 'faq', 'embed', 'code'].map((key) => `block ${key}`),
    ]);
  });

  it.each(STANDARD_SCHEMAS.map((schema) => [schema.tpl_key, schema] as const))(
    'has a schema %s that compiles and names known components',
    (_, schema) => {
      const { fields } = forms.compileForm(schema.tpl_config, { kind: 'content', at: 'tpl_config' });
      const blocks = new Set(STANDARD_SCHEMAS.filter(({ tpl_kind }) => tpl_kind === 'block').map(({ tpl_key }) => tpl_key));
      const named = fields.flatMap(({ settings }) => (settings.components ?? []) as readonly string[]);
      expect(named.filter((key) => !blocks.has(key))).toEqual([]);
    },
  );

  it('checks what search engines read, and links of nodes, by forms too', () => {
    for (const config of [SEO_CONFIG, NODE_LINK_CONFIG]) expect(() => forms.compileForm(config, { kind: 'content' })).not.toThrow();
  });
});
