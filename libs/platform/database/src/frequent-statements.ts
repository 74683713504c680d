import { LRUCache } from 'lru-cache';
import type { Sql } from 'sql-template-tag';

/** How often the same is asked before its plan is kept. */
const OFTEN = 8;
const WATCHED = 500;
/** Plans that a connection keeps of this kind; about 100 KB each. */
const KEPT = 32;
/** Questions for which a full set of plans stays as it is. */
const LASTING = 1_000_000;
const LONGEST = 100;
/** Nothing that could end a literal or change its meaning: only such values are ever written into a text. */
const PLAIN = /^[A-Za-z0-9 _.,:+/@-]*$/;

export interface KeptStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Tells which statements are asked so often with the very same values that each connection should plan them once, for
 * these values (ADR 11). Their values stand in the text as literals, so that the plan is the one PostgreSQL makes for
 * them today and, as with every kept plan, anew after ANALYZE; a value that is not plain keeps its statement out.
 */
export class FrequentStatements {
  private readonly asked = new LRUCache<string, { times: number }>({ max: WATCHED });
  private readonly kept = new Map<string, KeptStatement>();
  private generation = 0;
  private questions = 0;

  constructor(private readonly lasting = LASTING) {}

  /** The kept form of a statement that has the id `id` and these values, once it has proven frequent. */
  of(id: string, statement: Sql): KeptStatement | undefined {
    this.questions += 1;
    const key = `${id} ${JSON.stringify(statement.values)}`;
    const known = this.kept.get(key);
    if (known) return known;
    const seen = this.asked.get(key);
    if (!seen) {
      this.asked.set(key, { times: 1 });
      return undefined;
    }
    seen.times += 1;
    return seen.times > OFTEN ? this.keep(key, statement) : undefined;
  }

  private keep(key: string, statement: Sql): KeptStatement | undefined {
    const text = written(statement);
    if (text === null || !this.makeRoom()) return undefined;
    const kept = { name: `k${this.generation}_${this.kept.size}`, text };
    this.kept.set(key, kept);
    this.asked.delete(key);
    return kept;
  }

  /** A full set lasts a while, then what is frequent by now takes its place; its plans end with their connections. */
  private makeRoom(): boolean {
    if (this.kept.size < KEPT) return true;
    if (this.questions < this.lasting) return false;
    this.kept.clear();
    this.generation += 1;
    this.questions = 0;
    return true;
  }
}

/** The text with its values as literals; null when one of them is not plain. */
function written({ strings, values }: Sql): string | null {
  const literals = values.map(literalOf);
  return literals.includes(null) ? null : strings.map((part, at) => `${part}${literals[at] ?? ''}`).join('');
}

/** In quotes whatever it is, so that PostgreSQL infers its type as that of a parameter. */
function literalOf(value: unknown): string | null {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => (typeof item === 'string' && /^[A-Za-z0-9_-]+$/.test(item) ? `"${item}"` : null));
    return items.includes(null) ? null : `'{${items.join(',')}}'`;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? `'${value}'` : null;
  if (typeof value === 'boolean') return `'${value}'`;
  return typeof value === 'string' && value.length <= LONGEST && PLAIN.test(value) ? `'${value}'` : null;
}
