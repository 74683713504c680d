import { Choice, Id, Json, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { SecurityRules } from '../../callers/domain/security-rules';
import type { BrandFacts } from './brand';

export const WORKSPACE_STATUSES = ['active', 'suspended', 'deleting'] as const;

/** One customer's room: its name, its rules, its brand. Its id is the tenant of every row in it, and it is never without rules. */
@Resource({ table: 'workspace', sort: '-ws_created', isFoundById: false })
export class Workspace extends TenantRow {
  @Id({ generated: true, about: 'Id of the workspace: the value of `X-Tenant-Id`.' }) readonly ws_id!: string;
  @Text({ min: 1, about: 'Name of the workspace.', example: 'Harbour Media' }) ws_name!: string;
  @Text({ max: 40, about: 'Short name, unique in the installation. Only operators can change it.', example: 'harbour-media' })
  ws_slug!: string;
  @Choice(WORKSPACE_STATUSES, { about: 'Status of the workspace. Members can use it only while it is active.' })
  ws_status!: (typeof WORKSPACE_STATUSES)[number];
  @Text({ optional: true, max: 5_000, about: 'Description of the workspace.', example: 'Pictures and texts of the port authority.' })
  ws_description!: string | null;
  @Text({ min: 2, max: 35, about: 'Default language for members without one (BCP 47).', example: 'en' }) ws_locale!: string;
  @Text({ min: 1, max: 64, about: 'Time zone of reports and of members without one (IANA name).', example: 'Europe/Lisbon' })
  ws_timezone!: string;
  @Text({ optional: true, max: 254, format: 'email', about: 'Contact address of the workspace.', example: 'office@example.com' })
  ws_contact_email!: string | null;
  @Json({ about: 'Free metadata, at most 64 KB.', example: { plan: 'team' } }) ws_metadata!: JsonObject;
  @Whole({
    optional: true,
    column: 'integer',
    about: 'Maximum number of active and invited persons, set by operators; null when unlimited.',
    example: 50,
  })
  ws_seat_limit!: number | null;
  @Json({ about: 'Rules for sign-in and for API keys.' }) ws_security!: SecurityRules;
  @Json({ about: 'Every option by key, with its value or default.', example: { trash_retention_days: 30 } }) ws_options!: JsonObject;
  @Json({ about: 'The base brand.' }) ws_brand!: BrandFacts;
  @Whole({ column: 'integer', about: 'Version of the brand, increased with every change.', example: 3 }) ws_brand_version!: number;
  @Text({ optional: true, about: 'Id in the system that provisioned the workspace.' }) ws_external_id!: string | null;
  @Stamp({ about: 'When it was created.' }) ws_created!: Date;
  @Stamp({ about: 'When its settings last changed.' }) ws_updated!: Date;
}
