import { Choice, Id, Json, Ref, Resource, Stamp, TenantRow, Whole } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { REVISION_ACTIONS, type RevisionAction } from './object-change';
import type { ObjectDifference } from './stored-object';

/** One change of an object: who did what, and which values it replaced. */
@Resource({ table: 'object_revision', sort: '-rev_version', isFoundById: false })
export class ObjectRevision extends TenantRow {
  @Id({ about: 'Id of the revision.' }) readonly rev_id!: string;
  @Ref({ about: 'Id of the object.' }) readonly rev_object!: string;
  @Whole({ about: 'Version of the object after the change.', sort: true, column: 'integer', example: 2 }) readonly rev_version!: number;
  @Choice(REVISION_ACTIONS, { about: 'Kind of change.', example: 'updated' }) readonly rev_action!: RevisionAction;
  @Json({ about: 'Changed fields.' }) readonly rev_changes!: readonly ObjectDifference[];
  @Stamp({ about: 'When the change was made.' }) readonly rev_created!: Date;
  @Ref({ optional: true, about: 'Who made the change; null for a source or the service.' }) readonly rev_created_by!: string | null;

  @Json({ internal: true }) readonly rev_content!: JsonObject;
}
