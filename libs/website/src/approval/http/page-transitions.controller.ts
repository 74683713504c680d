import { Body as FromBody, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { OpenTransition } from '@atrium/approvals';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import { PageTransitions, type MovedLocale } from '../application/page-transitions.service';
import { ListPageTransitions, MovedLocalePage, MoveNode, PageTransitionPage, PageTransitionView } from './approvals.dto';

/** Steps of pages in their approval flow. */
@ApiTags('Content approval flows')
@Controller('sites/:id/nodes/:node_id/transitions')
export class PageTransitionsController {
  constructor(private readonly transitions: PageTransitions) {}

  /**
   * Lists the transitions that you can make with a page in one locale.
   *
   * `blocked_by` lists what prevents each transition. The list is empty if no active approval flow covers the page.
   */
  @Get()
  @Named('listPageTransitions')
  @Policy({ any: ['content:view'] })
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page, folder or link.')
  @Returns(PageTransitionPage, 'The transitions, in the order of the flow.')
  async list(
    @Caller() caller: Principal,
    @PathId() site_id: string,
    @PathId('node_id') node_id: string,
    @Query() { locale, ...query }: ListPageTransitions,
  ): Promise<Page<OpenTransition>> {
    const open = await this.transitions.listOpenTransitions(caller, { site_id, node_id }, locale);
    return pageOfRows(PageTransitionView, open, query, ({ key }) => key);
  }

  /**
   * Moves a page by a transition of its approval flow, or requests the approval that the transition needs.
   *
   * Each locale has a state of its own; all named locales move, or none. If the transition needs approvals, the current
   * content is kept as the version to be approved, and the page stays in its state until enough people have approved. With
   * `publish`, the approved version is published then, provided that you or the last approver has the permission
   * `site:publish`; otherwise the page only moves. Fails with 403 if you cannot make the transition, with 409 if it does
   * not start in the current state or approval is already requested, and with 422 if checks are not met.
   */
  @Post()
  @Named('movePage')
  @HttpCode(200)
  @Policy({ all: ['content:edit'] })
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page, folder or link.')
  @Returns(MovedLocalePage, 'The locales, with their states and requests.')
  @Problems('already_exists', 'invalid_move', 'invalid_state', 'limit_reached', 'unprocessable_content')
  async move(
    @Caller() caller: Principal,
    @PathId() site_id: string,
    @PathId('node_id') node_id: string,
    @FromBody() body: MoveNode,
  ): Promise<Page<MovedLocale>> {
    return { data: [...(await this.transitions.moveNode(caller, { site_id, node_id }, body))], has_more: false, next_cursor: null };
  }
}
