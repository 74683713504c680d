import { Environment, EvaluationError, ParseError, type ParseResult } from '@marcbachmann/cel-js';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { boundedText, RefusedExpression } from './expression-tree';
import { Pattern } from './patterns';

const LONGEST_EXPRESSION = 1_000;
/** Elements that one step of an expression may run over. */
const LONGEST_LIST = 200;
/** Characters and elements that all steps of one evaluation may touch. */
const BUDGET = 2_000_000;
/** Characters cost more where a pattern reads them. */
const PATTERN_COST = 20;
const MOST_PATTERNS = 200;

/** What an expression may name besides `now`. */
export interface ExpressionValues {
  readonly content?: JsonObject;
  readonly previous?: JsonObject | null;
  readonly user?: JsonObject | null;
  readonly state?: string | null;
  readonly now: Date;
}

/** Why a text is no expression, and where in it. */
export interface ExpressionFault {
  readonly message: string;
  readonly position: number;
}

let spent = 0;
const patterns = new Map<string, Pattern | string>();

function spend(amount: number): void {
  spent += amount;
  if (spent > BUDGET) throw new Error('The expression does too much.');
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length + 1;
  return 1;
}

function charged(value: unknown): unknown {
  spend(sizeOf(value));
  return value;
}

function bounded(value: unknown): unknown {
  if (Array.isArray(value) && value.length > LONGEST_LIST) throw new Error(`An expression runs over ${LONGEST_LIST} elements at most.`);
  return charged(value);
}

function matchesPattern(text: string, source: string): boolean {
  const known = patterns.get(source) ?? Pattern.of(source);
  if (patterns.size >= MOST_PATTERNS) patterns.clear();
  patterns.set(source, known);
  if (typeof known === 'string') throw new Error(`The pattern is not valid: ${known}`);
  spend(text.length * PATTERN_COST);
  return known.finds(text);
}

const NAMES = ['content', 'previous', 'user', 'state'] as const;
const OPERATORS = ['+', '-', '*', '/'] as const;
const arithmetic: Readonly<Record<(typeof OPERATORS)[number], (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

function environment(limits: { readonly maxAstNodes: number; readonly maxDepth: number }): Environment {
  const env = new Environment({ homogeneousAggregateLiterals: false, limits });
  for (const name of NAMES) env.registerVariable(name, 'dyn');
  env.registerVariable('now', 'google.protobuf.Timestamp');
  for (const operator of OPERATORS) {
    const apply = arithmetic[operator];
    env.registerOperator(`double ${operator} int`, (a, b) => apply(Number(a), Number(b)));
    env.registerOperator(`int ${operator} double`, (a, b) => apply(Number(a), Number(b)));
  }
  return env;
}

/** What people write is parsed by the first, within the limits of the language; the second parses what is evaluated. */
const written = environment({ maxAstNodes: 200, maxDepth: 20 });
const evaluated = environment({ maxAstNodes: 4_000, maxDepth: 250 });
evaluated.registerFunction('charged(dyn): dyn', charged);
evaluated.registerFunction('bounded(dyn): dyn', bounded);
evaluated.registerFunction('string.matchesPattern(string): bool', matchesPattern);

/** One CEL expression of a form: what it costs to evaluate is bounded whatever it says and whatever it is given. */
export class Expression {
  private constructor(
    readonly text: string,
    private readonly run: ParseResult,
  ) {}

  static parse(text: string): Expression | ExpressionFault {
    if (text.length > LONGEST_EXPRESSION)
      return { message: `must have at most ${LONGEST_EXPRESSION} characters`, position: LONGEST_EXPRESSION };
    try {
      const parsed = written.parse(text);
      const checked = parsed.check();
      if (!checked.valid) return faultOf(checked.error);
      return new Expression(text, evaluated.parse(boundedText(parsed.ast)));
    } catch (error) {
      return faultOf(error);
    }
  }

  /** What it gives, or undefined where it cannot be evaluated: a key is absent, types do not fit, it does too much. */
  evaluate(values: ExpressionValues): JsonValue | undefined {
    spent = 0;
    try {
      const { now, state = null, content = {}, previous = null, user = null } = values;
      return plain(this.run({ content, previous, user, state, now }));
    } catch {
      return undefined;
    }
  }

  /** Whether it gives true; what cannot be evaluated does not. */
  holds(values: ExpressionValues): boolean {
    return this.evaluate(values) === true;
  }
}

function faultOf(error: unknown): ExpressionFault {
  if (error instanceof RefusedExpression) return { message: error.message, position: error.position };
  if (error instanceof ParseError || error instanceof EvaluationError || hasSummary(error))
    return { message: lowerFirst(error.summary), position: error.range?.start ?? 0 };
  return { message: 'can not be parsed', position: 0 };
}

/** The library's type errors are no class of their own outside of it. */
const hasSummary = (error: unknown): error is { readonly summary: string; readonly range?: { readonly start: number } } =>
  typeof error === 'object' && error !== null && 'summary' in error && typeof error.summary === 'string';

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** Whole numbers of the language are bigints; JSON has numbers alone. */
function plain(value: unknown): JsonValue | undefined {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((one) => plain(one) ?? null);
  if (typeof value === 'object' && value !== null) {
    const entries = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
    return Object.fromEntries(entries.map(([key, one]) => [key, plain(one) ?? null]));
  }
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
