const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}。、，；：]/u;
const SOFT_HYPHEN = '\u00AD';
/** The last word of a line with its hyphen, and the first word of the next one. */
const BROKEN = /[\p{L}\p{N}]+(?:[-‐’'][\p{L}\p{N}]+)*[-‐]$/u;
const GOES_ON = /^[\p{L}\p{N}]+(?:[-‐][\p{L}\p{N}]+)*/u;
const WORD = /[\p{L}\p{N}]+(?:[-‐][\p{L}\p{N}]+)*[-‐]?/gu;
/** Longer than any word: no more of a line is looked at. */
const LONGEST_WORD = 80;

/** First parts of words that keep their hyphen. */
const KEEPS_HYPHEN = new Set(
  'self ex well long short high low part full real half cross all ever best two three four five six seven eight nine ten twenty thirty forty fifty sixty seventy eighty ninety first second third one e so'.split(
    ' ',
  ),
);
/** Ends of words that are broken off from the same first parts: "real-ize". */
const ENDS =
  /^(?:ed|ing|ings|er|ers|est|ly|ness|ize|ise|ized|ised|izing|ising|ity|ism|ist|ists|age|ages|ful|less|ward|wards|ment|y|ow|ows|ner|ners|ty|th)$/;
/** Second parts of words that have a hyphen before them, but for those that a prefix begins: "unfriendly". */
const FOLLOWS_HYPHEN =
  /^(?:based|friendly|consuming|driven|oriented|related|specific|intensive|defined|generated|ranging|reaching|saving|free|up|ups|off|offs)$/;
const PREFIX = /^(?:\p{L}{1,2}|dis|mis|non|pre|pro|sub|trans|inter|over|under|super|care|cor|syr|ketch|gro)$/u;
/** Words of two that have a hyphen as nouns, and none of the same letters without. */
const PAIR = /^(?:decision-mak(?:ing|ers?)|(?:follow|add|carry|hands|log|sign|bolt|clip|roll)-ons?|(?:follow|walk|break|drive)-throughs?)$/;
/** Between two words that share an end: "Vor- und Nachteile". */
const BETWEEN_ENDS = new Set('und oder bzw sowie bis and or to nor y e o u et ou og och eller en of och ja tai'.split(' '));

/** The words of a document: they decide whether a hyphen at the end of a line belongs to the word. */
export class KnownWords {
  private words: Set<string> | undefined;

  constructor(private readonly lines: () => Iterable<string>) {}

  has(word: string): boolean {
    this.words ??= this.read();
    return this.words.has(word.toLowerCase());
  }

  private read(): Set<string> {
    const words = new Set<string>();
    for (const line of this.lines()) {
      for (const [word] of line.matchAll(WORD)) if (!/[-‐]$/.test(word)) words.add(word.replaceAll('‐', '-').toLowerCase());
    }
    return words;
  }
}

/** A word that was broken at the end of a line is one word again, with the hyphens that are its own; scripts without spaces get none. */
export function joinLines(above: string, below: string, known: KnownWords): string {
  if (above.endsWith(SOFT_HYPHEN)) return above.slice(0, -1) + below;
  const broken = BROKEN.exec(above.slice(-LONGEST_WORD))?.[0];
  const rest = broken === undefined ? undefined : GOES_ON.exec(below.slice(0, LONGEST_WORD))?.[0];
  if (broken !== undefined && rest !== undefined) {
    if (BETWEEN_ENDS.has(rest)) return `${above} ${below}`;
    return (isInAddress(above, below) || keepsHyphen(broken.slice(0, -1), rest, known) ? above : above.slice(0, -1)) + below;
  }
  const [last, first] = [above.at(-1) ?? '', below.at(0) ?? ''];
  return NO_SPACES.test(last) && NO_SPACES.test(first) ? above + below : `${above} ${below}`;
}

/** Addresses are broken at the hyphens that they have. */
function isInAddress(above: string, below: string): boolean {
  const before = /\S*$/.exec(above.slice(-LONGEST_WORD))?.[0] ?? '';
  const token = before + (/^\S*/.exec(below.slice(0, LONGEST_WORD))?.[0] ?? '');
  return /[@/]|[\p{L}\p{N}]\.[\p{L}\p{N}]/u.test(token);
}

function keepsHyphen(before: string, after: string, known: KnownWords): boolean {
  if (!/^\p{Ll}/u.test(after)) return !known.has(before + after);
  if (!/\p{L}$/u.test(before)) return true;
  if (known.has(`${before}-${after}`)) return true;
  const last = before.split(/[-‐]/).at(-1) ?? '';
  if (known.has(before + after) || known.has(last + after)) return false;
  if (last !== before) return true;
  const whole = `${before}-${after}`.toLowerCase();
  if (PAIR.test(whole) || (FOLLOWS_HYPHEN.test(after) && !PREFIX.test(before.toLowerCase()))) return true;
  return KEEPS_HYPHEN.has(before.toLowerCase()) && !ENDS.test(after);
}
