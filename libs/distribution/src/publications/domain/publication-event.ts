import { Id, Json, NestedList, Ref, Resource, Stamp, Text } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** That one edge answers by the policy of this event. */
export class EdgeConfirmation {
  @Text({ about: 'Name of the edge: embedded, cloudflare or http.', example: 'embedded' }) edge!: string;
  @Stamp({ about: 'When the edge confirmed the change.' }) confirmed_at!: string;
}

/** Something that happened to a publication, with what its rules were and are; kept as it was. */
@Resource({ table: 'publication_history', sort: '-ph_created' })
export class PublicationEvent {
  @Id({ about: 'Id of the event.', filter: undefined }) readonly ph_id!: string;
  @Text({
    about:
      'Type of the event: draft_saved, draft_dropped, scheduled, published, updated, live, version, copy_failed, retried, unscheduled, revoked.',
    example: 'published',
  })
  readonly ph_action!: string;
  @Ref({ optional: true, about: 'User who caused it. Null: a schedule or a change of the file.' }) readonly ph_actor!: string | null;
  @Stamp({ about: 'When the event happened.', filter: 'range', sort: true }) readonly ph_created!: Date;
  @Json({ optional: true, about: 'Previous values of the changed fields. Null if there were none.' }) readonly ph_from!: JsonObject | null;
  @Json({ optional: true, about: 'New values of the changed fields.' }) readonly ph_to!: JsonObject | null;
  @NestedList(() => EdgeConfirmation, {
    about:
      'When each edge confirmed the change; for a revocation, proof that the file was removed there. Empty before confirmation and if the change does not affect edges.',
  })
  readonly ph_edges!: EdgeConfirmation[];
}
