import type { JsonValue } from '@atrium/platform/kernel';

type Step = { readonly name: string } | { readonly index: number } | 'all';

const MOST_STEPS = 20;
const LONGEST = 500;
/** Matches of one path; what is beyond them is a fault of the row, not of the memory. */
const MOST_MATCHES = 10_000;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const INDEX = /\[\s*(-?(?:0|[1-9]\d{0,8}))\s*\]/y;
const WILDCARD = /\[\s*\*\s*\]/y;
const QUOTED = /\[\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/suy;
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '/': '/', '\\': '\\', "'": "'", '"': '"' };

/** A path that cannot be read, in a sentence that follows its name. */
export class PathFault extends Error {}

/**
 * A path into a row: names, indexes and wildcards of JSONPath (RFC 9535), at most 20 steps. Without a wildcard it names at most one
 * value; with one, all that match, in their order.
 */
export class RowPath {
  private constructor(
    readonly text: string,
    private readonly steps: readonly Step[],
  ) {}

  static parse(text: string): RowPath {
    if (text.length > LONGEST) throw new PathFault(`must have at most ${LONGEST} characters`);
    if (!text.startsWith('$')) throw new PathFault('must begin with $, such as $.name or $["Unit price"]');
    const steps: Step[] = [];
    for (let at = 1; at < text.length;) {
      const { step, end } = stepAt(text, at);
      steps.push(step);
      at = end;
    }
    if (steps.length > MOST_STEPS) throw new PathFault(`must have at most ${MOST_STEPS} steps`);
    return new RowPath(text, steps);
  }

  get hasWildcard(): boolean {
    return this.steps.includes('all');
  }

  /** The value that the path names; undefined where there is none. Several are a list. */
  read(row: JsonValue): JsonValue | undefined {
    let found: readonly JsonValue[] = [row];
    for (const step of this.steps) {
      found = found.flatMap((value) => taken(value, step));
      if (found.length > MOST_MATCHES) throw new PathFault(`matches more than ${MOST_MATCHES.toLocaleString('en-US')} values`);
    }
    return this.hasWildcard ? [...found] : found[0];
  }
}

function stepAt(text: string, at: number): { readonly step: Step; readonly end: number } {
  const wildcard = matchAt(WILDCARD, text, at);
  if (wildcard) return { step: 'all', end: at + wildcard[0].length };
  const index = matchAt(INDEX, text, at);
  if (index) return { step: { index: Number(index[1]) }, end: at + index[0].length };
  const quoted = matchAt(QUOTED, text, at);
  if (quoted) return { step: { name: unescaped(quoted[1] ?? quoted[2] ?? '', at) }, end: at + quoted[0].length };
  if (text[at] === '.') {
    if (text[at + 1] === '*') return { step: 'all', end: at + 2 };
    const name = matchAt(NAME, text, at + 1);
    if (name) return { step: { name: name[0] }, end: at + 1 + name[0].length };
  }
  throw new PathFault(`cannot be read at character ${at + 1}; steps are .name, ["name"], [0] and [*]`);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const unescaped = (text: string, at: number): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gsu, (_whole, code: string | undefined, sign: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
    const meant = ESCAPES[sign ?? ''];
    if (meant === undefined) throw new PathFault(`has an unknown escape after character ${at + 1}`);
    return meant;
  });

function taken(value: JsonValue, step: Step): readonly JsonValue[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step === 'all') return Object.values(value);
  if ('index' in step) return Array.isArray(value) ? presentAt(value, step.index) : [];
  if (Array.isArray(value) || !Object.hasOwn(value, step.name)) return [];
  const own = (value as { readonly [key: string]: JsonValue })[step.name];
  return own === undefined ? [] : [own];
}

function presentAt(values: readonly JsonValue[], index: number): readonly JsonValue[] {
  const value = values.at(index);
  return value === undefined ? [] : [value];
}
