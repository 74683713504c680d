import type { ASTNode } from '@marcbachmann/cel-js';
import { BoundedPattern } from '@atrium/platform/patterns';

const COMPREHENSIONS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
const MOST_NESTED = 2;
/** What ends a run over a list: these two go on where a step fails, in case another decides. */
const ENDS: ReadonlyMap<string, boolean> = new Map([
  ['all', false],
  ['exists', true],
]);

/** Why an expression is refused although it parses, and where. */
export class RefusedExpression extends Error {
  constructor(
    reason: string,
    readonly position: number,
  ) {
    super(reason);
    this.name = 'RefusedExpression';
  }
}

/**
 * Prints a parsed expression so that its evaluation can be bounded: lists pass through `bounded(…)` before something runs
 * over them, each step over an element asks `counted(…)`, which counts its nodes and says whether to go on, and passes through `done(…)`, operands and arguments pass
 * through `charged(…)`, which counts their size, and `matches` becomes the function that evaluates by RE2. Literals are copied as they were
 * written. Names that let an expression grow without bound are refused.
 */
export const boundedText = (node: ASTNode): string => printed(node, 0);

function printed(node: ASTNode, nesting: number): string {
  const text = (inner: ASTNode): string => printed(inner, nesting);
  switch (node.op) {
    case 'value':
      return sourceOf(node);
    case 'id':
      return node.args;
    case '.':
      return `${text(node.args[0])}.${node.args[1]}`;
    case '[]':
      return `${text(node.args[0])}[${text(node.args[1])}]`;
    case '!_':
      return `!(${text(node.args)})`;
    case '-_':
      return `-(${text(node.args)})`;
    case '?:':
      return `((${text(node.args[0])}) ? (${text(node.args[1])}) : (${text(node.args[2])}))`;
    case '&&':
    case '||':
      return `((${text(node.args[0])}) ${node.op} (${text(node.args[1])}))`;
    case 'list':
      return `[${node.args.map(text).join(', ')}]`;
    case 'map':
      return `{${node.args.map(([key, value]) => `${text(key)}: ${text(value)}`).join(', ')}}`;
    case 'call':
      return call(node, nesting);
    case 'rcall':
      return methodCall(node, nesting);
    case '.?':
    case '[?]':
      throw new RefusedExpression('optional access is not part of the language', node.start);
    default:
      return `(charged(${text(node.args[0])}) ${node.op} charged(${text(node.args[1])}))`;
  }
}

function call(node: ASTNode & { op: 'call' }, nesting: number): string {
  const [name, args] = node.args;
  // Its argument is a path, not a value.
  if (name === 'has') return `has(${args.map((arg) => path(arg, nesting)).join(', ')})`;
  return `${name}(${args.map((arg) => `charged(${printed(arg, nesting)})`).join(', ')})`;
}

const path = (node: ASTNode, nesting: number): string =>
  node.op === '.' ? `${path(node.args[0], nesting)}.${node.args[1]}` : printed(node, nesting);

function methodCall(node: ASTNode & { op: 'rcall' }, nesting: number): string {
  const [name, receiver, args] = node.args;
  if (name === 'split' || (receiver.op === 'id' && receiver.args === 'cel'))
    throw new RefusedExpression(
      `${receiver.op === 'id' && receiver.args === 'cel' ? `cel.${name}` : name} is not part of the language`,
      node.start,
    );
  if (COMPREHENSIONS.has(name)) return comprehension(node, nesting);
  const values = args.map((arg) => `charged(${printed(arg, nesting)})`).join(', ');
  if (name !== 'matches') return `charged(${printed(receiver, nesting)}).${name}(${values})`;
  const [pattern] = args;
  if (pattern?.op === 'value' && typeof pattern.args === 'string') {
    const compiled = BoundedPattern.of(pattern.args);
    if (!(compiled instanceof BoundedPattern))
      throw new RefusedExpression(`the pattern cannot be used: ${compiled.message}`, pattern.start);
  }
  return `charged(${printed(receiver, nesting)}).matchesPattern(${values})`;
}

function comprehension(node: ASTNode & { op: 'rcall' }, nesting: number): string {
  const [name, receiver, [variable, ...steps]] = node.args;
  if (nesting >= MOST_NESTED) throw new RefusedExpression(`${name} may be nested ${MOST_NESTED} deep at most`, node.start);
  const bound = variable ? [sourceOf(variable)] : [];
  const end = ENDS.get(name);
  const counted = steps.map(
    (step) =>
      `(${end === undefined ? 'demanded' : 'counted'}(${nodesOf(step)}, ${nesting}) ? done(${printed(step, nesting + 1)}) : ${end ?? false})`,
  );
  return `bounded(${printed(receiver, nesting)}).${name}(${[...bound, ...counted].join(', ')})`;
}

/** The nodes of an expression: each is evaluated once at most, those in a step of a list once for each element. */
export function nodesOf(node: ASTNode): number {
  const parts: readonly unknown[] = Array.isArray(node.args) ? node.args.flat(2) : [node.args];
  return parts.reduce<number>((sum, part) => sum + (isNode(part) ? nodesOf(part) : 0), 1);
}

const isNode = (part: unknown): part is ASTNode => typeof part === 'object' && part !== null && 'op' in part;

const sourceOf = ({ input, start, end }: ASTNode): string => input.slice(start, end);
