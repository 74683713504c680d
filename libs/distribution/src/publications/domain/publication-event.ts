import { Id, Json, NestedList, Ref, Resource, Stamp, Text } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** That one edge answers by the policy of this event. */
export class EdgeConfirmation {
  @Text({ about: 'The edge: embedded, cloudflare or http.', example: 'embedded' }) edge!: string;
  @Stamp({ about: 'When it confirmed it.' }) confirmed_at!: string;
}

/** Something that happened to a publication, with what its rules were and are; kept as it was. */
@Resource({ table: 'publication_history', sort: '-ph_created' })
export class PublicationEvent {
  @Id({ about: 'Id of the event.', filter: undefined }) readonly ph_id!: string;
  @Text({
    about:
      'What happened: draft_saved, draft_dropped, scheduled, published, updated, live, version, copy_failed, retried, unscheduled, revoked.',
    example: 'published',
  })
  readonly ph_action!: string;
  @Ref({ optional: true, about: 'Who did it; null: the clock or what happened to the file.' }) readonly ph_actor!: string | null;
  @Stamp({ about: 'When.', filter: 'range', sort: true }) readonly ph_created!: Date;
  @Json({ optional: true, about: 'What differs as it was; null where there was nothing.' }) readonly ph_from!: JsonObject | null;
  @Json({ optional: true, about: 'What differs as it is.' }) readonly ph_to!: JsonObject | null;
  @NestedList(() => EdgeConfirmation, {
    about:
      'When each edge confirmed that it answers so; of a revocation the proof that the file is gone there. Empty until then, and where nothing changed for edges.',
  })
  readonly ph_edges!: EdgeConfirmation[];
}
