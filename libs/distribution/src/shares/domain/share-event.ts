import { Choice, Id, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

export const SHARE_EVENT_TYPES = [
  'view',
  'unlock',
  'unlock_failed',
  'download',
  'zip',
  'upload',
  'terms_accepted',
  'refused',
  'verdict',
] as const;
export type ShareEventType = (typeof SHARE_EVENT_TYPES)[number];

/** Something a visitor did by a link. Visitors stay nameless unless they gave a name; their addresses are not kept. */
@Resource({ table: 'share_event', sort: '-se_created', isFoundById: false })
export class ShareEvent extends TenantRow {
  @Id({ about: 'Id of the event.', filter: undefined }) readonly se_id!: string;
  @Ref({ about: 'The link.' }) se_share!: string;
  @Choice(SHARE_EVENT_TYPES, { about: 'What was done.', filter: 'equals' }) se_type!: ShareEventType;
  @Ref({ optional: true, about: 'The file it was done with; null: none, or several.' }) se_file!: string | null;
  @Stamp({ about: 'When.', filter: 'range', sort: true }) se_created!: Date;
  @Text({ about: 'Tells visitors apart within a day; made of what changes daily.', max: 64 }) se_visitor!: string;
  @Text({ optional: true, max: 2, about: 'Country, as far as it is known (ISO 3166-1 alpha-2).', example: 'FR' }) se_country!:
    string | null;
  @Choice(['browser', 'bot', 'other'], { about: 'What the visitor came with.' }) se_agent_kind!: 'browser' | 'bot' | 'other';
  @Text({ optional: true, about: 'Name the visitor gave.' }) se_name!: string | null;
  @Text({ optional: true, max: 320, about: 'Address the visitor gave.' }) se_email!: string | null;
  @Json({ about: 'Further facts, such as the size that was fetched.', example: { size: 'original' } }) se_details!: JsonObject;
}
