import type { JsonValue } from '@atrium/platform/kernel';

type OrNull<T extends string> = T | readonly [T, 'null'];

/** A regular expression, as JSON Schema writes it, and what it asks for in words that follow "must be". */
type Formed =
  { readonly pattern: string; readonly description: string } | { readonly pattern?: undefined; readonly description?: undefined };

type TextRule = {
  readonly maxLength: number;
  readonly minLength?: number;
  readonly enum?: readonly string[];
} & Formed;

/** What an option's value looks like: the part of JSON Schema that settings need. */
export type OptionSchema =
  | { readonly type: 'boolean' }
  | { readonly type: OrNull<'integer'>; readonly minimum: number; readonly maximum: number }
  | ({ readonly type: OrNull<'string'> } & TextRule)
  | { readonly type: 'array'; readonly items: { readonly type: 'string' } & TextRule; readonly maxItems: number };

const UNSTORABLE = /\p{Cc}|\p{Cs}/u;

/** Why a value is none of the option's; null when it is one. */
export function optionFault(schema: OptionSchema, value: JsonValue): string | null {
  if (value === null) return typeof schema.type === 'string' ? 'must not be null' : null;
  if (schema.type === 'array') {
    if (!Array.isArray(value) || value.length > schema.maxItems) return `must be a list of at most ${schema.maxItems} strings`;
    return (value as readonly JsonValue[]).map((item) => textFault(schema.items, item)).find((fault) => fault !== null) ?? null;
  }
  if (schema.type === 'boolean') return typeof value === 'boolean' ? null : 'must be true or false';
  if ('maximum' in schema) {
    const fits = Number.isSafeInteger(value) && (value as number) >= schema.minimum && (value as number) <= schema.maximum;
    return fits ? null : `must be a whole number from ${schema.minimum} to ${schema.maximum}`;
  }
  return textFault(schema, value);
}

function textFault(rule: TextRule, value: JsonValue): string | null {
  const { maxLength, minLength = 0, enum: words } = rule;
  if (typeof value !== 'string' || UNSTORABLE.test(value)) return 'must be a string of one line';
  if (words && !words.includes(value)) return `must be one of ${words.join(', ')}`;
  if (value.length < minLength || value.length > maxLength) return `must have ${minLength} to ${maxLength} characters`;
  // eslint-disable-next-line no-restricted-syntax -- a pattern of the declaration of an option
  if (rule.pattern === undefined || new RegExp(rule.pattern, 'u').test(value)) return null;
  return `must be ${rule.description}`;
}
