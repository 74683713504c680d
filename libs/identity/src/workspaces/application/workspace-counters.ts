import { Database, type UnitOfWork } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';

/** What operators are shown of a workspace in numbers; null where no context of this process counts it. */
export interface WorkspaceCounts {
  readonly users: number | null;
  readonly files: number | null;
  readonly bytes: number | null;
  /** Credits left. */
  readonly balance: number | null;
}

type Counted = Partial<WorkspaceCounts>;

/** Counts something of many workspaces in one statement, through a definer function; a workspace that is absent has none of it. */
export interface WorkspaceCounter {
  readonly counts: readonly (keyof WorkspaceCounts)[];
  countPerWorkspace(tx: UnitOfWork, ws_ids: readonly string[]): Promise<ReadonlyMap<string, Counted>>;
}

/** The numbers of workspaces, each kept by the context that knows it: as many statements as contexts, however many workspaces. */
@Injectable()
export class WorkspaceCounters {
  private readonly known: WorkspaceCounter[] = [];

  constructor(private readonly db: Database) {}

  register(counter: WorkspaceCounter): void {
    this.known.push(counter);
  }

  async countWorkspaces(ws_ids: readonly string[]): Promise<ReadonlyMap<string, WorkspaceCounts>> {
    const counted = await this.db.acrossTenants(async (tx) => {
      const all: { readonly zero: Counted; readonly found: ReadonlyMap<string, Counted> }[] = [];
      for (const counter of this.known)
        all.push({ zero: Object.fromEntries(counter.counts.map((name) => [name, 0])), found: await counter.countPerWorkspace(tx, ws_ids) });
      return all;
    });
    const nothing: WorkspaceCounts = { users: null, files: null, bytes: null, balance: null };
    return new Map(
      ws_ids.map((id) => [
        id,
        Object.assign({ ...nothing }, ...counted.map(({ zero, found }) => found.get(id) ?? zero)) as WorkspaceCounts,
      ]),
    );
  }
}
