import { Choice, Flag, Nested, NestedList, Ref, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { DirectoryEntry } from '../domain/directory-entry';
import { User } from '../domain/user';

const NOTES = ['user_title', 'user_roles', 'user_metadata', 'user_external_id'] as const;
const BULK = 200;

/** How the new member is notified. */
@Accepts()
class Invitation {
  @Choice(['person', 'service'], {
    about: 'Kind of user. A person is invited; a service is active immediately and works with API keys. Default: `person`.',
    omittable: true,
  })
  user_kind?: string;
  @Text({ optional: true, max: 1_000, about: 'E-mail address; required for persons.', example: 'ada@example.com' }) user_email?:
    string | null;
  @Flag({
    omittable: true,
    about: 'Whether the invitation is sent by mail. If `false`, the response contains the link instead.',
    example: true,
  })
  send_invite?: boolean;
}

export class CreateUser extends Body(User, { optional: ['user_name', ...NOTES], with: Invitation }) {}

/** Many members at once. */
@Accepts()
export class CreateUsers {
  @NestedList(() => CreateUser, { min: 1, max: BULK, about: 'Up to 200 members, each processed independently.' }) users!: CreateUser[];
}

export class ChangeUser extends Body(User, { optional: ['user_name', ...NOTES] }) {}

export class ChangeMe extends Body(User, {
  optional: ['user_name', 'user_title', 'user_avatar_file', 'user_locale', 'user_timezone', 'user_pref'],
}) {}

/** Why. */
@Accepts()
export class Reason {
  @Text({ optional: true, max: 1_000, about: 'Reason, stored in the audit trail.', example: 'Left the company.' }) reason?: string | null;
}

/** Who takes over. */
@Accepts()
export class TransferTo {
  @Ref({ about: 'Active member who becomes the new owner of the content.' }) to_user!: string;
}

export class ListUsers extends ListQuery(User) {
  declare user_name?: string;
  declare user_email?: string;
  declare user_status?: string;
  user_role?: string;
  full_text_search?: string;
}
acceptParameter(ListUsers, { name: 'user_role', kind: 'id', about: 'Only members with this role.' });
acceptParameter(ListUsers, {
  name: 'full_text_search',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Searches name, e-mail address and title, also within words. Supports quotes, `or` and `-`.',
});

export class ListDirectory extends ListQuery(DirectoryEntry) {
  declare user_name?: string;
}

@Answer()
export class RoleOfUserView {
  @Ref({ about: 'Id of the role.' }) role_id!: string;
  @Text({ optional: true, about: 'Key of a built-in role.', example: 'editor' }) role_key!: string | null;
  @Text({ about: 'Name of the role.', example: 'Editor' }) role_name!: string;
}

@Answer()
class UserView extends View(User, { without: ['user_locale', 'user_timezone'] }) {
  @Text({ about: 'Language (BCP 47). Default: the language of the workspace.', example: 'en' }) user_locale!: string;
  @Text({ about: 'Time zone (IANA name). Default: the time zone of the workspace.', example: 'Europe/Lisbon' }) user_timezone!: string;
  @NestedList(() => RoleOfUserView, { about: 'Roles in this workspace.' }) roles!: RoleOfUserView[];
}

export class UserPage extends PageOf(UserView) {}

@Answer()
export class UserDetailView extends UserView {
  @Whole({ about: 'Number of active sessions of the person.', example: 2 }) user_session_count!: number;
  @Whole({ about: 'Number of active API keys of the member in this workspace.', example: 1 }) user_key_count!: number;
  @TextList({ about: "Every permission of the member's roles, expanded and sorted.", example: ['media:view'] }) permissions!: string[];
}

const LINK = {
  optional: true,
  omittable: true,
  max: 2_000,
  format: 'uri',
  about: 'Invitation link, returned only in this response. Present if the invitation is not sent by mail.',
} as const;
const NEEDS_SIGN_IN = {
  optional: true,
  omittable: true,
  about:
    'Present with a link: whether an account with this address exists. Its owner must sign in to accept; the link does not give access to the account.',
} as const;

@Answer()
export class InvitedUserView extends UserDetailView {
  @Text(LINK) invite_url?: string | null;
  @Flag(NEEDS_SIGN_IN) needs_sign_in?: boolean | null;
}

@Answer()
export class BulkUserView extends UserView {
  @Text(LINK) invite_url?: string | null;
  @Flag(NEEDS_SIGN_IN) needs_sign_in?: boolean | null;
}

@Answer()
export class BulkFault {
  @Text({ about: 'Problem code.', example: 'already_exists' }) code!: string;
  @Whole({ about: 'HTTP status that a single request would have returned.', example: 409 }) status!: number;
  @Text({ about: 'Title of the problem.' }) title!: string;
  @Text({ max: 2_000, about: 'Explanation of the problem and how to resolve it.' }) detail!: string;
  @NestedList(() => BulkFieldFault, { omittable: true, about: 'Field errors.' }) errors?: BulkFieldFault[];
}

@Answer()
export class BulkFieldFault {
  @Text({ example: 'user_email' }) path!: string;
  @Text({ example: 'format' }) code!: string;
  @Text() message!: string;
}

@Answer()
export class BulkOutcome {
  @Whole({ about: 'Position in the request, starting at 0.', example: 0 }) index!: number;
  @Choice(['created', 'failed'], { about: 'Outcome.' }) status!: string;
  @Nested(() => BulkUserView, { omittable: true, about: 'The member, if it was created.' }) user?: BulkUserView;
  @Nested(() => BulkFault, { omittable: true, about: 'The problem, if the member was not created.' }) error?: BulkFault;
}

@Answer()
export class BulkResults {
  @NestedList(() => BulkOutcome, { about: 'One outcome for each member, in the order of the request.' }) results!: BulkOutcome[];
}

@Answer()
export class EndedSessions {
  @Whole({ about: 'Number of sessions that were ended.', example: 2 }) revoked!: number;
}

@Answer()
class DirectoryEntryView extends View(DirectoryEntry) {}

export class DirectoryPage extends PageOf(DirectoryEntryView) {}
