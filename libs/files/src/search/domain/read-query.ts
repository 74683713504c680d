import { isObject, type FieldFault, type JsonValue } from '@atrium/platform/kernel';
import { SEARCH_LIMITS, type SearchLeaf, type SearchNode, type SearchQuery } from './search-query';
import { TEXT, type SearchValue } from './search-values';

/** What a query is measured by. */
export interface QueryRules {
  /** The position of the query in the request: `query_search`. */
  readonly at: string;
  readonly sorts: readonly string[];
  /** The operators of a field by their names, or why there are none. */
  operatorsOf(field: string): ReadonlyMap<string, SearchOperand> | 'unknown' | 'out_of_scope';
}

/** What an operator takes; null: nothing, optional: nothing or this. */
export interface SearchOperand {
  readonly value: SearchValue | null;
  readonly optional?: boolean;
}

const QUERY_KEYS = ['where', 'text', 'sort'];
const GROUPS = ['all', 'any', 'not'] as const;
const LEAF_KEYS = ['field', 'op', 'value'];
const MAX_FAULTS = 100;
const MAX_QUOTED = 100;

/** The names of all fields that something like a query mentions, whatever else is wrong with it. */
export function mentionedFields(input: unknown): string[] {
  const names = new Set<string>();
  const open: unknown[] = [input];
  while (open.length > 0) {
    const at = open.pop();
    if (typeof at !== 'object' || at === null) continue;
    if (isObject(at) && typeof at.field === 'string') names.add(at.field);
    for (const inner of Object.values(at)) open.push(inner);
  }
  return [...names];
}

/** Reads what a client sent as a query: every fault of it with its path, or the query with its values in canonical form. */
export class QueryReader {
  readonly faults: FieldFault[] = [];
  private leaves = 0;

  constructor(private readonly rules: QueryRules) {}

  readQuery(input: unknown): SearchQuery | null {
    const { at } = this.rules;
    if (!isObject(input)) return this.fault(at, 'object', 'must be an object');
    if (Buffer.byteLength(JSON.stringify(input)) > SEARCH_LIMITS.bytes)
      return this.fault(at, 'too_long', `must have at most ${SEARCH_LIMITS.bytes} bytes as JSON`);
    this.refuseUnknown(input, QUERY_KEYS, at);
    const text =
      input.text === undefined ? undefined : TEXT.readValue(input.text, (code, message) => this.addFault(`${at}.text`, code, message));
    const sort = input.sort === undefined ? undefined : this.sort(input.sort);
    const where = input.where === undefined ? undefined : this.node(input.where, `${at}.where`, 0);
    if (this.faults.length > 0) return null;
    return { ...(sort ? { sort } : {}), ...(text === undefined ? {} : { text: text as string }), ...(where ? { where } : {}) };
  }

  private sort(value: unknown): string | undefined {
    const { at, sorts } = this.rules;
    if (typeof value === 'string' && sorts.includes(value.replace(/^-/, ''))) return value;
    return this.addFault(`${at}.sort`, 'choice', `must be one of ${sorts.join(', ')}; a leading - sorts in descending order`);
  }

  private node(input: unknown, path: string, depth: number): SearchNode | undefined {
    if (!isObject(input)) return this.addFault(path, 'object', 'must be a group or a condition');
    const groups = GROUPS.filter((name) => Object.hasOwn(input, name));
    const [kind] = groups;
    if (kind === undefined) return this.leaf(input, path);
    this.refuseUnknown(input, GROUPS, path);
    if (groups.length > 1) return this.addFault(path, 'one_key', 'must have one of all, any, not');
    if (depth >= SEARCH_LIMITS.groups)
      return this.addFault(path, 'too_deep', `must not be nested deeper than ${SEARCH_LIMITS.groups} groups`);
    if (kind === 'not') {
      const inner = this.node(input.not, `${path}.not`, depth + 1);
      return inner && { not: inner };
    }
    const children = input[kind];
    if (!Array.isArray(children)) return this.addFault(`${path}.${kind}`, 'array', 'must be a list');
    const nodes: SearchNode[] = [];
    for (const [at, child] of children.entries()) {
      if (this.faults.length >= MAX_FAULTS) break;
      const node = this.node(child, `${path}.${kind}[${at}]`, depth + 1);
      if (node) nodes.push(node);
    }
    return kind === 'all' ? { all: nodes } : { any: nodes };
  }

  private leaf(input: Readonly<Record<string, unknown>>, path: string): SearchLeaf | undefined {
    this.leaves += 1;
    if (this.leaves === SEARCH_LIMITS.leaves + 1)
      return this.addFault(path, 'too_many', `a query must have at most ${SEARCH_LIMITS.leaves} conditions`);
    if (this.leaves > SEARCH_LIMITS.leaves) return undefined;
    this.refuseUnknown(input, LEAF_KEYS, path);
    const { field, op } = input;
    if (typeof field !== 'string')
      return this.addFault(
        `${path}.field`,
        field === undefined ? 'required' : 'string',
        field === undefined ? 'is required' : 'must be the name of a field',
      );
    const operators = this.rules.operatorsOf(field);
    if (operators === 'unknown') return this.addFault(`${path}.field`, 'unknown_field', `${quoted(field)} is not a field`);
    if (operators === 'out_of_scope') return this.addFault(`${path}.field`, 'scope', `${quoted(field)} is not a field of this scope`);
    if (typeof op !== 'string')
      return this.addFault(
        `${path}.op`,
        op === undefined ? 'required' : 'string',
        op === undefined ? 'is required' : 'must be the name of an operator',
      );
    const operand = operators.get(op);
    if (!operand) return this.addFault(`${path}.op`, 'operator', `${quoted(field)} supports ${[...operators.keys()].join(', ')}`);
    return this.withValue({ field, op }, operand, input, path);
  }

  private withValue(
    leaf: SearchLeaf,
    { value: kind, optional = false }: SearchOperand,
    input: Readonly<Record<string, unknown>>,
    path: string,
  ): SearchLeaf | undefined {
    const present = Object.hasOwn(input, 'value') && input.value !== undefined;
    if (!present && (kind === null || optional)) return leaf;
    if (!present) return this.addFault(`${path}.value`, 'required', 'is required');
    if (kind === null) return this.addFault(`${path}.value`, 'unknown_field', 'is not allowed with this operator');
    const value: JsonValue | undefined = kind.readValue(input.value, (code, message, inner = '') =>
      this.addFault(`${path}.value${inner}`, code, message),
    );
    return value === undefined ? undefined : { ...leaf, value };
  }

  private refuseUnknown(input: Readonly<Record<string, unknown>>, known: readonly string[], path: string): void {
    for (const key of Object.keys(input))
      if (!known.includes(key))
        this.addFault(`${path}.${key.slice(0, MAX_QUOTED)}`, 'unknown_field', 'is not a part of the search language');
  }

  private fault(path: string, code: string, message: string): null {
    this.addFault(path, code, message);
    return null;
  }

  private addFault(path: string, code: string, message: string): undefined {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ path, code, message });
    return undefined;
  }
}

const quoted = (name: string): string => (name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name);
