import { Body as FromBody, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import { ApprovedPosts } from '../application/approved-posts';
import { PostApprovals, type OpenTransition } from '../application/post-approvals';
import { ListPostTransitions, MoveSocialPost, MovedPostPage, PostTransitionPage, PostTransitionView } from './post-transitions.dto';

const LICENSE = 'module-social-post';

/** Moves of posts along flows of approval. */
@ApiTags('Social')
@Controller('social-posts/:id/transitions')
export class PostTransitionsController {
  constructor(
    private readonly approvals: PostApprovals,
    private readonly posts: ApprovedPosts,
  ) {}

  /**
   * Lists the transitions that you can make with a social post.
   *
   * The list is empty if no active approval flow covers the post.
   */
  @Get()
  @Named('listSocialPostTransitions')
  @HasId('id', 'Id of the post.')
  @Policy({ any: ['social:view'], license: LICENSE })
  @Returns(PostTransitionPage, 'The transitions, in the order of the flow.')
  async list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListPostTransitions): Promise<Page<OpenTransition>> {
    return pageOfRows(PostTransitionView, await this.approvals.listTransitions(caller, id), query, ({ key }) => key);
  }

  /**
   * Moves a social post by a transition of its approval flow.
   *
   * If others must approve the transition, a request for approval is opened and the post stays in its state until then.
   * Fails with 403 if you cannot make the transition, and with 409 if it does not start in the current state.
   */
  @Post()
  @HttpCode(200)
  @Named('moveSocialPost')
  @HasId('id', 'Id of the post.')
  @Policy({ any: ['social:edit'], license: LICENSE })
  @Returns(MovedPostPage, 'The state of the post, and the request that it waits for.')
  @Problems('invalid_state', 'permission_denied', 'unprocessable_content')
  async move(@Caller() caller: Principal, @PathId() id: string, @FromBody() { publish, ...body }: MoveSocialPost): Promise<Page<object>> {
    const wish = publish ? { on_approval: publish.on_approval, at: publish.at?.toISOString() ?? null } : null;
    const { locale, state, request } = await this.posts.moveAlongFlow(caller, id, { ...body, publish: wish });
    return { data: [{ locale, state, request: request?.car_id ?? null }], has_more: false, next_cursor: null };
  }
}
