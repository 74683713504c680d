import { Injectable } from '@nestjs/common';
import type { Sql } from '@atrium/platform/database';
import type { SearchOperand } from '../domain/read-query';
import type { SearchLeaf, SearchScope } from '../domain/search-query';
import type { SearchContext } from './search-context';

/** Rows that leaves name by id: they are asked for together, however many leaves and queries name them. */
export interface SearchReferences {
  /** What they are, for people: `album`, `user`. */
  readonly kind: string;
  /** What a leaf names, in the form that `findKnown` takes. */
  namesIn(leaf: SearchLeaf, context: SearchContext): readonly string[];
  /** Those among the names that the reader may name. */
  findKnown(names: readonly string[], context: SearchContext): Promise<ReadonlySet<string>>;
}

/**
 * A leaf of the search language: what may be asked of it, and the condition on the file row `r` that answers. Conditions
 * hold bound values only. `compileLeaf` is given positive operators alone: the language itself answers `ne`, `not_in`,
 * `not_contains`, `in_none`, `has_none` and `exists: false` with the negation of `eq`, `in`, `contains`, `in_any`,
 * `has_any` and `exists`, and takes a condition that is null for a false one.
 */
export interface SearchField {
  readonly name: string;
  readonly scopes: readonly SearchScope[];
  /** The type of what is compared, for people. */
  readonly type: string;
  readonly operators: Readonly<Record<string, SearchOperand>>;
  /** A value for each operator as people may write it; null where the operator takes none. */
  readonly examples: Readonly<Record<string, unknown>>;
  readonly references?: SearchReferences;
  compileLeaf(leaf: SearchLeaf, context: SearchContext): Sql;
  /** Condition on `r` that holds of a query in which the field is not named; null where there is none in the scope. */
  unnamedCondition?(context: SearchContext): Sql | null;
  /**
   * A statement that answers the ids of the matching files, at most so many, through an index that conditions under
   * row-level security cannot use; null when there is none for this leaf. When few match, they replace the condition.
   */
  candidateQuery?(leaf: SearchLeaf, context: SearchContext, most: number): Sql | null;
}

/** Leaves whose names share a beginning and are made when they are asked for: `metadata.<key>`. */
export interface SearchFamily {
  /** As people write it. */
  readonly name: string;
  /** What the names begin with, dot included. */
  readonly prefix: string;
  readonly scopes: readonly SearchScope[];
  /** All operators that leaves of the family may have, each with a value as people may write it. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** The leaf behind the rest of a name, or null when there is none. Called within a unit of work. */
  fieldOf(rest: string): SearchField | null | Promise<SearchField | null>;
}

/** Positive operators by their negations. */
export const NEGATIONS: Readonly<Record<string, string>> = {
  ne: 'eq',
  not_in: 'in',
  not_contains: 'contains',
  in_none: 'in_any',
  has_none: 'has_any',
};

/**
 * The one table of what can be searched by. Each context registers the leaves over its own rows at start; a name means
 * one leaf, and every operator of it has an example.
 */
@Injectable()
export class SearchFields {
  private readonly fields = new Map<string, SearchField>();
  private readonly families: SearchFamily[] = [];

  register(...fields: readonly SearchField[]): void {
    for (const field of fields) {
      if (this.fields.has(field.name)) throw new Error(`Two search fields are called ${field.name}.`);
      const missing = Object.keys(field.operators).filter((op) => !Object.hasOwn(field.examples, op));
      if (missing.length > 0) throw new Error(`The search field ${field.name} has no example of ${missing.join(', ')}.`);
      this.fields.set(field.name, field);
    }
  }

  registerFamily(family: SearchFamily): void {
    if (this.families.some(({ prefix }) => prefix === family.prefix))
      throw new Error(`Two families of search fields begin with ${family.prefix}.`);
    this.families.push(family);
  }

  listFields(): readonly SearchField[] {
    return [...this.fields.values()];
  }

  /** What a query means by the fields that it does not name. */
  unnamedConditions(context: SearchContext, named: ReadonlySet<string>): readonly Sql[] {
    return [...this.fields.values()].flatMap((field) => (named.has(field.name) ? [] : (field.unnamedCondition?.(context) ?? [])));
  }

  listFamilies(): readonly SearchFamily[] {
    return this.families;
  }

  /** The leaves behind the names, as far as there are any. */
  async findFields(names: Iterable<string>): Promise<ReadonlyMap<string, SearchField>> {
    const found = new Map<string, SearchField>();
    for (const name of new Set(names)) {
      const family = this.families.find(({ prefix }) => name.startsWith(prefix));
      const field = this.fields.get(name) ?? (await family?.fieldOf(name.slice(family.prefix.length)));
      if (field) found.set(name, field);
    }
    return found;
  }
}
