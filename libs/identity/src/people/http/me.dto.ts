import { Choice, Flag, Json, Nested, NestedList, Ref, Text, TextList, Whole } from '@atrium/platform/database';
import { Answer } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';

@Answer()
export class MeUserView {
  @Ref() user_id!: string;
  @Choice(['person', 'service', 'extension']) user_kind!: string;
  @Text({ optional: true, format: 'email' }) user_email!: string | null;
  @Text({ example: 'Ada Owner' }) user_name!: string;
  @Text({ optional: true }) user_title!: string | null;
  @Ref({ optional: true }) user_avatar_file!: string | null;
  @Text({ example: 'en' }) user_locale!: string;
  @Text({ example: 'UTC' }) user_timezone!: string;
  @Choice(['active']) user_status!: string;
  @Json({ about: 'Preferences that applications store for the person. No one else can read them.', example: { theme: 'dark' } })
  user_pref!: JsonObject;
}

@Answer()
export class MeRoleView {
  @Ref() role_id!: string;
  @Text({ optional: true, example: 'owner' }) role_key!: string | null;
  @Text({ example: 'Owner' }) role_name!: string;
}

@Answer()
export class MeWorkspaceView {
  @Ref() ws_id!: string;
  @Text({ example: 'Demo' }) ws_name!: string;
  @Text({ example: 'demo' }) ws_slug!: string;
  @Text({ example: 'en' }) ws_locale!: string;
  @Text({ example: 'UTC' }) ws_timezone!: string;
  @Whole({ example: 1 }) ws_brand_version!: number;
}

@Answer()
export class MeKeyView {
  @Ref() key_id!: string;
  @Text({ example: 'integration' }) key_name!: string;
  @Text({ example: 'atk_0a1B2c3D4e5F' }) key_prefix!: string;
  @TextList({ optional: true }) key_scopes!: string[] | null;
  @Text({ optional: true, format: 'date-time' }) key_expires_at!: string | null;
}

@Answer()
export class MeSessionView {
  @Ref() ses_id!: string;
  @TextList({ example: ['pwd'] }) ses_methods!: string[];
}

@Answer()
export class MeView {
  @Choice(['person', 'service', 'extension', 'user_via_extension'], { about: 'Kind of principal that makes the request.' })
  principal_kind!: string;
  @Nested(() => MeUserView, { about: 'Your membership in this workspace.' }) user!: MeUserView;
  @NestedList(() => MeRoleView, { about: 'Your roles in this workspace.' }) roles!: MeRoleView[];
  @TextList({ about: 'Every permission you have in this workspace, expanded and sorted.', example: ['media:view'] }) permissions!: string[];
  @TextList({ about: 'Modules the workspace is currently licensed for.', example: ['module-documents'] }) modules!: string[];
  @Nested(() => MeWorkspaceView, { about: 'The workspace.' }) workspace!: MeWorkspaceView;
  @Nested(() => MeKeyView, { optional: true, about: 'The API key of the request, if it was made with one.' }) key!: MeKeyView | null;
  @Nested(() => MeSessionView, { optional: true, about: 'The session of the access token, if the request was made with one.' })
  session!: MeSessionView | null;
  @Nested(() => MeExtensionView, { optional: true, about: 'The extension that makes the request, if one does.' })
  extension!: MeExtensionView | null;
}

@Answer()
export class MeExtensionView {
  @Ref() inst_id!: string;
  @Flag() active!: boolean;
}
