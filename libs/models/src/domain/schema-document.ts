import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

/** Most schemas that one value may be held against, each counted as often as references lead to it. */
const MOST_FOR_ONE_VALUE = 1_000;
/** Most schemas of a document: the time that compiling takes grows faster than their number. */
const MOST_SCHEMAS = 300;
/** The same where a schema asks which properties or items all others have left, which is kept for each of them. */
const MOST_BESIDE_UNEVALUATED = 60;
/** Longest chain of them. */
const MOST_DEEP = 100;
const ROOT = 'https://schema.invalid/';

/** Keywords with schemas of the same value … */
const SAME_VALUE = {
  one: ['not', 'if', 'then', 'else'],
  list: ['allOf', 'anyOf', 'oneOf'],
  map: ['dependentSchemas', 'dependencies'],
} as const;
/** … of its properties and items, and of nothing until something refers to them. */
const ELSEWHERE = {
  one: ['additionalProperties', 'items', 'contains', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems', 'contentSchema'],
  list: ['prefixItems'],
  map: ['properties', 'patternProperties', '$defs', 'definitions'],
} as const;

interface Keywords {
  readonly one: readonly string[];
  readonly list: readonly string[];
  readonly map: readonly string[];
}

interface Reach {
  readonly schemas: number;
  readonly depth: number;
}

/** A schema is valid, and larger than what is compiled. */
export class TooComplexSchema extends Error {}

/**
 * A JSON Schema with all schemas in it and what they refer to. It refers to nothing outside of itself, and how many schemas one
 * value is held against is bounded: references may lead back to a schema only through a property or an item.
 */
export class SchemaDocument {
  /** Every schema that is an object, by the URL of the document it belongs to. */
  readonly schemas = new Map<JsonObject, string>();
  private readonly documents = new Map<string, JsonObject>();
  private readonly anchors = new Map<string, JsonObject>();
  private readonly dynamic = new Map<string, JsonObject[]>();
  private readonly reached = new Map<JsonObject, Reach | 'open'>();

  /** Throws an error that says what is wrong with it. */
  constructor(root: JsonObject) {
    this.documents.set(ROOT, root);
    this.collect(root, ROOT);
    this.assertFew();
    for (const schema of this.schemas.keys()) this.reach(schema);
  }

  private assertFew(): void {
    const all = [...this.schemas.keys()];
    const asksForRest = all.some((schema) => schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined);
    const most = asksForRest ? MOST_BESIDE_UNEVALUATED : MOST_SCHEMAS;
    if (all.length > most)
      throw new TooComplexSchema(
        `it contains ${all.length} schemas, and ${asksForRest ? 'one with "unevaluatedProperties" or "unevaluatedItems"' : 'a schema'} can have at most ${most}; describe fewer properties, or put what is repeated in "$defs"`,
      );
  }

  private collect(schema: JsonObject, outer: string): void {
    const base = typeof schema.$id === 'string' ? urlOf(schema.$id, outer) : outer;
    this.schemas.set(schema, base);
    if (base !== outer) this.documents.set(base, schema);
    const { $anchor, $dynamicAnchor } = schema;
    for (const name of [$anchor, $dynamicAnchor]) if (typeof name === 'string') this.anchors.set(`${base}#${name}`, schema);
    if (typeof $dynamicAnchor === 'string') this.dynamic.set($dynamicAnchor, [...(this.dynamic.get($dynamicAnchor) ?? []), schema]);
    for (const inner of [...schemasUnder(schema, SAME_VALUE), ...schemasUnder(schema, ELSEWHERE)]) this.collect(inner, base);
  }

  /** How many schemas a value is held against that is held against this one. */
  private reach(schema: JsonObject): Reach {
    const known = this.reached.get(schema);
    if (known === 'open')
      throw new Error(
        'its references lead back to the same value: a schema can refer to itself in "properties", "items" and the like, but not in "allOf", "anyOf", "oneOf", "not", "if" or by "$ref" alone',
      );
    if (known) return known;
    this.reached.set(schema, 'open');
    let [schemas, depth] = [1, 0];
    for (const next of [...schemasUnder(schema, SAME_VALUE), ...this.referredBy(schema)]) {
      const beyond = this.reach(next);
      schemas += beyond.schemas;
      depth = Math.max(depth, beyond.depth);
    }
    if (schemas > MOST_FOR_ONE_VALUE)
      throw new Error(
        `its references unfold to more than ${MOST_FOR_ONE_VALUE} schemas for one value; refer to shared schemas less often, or make them smaller`,
      );
    if (depth >= MOST_DEEP) throw new Error(`more than ${MOST_DEEP} schemas refer to each other in a row; shorten the chain`);
    const reach = { schemas, depth: depth + 1 };
    this.reached.set(schema, reach);
    return reach;
  }

  private referredBy(schema: JsonObject): JsonObject[] {
    const { $ref, $dynamicRef, $recursiveRef } = schema;
    if ($recursiveRef !== undefined) throw new Error('"$recursiveRef" is not a keyword of JSON Schema 2020-12; use "$dynamicRef"');
    const base = this.schemas.get(schema) ?? ROOT;
    const found = [$ref, $dynamicRef].flatMap((ref) => (typeof ref === 'string' ? this.at(ref, base) : []));
    if (typeof $dynamicRef !== 'string') return found;
    return [...new Set([...found, ...(this.dynamic.get($dynamicRef.slice($dynamicRef.indexOf('#') + 1)) ?? [])])];
  }

  /** The schema that a reference leads to; none where it is true or false. */
  private at(ref: string, base: string): JsonObject[] {
    const url = urlOf(ref, base);
    const cut = url.indexOf('#');
    const [address, fragment] = cut < 0 ? [url, ''] : [url.slice(0, cut), url.slice(cut + 1)];
    const document = this.documents.get(address);
    const found = fragment.startsWith('/') ? pointedAt(document, fragment) : fragment === '' ? document : this.anchors.get(url);
    if (typeof found === 'boolean') return [];
    if (isObject(found) && this.schemas.has(found)) return [found];
    throw new Error(
      `the reference ${JSON.stringify(ref.slice(0, 100))} does not lead to a schema of this document; put shared schemas in "$defs"`,
    );
  }
}

const urlOf = (ref: string, base: string): string => {
  const url = URL.canParse(ref, base) ? new URL(ref, base).href : ref;
  return url.endsWith('#') ? url.slice(0, -1) : url;
};

function pointedAt(from: JsonValue | undefined, pointer: string): JsonValue | undefined {
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => unescaped(step));
  return steps.reduce<JsonValue | undefined>((at, step) => {
    if (Array.isArray(at)) return (at as readonly JsonValue[])[Number(step)];
    return isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }, from);
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

const schemasUnder = (schema: JsonObject, { one, list, map }: Keywords): JsonObject[] =>
  [
    ...one.map((keyword) => schema[keyword]),
    ...list.flatMap((keyword) => itemsOf(schema[keyword])),
    ...map.flatMap((keyword) => Object.values(isObject(schema[keyword]) ? schema[keyword] : {})),
  ].filter(isObject);

const itemsOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);
