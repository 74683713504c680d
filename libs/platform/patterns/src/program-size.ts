/** `{3}`, `{3,}` or `{3,5}`; anything else in braces is text. */
const COUNT = /\{(\d{1,9})(,(\d{0,9}))?\}/y;
/** Flags, a name, or the mark of a group that keeps nothing. */
const GROUP = /\((?:\?(?:P?<[^>]{0,100}>|[A-Za-z-]{0,10}[:)]))?/y;

/** A part that the next operator applies to, and what is before it in the same group. */
interface Open {
  readonly before: number;
  readonly part: number;
}

/**
 * How many instructions a pattern of RE2 becomes, or more, without compiling it: every counted repetition is written out. It reads
 * the pattern once; one that is not valid has some size too.
 */
export function programSize(source: string): number {
  const groups: (Open & { readonly keeps: number })[] = [];
  let here: Open = { before: 0, part: 0 };
  const follow = (size: number): void => {
    here = { before: here.before + here.part, part: size };
  };
  for (let at = 0; at < source.length;) {
    const char = source.charAt(at);
    if (char === '(') {
      const length = lengthOf(GROUP, source, at) || 1;
      // Flags for what follows: `(?i)`.
      const isFlags = length > 1 && source.charAt(at + length - 1) === ')';
      if (!isFlags) {
        groups.push({ ...here, keeps: length === 1 || source.charAt(at + length - 1) === '>' ? 2 : 0 });
        here = { before: 0, part: 0 };
      }
      at += length;
    } else if (char === ')') {
      const { before, part, keeps } = groups.pop() ?? { before: 0, part: 0, keeps: 0 };
      const inside = here.before + here.part + keeps;
      here = { before, part };
      follow(inside);
      at++;
    } else if (char === '*' || char === '+' || char === '?') {
      // A repetition of what may be empty has one more.
      here = { ...here, part: here.part + (char === '*' ? 2 : 1) };
      at++;
    } else if (char === '{') {
      const length = lengthOf(COUNT, source, at);
      if (length > 0) here = { ...here, part: repeated(here.part, source.slice(at + 1, at + length - 1)) };
      else follow(1);
      at += length || 1;
    } else {
      follow(char === '|' ? 2 : 1);
      at = behindPart(source, at);
    }
  }
  return [...groups, here].reduce((sum, { before, part }) => sum + before + part, 2);
}

/** The end of a character, an escape or a class that begins here. */
function behindPart(source: string, at: number): number {
  if (source.charAt(at) === '\\') return behindEscape(source, at);
  if (source.charAt(at) !== '[') return at + 1;
  let end = at + 1;
  if (source.charAt(end) === '^') end++;
  // A bracket that comes first is a character of the class.
  if (source.charAt(end) === ']') end++;
  while (end < source.length && source.charAt(end) !== ']') {
    // A name of a class in a class has a bracket of its own: `[[:alpha:]]`.
    end += lengthOf(/\[:\^?[a-z]{1,20}:\]/y, source, end) || (source.charAt(end) === '\\' ? 2 : 1);
  }
  return end + 1;
}

/** `\p{Greek}` and `\x{1F600}` have braces of their own. */
const behindEscape = (source: string, at: number): number => at + (lengthOf(/\\[pPx]\{[^}]{0,100}\}/y, source, at) || 2);

function repeated(part: number, counts: string): number {
  const [least, most] = counts.split(',');
  const from = Number(least);
  if (most === undefined) return part * from;
  if (most === '') return part * Math.max(from, 1) + 2;
  return part * Math.max(from, Number(most)) + Math.max(Number(most) - from, 0);
}

function lengthOf(pattern: RegExp, source: string, at: number): number {
  const sticky = pattern;
  sticky.lastIndex = at;
  return sticky.exec(source)?.[0].length ?? 0;
}
