import { Choice, Flag, Json, Nested, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { ApiProperty } from '@nestjs/swagger';
import { MODULES } from '@atrium/platform/access';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { Workspace } from '../domain/workspace';
import { BrandView } from './brand.dto';

const MINUTES = { min: 15, max: 43_200, example: 1_440 } as const;
const DAYS = { min: 1, max: 90, example: 30 } as const;
const KEY_DAYS = { min: 1, max: 3_650, example: 365 } as const;
const RANGES = { max: 100, example: ['203.0.113.0/24', '2001:db8::/32'] } as const;
const DOMAINS = { max: 100, example: ['example.com'] } as const;

/** Rules to change; absent ones stay, null goes back to the default. */
@Accepts()
class ChangeSecurity {
  @Flag({ optional: true, about: 'Whether sessions require a second factor.' }) require_mfa?: boolean | null;
  @Flag({ optional: true, about: 'Whether people can sign in with a password.' }) password_login?: boolean | null;
  @TextList({ optional: true, ...DOMAINS, about: 'E-mail domains that people can be invited from. Empty: any.' }) allowed_email_domains?:
    string[] | null;
  @TextList({ optional: true, ...RANGES, about: 'IP ranges (CIDR) that requests may come from. Empty: any address.' }) ip_allow?:
    string[] | null;
  @Whole({ optional: true, ...MINUTES, about: 'Minutes after which an idle session ends.' }) session_idle_minutes?: number | null;
  @Whole({ optional: true, ...DAYS, about: 'Days after which every session ends.' }) session_max_days?: number | null;
  @Whole({ optional: true, ...KEY_DAYS, about: 'Maximum lifetime of a new API key in days. Null: unlimited.' }) key_max_days?:
    number | null;
  @Flag({ optional: true, about: 'Whether members can create personal API keys.' }) personal_keys?: boolean | null;
}

@Accepts()
class SettingsParts {
  @Nested(() => ChangeSecurity, { omittable: true, about: 'Rules to change; others are not changed.' }) ws_security?: ChangeSecurity;
  @Json({
    omittable: true,
    about: 'Options to change, by key. Null restores the default; others are not changed.',
    example: { trash_retention_days: 60 },
  })
  ws_options?: JsonObject;
}

export class ChangeSettings extends Body(Workspace, {
  optional: ['ws_name', 'ws_description', 'ws_locale', 'ws_timezone', 'ws_contact_email', 'ws_metadata'],
  with: SettingsParts,
}) {}

@Answer()
export class SecurityView {
  @Flag({ about: 'Whether sessions require a second factor.' }) require_mfa!: boolean;
  @Flag({ about: 'Whether people can sign in with a password.' }) password_login!: boolean;
  @TextList({ ...DOMAINS, about: 'E-mail domains that people can be invited from. Empty: any.' }) allowed_email_domains!: string[];
  @TextList({ ...RANGES, about: 'IP ranges (CIDR) that requests may come from. Empty: any address.' }) ip_allow!: string[];
  @Whole({ ...MINUTES, about: 'Minutes after which an idle session ends.' }) session_idle_minutes!: number;
  @Whole({ ...DAYS, about: 'Days after which every session ends.' }) session_max_days!: number;
  @Whole({ optional: true, ...KEY_DAYS, about: 'Maximum lifetime of a new API key in days. Null: unlimited.' }) key_max_days!:
    number | null;
  @Flag({ about: 'Whether members can create personal API keys.' }) personal_keys!: boolean;
}

/** What is computed on reading, besides the workspace's own fields. */
@Answer()
export class WorkspaceView extends View(Workspace, { without: ['ws_security', 'ws_seat_limit', 'ws_external_id', 'ws_brand'] }) {
  @Nested(() => BrandView, { about: 'The base brand.' }) ws_brand!: BrandView;
  @Whole({ about: 'Number of active and invited persons.', example: 12 }) ws_seats_used!: number;
  @TextList({ about: 'Modules the workspace is currently licensed for.', example: ['module-documents'] }) ws_modules!: string[];
  @Stamp({ optional: true, about: 'When the workspace is purged. Null unless it is being deleted.' }) ws_delete_after!: Date | null;
}

@Answer()
export class SettingsView extends WorkspaceView {
  @Nested(() => SecurityView, { about: 'Rules for sign-in and for API keys.' }) ws_security!: SecurityView;
  @Whole({ optional: true, about: 'Maximum number of active and invited persons, set by operators; null when unlimited.', example: 50 })
  ws_seat_limit!: number | null;
  @Text({ optional: true, about: 'Id in the system that provisioned the workspace.' }) ws_external_id!: string | null;
}

/** What values of options are: which of these, the option's own schema says. */
const OF_ANY_OPTION = {
  oneOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string' }, { type: 'array', items: { type: 'string' } }],
  nullable: true,
  required: true,
  example: 30,
};

@Answer()
export class OptionView {
  @Text({ max: 64, sort: true, filter: 'contains', about: 'Name of the option in `ws_options`.', example: 'trash_retention_days' })
  key!: string;
  @ApiProperty({ ...OF_ANY_OPTION, description: 'Value of the option, of the type that `schema` defines.' }) value!: JsonValue;
  @ApiProperty({ ...OF_ANY_OPTION, description: 'Default value.' }) default!: JsonValue;
  @Json({ about: 'JSON Schema of the value.', example: { type: 'integer', minimum: 1, maximum: 365 } }) schema!: JsonObject;
  @Text({ filter: 'equals', about: 'Permission required to change the option.', example: 'admin:settings' }) permission!: string;
  @Text({ max: 1_000, about: 'What the option does.', example: 'Days a deleted file stays in the trash.' }) description!: string;
}

export class OptionPage extends PageOf(OptionView) {}
export class ListOptions extends ListQuery(OptionView, { whole: true }) {}

@Answer()
export class LicenceView {
  @Choice(MODULES, { sort: true, filter: 'equals', about: 'Name of the module.' }) lic_module!: string;
  @Flag({ sort: true, filter: 'equals', about: 'Whether the module can be used now.' }) lic_active!: boolean;
  @Stamp({ optional: true, about: 'When the licence starts. Null if the module was never granted.' }) lic_starts_at!: Date | null;
  @Stamp({ optional: true, sort: true, about: 'When the licence ends. Null: no end.' }) lic_expires_at!: Date | null;
  @Text({ optional: true, max: 80, about: 'Source of the licence.', example: 'contract 2026-114' }) lic_source!: string | null;
  @Text({ optional: true, max: 5_000, about: 'Note by the operator.' }) lic_note!: string | null;
  @Stamp({ optional: true, about: 'When it was first granted.' }) lic_created!: Date | null;
  @Stamp({ optional: true, about: 'When it last changed.' }) lic_updated!: Date | null;
}

export class LicencePage extends PageOf(LicenceView) {}
export class ListLicences extends ListQuery(LicenceView, { whole: true }) {}
