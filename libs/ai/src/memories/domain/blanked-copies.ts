import type { JsonObject, JsonValue } from '@atrium/platform/kernel';

/** What takes the place of what was forgotten. */
const ERASED = '[erased]';
/** Facts of parts, citations and messages of which nobody writes the text: ids, kinds and states. */
const NAMES: ReadonlySet<string> = new Set(
  'kind call_id tool state code file_id role finish files source_kind source_id passage_id version_id version check'.split(' '),
);
const LISTS: ReadonlySet<string> = new Set(['messages', 'citations']);

/** Copies of what runs were given and wrote, without some phrases. What has none of them comes back equal. */
export class Blanking {
  constructor(
    /** Are taken out wherever they stand, the longest first. */
    private readonly phrases: readonly string[],
    /** Mean this alone only where they stand as words of their own. */
    private readonly words: readonly string[],
  ) {}

  blankText<T extends string | null>(text: T): T {
    if (text === null) return text;
    const rest = this.phrases.reduce<string>((left, phrase) => left.replaceAll(phrase, ERASED), text);
    return this.words.reduce(withoutWord, rest) as T;
  }

  /** All texts of a value that somebody made up, its names included. */
  blankJson<T extends JsonValue>(value: T): T {
    if (typeof value === 'string') return this.blankText(value);
    if (Array.isArray(value)) return value.map((one: JsonValue) => this.blankJson(one)) as JsonValue as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.blankText(name), this.blankJson(one)])) as T;
  }

  /** Parts of a message, citations, and what a run was asked and answered. */
  blankFacts<T extends JsonValue>(value: T): T {
    if (Array.isArray(value)) return value.map((one: JsonValue) => this.blankFacts(one)) as JsonValue as T;
    if (typeof value !== 'object' || value === null) return this.blankJson(value);
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        NAMES.has(name) ? one : LISTS.has(name) ? this.blankFacts(one) : this.blankJson(one),
      ]),
    ) as T;
  }

  /** Parts of which some calls lose their input, too. */
  blankParts(parts: readonly JsonObject[], calls: ReadonlySet<string>): JsonObject[] {
    return parts.map((part) =>
      this.blankFacts(typeof part.call_id === 'string' && calls.has(part.call_id) ? { ...part, input: {} } : part),
    );
  }
}

const IN_WORD = /[\p{L}\p{N}_-]/u;

function withoutWord(text: string, word: string): string {
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, from)) {
    const end = at + word.length;
    const isAlone = !IN_WORD.test(text.charAt(at - 1)) && !IN_WORD.test(text.charAt(end));
    rest += text.slice(from, at) + (isAlone ? ERASED : word);
    from = end;
  }
  return rest + text.slice(from);
}
