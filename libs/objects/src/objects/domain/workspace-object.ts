import { Flag, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
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
  @Ref({ about: 'Its schema.' }) obj_form!: string;
  @Text({
    min: 1,
    max: LONGEST_NAME,
    about: 'Name; objects of a schema with a title field are named by that field.',
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
  @Text({ optional: true, max: 40, about: 'State in its lifecycle flow; null without a flow.', example: 'draft' }) obj_status!:
    string | null;
  @Ref({ optional: true, about: 'The lifecycle flow that it entered.' }) obj_flow!: string | null;
  @Stamp({ optional: true, about: 'When it entered its state.' }) obj_status_since!: Date | null;
  @IdList({ max: MOST_TERMS, about: 'Terms that classify it beside the fields of its schema.' }) obj_terms!: string[];
  @Ref({ optional: true, about: 'File that is shown as its cover.' }) obj_cover_file!: string | null;
  @Json({ about: 'Who may do what with it; empty: everyone with the permissions of objects.', example: {} }) obj_acl!: JsonObject;
  @Json({ about: 'Free metadata, at most 64 KB.', example: { campaign: 'spring' } }) obj_metadata!: JsonObject;
  @Ref({ optional: true, about: 'The source that keeps it up to date.', filter: 'equals' }) obj_source!: string | null;
  @Text({
    optional: true,
    max: 512,
    about: 'Id in the system it comes from; unique in its source, else in its schema.',
    example: 'sku-4711',
    filter: 'equals',
  })
  obj_external_id!: string | null;
  @Text({ optional: true, max: 2_048, format: 'uri', about: 'Address in the system it comes from.' }) obj_external_url!: string | null;
  @Stamp({ optional: true, about: 'When its source last changed it.' }) obj_synced!: Date | null;
  @TextList({ about: 'Fields that were edited here and that its source no longer overwrites.', example: ['price'] })
  obj_locked_fields!: string[];
  @Flag({ about: 'False: deleted; it may be restored until it is purged.', filter: 'equals' }) obj_active!: boolean;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) obj_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) obj_updated!: Date;
  @Ref({ optional: true, about: 'Who created it; null: a source.', filter: 'equals' }) obj_created_by!: string | null;
  @Ref({ optional: true, about: 'Who changed it last; null: a source.' }) obj_updated_by!: string | null;

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
