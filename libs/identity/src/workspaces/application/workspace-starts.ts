import { Injectable } from '@nestjs/common';

/** A workspace that is being made, as far as other contexts start something for it. */
export interface StartingWorkspace {
  readonly ws_id: string;
  readonly owner_user_id: string;
  /** Credits to begin with; null: none were named. */
  readonly initial_credits: number | null;
}

/** What a context sets up in every new workspace: called in the transaction that makes it, within an open `db.write`. */
export interface WorkspaceStart {
  readonly context: string;
  setUpWorkspace(workspace: StartingWorkspace): Promise<void>;
}

/** All that begins with a workspace. A workspace comes into being with everything it begins with, or not at all. */
@Injectable()
export class WorkspaceStarts {
  private readonly known: WorkspaceStart[] = [];

  register(start: WorkspaceStart): void {
    this.known.push(start);
  }

  async setUpWorkspace(workspace: StartingWorkspace): Promise<void> {
    for (const one of this.known) await one.setUpWorkspace(workspace);
  }
}
