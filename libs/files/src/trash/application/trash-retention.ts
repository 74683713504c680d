import { RetentionPolicies } from '@atrium/governance';
import type { WorkspaceOption } from '@atrium/identity';
import { Injectable } from '@nestjs/common';

/** The retention policy `trash`, as a setting of the workspace: one value under two names. */
export const trashRetentionOption = (policies: RetentionPolicies): WorkspaceOption<number> => ({
  key: 'trash_retention_days',
  schema: { type: 'integer', minimum: 1, maximum: 365 },
  default: 30,
  description:
    'Days a deleted file stays in the trash. Files already in the trash keep their purge date. A shorter period takes effect a day later.',
  keeper: policies.getOptionStore('trash'),
});

/** Port: how long the workspace of the running unit of work keeps deleted files. */
export abstract class TrashRetention {
  abstract getRetentionDays(): Promise<number>;
}

/** As the workspace's retention policy says. */
@Injectable()
export class ChosenTrashRetention extends TrashRetention {
  constructor(private readonly policies: RetentionPolicies) {
    super();
  }

  getRetentionDays(): Promise<number> {
    return this.policies.readDays('trash');
  }
}
