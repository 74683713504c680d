import { Problem, isObject, spendEffort, TOO_COMPLEX, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { candidatesOf, rankedCandidates, type Candidate } from './candidates';
import { valuesIn, type ValueKind } from './values';
import type { ModelSource } from '../grounding';
import type { Reader } from './words';

const MOST_DEEP = 4;
const MOST_ITEMS = 20;
const MOST_PROPERTIES = 100;
/** Words of a name and description that sentences are searched for. */
const MOST_WORDS = 50;
/** Units of effort for a sentence that is held against a word, or against a member of an enumeration. */
const FOR_SENTENCE = 0.05;

/** An object as far as its values were found. */
export interface Filled {
  readonly data: JsonObject;
  /** Paths of required properties for which nothing was found. */
  readonly missing: readonly string[];
}

interface Sought {
  readonly candidates: readonly Candidate[];
  readonly texts: readonly string[];
  readonly reader: Reader;
  readonly missing: string[];
  /** The first value of a kind in all of the texts, which does not depend on the property. */
  readonly anywhere: Map<ValueKind, JsonValue | undefined>;
  /** Sentences as words alone. */
  readonly folded: Map<string, string>;
  properties: number;
}

/** An object as a schema describes it, each property the first value of its type in the sentences that its name and description lead to. */
export function fillSchema(schema: JsonObject, sources: readonly ModelSource[], reader: Reader): Filled {
  const sought: Sought = {
    candidates: candidatesOf(sources, reader),
    texts: sources.map(({ text }) => text),
    reader,
    missing: [],
    anywhere: new Map(),
    folded: new Map(),
    properties: 0,
  };
  return { data: objectOf(schema, sought, '', 0), missing: sought.missing };
}

/** The same where nothing may be missing: a required value cannot be made up. */
export function filledSchema(schema: JsonObject, sources: readonly ModelSource[], reader: Reader): JsonObject {
  const { data, missing } = fillSchema(schema, sources, reader);
  if (missing.length === 0) return data;
  throw new Problem(
    'unprocessable_content',
    `The sources do not contain all values that the answer requires. Missing: ${missing.join(', ')}.`,
  );
}

function objectOf(schema: JsonObject, sought: Sought, path: string, depth: number): JsonObject {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const filled: [string, JsonValue][] = [];
  for (const [name, about] of Object.entries(objectIn(schema.properties))) {
    const at = path === '' ? name : `${path}.${name}`;
    if (++sought.properties > MOST_PROPERTIES) throw tooManyProperties();
    const value = depth < MOST_DEEP ? valueOf(name, objectIn(about), sought, { at, depth }) : undefined;
    if (value !== undefined) filled.push([name, value]);
    else if (required.includes(name)) sought.missing.push(at);
  }
  return Object.fromEntries(filled);
}

function valueOf(
  name: string,
  schema: JsonObject,
  sought: Sought,
  { at, depth }: { readonly at: string; readonly depth: number },
): JsonValue | undefined {
  if (schema.const !== undefined) return schema.const;
  const type = typeIn(schema);
  if (type === 'object') return objectOf(schema, sought, at, depth + 1);
  const question = sought.reader.stemsOf(wordsIn(name, schema.description)).slice(0, MOST_WORDS);
  spendEffort(question.length * sought.candidates.length * FOR_SENTENCE);
  const relevant = rankedCandidates(sought.candidates, question);
  if (Array.isArray(schema.enum)) return memberIn(schema.enum, [...relevant, ...sought.candidates], sought);
  if (type === 'array') return listOf(name, schema, relevant);
  const kind = kindOf(type, schema, name);
  // An address is known by its form, in any place.
  const near = firstOf(
    kind,
    relevant.map(({ text }) => text),
  );
  return near ?? (kind === 'email' || kind === 'url' || kind === 'phone' ? anywhere(kind, sought) : undefined);
}

function anywhere(kind: ValueKind, sought: Sought): JsonValue | undefined {
  if (!sought.anywhere.has(kind)) sought.anywhere.set(kind, firstOf(kind, sought.texts));
  return sought.anywhere.get(kind);
}

const tooManyProperties = (): Problem => {
  const message = `The built-in model can find values for at most ${MOST_PROPERTIES} properties. Request fewer, or use another model.`;
  return new Problem('unprocessable_content', message, { errors: [{ path: 'schema', code: TOO_COMPLEX, message }] });
};

function listOf(name: string, schema: JsonObject, relevant: readonly Candidate[]): JsonValue | undefined {
  const { maxItems } = schema;
  const items = objectIn(schema.items);
  const kind = kindOf(typeIn(items), items, name);
  const most = typeof maxItems === 'number' ? Math.min(maxItems, MOST_ITEMS) : MOST_ITEMS;
  const found =
    kind === 'text'
      ? relevant.slice(0, most).map(({ text }) => text)
      : relevant.flatMap(({ text }) => valuesIn(text, kind).map(({ value }) => value));
  return found.length === 0 ? undefined : [...new Set(found)].slice(0, most);
}

function firstOf(kind: ValueKind | 'text', texts: readonly string[]): JsonValue | undefined {
  if (kind === 'text') return texts[0];
  for (const text of texts) {
    const [first] = valuesIn(text, kind);
    if (first) return first.value;
  }
  return undefined;
}

function memberIn(members: readonly JsonValue[], candidates: readonly Candidate[], sought: Sought): JsonValue | undefined {
  const words = members.map((member) => folded(wordOf(member)));
  for (const { text } of candidates) {
    spendEffort(words.length * FOR_SENTENCE);
    const sentence = sought.folded.get(text) ?? folded(text);
    sought.folded.set(text, sentence);
    const found = words.findIndex((word) => sentence.includes(word));
    if (found >= 0) return members[found];
  }
  return undefined;
}

/** Words alone, with a blank before and behind each. */
const folded = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const NAMED: readonly (readonly [RegExp, ValueKind])[] = [
  [/e-?mail/i, 'email'],
  [/url|website|homepage|link$/i, 'url'],
  [/phone|telefon|fax|(^|_)tel$/i, 'phone'],
  [/(^|_)date(_|$)|Date$|^date/, 'date'],
];

/** By its type and format, else by its name. */
function kindOf(type: string, { format }: JsonObject, name: string): ValueKind | 'text' {
  if (type === 'number' || type === 'integer') return type;
  if (type === 'boolean') return 'boolean';
  if (format === 'date' || format === 'date-time') return 'date';
  if (format === 'email') return 'email';
  if (format === 'uri' || format === 'url') return 'url';
  return NAMED.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';
}

/** The first type that is not null. */
function typeIn({ type, properties }: JsonObject): string {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const named = types.find((one) => one !== 'null');
  return typeof named === 'string' ? named : properties === undefined ? 'string' : 'object';
}

const wordOf = (member: JsonValue): string => (typeof member === 'object' ? JSON.stringify(member) : String(member));

const objectIn = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

/** `dueDate` and `due_date` as words, with the description behind them. */
const wordsIn = (name: string, description: JsonValue | undefined): string =>
  `${name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/[_-]+/g, ' ')} ${typeof description === 'string' ? description : ''}`;
