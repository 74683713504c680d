import { Choice, Flag, IdList, Json, Nested, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, PageOf } from '@atrium/platform/http';
import { MODULES } from '@atrium/platform/access';
import type { JsonObject } from '@atrium/platform/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { Workspace, WORKSPACE_STATUSES } from '../../settings/domain/workspace';

const SLUG = {
  min: 3,
  max: 40,
  example: 'harbour-media',
  about: 'Lowercase letters, digits and hyphens; unique in the installation.',
} as const;
const SEATS = {
  optional: true,
  min: 0,
  max: 1_000_000,
  about: 'Maximum number of active and invited persons. Null: unlimited.',
  example: 50,
} as const;
const EXTERNAL_ID = {
  optional: true,
  max: 255,
  min: 1,
  about: 'Id in the system that provisions the workspace. If it is known, the existing workspace is returned.',
} as const;

@Accepts()
export class OwnerBody {
  @Text({ min: 3, max: 254, about: 'Address of the owner.', example: 'ada@example.com' }) user_email!: string;
  @Text({ min: 1, about: 'Name of the owner.', example: 'Ada' }) user_name!: string;
  @Text({ secret: true, omittable: true, min: 12, max: 256, about: 'Password of the owner. Without one, the owner is invited.' })
  password?: string;
}

@Accepts()
export class CreateWorkspace {
  @Text({ min: 1, about: 'Name of the workspace.', example: 'Harbour Media' }) ws_name!: string;
  @Text(SLUG) ws_slug!: string;
  @Nested(() => OwnerBody, { about: 'Owner of the workspace.' }) owner!: OwnerBody;
  @TextList({ omittable: true, max: MODULES.length, about: 'Modules to license.', example: ['module-documents'] }) ws_modules?: string[];
  @Whole(SEATS) ws_seat_limit?: number | null;
  @Text({ omittable: true, min: 1, max: 64, about: 'Time zone (IANA name). Default: UTC.', example: 'Europe/Lisbon' }) ws_timezone?: string;
  @Text({ omittable: true, min: 2, max: 35, about: 'Language (BCP 47). Default: en.', example: 'pt-PT' }) ws_locale?: string;
  @Whole({ omittable: true, min: 0, about: 'Initial number of credits.', example: 10_000 }) initial_credits?: number;
  @Text(EXTERNAL_ID) ws_external_id?: string;
}

@Accepts()
class OperatorsOwn {
  @Whole(SEATS) ws_seat_limit?: number | null;
  @Text(EXTERNAL_ID) ws_external_id?: string | null;
}

export class ChangeWorkspace extends Body(Workspace, { optional: ['ws_name', 'ws_slug', 'ws_metadata'], with: OperatorsOwn }) {}

@Accepts()
export class LicenceBody {
  @Stamp({ omittable: true, about: 'Start of the licence. Default: now.' }) lic_starts_at?: Date;
  @Stamp({ optional: true, about: 'End of the licence. Null: no end.' }) lic_expires_at?: Date | null;
  @Text({ optional: true, max: 80, about: 'Source of the licence.', example: 'contract' }) lic_source?: string | null;
  @Text({ optional: true, max: 5_000 }) lic_note?: string | null;
}

@Accepts()
export class ReasonBody {
  @Text({ omittable: true, max: 1_000, about: 'Shown to members while the workspace is closed.', example: 'The invoice of May is open.' })
  reason?: string;
}

@Accepts()
export class AddOwner {
  @Text({ min: 3, max: 254, about: 'Address of the person.' }) user_email!: string;
  @Text({ omittable: true, min: 1, about: 'Name, if the person is not a member yet.' }) user_name?: string;
}

const whole = ({ value }: { readonly value: unknown }): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;

export class ListWorkspaces {
  @ApiProperty({ required: false }) @IsOptional() @IsString() @Length(1, 200) ws_name?: string;
  @ApiProperty({ required: false }) @IsOptional() @IsString() @Length(1, 40) ws_slug?: string;
  @ApiProperty({ required: false, enum: WORKSPACE_STATUSES }) @IsOptional() @IsIn(WORKSPACE_STATUSES) ws_status?: string;
  @ApiProperty({ required: false }) @IsOptional() @IsString() @Length(1, 255) ws_external_id?: string;
  @ApiProperty({ required: false }) @IsOptional() @IsString() cursor?: string;
  @ApiProperty({ required: false }) @IsOptional() @Transform(whole) @IsInt() @Min(1) limit?: number;
}

export class Grace {
  @ApiProperty({ required: false, minimum: 0, maximum: 90, default: 30 })
  @IsOptional()
  @Transform(whole)
  @IsInt()
  @Min(0)
  @Max(90)
  grace_days?: number;
}

@Answer()
export class CountsView {
  @Whole({ optional: true, about: 'Number of members, without removed ones.' }) users!: number | null;
  @Whole({ optional: true, about: 'Number of files.' }) files!: number | null;
  @Whole({ optional: true, about: 'Stored bytes of the files.' }) bytes!: number | null;
  @Whole({ optional: true, about: 'Remaining credits.' }) balance!: number | null;
}

@Answer()
class OperatedWorkspaceView {
  @Ref({ about: 'Id of the workspace.' }) ws_id!: string;
  @Text({ about: 'Name of the workspace.' }) ws_name!: string;
  @Text({ about: 'Short name.' }) ws_slug!: string;
  @Choice(WORKSPACE_STATUSES, { about: 'Current status.' }) ws_status!: string;
  @Text({ optional: true, about: 'Reason the workspace is closed.' }) ws_status_reason!: string | null;
  @Text({ about: 'BCP 47.' }) ws_locale!: string;
  @Text({ about: 'IANA name.' }) ws_timezone!: string;
  @Text({ optional: true, about: 'Contact address.' }) ws_contact_email!: string | null;
  @Json({ about: 'Free metadata.' }) ws_metadata!: JsonObject;
  @Whole({ optional: true, about: 'Maximum number of active and invited persons.' }) ws_seat_limit!: number | null;
  @Text({ optional: true, about: 'Id in the system that provisioned the workspace.' }) ws_external_id!: string | null;
  @Stamp({ optional: true, about: 'When it is purged.' }) ws_delete_after!: Date | null;
  @Stamp({ about: 'When it was created.' }) ws_created!: Date;
  @Stamp({ about: 'When it last changed.' }) ws_updated!: Date;
  @Whole({ about: 'Number of active and invited persons.' }) ws_seats_used!: number;
  @TextList({ about: 'Modules the workspace is currently licensed for.' }) ws_modules!: string[];
  @Nested(() => CountsView, { about: 'Counts of the contents.' }) counts!: CountsView;
}

@Answer()
export class OperatedWorkspaceDetail extends OperatedWorkspaceView {
  @Json({ optional: true, about: 'Progress of the purge: `{step: {done, total}}`. Null if none is running.' }) purge!: JsonObject | null;
}

export class OperatedWorkspacePage extends PageOf(OperatedWorkspaceView) {}

@Answer()
export class OperatedLicence {
  @Choice(MODULES, { about: 'The module.' }) lic_module!: string;
  @Stamp({ about: 'Start of the licence.' }) lic_starts_at!: Date;
  @Stamp({ optional: true, about: 'End of the licence. Null: no end.' }) lic_expires_at!: Date | null;
  @Text({ optional: true, about: 'Source of the licence.' }) lic_source!: string | null;
  @Text({ optional: true, about: 'Note by the operator.' }) lic_note!: string | null;
  @Flag({ about: 'Whether the module can be used now.' }) lic_active!: boolean;
  @Stamp({ about: 'When it was first granted.' }) lic_created!: Date;
  @Stamp({ about: 'When it last changed.' }) lic_updated!: Date;
}

@Answer()
export class AddedOwner {
  @Ref({ about: 'The owner.' }) user_id!: string;
  @Text({ optional: true, max: 2_000, about: 'Link to accept the invitation. Null for a member.' }) invite_url!: string | null;
}

@Answer()
export class SigningKeyStates {
  @Ref({ about: 'Key that signs tokens.' }) active!: string;
  @Ref({ optional: true, about: 'Key that signs tokens after the next rotation.' }) next!: string | null;
  @IdList({ about: 'Keys that only verify tokens.' }) retired!: string[];
}

@Answer()
export class HealthView {
  @Json({ about: 'Versions of the API, Node.js and PostgreSQL.' }) versions!: JsonObject;
  @Json({ about: 'Number of applied migrations, and the latest of them.' }) migrations!: JsonObject;
  @Json({ about: 'Jobs by queue: waiting, sent, parked, and the age of the oldest in seconds.' }) queues!: JsonObject;
  @Json({
    about:
      'Unavailable external services, such as `storage`: how many jobs wait for each, and since when. They resume once the service is available again.',
  })
  waiting!: JsonObject;
}
