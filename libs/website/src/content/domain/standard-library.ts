import type { JsonObject } from '@atrium/platform/kernel';

/** A content schema of the library "Standard". */
export interface StandardSchema {
  readonly tpl_key: string;
  readonly tpl_name: string;
  readonly tpl_description: string;
  readonly tpl_icon: string;
  readonly tpl_group: string | null;
  readonly tpl_kind: 'page' | 'block';
  readonly tpl_config: JsonObject;
}

const text = (key: string, label: string, rest: JsonObject = {}): JsonObject => ({ key, type: 'text', label, localized: true, ...rest });
const doc = (key: string, label: string, rest: JsonObject = {}): JsonObject => ({ key, type: 'doc', label, localized: true, ...rest });
const image = (key: string, label: string, rest: JsonObject = {}): JsonObject => ({
  key,
  type: 'asset',
  label,
  kinds: ['image'],
  localized: true,
  ...rest,
});
const link = (key: string, label: string, rest: JsonObject = {}): JsonObject => ({ key, type: 'link', label, localized: true, ...rest });
const choice = (key: string, label: string, values: readonly (readonly [string, string])[]): JsonObject => ({
  key,
  type: 'select',
  label,
  options: values.map(([value, name]) => ({ value, label: name })),
  default: values[0]?.[0] ?? '',
});
const form = (fields: readonly JsonObject[], rest: JsonObject = {}): JsonObject => ({ version: 1, fields, ...rest });

const [LAYOUT, TEXTS, MEDIA, ACTIONS] = ['Layout', 'Text', 'Media', 'Actions'];
/** What a section and a page may hold. */
const PARTS = ['hero', 'text', 'image', 'gallery', 'cta', 'quote', 'faq', 'embed', 'code'];

const PAGE: StandardSchema = {
  tpl_key: 'page',
  tpl_name: 'Page',
  tpl_description: 'A page of sections and blocks.',
  tpl_icon: 'file',
  tpl_group: null,
  tpl_kind: 'page',
  tpl_config: form(
    [
      text('title', 'Title', { required: true, filterable: true }),
      { key: 'body', type: 'blocks', label: 'Body', components: ['section', ...PARTS] },
    ],
    {
      title: 'title',
    },
  ),
};

const ARTICLE: StandardSchema = {
  tpl_key: 'article',
  tpl_name: 'Article',
  tpl_description: 'An article with a teaser, a date and an author.',
  tpl_icon: 'newspaper',
  tpl_group: null,
  tpl_kind: 'page',
  tpl_config: form(
    [
      text('title', 'Title', { required: true, filterable: true }),
      { key: 'teaser', type: 'long_text', label: 'Teaser', localized: true, max_length: 1_000 },
      image('image', 'Image'),
      { key: 'date', type: 'date', label: 'Date', filterable: true },
      { key: 'author', type: 'text', label: 'Author', filterable: true },
      { key: 'topics', type: 'tags', label: 'Topics', filterable: true },
      { key: 'body', type: 'blocks', label: 'Body', components: PARTS },
      { key: 'related', type: 'pages', label: 'Related articles', templates: ['article'], max_items: 10 },
    ],
    { title: 'title', summary: ['teaser'] },
  ),
};

const block = (
  tpl_key: string,
  [tpl_name, tpl_description, tpl_icon, tpl_group]: readonly [string, string, string, string],
  tpl_config: JsonObject,
): StandardSchema => ({ tpl_key, tpl_name, tpl_description, tpl_icon, tpl_group, tpl_kind: 'block', tpl_config });

const BLOCKS: readonly StandardSchema[] = [
  block(
    'section',
    ['Section', 'A part of a page with blocks in columns.', 'layout', LAYOUT],
    form([
      text('title', 'Title'),
      choice('columns', 'Columns', [
        ['one', 'One'],
        ['two', 'Two'],
        ['three', 'Three'],
      ]),
      { key: 'blocks', type: 'blocks', label: 'Blocks', components: PARTS },
    ]),
  ),
  block(
    'hero',
    ['Hero', 'The first view of a page: a headline, an image and a button.', 'star', LAYOUT],
    form([
      text('headline', 'Headline', { required: true }),
      text('subline', 'Subline', { max_length: 500 }),
      image('image', 'Image'),
      text('button', 'Button'),
      link('link', 'Link'),
    ]),
  ),
  block('text', ['Text', 'Formatted text.', 'align-left', TEXTS], form([doc('body', 'Text', { required: true })])),
  block(
    'image',
    ['Image', 'A picture with a caption.', 'image', MEDIA],
    form([
      image('image', 'Image', { required: true, alt_required: true }),
      text('caption', 'Caption', { max_length: 500 }),
      link('link', 'Link'),
    ]),
  ),
  block(
    'gallery',
    ['Gallery', 'Several pictures.', 'grid', MEDIA],
    form([
      text('title', 'Title'),
      { key: 'images', type: 'assets', label: 'Images', kinds: ['image'], required: true, max_items: 100, localized: true },
    ]),
  ),
  block(
    'cta',
    ['Call to action', 'A short text with a button.', 'arrow-right', ACTIONS],
    form([
      text('headline', 'Headline', { required: true }),
      { key: 'text', type: 'long_text', label: 'Text', localized: true, max_length: 1_000 },
      text('button', 'Button', { required: true }),
      link('link', 'Link', { required: true }),
    ]),
  ),
  block(
    'quote',
    ['Quote', 'What somebody said.', 'quote', TEXTS],
    form([
      { key: 'quote', type: 'long_text', label: 'Quote', localized: true, required: true, max_length: 2_000 },
      { key: 'person', type: 'text', label: 'Person' },
      text('role', 'Role'),
      image('image', 'Image'),
    ]),
  ),
  block(
    'faq',
    ['FAQ', 'Questions and their answers.', 'help-circle', TEXTS],
    form([
      text('title', 'Title'),
      {
        key: 'questions',
        type: 'list',
        label: 'Questions',
        localized: true,
        fields: [
          { key: 'question', type: 'text', label: 'Question', required: true, max_length: 500 },
          { key: 'answer', type: 'doc', label: 'Answer', required: true },
        ],
      },
    ]),
  ),
  block(
    'embed',
    ['Embed', 'A video, a map or another page of a service.', 'play', MEDIA],
    form([
      { key: 'url', type: 'url', label: 'Address', required: true, schemes: ['https'] },
      text('title', 'Title'),
      image('preview', 'Preview image'),
    ]),
  ),
  block(
    'code',
    ['Code', 'Source code.', 'code', TEXTS],
    form([
      { key: 'code', type: 'long_text', label: 'Code', required: true, max_length: 50_000 },
      { key: 'language', type: 'text', label: 'Language', max_length: 40 },
      text('caption', 'Caption', { max_length: 500 }),
    ]),
  ),
];

/** The library "Standard", which every workspace has and none can change. */
export const STANDARD_SCHEMAS: readonly StandardSchema[] = [PAGE, ARTICLE, ...BLOCKS];

/** What search engines and networks read of a page, as a form of kind content. */
export const SEO_CONFIG: JsonObject = form([
  { key: 'title', type: 'text', label: 'Title', max_length: 200 },
  { key: 'description', type: 'long_text', label: 'Description', max_length: 500 },
  { key: 'image', type: 'asset', label: 'Image', kinds: ['image'] },
  { key: 'canonical', type: 'url', label: 'Canonical address' },
  { key: 'noindex', type: 'boolean', label: 'Hidden from search engines' },
  {
    key: 'og',
    type: 'group',
    label: 'Open Graph',
    fields: [
      { key: 'title', type: 'text', label: 'Title', max_length: 200 },
      { key: 'description', type: 'long_text', label: 'Description', max_length: 500 },
      { key: 'image', type: 'asset', label: 'Image', kinds: ['image'] },
      { key: 'type', type: 'text', label: 'Type', max_length: 40 },
    ],
  },
]);

/** The link of a node of the kind link, as a form of kind content. */
export const NODE_LINK_CONFIG: JsonObject = form([{ key: 'link', type: 'link', label: 'Link', required: true }]);
