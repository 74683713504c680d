import { baseOf, bracketedText, inLine, scriptText } from './math-line';

/** An element of MathML, or a text between its elements, which has the name `#text`. */
export interface MathPart {
  readonly name: string;
  readonly parts: readonly MathPart[];
  /** All the text of an element that holds no others, as of `mi`. */
  readonly text: string;
  attribute(name: string): string | undefined;
}

/** Elements that hold a name, a number, a sign or words. */
export const MATH_TOKENS: ReadonlySet<string> = new Set(['mi', 'mn', 'mo', 'ms', 'mtext', '#text']);
/** What is said once more for programs, or takes room alone. */
const LEFT_OUT = new Set(['annotation', 'annotation-xml', 'mphantom', 'none', 'mprescripts']);
const INVISIBLE = /[\u2062-\u2064]/g;
const WORD = /^\p{L}{2,}$/u;
const SIGN = /^[^\p{L}\p{N}]$/u;

/** An equation of MathML as one line of text: `E=mc^2`, `(a+b)/c`, `√(x)`. */
export function lineOfMath(math: MathPart): string {
  return textOf(math).replace(/\s+/g, ' ').trim();
}

const allOf = (parts: readonly MathPart[]): string =>
  inLine(parts.map((part) => ({ text: textOf(part), isSign: MATH_TOKENS.has(part.name) })));

function textOf(part: MathPart): string {
  if (LEFT_OUT.has(part.name)) return '';
  if (MATH_TOKENS.has(part.name)) return tokenOf(part);
  return WAYS.get(part.name)?.(elementsOf(part), part) ?? allOf(part.parts);
}

function tokenOf({ name, text }: MathPart): string {
  if (name === 'mtext') return text;
  const sign = text.trim().replaceAll('\u2061', ' ').replace(INVISIBLE, '');
  return name !== 'mn' && WORD.test(sign) ? ` ${sign} ` : sign;
}

const elementsOf = ({ parts }: MathPart): MathPart[] => parts.filter(({ name, text }) => name !== '#text' || text.trim() !== '');

const at = (parts: readonly MathPart[], place: number): string => {
  const part = parts[place];
  return part ? textOf(part).trim() : '';
};

const base = (parts: readonly MathPart[]): string => baseOf(at(parts, 0));

type Way = (parts: readonly MathPart[], whole: MathPart) => string;

/** Written by what it is; anything else is what it holds. */
const WAYS: ReadonlyMap<string, Way> = new Map<string, Way>([
  ['mfrac', fraction],
  ['msup', (parts) => `${base(parts)}${scriptText('^', at(parts, 1))}`],
  ['msub', (parts) => `${base(parts)}${scriptText('_', at(parts, 1))}`],
  ['msubsup', (parts) => `${base(parts)}${scriptText('_', at(parts, 1))}${scriptText('^', at(parts, 2))}`],
  ['munder', (parts) => ` ${at(parts, 0)}${scriptText('_', at(parts, 1))} `],
  ['mover', over],
  ['munderover', (parts) => ` ${at(parts, 0)}${scriptText('_', at(parts, 1))}${scriptText('^', at(parts, 2))} `],
  ['mmultiscripts', scripts],
  ['msqrt', (parts) => `√(${allOf(parts).trim()})`],
  ['mroot', (parts) => `(${at(parts, 0)})^(1/${at(parts, 1)})`],
  [
    'mtable',
    (rows) =>
      `[${rows
        .map((row) =>
          elementsOf(row)
            .map((cell) => textOf(cell).trim())
            .join(' '),
        )
        .join('; ')}]`,
  ],
  ['mfenced', fenced],
  ['semantics', (parts) => at(parts, 0)],
  ['mspace', () => ' '],
]);

/** An accent is written behind its letter; each part is looked at once, however deep it is. */
function over(parts: readonly MathPart[]): string {
  const [below, above] = [at(parts, 0), at(parts, 1)];
  return SIGN.test(above) ? `${below}${above}` : ` ${below}${scriptText('^', above)} `;
}

/** Without its bar, what is above and below each other is a binomial. */
function fraction(parts: readonly MathPart[], whole: MathPart): string {
  const [above, below] = [at(parts, 0), at(parts, 1)];
  const isBinomial = /^0(?:\.0*)?(?:[a-z]{2}|%)?$/.test(whole.attribute('linethickness') ?? '');
  return isBinomial ? `(${above} choose ${below})` : `${bracketedText(above)}/${bracketedText(below)}`;
}

function fenced(parts: readonly MathPart[], whole: MathPart): string {
  const separators = [...(whole.attribute('separators') ?? ',').replace(/\s/g, '')];
  const inside = parts.flatMap((part, place) => [
    { text: place === 0 ? '' : (separators[place - 1] ?? separators.at(-1) ?? ''), isSign: true },
    { text: textOf(part).trim(), isSign: false },
  ]);
  return `${whole.attribute('open') ?? '('}${inLine(inside)}${whole.attribute('close') ?? ')'}`;
}

/** Pairs of what is lowered and raised behind the base, then in front of it. */
function scripts(parts: readonly MathPart[]): string {
  const middle = parts.findIndex(({ name }) => name === 'mprescripts');
  const pairs = (some: readonly MathPart[]): string =>
    some.map((part, place) => scriptText(place % 2 === 0 ? '_' : '^', textOf(part))).join('');
  const before = middle < 0 ? [] : parts.slice(middle + 1);
  const behind = `${base(parts)}${pairs(parts.slice(1, middle < 0 ? undefined : middle))}`;
  return inLine([pairs(before), behind].map((text) => ({ text, isSign: false })));
}
