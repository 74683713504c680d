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
  @Choice(SHARE_EVENT_TYPES, { about: 'Type of the event.', filter: 'equals' }) se_type!: ShareEventType;
  @Ref({ optional: true, about: 'File of the event. Null if there is none, or several.' }) se_file!: string | null;
  @Stamp({ about: 'When the event happened.', filter: 'range', sort: true }) se_created!: Date;
  @Text({ about: 'Identifies a visitor within one day; derived from a key that changes daily.', max: 64 }) se_visitor!: string;
  @Text({ optional: true, max: 2, about: 'Country, if known (ISO 3166-1 alpha-2).', example: 'FR' }) se_country!: string | null;
  @Choice(['browser', 'bot', 'other'], { about: 'Kind of client of the visitor.' }) se_agent_kind!: 'browser' | 'bot' | 'other';
  @Text({ optional: true, about: 'Name the visitor gave.' }) se_name!: string | null;
  @Text({ optional: true, max: 320, about: 'E-mail address the visitor gave.' }) se_email!: string | null;
  @Json({ about: 'Further details, such as the size that was downloaded.', example: { size: 'original' } }) se_details!: JsonObject;
}
