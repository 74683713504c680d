import { Injectable } from '@nestjs/common';
import { sql, type Sql } from '@atrium/platform/database';

/** Port of taxonomies: which terms there are, and which are below others. */
export interface TermSource {
  /** Selects the ids of the terms and of all terms below them; one column, for `IN (…)`. */
  subtreeQuery(term_ids: readonly string[]): Sql;
  /** Those among the ids that name no active term of the workspace; within the open unit of work. */
  findUnknown(term_ids: readonly string[]): Promise<readonly string[]>;
  /** What the terms among the ids are called, deactivated ones too; within the open unit of work. */
  findTermNames?(term_ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Terms of objects. Until taxonomies have registered, no term is known. */
@Injectable()
export class ObjectTerms {
  private source: TermSource | null = null;

  register(source: TermSource): void {
    if (this.source) throw new Error('The terms of objects are registered once.');
    this.source = source;
  }

  subtreeQuery(term_ids: readonly string[]): Sql {
    return this.source?.subtreeQuery(term_ids) ?? sql`SELECT unnest(${[...term_ids]}::uuid[])`;
  }

  async findUnknown(term_ids: readonly string[]): Promise<readonly string[]> {
    if (term_ids.length === 0) return [];
    return this.source ? this.source.findUnknown(term_ids) : term_ids;
  }

  async findTermNames(term_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return (term_ids.length === 0 ? null : await this.source?.findTermNames?.(term_ids)) ?? new Map<string, string>();
  }
}
