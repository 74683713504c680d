import { WorkspaceOptions, type WorkspaceOption } from '@atrium/identity';
import { Injectable } from '@nestjs/common';

/** How long a workspace keeps deleted files before they are removed for good. */
export const TRASH_RETENTION_DAYS: WorkspaceOption<number> = {
  key: 'trash_retention_days',
  schema: { type: 'integer', minimum: 1, maximum: 365 },
  default: 30,
  description: 'Days a deleted file stays in the trash; files that lie there already keep the day they were given.',
};

/** Port: how long the workspace of the running unit of work keeps deleted files. */
export abstract class TrashRetention {
  abstract days(): Promise<number>;
}

/** As the workspace's option says. */
@Injectable()
export class ChosenTrashRetention extends TrashRetention {
  constructor(private readonly options: WorkspaceOptions) {
    super();
  }

  days(): Promise<number> {
    return this.options.of(TRASH_RETENTION_DAYS);
  }
}
