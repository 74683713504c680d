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
  about: 'Lower-case letters, digits and hyphens; unique on the platform.',
} as const;
const SEATS = {
  optional: true,
  min: 0,
  max: 1_000_000,
  about: 'Most persons who may be active or invited; null: any number.',
  example: 50,
} as const;
const EXTERNAL_ID = {
  optional: true,
  max: 255,
  min: 1,
  about: 'Id in the system of whoever provisions: asked for again, the workspace that there is is answered.',
} as const;

@Accepts()
export class OwnerBody {
  @Text({ min: 3, max: 254, about: 'Address of the owner.', example: 'ada@example.com' }) user_email!: string;
  @Text({ min: 1, about: 'Name of the owner.', example: 'Ada' }) user_name!: string;
  @Text({ secret: true, omittable: true, min: 12, max: 256, about: 'Without one the owner is invited.' }) password?: string;
}

@Accepts()
export class CreateWorkspace {
  @Text({ min: 1, about: 'Name of the workspace.', example: 'Harbour Media' }) ws_name!: string;
  @Text(SLUG) ws_slug!: string;
  @Nested(() => OwnerBody, { about: 'Who owns it.' }) owner!: OwnerBody;
  @TextList({ omittable: true, max: MODULES.length, about: 'Modules to license.', example: ['module-documents'] }) ws_modules?: string[];
  @Whole(SEATS) ws_seat_limit?: number | null;
  @Text({ omittable: true, min: 1, max: 64, about: 'IANA name; else UTC.', example: 'Europe/Lisbon' }) ws_timezone?: string;
  @Text({ omittable: true, min: 2, max: 35, about: 'BCP 47; else en.', example: 'pt-PT' }) ws_locale?: string;
  @Whole({ omittable: true, min: 0, about: 'Credits to begin with.', example: 10_000 }) initial_credits?: number;
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
  @Stamp({ omittable: true, about: 'Else now.' }) lic_starts_at?: Date;
  @Stamp({ optional: true, about: 'Null: open.' }) lic_expires_at?: Date | null;
  @Text({ optional: true, max: 80, about: 'Where it comes from.', example: 'contract' }) lic_source?: string | null;
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
  @Text({ omittable: true, min: 1, about: 'Name, where the person is no member yet.' }) user_name?: string;
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
  @Whole({ optional: true, about: 'Members, removed ones aside.' }) users!: number | null;
  @Whole({ optional: true, about: 'Files.' }) files!: number | null;
  @Whole({ optional: true, about: 'Bytes of the files.' }) bytes!: number | null;
  @Whole({ optional: true, about: 'Credits left.' }) balance!: number | null;
}

@Answer()
class OperatedWorkspaceView {
  @Ref({ about: 'Id of the workspace.' }) ws_id!: string;
  @Text({ about: 'Name of the workspace.' }) ws_name!: string;
  @Text({ about: 'Short name.' }) ws_slug!: string;
  @Choice(WORKSPACE_STATUSES, { about: 'Current status.' }) ws_status!: string;
  @Text({ optional: true, about: 'Why it is closed.' }) ws_status_reason!: string | null;
  @Text({ about: 'BCP 47.' }) ws_locale!: string;
  @Text({ about: 'IANA name.' }) ws_timezone!: string;
  @Text({ optional: true, about: 'Whom to write to.' }) ws_contact_email!: string | null;
  @Json({ about: 'Free metadata.' }) ws_metadata!: JsonObject;
  @Whole({ optional: true, about: 'Most persons who may be active or invited.' }) ws_seat_limit!: number | null;
  @Text({ optional: true, about: 'Id in the system that provisioned the workspace.' }) ws_external_id!: string | null;
  @Stamp({ optional: true, about: 'When it is purged.' }) ws_delete_after!: Date | null;
  @Stamp({ about: 'When it was created.' }) ws_created!: Date;
  @Stamp({ about: 'When it last changed.' }) ws_updated!: Date;
  @Whole({ about: 'Persons who are active or invited.' }) ws_seats_used!: number;
  @TextList({ about: 'Modules licensed now.' }) ws_modules!: string[];
  @Nested(() => CountsView, { about: 'How much there is of it.' }) counts!: CountsView;
}

@Answer()
export class OperatedWorkspaceDetail extends OperatedWorkspaceView {
  @Json({ optional: true, about: 'How far the purge is: `{step: {done, total}}`; null when none runs.' }) purge!: JsonObject | null;
}

export class OperatedWorkspacePage extends PageOf(OperatedWorkspaceView) {}

@Answer()
export class OperatedLicence {
  @Choice(MODULES, { about: 'The module.' }) lic_module!: string;
  @Stamp({ about: 'From when.' }) lic_starts_at!: Date;
  @Stamp({ optional: true, about: 'Until when; null: open.' }) lic_expires_at!: Date | null;
  @Text({ optional: true, about: 'Where it comes from.' }) lic_source!: string | null;
  @Text({ optional: true, about: 'A note.' }) lic_note!: string | null;
  @Flag({ about: 'Whether it holds now.' }) lic_active!: boolean;
  @Stamp({ about: 'When it was first granted.' }) lic_created!: Date;
  @Stamp({ about: 'When it last changed.' }) lic_updated!: Date;
}

@Answer()
export class AddedOwner {
  @Ref({ about: 'The owner.' }) user_id!: string;
  @Text({ optional: true, max: 2_000, about: 'Where to accept; null for a member.' }) invite_url!: string | null;
}

@Answer()
export class SigningKeyStates {
  @Ref({ about: 'The key that signs.' }) active!: string;
  @Ref({ optional: true, about: 'The key that signs after the next rotation.' }) next!: string | null;
  @IdList({ about: 'Keys that only verify.' }) retired!: string[];
}

@Answer()
export class HealthView {
  @Json({ about: 'Of the API, Node and PostgreSQL.' }) versions!: JsonObject;
  @Json({ about: 'How many steps are applied, and the last of them.' }) migrations!: JsonObject;
  @Json({ about: 'Jobs by queue: waiting, sent, parked, and the age of the oldest in seconds.' }) queues!: JsonObject;
  @Json({
    about:
      'Parts outside that are away, such as `storage`: how many jobs wait for each, and since when. They go on by themselves once the part is back.',
  })
  waiting!: JsonObject;
}
