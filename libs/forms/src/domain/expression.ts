import { Environment, EvaluationError, ParseError, type ParseResult } from '@marcbachmann/cel-js';
import { currentEffort, isTooComplex, spendEffort, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { BoundedPattern } from '@atrium/platform/patterns';
import type { Faults } from '@atrium/platform/settings';
import { boundedText, nodesOf, RefusedExpression } from './expression-tree';

/** An expression, or null with its fault reported at its position. */
export function readExpression(text: JsonValue | undefined, path: string, faults: Faults): Expression | null {
  if (typeof text !== 'string' || text.trim() === '') {
    faults.add(path, text === undefined ? 'required' : 'type', 'An expression is required.');
    return null;
  }
  const parsed = Expression.parse(text);
  if (parsed instanceof Expression) return parsed;
  faults.add(path, 'format', `The expression is not valid at position ${parsed.position}: ${parsed.message}.`);
  return null;
}

const LONGEST_EXPRESSION = 1_000;
/** Elements that one step of an expression may run over. */
const LONGEST_LIST = 200;
/** Units of effort: for each time something is evaluated, for each node of it … */
const FOR_EVALUATION = 2;
const FOR_NODE = 0.25;
/** … for a value that an operator or function is given, and for each character and element of it. */
const FOR_VALUE = 0.25;
const FOR_ELEMENT = 0.1;
const FOR_CHARACTER = 0.001;
/** … for each node of what fails: its error says where it is. */
const FOR_FAILED_NODE = 40;
/** For each character of a text that is parsed. */
const TO_PARSE = 0.2;

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

/** What the evaluation at hand spends from. Evaluating is never interrupted, so there is one at a time. */
let effort = currentEffort();
/** What was counted of a value of the evaluation at hand, which does not change: lists are compared and joined again and again. */
let weights = new WeakMap<object, number>();

/** What it costs to compare, copy or search a value, all that is in it included. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length * FOR_CHARACTER;
  if (typeof value !== 'object' || value === null || value instanceof Date) return 0;
  const known = weights.get(value);
  if (known !== undefined) return known;
  const parts: unknown[] = Array.isArray(value) ? value : value instanceof Map ? [...value].flat() : Object.values(value);
  const weight = parts.reduce<number>((sum, part) => sum + FOR_ELEMENT + weightOf(part), 0);
  weights.set(value, weight);
  return weight;
}

function charged(value: unknown): unknown {
  effort.spend(FOR_VALUE + weightOf(value));
  return value;
}

/** Steps over elements that began and were not done: those around this one, and those that failed, which some runs pass over. */
let undone = 0;

/** Whether there is effort for another step over an element. */
function counted(nodes: bigint, around: bigint): boolean {
  const failed = undone - Number(around);
  undone = Number(around) + 1;
  return effort.affords(1 + Number(nodes) * (FOR_NODE + failed * FOR_FAILED_NODE));
}

function demanded(nodes: bigint, around: bigint): boolean {
  counted(nodes, around);
  effort.assertSome();
  return true;
}

function done(value: unknown): unknown {
  undone--;
  return value;
}

function bounded(value: unknown): unknown {
  if (Array.isArray(value) && value.length > LONGEST_LIST) throw new Error(`An expression runs over ${LONGEST_LIST} elements at most.`);
  return charged(value);
}

function matchesPattern(text: string, source: string): boolean {
  const pattern = BoundedPattern.of(source);
  if (!(pattern instanceof BoundedPattern)) throw new Error(`The pattern cannot be used: ${pattern.message}`);
  return pattern.finds(text, effort);
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
evaluated.registerFunction('counted(int, int): bool', counted);
evaluated.registerFunction('demanded(int, int): bool', demanded);
evaluated.registerFunction('done(dyn): dyn', done);
evaluated.registerFunction('string.matchesPattern(string): bool', matchesPattern);

/**
 * One CEL expression of a form: what it costs to evaluate is bounded whatever it says and whatever it is given, and is spent from the
 * effort of the request or step, together with all that is evaluated beside it.
 */
export class Expression {
  private constructor(
    readonly text: string,
    private readonly run: ParseResult,
    private readonly nodes: number,
  ) {}

  static parse(text: string): Expression | ExpressionFault {
    if (text.length > LONGEST_EXPRESSION)
      return { message: `must have at most ${LONGEST_EXPRESSION} characters`, position: LONGEST_EXPRESSION };
    spendEffort(FOR_EVALUATION + text.length * TO_PARSE);
    try {
      const parsed = written.parse(text);
      const checked = parsed.check();
      if (!checked.valid) return faultOf(checked.error);
      return new Expression(text, evaluated.parse(boundedText(parsed.ast)), nodesOf(parsed.ast));
    } catch (error) {
      if (isTooComplex(error)) throw error;
      return faultOf(error);
    }
  }

  /**
   * What it gives, or undefined where it cannot be evaluated: a key is absent, types do not fit, a list is too long. Where the effort
   * is used up it is `too_complex`: what was not evaluated must not count as an answer.
   */
  evaluate(values: ExpressionValues): JsonValue | undefined {
    effort = currentEffort();
    weights = new WeakMap();
    undone = 0;
    effort.spend(FOR_EVALUATION + this.nodes * FOR_NODE);
    try {
      const { now, state = null, content = {}, previous = null, user = null } = values;
      const given = plain(this.run({ content, previous, user, state, now }));
      // `&&` and `||` answer without a side that failed.
      effort.assertSome();
      return given;
    } catch {
      effort.assertSome();
      effort.spend(this.nodes * FOR_FAILED_NODE);
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
  return { message: 'cannot be parsed', position: 0 };
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
