import type { JsonObject } from '@atrium/platform/kernel';

/** A schema that every workspace has from the beginning, under the same id. */
export interface StandardTemplate {
  readonly form_id: string;
  readonly form_name: string;
  readonly form_description: string;
  readonly form_config: JsonObject;
  readonly form_metadata: JsonObject;
}

type FieldExtras = JsonObject;

const field = (key: string, type: string, label: string, extras: FieldExtras = {}): JsonObject => ({ key, type, label, ...extras });
const options = (...values: readonly (readonly [string, string])[]): JsonObject => ({
  options: values.map(([value, label]) => ({ value, label })),
  filterable: true,
});
const NEEDED = { required: true };
const FOUND_BY = { filterable: true };

interface Shape {
  readonly about: string;
  readonly title: string;
  readonly fields: readonly JsonObject[];
  /** A screen of the product reads it: it is never forked. */
  readonly fixed?: boolean;
}

const template = (number: number, name: string, form_name: string, { about, title, fields, fixed = false }: Shape): StandardTemplate => ({
  form_id: `00000000-0000-4000-8000-0000000001${String(number).padStart(2, '0')}`,
  form_name,
  form_description: about,
  form_config: { version: 1, title, fields },
  form_metadata: { template: name, ...(fixed ? { fixed } : {}) },
});

/** The standard templates of record schemas. What is here once stays: a change needs a migration for the workspaces there are. */
export const STANDARD_TEMPLATES: readonly StandardTemplate[] = [
  template(1, 'faq', 'FAQ', {
    about: 'Questions with their answers.',
    title: 'question',
    fields: [
      field('question', 'text', 'Question', NEEDED),
      field('answer', 'rich_text', 'Answer', NEEDED),
      field('variants', 'tags', 'Other ways of asking', { searchable: true }),
      field(
        'category',
        'select',
        'Category',
        options(['general', 'General'], ['product', 'Product'], ['order', 'Orders'], ['support', 'Support']),
      ),
      field('url', 'url', 'Address'),
    ],
  }),
  template(2, 'article', 'Article', {
    about: 'Articles, guides and news.',
    title: 'title',
    fields: [
      field('title', 'text', 'Title', NEEDED),
      field('body', 'rich_text', 'Text', NEEDED),
      field('summary', 'long_text', 'Summary'),
      field('author', 'text', 'Author', FOUND_BY),
      field('published', 'date', 'Published', FOUND_BY),
      field('url', 'url', 'Address'),
      field('tags', 'tags', 'Tags', FOUND_BY),
    ],
  }),
  template(3, 'glossary', 'Glossary', {
    about: 'Terms, what they mean and how they are used.',
    title: 'term',
    fixed: true,
    fields: [
      field('term', 'text', 'Term', NEEDED),
      field('definition', 'long_text', 'Definition', NEEDED),
      field('synonyms', 'tags', 'Synonyms'),
      field('forbidden', 'tags', 'Words to avoid'),
      field('do_not_translate', 'boolean', 'Is not translated', FOUND_BY),
      field('translations', 'list', 'Translations', { fields: [field('language', 'text', 'Language'), field('text', 'text', 'Text')] }),
    ],
  }),
  template(4, 'product', 'Product', {
    about: 'Products with their prices and attributes.',
    title: 'name',
    fields: [
      field('name', 'text', 'Name', NEEDED),
      field('sku', 'text', 'Item number', { unique: true, filterable: true }),
      field('description', 'rich_text', 'Description'),
      field('price', 'currency', 'Price', FOUND_BY),
      field(
        'availability',
        'select',
        'Availability',
        options(['in_stock', 'In stock'], ['on_order', 'On order'], ['sold_out', 'Sold out']),
      ),
      field('attributes', 'list', 'Attributes', { fields: [field('name', 'text', 'Name'), field('value', 'text', 'Value')] }),
      field('image', 'file', 'Image'),
      field('url', 'url', 'Address'),
    ],
  }),
  template(5, 'contact', 'Contact', {
    about: 'People and what they are responsible for.',
    title: 'name',
    fields: [
      field('name', 'text', 'Name', NEEDED),
      field('role', 'text', 'Role', FOUND_BY),
      field('department', 'text', 'Department', FOUND_BY),
      field('email', 'email', 'Email'),
      field('phone', 'phone', 'Phone'),
      field('languages', 'tags', 'Languages', FOUND_BY),
      field('responsible_for', 'long_text', 'Responsible for'),
    ],
  }),
  template(6, 'policy', 'Policy', {
    about: 'Rules and guidelines with the time they are in force.',
    title: 'title',
    fields: [
      field('title', 'text', 'Title', NEEDED),
      field('body', 'rich_text', 'Text', NEEDED),
      field('valid_from', 'date', 'In force from', FOUND_BY),
      field('valid_until', 'date', 'In force until', FOUND_BY),
      field('owner', 'user', 'Owner', FOUND_BY),
      field('version', 'text', 'Version'),
    ],
  }),
  template(7, 'brand_voice', 'Brand voice', {
    about: 'How a brand speaks and writes.',
    title: 'name',
    fixed: true,
    fields: [
      field('name', 'text', 'Name', NEEDED),
      field('tone', 'tags', 'Tone'),
      field('audience', 'long_text', 'Audience'),
      field('do', 'list', 'Do', { fields: [field('rule', 'text', 'Rule')] }),
      field('dont', 'list', 'Do not', { fields: [field('rule', 'text', 'Rule')] }),
      field('examples', 'list', 'Examples', { fields: [field('good', 'long_text', 'Good'), field('bad', 'long_text', 'Bad')] }),
    ],
  }),
  template(8, 'troubleshooting', 'Troubleshooting', {
    about: 'Problems, their causes and how they are solved.',
    title: 'problem',
    fields: [
      field('problem', 'text', 'Problem', NEEDED),
      field('symptoms', 'tags', 'Symptoms', { searchable: true }),
      field('cause', 'long_text', 'Cause'),
      field('steps', 'list', 'Steps', { fields: [field('step', 'rich_text', 'Step')] }),
      field('severity', 'select', 'Severity', options(['low', 'Low'], ['medium', 'Medium'], ['high', 'High'], ['critical', 'Critical'])),
    ],
  }),
];
