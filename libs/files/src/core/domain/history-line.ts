import { Choice, Id, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** One thing that happened to a file; written once, never changed, kept longer than the file. */
@Resource({ table: 'file_history', sort: '-fh_id' })
export class HistoryLine extends TenantRow {
  @Id({ about: 'Id of the entry.', filter: undefined }) readonly fh_id!: string;
  @Ref({ about: 'The file.' }) readonly fh_file!: string;
  @Text({ about: 'Type of the event: created, uploaded, renamed, metadata_changed, version_added, trashed, …', filter: 'equals' })
  readonly fh_action!: string;
  @Ref({ optional: true, about: 'User who caused it. Null for guests and the platform.' }) readonly fh_actor!: string | null;
  @Choice(['user', 'key', 'guest', 'system'], { about: 'Kind of actor.' }) readonly fh_actor_type!: string;
  @Stamp({ about: 'When the event happened.', filter: 'range' }) readonly fh_created!: Date;
  @Json({ about: 'Details, such as the old and the new name.', example: { from: 'a.jpg', to: 'b.jpg' } })
  readonly fh_details!: JsonObject;
}
