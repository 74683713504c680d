import { join, literalPattern, sql, type Sql } from '@atrium/platform/database';
import type { SearchLeaf } from '../domain/search-query';
import { listOf, TEXT } from '../domain/search-values';
import { EXISTS, hasTrigram, textOf, unknownOperator } from './field-kinds';
import type { SearchField } from './search-fields';

/** Where a field looks: the key of `system.embedded`, and a value of it for people. */
interface Place {
  readonly name: string;
  readonly key: string;
  readonly about: string;
  readonly example: string;
}

const PLACES: readonly Place[] = [
  { name: 'title', key: 'title', about: 'title', example: 'Harbour at dusk' },
  { name: 'headline', key: 'headline', about: 'headline', example: 'Boats come home' },
  { name: 'caption', key: 'caption', about: 'caption', example: 'Fishing boats' },
  { name: 'creator', key: 'creators', about: 'one of its creators', example: 'Ada Field' },
  { name: 'credit', key: 'credit', about: 'credit line', example: 'Field Agency' },
  { name: 'copyright', key: 'copyright', about: 'copyright notice', example: 'Ada Field' },
  { name: 'usage_terms', key: 'usage_terms', about: 'usage terms', example: 'editorial' },
  { name: 'label', key: 'label', about: 'label', example: 'Select' },
  { name: 'sublocation', key: 'sublocation', about: 'place within the city', example: 'Old pier' },
  { name: 'city', key: 'city', about: 'city', example: 'Arezzo' },
  { name: 'state', key: 'state', about: 'state or province', example: 'Tuscany' },
  { name: 'country', key: 'country', about: 'country', example: 'Italy' },
  { name: 'country_code', key: 'country_code', about: 'code of the country, of two or three letters', example: 'ITA' },
];

const holding = (text: string): string => `%${literalPattern(text)}%`;

/** A value of the field is like the pattern, in any case and with any i. */
const says = (key: string, pattern: string): Sql =>
  sql`EXISTS (SELECT FROM unnest(file_says(r.file_metadata, ${key}::text)) v WHERE dotless(v) LIKE dotless(lower(${pattern}::text)))`;

const saying = (key: string, pattern: string, text: string, most: number): Sql | null =>
  hasTrigram(text)
    ? sql`SELECT files_saying(${key}::text, lower(${pattern}::text), lower(${holding(text)}::text), ${most}::integer)`
    : null;

/** A text that people wrote into the picture. */
const textField = ({ name, key, about, example }: Place): SearchField => ({
  name,
  scopes: ['media'],
  type: `text, ignoring case: the ${about} embedded in the picture`,
  operators: { eq: { value: TEXT }, ne: { value: TEXT }, contains: { value: TEXT }, not_contains: { value: TEXT }, exists: EXISTS },
  examples: { eq: example, ne: example, contains: example, not_contains: example, exists: true },
  compileLeaf: (leaf) => (leaf.op === 'exists' ? sql`file_says(r.file_metadata, ${key}::text) IS NOT NULL` : says(key, patternOf(leaf))),
  candidateQuery: (leaf, _, most) => (leaf.op === 'exists' ? null : saying(key, patternOf(leaf), textOf(leaf), most)),
});

function patternOf(leaf: SearchLeaf): string {
  if (leaf.op === 'eq') return literalPattern(textOf(leaf));
  if (leaf.op === 'contains') return holding(textOf(leaf));
  throw unknownOperator(leaf.field, leaf.op);
}

const wordsOf = ({ value }: SearchLeaf): readonly string[] => [value ?? []].flat().filter((word) => typeof word === 'string');

/** Keywords by themselves, and by the path that leads to them: `Places|Italy` finds what is below it too. */
const placesOf = (word: string): readonly (readonly [key: string, pattern: string])[] => [
  ['keywords', literalPattern(word)],
  ['keyword_paths', literalPattern(word)],
  ['keyword_paths', `${literalPattern(word)}|%`],
];

const bears = (word: string): Sql =>
  sql`(${join(
    placesOf(word).map(([key, pattern]) => says(key, pattern)),
    ' OR ',
  )})`;

const keyword: SearchField = {
  name: 'keyword',
  scopes: ['media'],
  type: 'a keyword embedded in the picture, or a path of keywords such as Places|Italy with everything below it; ignoring case',
  operators: {
    has_any: { value: listOf(TEXT) },
    has_all: { value: listOf(TEXT) },
    has_none: { value: listOf(TEXT) },
    contains: { value: TEXT },
    exists: EXISTS,
  },
  examples: { has_any: ['boats', 'Places|Italy'], has_all: ['boats', 'evening'], has_none: ['draft'], contains: 'boat', exists: true },
  compileLeaf(leaf) {
    if (leaf.op === 'exists') return sql`file_says(r.file_metadata, 'keywords') IS NOT NULL`;
    if (leaf.op === 'contains') return says('keywords', holding(textOf(leaf)));
    if (leaf.op !== 'has_any' && leaf.op !== 'has_all') throw unknownOperator(leaf.field, leaf.op);
    return sql`(${join(wordsOf(leaf).map(bears), leaf.op === 'has_any' ? ' OR ' : ' AND ')})`;
  },
  candidateQuery(leaf, _, most) {
    if (leaf.op === 'contains') return saying('keywords', holding(textOf(leaf)), textOf(leaf), most);
    const words = wordsOf(leaf);
    if (leaf.op !== 'has_any' && (leaf.op !== 'has_all' || words.length !== 1)) return null;
    const found = words.flatMap((word) => placesOf(word).map(([key, pattern]) => saying(key, pattern, word, most)));
    const all = found.filter((one) => one !== null);
    return all.length === found.length && all.length > 0 ? join(all, ' UNION ALL ') : null;
  },
};

/** Leaves over what people wrote into pictures. */
export const EMBEDDED_FIELDS: readonly SearchField[] = [...PLACES.map(textField), keyword];
