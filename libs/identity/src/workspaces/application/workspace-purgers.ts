import { Injectable } from '@nestjs/common';

/** What became of one batch: how many were removed, and how many are known to be left (at least one, when more are). */
export interface PurgedBatch {
  readonly removed: number;
  readonly left: number;
}

/** What a context keeps of a workspace, and how it goes when the workspace does. */
export interface WorkspacePurger {
  readonly context: string;
  /** Lower goes first: a context before those whose rows its own refer to. */
  readonly order: number;
  /** The tables whose rows go, in the order in which they may: what refers before what is referred to. */
  readonly tables: readonly string[];
  /**
   * What is stored outside the database and is removed before the rows: called until nothing is left, and again whenever
   * something may have come late.
   */
  readonly beyond?: { readonly what: string; purge(tenant_id: string, batch: number): Promise<PurgedBatch> };
}

/**
 * Everything that holds something of a workspace. Each context registers once at start; every table with rows of workspaces
 * is registered by exactly one of them, and a purge that finds rows of a table nobody named fails instead of leaving them.
 */
@Injectable()
export class WorkspacePurgers {
  private readonly known: WorkspacePurger[] = [];

  register(purger: WorkspacePurger): void {
    const twice = purger.tables.find((table) => this.tables.has(table));
    if (twice) throw new Error(`Two contexts purge ${twice}.`);
    if (this.known.some(({ context }) => context === purger.context))
      throw new Error(`${purger.context} registers what it keeps of a workspace twice.`);
    this.known.push(purger);
    this.known.sort((a, b) => a.order - b.order);
  }

  /** In the order in which they run. */
  get all(): readonly WorkspacePurger[] {
    return this.known;
  }

  /** Every table that somebody purges. */
  get tables(): ReadonlySet<string> {
    return new Set(this.known.flatMap(({ tables }) => tables));
  }
}
