import { setImmediate } from 'node:timers/promises';

/** Longest glob, and how many gaps one may have. */
const LONGEST = 500;
const MOST_GAPS = 8;
/** Addresses between which others have their turn. */
const AT_ONCE = 50;

/** Part of a glob: a text behind a gap. */
interface Part {
  /** What may be before the text: nothing, text without a slash (`*`), or any (`**`). */
  readonly gap: 'none' | 'segment' | 'any';
  readonly text: string;
}

/**
 * Which pages of a site are wanted, by globs over path and query: `*` is any text without a slash, `**` any text. Matching takes time
 * that grows with the parts of the glob and the text.
 */
export class PathGlobs {
  private readonly include: readonly (readonly Part[])[];
  private readonly exclude: readonly (readonly Part[])[];

  constructor(include: readonly string[], exclude: readonly string[]) {
    this.include = include.map(partsOf);
    this.exclude = exclude.map(partsOf);
  }

  /** Without a glob in `include` every page is wanted; one in `exclude` takes precedence. */
  isWanted(address: string): boolean {
    const { pathname, search } = new URL(address);
    const text = pathname + search;
    if (this.exclude.some((glob) => matches(glob, text))) return false;
    return this.include.length === 0 || this.include.some((glob) => matches(glob, text));
  }

  /** Those of many addresses that are wanted. */
  async filterWanted(addresses: readonly string[]): Promise<string[]> {
    const wanted: string[] = [];
    for (let at = 0; at < addresses.length; at += AT_ONCE) {
      wanted.push(...addresses.slice(at, at + AT_ONCE).filter((address) => this.isWanted(address)));
      await setImmediate();
    }
    return wanted;
  }
}

/** Why a glob asks for more than addresses of pages are worth; undefined where it does not. */
export function globCost(text: string): string | undefined {
  if (text.length > LONGEST) return `must have at most ${LONGEST} characters`;
  return (text.match(/\*+/g)?.length ?? 0) > MOST_GAPS ? `must contain at most ${MOST_GAPS} of * and **` : undefined;
}

function partsOf(glob: string): Part[] {
  const [first = '', ...rest] = glob.split(/(\*+)/);
  const parts: Part[] = [{ gap: 'none', text: first }];
  for (let at = 0; at < rest.length; at += 2) parts.push({ gap: rest[at] === '*' ? 'segment' : 'any', text: rest[at + 1] ?? '' });
  return parts;
}

/** Keeps, part by part, every place where the text so far may end. Of those before a place the nearest has the fewest slashes behind it. */
function matches(parts: readonly Part[], text: string): boolean {
  let ends: readonly number[] = [0];
  for (const { gap, text: part } of parts) {
    ends =
      gap === 'none' ? ends.filter((at) => text.startsWith(part, at)).map((at) => at + part.length) : endsBehind(ends, gap, part, text);
    if (ends.length === 0) return false;
  }
  return ends.at(-1) === text.length;
}

function endsBehind(ends: readonly number[], gap: 'segment' | 'any', part: string, text: string): number[] {
  const found: number[] = [];
  let next = 0;
  let slash = -1;
  let scanned = 0;
  for (let at = text.indexOf(part, ends[0]); at >= 0 && at <= text.length; at = text.indexOf(part, at + 1)) {
    while (next + 1 < ends.length && (ends[next + 1] ?? 0) <= at) next++;
    for (; scanned < at; scanned++) if (text[scanned] === '/') slash = scanned;
    if (gap === 'any' || slash < (ends[next] ?? 0)) found.push(at + part.length);
    if (at === text.length) break;
  }
  return found;
}
