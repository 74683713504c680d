import { Injectable } from '@nestjs/common';
import { Database, sql } from '@atrium/platform/database';

/** An unfinished row of work of the workspace, in the order in which they are looked through. */
export interface UnfinishedWork {
  /** Name of the table. */
  readonly work: string;
  readonly at: string;
  readonly job_id: string;
  /** Whether the queue has no job for it any more. */
  readonly is_lost: boolean;
}

/** A workspace, and whether it has such work. */
export interface SearchedWorkspace {
  readonly tenant_id: string;
  readonly has_work: boolean;
}

/** How far the unfinished rows of a workspace were looked through. */
export type WorkPlace = Pick<UnfinishedWork, 'work' | 'at' | 'job_id'>;

/** Work of all tables that has not finished an hour after it was requested. */
@Injectable()
export class LostWorkRows {
  constructor(private readonly db: Database) {}

  /** A page of workspaces behind one, in the order of their ids. */
  listWorkspaces(after: string | null, most: number): Promise<SearchedWorkspace[]> {
    return this.db.acrossTenants((tx) =>
      tx.query<SearchedWorkspace & Record<string, unknown>>(
        sql`SELECT tenant_id, has_work FROM unfinished_work_in(${after}::uuid, ${most})`,
      ),
    );
  }

  /** A page of it behind a place, of the workspace of the scope. */
  listUnfinished({ work, at, job_id }: WorkPlace, most: number): Promise<UnfinishedWork[]> {
    return this.db.read((tx) =>
      tx.query<UnfinishedWork & Record<string, unknown>>(
        sql`SELECT work, at, job_id, is_lost FROM unfinished_work(${work}, ${at}::timestamptz, ${job_id}::uuid, ${most})`,
      ),
    );
  }
}
