import { Injectable } from '@nestjs/common';
import { RetentionPolicies } from '@atrium/governance';
import { sql, type Sql } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import type { WorkspaceObject } from '../domain/workspace-object';

type Deletion = Pick<WorkspaceObject, 'obj_active' | 'obj_deleted'>;

/** Deleted objects are found while they can be restored. What keeps their rows for longer, such as a legal hold, is not to be seen by that. */
@Injectable()
export class DeletedObjects {
  constructor(private readonly policies: RetentionPolicies) {}

  /** Within a unit of work. */
  async assertFindable({ obj_active, obj_deleted }: Deletion): Promise<void> {
    if (!obj_active && obj_deleted !== null && obj_deleted < (await this.policies.readHorizon('objects'))) throw notFound('object');
  }

  /** The same as a condition on `r`, for those that are not deleted as well. */
  async findableCondition(): Promise<Sql> {
    return sql`(r.obj_active OR r.obj_deleted >= ${await this.policies.readHorizon('objects')})`;
  }
}
