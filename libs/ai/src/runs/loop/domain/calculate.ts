import { Problem, withoutEnd } from '@atrium/platform/kernel';

/** An exact number: numerator and denominator, the latter above zero. */
interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

/** The value of an expression: exact where `exact` says so, else rounded half away from zero. */
export interface Calculated {
  readonly value: string;
  readonly exact: boolean;
}

const LONGEST = 1_000;
const DEEPEST = 100;
const MOST_DIGITS = 2_000;
const MOST_EXPONENT = 1_000n;
/** Decimals of a value that has no end. */
const DECIMALS = 30;

const faulty = (detail: string): Problem => new Problem('unprocessable_content', detail);

/**
 * Decimal arithmetic without rounding: `+ - * / % ^`, parentheses and the functions abs, ceil, floor, max, min and round. No
 * value is ever a floating-point number, so 0.1 + 0.2 is 0.3.
 */
export function calculateExpression(expression: string): Calculated {
  if (expression.length > LONGEST) throw faulty(`The expression is longer than ${LONGEST} characters.`);
  const reader = new Reader(expression);
  const value = reader.whole();
  return decimalOf(value);
}

// eslint-disable-next-line regexp/no-super-linear-move -- ≤ 1,000 characters: LONGEST
const TOKENS = /\s*(?:(\d+(?:\.\d+)?|\.\d+)(?:[eE]([+-]?\d{1,3}))?|([a-z]+)|(.))/uy;

type Token =
  | { readonly kind: 'number'; readonly value: Fraction }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'sign'; readonly sign: string };

const FUNCTIONS: Readonly<Record<string, { readonly least: number; readonly most: number; of(values: readonly Fraction[]): Fraction }>> = {
  abs: { least: 1, most: 1, of: ([a = ZERO]) => (a.n < 0n ? negative(a) : a) },
  floor: { least: 1, most: 1, of: ([a = ZERO]) => whole(floorOf(a)) },
  ceil: { least: 1, most: 1, of: ([a = ZERO]) => whole(-floorOf(negative(a))) },
  round: { least: 1, most: 2, of: ([a = ZERO, digits = ZERO]) => rounded(a, digits) },
  min: { least: 1, most: 100, of: (values) => values.reduce((a, b) => (below(b, a) ? b : a)) },
  max: { least: 1, most: 100, of: (values) => values.reduce((a, b) => (below(a, b) ? b : a)) },
};

/** Reads an expression by the usual precedence: `^` before a sign, a sign before `*`, that before `+`. */
class Reader {
  private readonly tokens: readonly Token[];
  private at = 0;
  private depth = 0;

  constructor(expression: string) {
    this.tokens = tokensOf(expression);
  }

  whole(): Fraction {
    const value = this.sum();
    const rest = this.tokens[this.at];
    if (rest) throw faulty(`The expression cannot be read from ${shown(rest)} on.`);
    return value;
  }

  private sum(): Fraction {
    let value = this.product();
    for (let sign = this.take('+', '-'); sign !== null; sign = this.take('+', '-')) {
      const other = this.product();
      value = plus(value, sign === '+' ? other : negative(other));
    }
    return value;
  }

  private product(): Fraction {
    let value = this.signed();
    for (let sign = this.take('*', '/', '%'); sign !== null; sign = this.take('*', '/', '%')) {
      const other = this.signed();
      value = sign === '*' ? times(value, other) : sign === '/' ? divided(value, other) : remainder(value, other);
    }
    return value;
  }

  private signed(): Fraction {
    return this.deeper(() => {
      const sign = this.take('+', '-');
      if (sign === null) return this.power();
      const value = this.signed();
      return sign === '-' ? negative(value) : value;
    });
  }

  private power(): Fraction {
    const base = this.single();
    return this.take('^') === null ? base : raised(base, this.signed());
  }

  private single(): Fraction {
    const token = this.tokens[this.at++];
    if (!token) throw faulty('The expression ends too early.');
    if (token.kind === 'number') return token.value;
    if (token.kind === 'name') return this.called(token.name);
    if (token.sign !== '(') throw faulty(`A number is missing before ${shown(token)}.`);
    const value = this.deeper(() => this.sum());
    this.demand(')');
    return value;
  }

  private called(name: string): Fraction {
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!known) throw faulty(`There is no function ${name.slice(0, 20)}; there are ${Object.keys(FUNCTIONS).join(', ')}.`);
    this.demand('(');
    const values = [this.deeper(() => this.sum())];
    while (this.take(',') !== null) values.push(this.deeper(() => this.sum()));
    this.demand(')');
    if (values.length < known.least || values.length > known.most) throw faulty(`${name} takes another number of values.`);
    return known.of(values);
  }

  private deeper<T>(work: () => T): T {
    if (++this.depth > DEEPEST) throw faulty('The expression is nested too deeply.');
    const value = work();
    this.depth--;
    return value;
  }

  private take(...signs: readonly string[]): string | null {
    const token = this.tokens[this.at];
    if (token?.kind !== 'sign' || !signs.includes(token.sign)) return null;
    this.at++;
    return token.sign;
  }

  private demand(sign: string): void {
    if (this.take(sign) === null) throw faulty(`"${sign}" is missing.`);
  }
}

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  TOKENS.lastIndex = 0;
  const text = expression.trim();
  while (TOKENS.lastIndex < text.length) {
    const match = TOKENS.exec(text);
    if (!match) throw faulty('The expression cannot be read.');
    const [, number, exponent, name, sign] = match;
    if (number !== undefined) tokens.push({ kind: 'number', value: numberOf(number, exponent) });
    else if (name !== undefined) tokens.push({ kind: 'name', name });
    else tokens.push({ kind: 'sign', sign: SAME_SIGN[sign ?? ''] ?? sign ?? '' });
  }
  if (tokens.length === 0) throw faulty('The expression is empty.');
  return tokens;
}

const SAME_SIGN: Readonly<Record<string, string>> = { '×': '*', '·': '*', '÷': '/', '−': '-' };

const shown = (token: Token): string =>
  token.kind === 'sign' ? `"${token.sign}"` : token.kind === 'name' ? token.name.slice(0, 20) : 'a number';

function numberOf(text: string, exponent = '0'): Fraction {
  const [units = '', decimals = ''] = text.split('.');
  const value = reduced(BigInt(units + decimals), 10n ** BigInt(decimals.length));
  return times(value, raised(whole(10n), whole(BigInt(exponent))));
}

const ZERO: Fraction = { n: 0n, d: 1n };
const whole = (n: bigint): Fraction => ({ n, d: 1n });

function gcd(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger < 0n ? -larger : larger;
}

function reduced(n: bigint, d: bigint): Fraction {
  const common = gcd(n, d) || 1n;
  const sign = d < 0n ? -1n : 1n;
  const fraction = { n: (sign * n) / common, d: (sign * d) / common };
  if (fraction.n.toString(16).length + fraction.d.toString(16).length > MOST_DIGITS) throw faulty('The value has too many digits.');
  return fraction;
}

const plus = (a: Fraction, b: Fraction): Fraction => reduced(a.n * b.d + b.n * a.d, a.d * b.d);
const times = (a: Fraction, b: Fraction): Fraction => reduced(a.n * b.n, a.d * b.d);
const negative = (a: Fraction): Fraction => ({ n: -a.n, d: a.d });
const below = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d;

function divided(a: Fraction, b: Fraction): Fraction {
  if (b.n === 0n) throw faulty('The expression divides by zero.');
  return reduced(a.n * b.d, a.d * b.n);
}

/** What is left of a division without decimals; it has the sign of the divisor. */
const remainder = (a: Fraction, b: Fraction): Fraction => plus(a, negative(times(b, whole(floorOf(divided(a, b))))));

function raised(base: Fraction, exponent: Fraction): Fraction {
  if (exponent.d !== 1n) throw faulty('An exponent must be a whole number.');
  const times = exponent.n < 0n ? -exponent.n : exponent.n;
  if (times > MOST_EXPONENT) throw faulty(`An exponent is at most ${MOST_EXPONENT}.`);
  const digits = BigInt(base.n.toString(16).length + base.d.toString(16).length);
  if (digits * times > BigInt(MOST_DIGITS) * 2n && base.n !== 0n && base.d !== base.n) throw faulty('The value has too many digits.');
  const power = reduced(base.n ** times, base.d ** times);
  return exponent.n < 0n ? divided(whole(1n), power) : power;
}

function floorOf({ n, d }: Fraction): bigint {
  const quotient = n / d;
  return n % d !== 0n && n < 0n ? quotient - 1n : quotient;
}

/** Half away from zero. */
function rounded(a: Fraction, digits: Fraction): Fraction {
  if (digits.d !== 1n || digits.n < 0n || digits.n > BigInt(DECIMALS)) throw faulty(`round keeps 0 to ${DECIMALS} decimals.`);
  const scale = 10n ** digits.n;
  const positive = a.n < 0n ? negative(a) : a;
  const units = floorOf(plus(times(positive, whole(scale)), { n: 1n, d: 2n }));
  return reduced(a.n < 0n ? -units : units, scale);
}

function decimalOf(value: Fraction): Calculated {
  const decimals = endingDecimals(value.d);
  const exact = decimals !== null;
  const kept = exact ? value : rounded(value, whole(BigInt(DECIMALS)));
  const places = decimals ?? DECIMALS;
  const units = (kept.n * 10n ** BigInt(places)) / kept.d;
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const text = places === 0 ? digits : withoutEnd(withoutEnd(`${digits.slice(0, -places)}.${digits.slice(-places)}`, /0/), /\./);
  return { value: `${units < 0n ? '-' : ''}${text}`, exact };
}

/** How many decimals a fraction with this denominator has; null where they have no end or are more than are shown. */
function endingDecimals(d: bigint): number | null {
  let [twos, fives, rest] = [0, 0, d];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  const decimals = Math.max(twos, fives);
  return rest === 1n && decimals <= DECIMALS ? decimals : null;
}
