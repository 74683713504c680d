import type { XmlElement } from '@atrium/platform/tabular';
import { baseOf, bracketedText, inLine, scriptText, type Said } from '../../text/math-line';

interface Part {
  readonly name: string;
  readonly parts: Part[];
  /** Its sign, where its properties name one: of a sum, a bracket, an accent. */
  readonly signs: Map<string, string>;
  text: string;
}

/** A run, and the text in it. */
const TOKENS = new Set(['r', 't']);
const SIGNS = new Set(['chr', 'begChr', 'endChr', 'sepChr', 'degHide', 'type']);
/** Elements that stand around others and are no part of the equation: 2 with 5 that was inserted is 25. */
const AROUND = new Set(['ins', 'moveTo', 'smartTag', 'customXml', 'sdt', 'sdtContent']);
/** An equation as one line of text: `E=mc^2`, `(a+b)/c`, `√(x)`. It gathers its elements until it ends. */
export class Equation {
  private readonly root: Part = part('oMath');
  private readonly path: Part[] = [this.root];
  /** The properties that are being read, whose names are inside of each other. */
  private properties = 0;

  open(element: Pick<XmlElement, 'name' | 'attribute'>): void {
    const inside = this.path.at(-1);
    if (this.properties > 0 || (element.name.endsWith('Pr') && element.name !== 'Pr')) {
      this.properties++;
      if (SIGNS.has(element.name)) inside?.signs.set(element.name, element.attribute('val') ?? '');
      return;
    }
    if (inside && AROUND.has(element.name)) {
      this.path.push(inside);
      return;
    }
    const next = part(element.name);
    inside?.parts.push(next);
    this.path.push(next);
  }

  add(text: string): void {
    const inside = this.path.at(-1);
    if (this.properties === 0 && inside?.name === 't') inside.text += text;
  }

  close(): void {
    if (this.properties > 0) this.properties--;
    else this.path.pop();
  }

  get text(): string {
    return textOf(this.root).replace(/\s+/g, ' ').trim();
  }
}

const part = (name: string): Part => ({ name, parts: [], signs: new Map(), text: '' });

const saidBy = (part: Part): Said => ({ text: textOf(part), isSign: TOKENS.has(part.name) });

const allOf = ({ parts }: Part): string => inLine(parts.map(saidBy));

/** The text of a part by its name; empty where there is none. */
const of = ({ parts }: Part, name: string): string =>
  parts
    .filter((one) => one.name === name)
    .map(allOf)
    .join('');

/** Written by what it is; anything else is what it holds. */
const WAYS: ReadonlyMap<string, (whole: Part) => string> = new Map(
  Object.entries<(whole: Part) => string>({
    f: fraction,
    sSup: (whole) => `${base(whole)}${scriptText('^', of(whole, 'sup'))}`,
    sSub: (whole) => `${base(whole)}${scriptText('_', of(whole, 'sub'))}`,
    sSubSup: (whole) => `${base(whole)}${scriptText('_', of(whole, 'sub'))}${scriptText('^', of(whole, 'sup'))}`,
    sPre: (whole) =>
      inLine([
        { text: `${scriptText('_', of(whole, 'sub'))}${scriptText('^', of(whole, 'sup'))}`, isSign: false },
        { text: of(whole, 'e'), isSign: false },
      ]),
    limLow: (whole) => `${of(whole, 'e')}${scriptText('_', of(whole, 'lim'))} `,
    limUpp: (whole) => `${of(whole, 'e')}${scriptText('^', of(whole, 'lim'))} `,
    nary: (whole) =>
      ` ${whole.signs.get('chr') ?? '∫'}${scriptText('_', of(whole, 'sub'))}${scriptText('^', of(whole, 'sup'))} ${of(whole, 'e')}`,
    // Deleted.
    del: () => '',
    br: () => ' ',
    rad: root,
    func: (whole) => `${of(whole, 'fName').trim()} ${of(whole, 'e')}`,
    d: delimited,
    eqArr: (whole) => each(whole, 'e').join('; '),
    m: (whole) =>
      `[${whole.parts
        .filter(({ name }) => name === 'mr')
        .map((row) => each(row, 'e').join(' '))
        .join('; ')}]`,
    acc: (whole) => `${of(whole, 'e')}${whole.signs.get('chr') ?? '\u0302'}`,
  }),
);

function textOf(whole: Part): string {
  return whole.name === 't' ? whole.text : (WAYS.get(whole.name)?.(whole) ?? allOf(whole));
}

const each = ({ parts }: Part, name: string): string[] => parts.filter((one) => one.name === name).map(allOf);

const base = (whole: Part): string => baseOf(of(whole, 'e'));

function root(whole: Part): string {
  const degree = of(whole, 'deg').trim();
  return degree === '' ? `√(${of(whole, 'e')})` : `(${of(whole, 'e')})^(1/${degree})`;
}

/** Without its bar, what is above and below each other is a binomial. */
function fraction(whole: Part): string {
  const [above, below] = [of(whole, 'num'), of(whole, 'den')];
  return whole.signs.get('type') === 'noBar' ? `(${above} choose ${below})` : `${bracketedText(above)}/${bracketedText(below)}`;
}

function delimited({ parts, signs }: Part): string {
  const inside = parts.filter(({ name }) => name === 'e').map((each) => each.parts.map((held) => ({ held, ...saidBy(held) })));
  const texts = inside.map(inLine);
  const first = inside.length === 1 ? inside[0]?.[0] : undefined;
  // A binomial has its brackets already.
  if (first?.held.signs.get('type') === 'noBar' && first.text === texts[0]) return first.text;
  return `${signs.get('begChr') ?? '('}${texts.join(signs.get('sepChr') ?? '|')}${signs.get('endChr') ?? ')'}`;
}
