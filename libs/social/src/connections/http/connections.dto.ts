import { Choice, Flag, Nested, NestedList, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { acceptParameter, Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { PLATFORMS, type Platform } from '../../network/domain/platforms';
import { SocialConnection, SocialTarget } from '../domain/social-connection';

/** Query of GET /admin/social/{platform}/auth-url. */
export class AuthUrlQuery {
  redirect_uri!: string;
}
acceptParameter(
  AuthUrlQuery,
  {
    name: 'redirect_uri',
    kind: 'text',
    min: 1,
    max: 2_000,
    about: 'Address of your application to which the browser returns with `code` and `state`: https, or http on localhost.',
    example: 'https://app.example.com/social/callback',
  },
  undefined,
  true,
);

@Answer()
export class SocialAuthUrlView {
  @Text({ max: 8_192, about: 'Page of the platform where the account grants access. Open it in a browser.' }) url!: string;
  @Text({ about: 'State that the platform returns. Valid for 10 minutes; it can be used once.' }) state!: string;
  @Stamp({ about: 'When the state expires.' }) expires!: Date;
}

/** Body of POST /admin/social/{platform}/callback. */
@Accepts()
export class FinishAuthorization {
  @Text({ min: 1, max: 4_096, secret: true, about: 'Code that the platform returned.' }) code!: string;
  @Text({ min: 1, max: 2_000, about: 'The same address as for the authorization URL.', example: 'https://app.example.com/social/callback' })
  redirect_uri!: string;
  @Text({
    omittable: true,
    min: 1,
    max: 255,
    about: 'State that the platform returned. It can be omitted if exactly one of your authorizations for this address is in progress.',
  })
  state?: string;
}

/** Query of DELETE /admin/social/{platform}/disconnect. */
export class DisconnectQuery {
  connection?: string;
}
acceptParameter(DisconnectQuery, {
  name: 'connection',
  kind: 'id',
  about: 'Only this connection. Default: all connections of the platform.',
});

@Answer()
export class SocialTargetView extends View(SocialTarget) {}

@Answer()
export class SocialConnectionView extends View(SocialConnection) {
  @Whole({ about: 'Number of scheduled posts that are sent through the connection.', example: 3 }) con_scheduled_posts!: number;
  @Whole({ about: 'Whole days until access ends.', example: 41 }) con_days_left!: number;
  @NestedList(() => SocialTargetView, { about: 'Targets that the connection posts as.' }) targets!: SocialTargetView[];
}

export class SocialConnectionPage extends PageOf(SocialConnectionView) {}

export class ListSocialConnections extends ListQuery(SocialConnection) {}

@Answer()
class ConnectedAccountView extends View(SocialConnection) {
  @Whole({ about: 'Number of scheduled posts that are sent through the connection.', example: 0 }) con_scheduled_posts!: number;
}

@Answer()
class FailedPostView {
  @Ref({ about: 'Id of the post.' }) sp_id!: string;
  @Text({ about: 'Title of the post.', example: 'Spring launch' }) sp_title!: string;
  @Text({ optional: true, about: 'Why it failed.', example: 'connection_revoked' }) code!: string | null;
}

/** A connection that was made or made again. */
@Answer()
export class SocialConnectedView {
  @Ref({ about: 'Id of the connection.' }) con_id!: string;
  @Nested(() => ConnectedAccountView, { about: 'The connection.' }) connection!: ConnectedAccountView;
  @NestedList(() => SocialTargetView, { about: 'Targets that the connection posts as.' }) targets!: SocialTargetView[];
  @NestedList(() => FailedPostView, {
    about: 'Posts that you can see and that failed because the access had ended, newest first, at most 50. They can be retried.',
  })
  failed_posts!: FailedPostView[];
}

/** Body of PATCH /admin/social/targets/{id}. */
export class ChangeSocialTarget extends Body(SocialTarget, { optional: ['tgt_enabled', 'tgt_timezone'] }) {}

@Answer()
class EnabledTargetView extends View(SocialTarget) {
  @Choice(PLATFORMS, { about: 'Platform.', example: 'linkedin' }) con_platform!: Platform;
  @Whole({ about: 'Maximum length of a text, in UTF-16 code units.', example: 3_000 }) text_units!: number;
  @Flag({ about: 'Whether a visibility other than `public` can be chosen.' }) has_visibility!: boolean;
}

export class EnabledTargetPage extends PageOf(EnabledTargetView) {}

export class ListEnabledTargets extends ListQuery(SocialTarget) {}
