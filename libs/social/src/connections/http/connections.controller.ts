import { Body as FromBody, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import {
  AnswersSecret,
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  KeptAs,
  PathId,
  Problems,
  Returns,
  ReturnsResource,
} from '@atrium/platform/http';
import { invalidField } from '@atrium/platform/kernel';
import { PLATFORMS, type Platform } from '../../network/domain/platforms';
import { AuthorizationsService, type AuthUrl, type Connected } from '../application/authorizations.service';
import { ConnectionsService, type ConnectionAnswer, type TargetRow } from '../application/connections.service';
import {
  AuthUrlQuery,
  ChangeSocialTarget,
  DisconnectQuery,
  FinishAuthorization,
  ListSocialConnections,
  SocialAuthUrlView,
  SocialConnectedView,
  SocialConnectionPage,
  SocialConnectionView,
  SocialTargetView,
} from './connections.dto';

const ADMIN = { all: ['admin:social'], license: 'module-social-post' } as const;
const HasPlatform = (): MethodDecorator =>
  ApiParam({ name: 'platform', description: 'Platform.', schema: { type: 'string', enum: [...PLATFORMS] } });

function platformOf(name: string): Platform {
  const platform = PLATFORMS.find((one) => one === name);
  if (!platform) throw invalidField('platform', `must be one of ${PLATFORMS.join(', ')}`, 'choice');
  return platform;
}

/** Accounts at social networks that posts are sent with. */
@ApiTags('Social connections')
@Controller('admin/social')
export class SocialConnectionsController {
  constructor(
    private readonly authorizations: AuthorizationsService,
    private readonly connections: ConnectionsService,
  ) {}

  /**
   * Starts the authorization of a social account.
   *
   * Returns the page of the platform where the account grants access. Nothing is connected until you send the code
   * that the platform returns to `POST /admin/social/{platform}/callback`. Fails with 501 if no application is
   * configured for the platform.
   */
  @Get(':platform/auth-url')
  @Named('startSocialAuthorization')
  @HasPlatform()
  @Policy(ADMIN)
  @AnswersSecret()
  @Returns(SocialAuthUrlView, 'The page where access is granted.')
  @Problems('not_configured', 'validation_failed')
  createAuthUrl(@Caller() caller: Principal, @Param('platform') platform: string, @Query() query: AuthUrlQuery): Promise<AuthUrl> {
    return this.authorizations.createAuthUrl(caller, platformOf(platform), query.redirect_uri);
  }

  /**
   * Connects a social account with the code that the platform returned.
   *
   * Returns 200 if the same account was connected before: its access is replaced, and scheduled posts continue to use
   * it. `failed_posts` lists the posts that failed because access had ended. Fails with 400 and the path `state` if
   * the state is unknown, expired, already used, or belongs to someone else; the code is not used then. Fails with
   * 422 if the platform refuses the code.
   */
  @Post(':platform/callback')
  @Named('connectSocialAccount')
  @HasPlatform()
  @Policy(ADMIN)
  @Creates(SocialConnectedView, 'admin/social/connections/{con_id}')
  @ApiResponse({ status: 200, type: SocialConnectedView, description: 'The account was connected before.' })
  @KeptAs(
    ({ con_id, connection, targets, failed_posts, isNew }: Partial<Connected>) =>
      connection && { status: isNew ? 201 : 200, body: { con_id, connection, targets, failed_posts } },
  )
  @Problems('not_configured', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  async connect(
    @Caller() caller: Principal,
    @Param('platform') platform: string,
    @FromBody() body: FinishAuthorization,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Omit<Connected, 'isNew'>> {
    const { isNew, ...connected } = await this.authorizations.finishAuthorization(caller, platformOf(platform), body);
    if (!isNew) response.status(200);
    return connected;
  }

  /**
   * Disconnects social accounts.
   *
   * Access is revoked at the platform as far as possible and erased here, and the targets are disabled. Scheduled posts
   * fail with the code `disconnected` when their time comes; published posts are not changed.
   */
  @Delete(':platform/disconnect')
  @Named('disconnectSocialAccounts')
  @HasPlatform()
  @Policy(ADMIN)
  @Deletes()
  @Problems('not_found')
  disconnect(@Param('platform') platform: string, @Query() query: DisconnectQuery): Promise<void> {
    return this.connections.disconnect(platformOf(platform), query.connection ?? null);
  }

  /**
   * Lists the connected social accounts with their targets.
   *
   * The newest come first.
   */
  @Get('connections')
  @Named('listSocialConnections')
  @Policy(ADMIN)
  @Returns(SocialConnectionPage, 'A page of connections.')
  list(@Query() query: ListSocialConnections): Promise<Page<ConnectionAnswer>> {
    return this.connections.list(query);
  }

  /** Reads a connected social account with its targets. */
  @Get('connections/:id')
  @Named('readSocialConnection')
  @HasId('id', 'Id of the connection.')
  @Policy(ADMIN)
  @ReturnsResource(SocialConnectionView)
  get(@PathId() id: string): Promise<ConnectionAnswer> {
    return this.connections.get(id);
  }

  /** Enables or disables a target, or changes its time zone. */
  @Patch('targets/:id')
  @Named('updateSocialTarget')
  @HasId('id', 'Id of the target.')
  @Policy(ADMIN)
  @HonoursIfMatch()
  @ReturnsResource(SocialTargetView)
  @Problems('precondition_failed')
  changeTarget(@PathId() id: string, @FromBody() body: ChangeSocialTarget, @IfMatch() precondition?: Precondition): Promise<TargetRow> {
    return this.connections.changeTarget(id, body, precondition);
  }
}
