import { Active, Flag, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
import { invalidState, type Clock, type JsonObject } from '@atrium/platform/kernel';

export const LONGEST_NAME = 255;
const MOST_TERMS = 100;

/** Something about stored values that readers should know. */
export interface ObjectIssue {
  readonly field: string;
  readonly code: string;
}

/** One thing of the workspace: content by its schema, a state by a flow, and where it came from. */
@Resource({ table: 'object', sort: '-obj_created' })
export class WorkspaceObject extends TenantRow {
  @Id({ about: 'Id of the object.' }) readonly obj_id!: string;
  @Ref({ about: "Id of the object's schema." }) obj_form!: string;
  @Text({
    min: 1,
    max: LONGEST_NAME,
    about: 'Name. If the schema has a title field, the value of that field.',
    example: 'Harbour lamp',
    filter: 'contains',
    sort: true,
  })
  obj_name!: string;
  @Json({
    // Larger than content may be, which is checked by its schema and is a problem of its own.
    max: 1024 * 1024,
    about: 'Values by the fields of the schema, at most 256 KB.',
    example: { name: 'Harbour lamp', price: 129 },
  })
  obj_content!: JsonObject;
  @Text({ optional: true, max: 40, about: 'Key of the state in the lifecycle flow; null without a flow.', example: 'draft' }) obj_status!:
    string | null;
  @Ref({ optional: true, about: 'Id of the lifecycle flow.' }) obj_flow!: string | null;
  @Stamp({ optional: true, about: 'When the object entered its state.' }) obj_status_since!: Date | null;
  @IdList({ max: MOST_TERMS, about: 'Ids of terms that classify the object, in addition to its fields.' }) obj_terms!: string[];
  @Ref({ optional: true, about: 'Id of the cover file.' }) obj_cover_file!: string | null;
  @Json({ about: 'Access list of the object. When empty, everyone with the permissions for objects has access.', example: {} })
  obj_acl!: JsonObject;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: { campaign: 'spring' } }) obj_metadata!: JsonObject;
  @Ref({ optional: true, about: 'Id of the source that keeps the object up to date.', filter: 'equals' }) obj_source!: string | null;
  @Text({
    optional: true,
    max: 512,
    about: 'Id in the source system; unique within the source or, without a source, within the schema.',
    example: 'sku-4711',
    filter: 'equals',
  })
  obj_external_id!: string | null;
  @Text({ optional: true, max: 2_048, format: 'uri', about: 'URL in the source system.' }) obj_external_url!: string | null;
  @Stamp({ optional: true, about: 'When the source last changed the object.' }) obj_synced!: Date | null;
  @TextList({ about: 'Fields that were edited here and that the source no longer overwrites.', example: ['price'] })
  obj_locked_fields!: string[];
  @Active('action', { about: 'Whether the object is active; false if it was deleted. It can be restored until it is purged.' })
  obj_active!: boolean;
  @Stamp({ about: 'When the object was created.', filter: 'range', sort: true }) obj_created!: Date;
  @Stamp({ about: 'When the object was last changed.', filter: 'range', sort: true }) obj_updated!: Date;
  @Ref({ optional: true, about: 'Who created the object; null for a source.', filter: 'equals' }) obj_created_by!: string | null;
  @Ref({ optional: true, about: 'Who last changed the object; null for a source.' }) obj_updated_by!: string | null;

  @Json({ internal: true }) obj_issues!: readonly ObjectIssue[];
  /** Values of schemas that it had before, by the id of the schema: they come back with it. */
  @Json({ internal: true }) obj_shelf!: Readonly<Record<string, JsonObject>>;
  @Stamp({ internal: true, optional: true }) obj_deleted!: Date | null;
  /** Deactivated by a pass of its source. */
  @Flag({ internal: true }) obj_dropped!: boolean;
  /** Digest of the row that its source delivered last; null once the object was changed here. */
  @Text({ internal: true, optional: true }) obj_hash!: string | null;
  @Text({ internal: true }) obj_text!: string;

  /** The next pass of its source may write the field again. */
  unlock(key: string, clock: Clock, by: string | null): void {
    if (!this.obj_locked_fields.includes(key)) throw invalidState(`The field ${key} is not locked.`);
    this.obj_locked_fields = this.obj_locked_fields.filter((locked) => locked !== key);
    this.obj_hash = null;
    this.touch(clock, by);
  }

  touch(clock: Clock, by: string | null): void {
    this.obj_updated = clock.now();
    this.obj_updated_by = by;
  }
}
