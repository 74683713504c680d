import { Body as FromBody, Controller, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page, type Precondition } from '@atrium/platform/database';
import { Creates, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState, Starts } from '@atrium/platform/http';
import type { PostAnswer } from '../application/post-answers';
import { PostChecks, type CheckedPost } from '../application/post-checks';
import { PostMoves } from '../application/post-moves.service';
import { PostsService } from '../application/posts.service';
import { PostAttempts, type AttemptRow } from '../application/post-attempts';
import { ChangeSocialPost, CreateSocialPost, RetrySocialPost, ScheduleSocialPost } from './post-bodies.dto';
import { AttemptPage, AttemptView, CheckedPostView, ListAttempts, ListSocialPosts, SocialPostPage, SocialPostView } from './posts.dto';

const LICENSE = 'module-social-post';
const VIEW = { any: ['social:view'], license: LICENSE } as const;
const EDIT = { any: ['social:edit'], license: LICENSE } as const;
const PUBLISH = { all: ['social:publish'], license: LICENSE } as const;

/** Posts to social networks. */
@ApiTags('Social')
@Controller('social-posts')
export class SocialPostsController {
  constructor(
    private readonly posts: PostsService,
    private readonly moves: PostMoves,
    private readonly checks: PostChecks,
    private readonly attempts: PostAttempts,
  ) {}

  /**
   * Lists social posts with their variants.
   *
   * The newest come first. Posts that you may not read are left out. Deleted posts are listed only with
   * `sp_active=false`.
   */
  @Get()
  @Policy(VIEW)
  @Returns(SocialPostPage, 'A page of posts.')
  list(@Caller() caller: Principal, @Query() query: ListSocialPosts): Promise<Page<PostAnswer>> {
    return this.posts.list(caller, query);
  }

  /**
   * Creates a social post.
   *
   * The post is a draft. With `schedule_at`, `next_slot` or `publish` it is also scheduled or sent, which requires
   * `social:publish` and fails with 422 if the post has errors; nothing is created then.
   */
  @Post()
  @Policy(EDIT)
  @Creates(SocialPostView, 'social-posts/{sp_id}')
  @Problems('invalid_state', 'permission_denied', 'unprocessable_content')
  create(@Caller() caller: Principal, @FromBody() body: CreateSocialPost): Promise<PostAnswer> {
    return this.posts.create(caller, body);
  }

  /** Reads a social post with what each variant sends. */
  @Get(':id')
  @HasId('id', 'Id of the post.')
  @Policy(VIEW)
  @ReturnsState(SocialPostView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<PostAnswer> {
    return this.posts.get(caller, id);
  }

  /**
   * Changes a social post.
   *
   * Omitted fields are not changed. A post that is publishing or was published can only change `sp_labels`,
   * `sp_campaign` and `sp_metadata` (409 otherwise). If you change the content of a scheduled post without
   * `social:publish`, it becomes a draft again; if an approval flow covers the post, the flow decides whether it must be
   * approved again. `sp_active: true` restores a deleted post.
   */
  @Patch(':id')
  @HasId('id', 'Id of the post.')
  @Policy(EDIT)
  @HonoursIfMatch()
  @ReturnsState(SocialPostView)
  @Problems('invalid_state', 'permission_denied', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeSocialPost,
    @IfMatch() precondition?: Precondition,
  ): Promise<PostAnswer> {
    return this.posts.change(caller, id, body, precondition);
  }

  /**
   * Checks a social post.
   *
   * Returns all issues and exactly what each variant would send now. Links are requested to find out whether they can
   * be reached.
   */
  @Post(':id/check')
  @HttpCode(200)
  @HasId('id', 'Id of the post.')
  @Policy(VIEW)
  @Returns(CheckedPostView, 'The issues and what is sent.')
  check(@Caller() caller: Principal, @PathId() id: string): Promise<CheckedPost> {
    return this.checks.checkPost(caller, id);
  }

  /**
   * Schedules a social post, or moves a scheduled one.
   *
   * Fails with 422 and the issues if the post has errors, and with 409 naming the transition if an approval flow covers
   * the post and it is not approved. When its time comes, the post is sent with your permissions.
   */
  @Post(':id/schedule')
  @Named('scheduleSocialPost')
  @HttpCode(200)
  @HasId('id', 'Id of the post.')
  @Policy(PUBLISH)
  @ReturnsState(SocialPostView)
  @Problems('invalid_state', 'unprocessable_content')
  schedule(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: ScheduleSocialPost): Promise<PostAnswer> {
    return this.moves.schedule(caller, id, body);
  }

  /** Unschedules a social post. */
  @Post(':id/unschedule')
  @Named('unscheduleSocialPost')
  @HttpCode(200)
  @HasId('id', 'Id of the post.')
  @Policy(PUBLISH)
  @ReturnsState(SocialPostView)
  @Problems('invalid_state')
  unschedule(@Caller() caller: Principal, @PathId() id: string): Promise<PostAnswer> {
    return this.moves.unschedule(caller, id);
  }

  /**
   * Cancels a social post.
   *
   * An open request for approval is withdrawn. Fails with 409 once the post is publishing.
   */
  @Post(':id/cancel')
  @HttpCode(200)
  @HasId('id', 'Id of the post.')
  @Policy(PUBLISH)
  @ReturnsState(SocialPostView)
  @Problems('invalid_state')
  cancel(@Caller() caller: Principal, @PathId() id: string): Promise<PostAnswer> {
    return this.moves.cancel(caller, id);
  }

  /**
   * Sends a social post now.
   *
   * The post is publishing until all variants have ended; read it to see the outcome.
   */
  @Post(':id/publish')
  @HasId('id', 'Id of the post.')
  @Policy(PUBLISH)
  @Starts(SocialPostView, 'social-posts/{sp_id}')
  @Problems('invalid_state', 'unprocessable_content')
  publish(@Caller() caller: Principal, @PathId() id: string): Promise<PostAnswer> {
    return this.moves.publish(caller, id);
  }

  /**
   * Sends failed variants of a social post again.
   *
   * Variants that were published are not sent again. If the outcome of an earlier attempt is unknown, the post is first
   * looked for at the platform.
   */
  @Post(':id/retry')
  @HasId('id', 'Id of the post.')
  @Policy(PUBLISH)
  @Starts(SocialPostView, 'social-posts/{sp_id}')
  @Problems('invalid_state')
  retry(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: RetrySocialPost): Promise<PostAnswer> {
    return this.moves.retry(caller, id, body.variants ?? null);
  }

  /**
   * Lists the attempts to send a social post, step by step.
   *
   * The earliest come first.
   */
  @Get(':id/attempts')
  @HasId('id', 'Id of the post.')
  @Policy(VIEW)
  @Returns(AttemptPage, 'The steps.')
  async listAttempts(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListAttempts): Promise<Page<AttemptRow>> {
    return pageOfRows(AttemptView, await this.attempts.listAttempts(caller, id), query, ({ spa_id }) => spa_id);
  }
}
