import { applyDecorators, Body as FromBody, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { API_PREFIX, HasId, KeptAs, PathId, Problems, Returns } from '@atrium/platform/http';
import type { Response } from 'express';
import { PublishService, type PublishAnswer, type UnpublishOutcome } from '../application/publish.service';
import type { PublishOutcome } from '../application/publishing';
import type { VersionedScheduleRow } from '../application/schedules.service';
import { PublishNode, PublishNodes, PublishView, ScheduleView, UnpublishNode, UnpublishView } from './publishing.dto';

/** 200 with what went live, or 201 with the schedule. */
const PublishesOrBooks = (): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    Returns(PublishView, 'What is live now.'),
    ApiResponse({
      status: 201,
      type: ScheduleView,
      description: 'With `at`: the schedule.',
      headers: { Location: { description: 'URL of the schedule.', schema: { type: 'string' } } },
    }),
    KeptAs(keepAnswer),
    Problems('already_exists', 'invalid_move', 'invalid_state', 'limit_reached', 'unprocessable_content'),
  );

/** Publishing of pages. */
@ApiTags('Website publishing')
@Controller('sites/:id')
export class PublishingController {
  constructor(private readonly publishing: PublishService) {}

  /**
   * Publishes a page, folder or link.
   *
   * What a preview shows is frozen: later changes of the draft do not affect it, and publishing one locale leaves the
   * others as they are. Folders above it that are not live yet become so. If its path changed, its former path and
   * everything below redirect to the new one. Nothing is published if any page has errors (422, listed in `errors`) or
   * lacks an approval that its flow requires (409).
   */
  @Post('nodes/:node_id/publish')
  @Named('publishNode')
  @Policy({ all: ['site:publish'] })
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page, folder or link.')
  @PublishesOrBooks()
  async publishNode(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('node_id') node_id: string,
    @FromBody() body: PublishNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PublishOutcome | VersionedScheduleRow> {
    return answered(await this.publishing.publishNode(caller, id, node_id, body), response);
  }

  /**
   * Publishes several pages together.
   *
   * All of them go live under one number of the site, or none. Links among them resolve at once.
   */
  @Post('publish')
  @Named('publishNodes')
  @Policy({ all: ['site:publish'] })
  @HasId('id', 'Id of the site.')
  @PublishesOrBooks()
  async publishNodes(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: PublishNodes,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PublishOutcome | VersionedScheduleRow> {
    return answered(await this.publishing.publishNodes(caller, id, body), response);
  }

  /**
   * Takes a page, folder or link down.
   *
   * The draft stays. What is published below it stays live at its paths. Fails with 409 if it is not published in these
   * locales.
   */
  @Post('nodes/:node_id/unpublish')
  @Named('unpublishNode')
  @HttpCode(200)
  @Policy({ all: ['site:publish'] })
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page, folder or link.')
  @Returns(UnpublishView, 'What is no longer live.')
  @Problems('invalid_state')
  unpublishNode(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('node_id') node_id: string,
    @FromBody() body: UnpublishNode,
  ): Promise<UnpublishOutcome> {
    return this.publishing.unpublishNode(caller, id, node_id, body);
  }
}

function answered(answer: PublishAnswer, response: Response): PublishOutcome | VersionedScheduleRow {
  if ('outcome' in answer) return answer.outcome;
  response.status(201).setHeader('Location', locationOf(answer.schedule));
  return answer.schedule;
}

const locationOf = ({ sch_site, sch_id }: VersionedScheduleRow): string => `/${API_PREFIX}/sites/${sch_site}/schedules/${sch_id}`;

/** Kept with the publish: what went live, or the schedule. */
function keepAnswer({ outcome, schedule }: { readonly outcome?: PublishOutcome; readonly schedule?: VersionedScheduleRow }) {
  if (schedule) return { status: 201, body: schedule, headers: { Location: locationOf(schedule) } };
  return outcome && { status: 200, body: outcome };
}
