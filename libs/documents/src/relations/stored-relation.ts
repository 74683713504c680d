import { Id, Json, Ref, Resource, Stamp, TenantRow } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

export type Direction = 'from' | 'to';

/** A link as it is stored. */
@Resource({ table: 'document_relation', sort: '-rel_created' })
export class StoredRelation extends TenantRow {
  @Id({ about: 'Id of the link.', filter: undefined }) readonly rel_id!: string;
  @Ref({ about: 'Id of the relation type.', filter: 'equals' }) readonly rel_type!: string;
  @Stamp({ about: 'When the link was created.', sort: true }) readonly rel_created!: Date;
  @Ref({ optional: true, about: 'Who created the link.' }) readonly rel_created_by!: string | null;
  @Json({ about: 'Your own metadata.', example: { page: 4 } }) readonly rel_metadata!: JsonObject;
}

/** A link as one of its documents shows it. */
export interface RelationRow extends Pick<StoredRelation, 'rel_id' | 'rel_type' | 'rel_created' | 'rel_created_by' | 'rel_metadata'> {
  /** `from`: the link begins at the document that is asked. */
  readonly direction: Direction;
  readonly label: string;
  readonly relation_type: JsonObject;
  readonly document: JsonObject;
}
