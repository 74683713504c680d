import { Body as FromBody, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import {
  AnswersSecret,
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  PathId,
  Problems,
  Returns,
  ReturnsResource,
} from '@atrium/platform/http';
import { PreviewLinksService, type NewPreviewLink, type PreviewLinkRow } from '../application/preview-links.service';
import { RedirectsService, type RedirectRow } from '../application/redirects.service';
import { SchedulesService, type ScheduleRow, type VersionedScheduleRow } from '../application/schedules.service';
import {
  CreatePreviewLink,
  CreateRedirect,
  ListPreviewLinks,
  ListRedirects,
  ListSchedules,
  PreviewLinkPage,
  PreviewLinkView,
  RedirectPage,
  RedirectView,
  SchedulePage,
  ScheduleView,
} from './publishing.dto';

const SITE = 'Id of the site.';

/** Scheduled publishes of a site. */
@ApiTags('Website publishing')
@Controller('sites/:id/schedules')
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  /**
   * Lists the schedules of a site.
   *
   * The earliest come first.
   */
  @Get()
  @Named('listPublishSchedules')
  @Policy({ any: ['site:view'] })
  @HasId('id', SITE)
  @Returns(SchedulePage, 'A page of schedules.')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListSchedules): Promise<Page<ScheduleRow>> {
    return this.schedules.list(caller, id, query);
  }

  /** Reads a schedule. */
  @Get(':sch_id')
  @Named('readPublishSchedule')
  @Policy({ any: ['site:view'] })
  @HasId('id', SITE)
  @HasId('sch_id', 'Id of the schedule.')
  @ReturnsResource(ScheduleView)
  get(@Caller() caller: Principal, @PathId() id: string, @PathId('sch_id') sch_id: string): Promise<VersionedScheduleRow> {
    return this.schedules.get(caller, id, sch_id);
  }

  /**
   * Cancels a schedule.
   *
   * It is listed with the status `cancelled` from then on. A schedule that was carried out or failed cannot be cancelled
   * (409).
   */
  @Delete(':sch_id')
  @Named('cancelPublishSchedule')
  @Policy({ all: ['site:publish'] })
  @HasId('id', SITE)
  @HasId('sch_id', 'Id of the schedule.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('invalid_state', 'precondition_failed')
  cancel(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('sch_id') sch_id: string,
    @IfMatch() precondition?: Precondition,
  ): Promise<void> {
    return this.schedules.cancelSchedule(caller, id, sch_id, precondition);
  }
}

/** Links to drafts of a site. */
@ApiTags('Website publishing')
@Controller('sites/:id/preview-links')
export class PreviewLinksController {
  constructor(private readonly links: PreviewLinksService) {}

  /**
   * Lists the preview links of a site.
   *
   * The newest come first. Their addresses cannot be shown again.
   */
  @Get()
  @Policy({ any: ['content:view'] })
  @HasId('id', SITE)
  @Returns(PreviewLinkPage, 'A page of preview links.')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListPreviewLinks): Promise<Page<PreviewLinkRow>> {
    return this.links.list(caller, id, query);
  }

  /**
   * Creates a preview link.
   *
   * It shows the draft, or one version of it, to everyone who has the link, until it expires or is deleted.
   */
  @Post()
  @Named('createSitePreviewLink')
  @Policy({ all: ['content:edit'] })
  @HasId('id', SITE)
  @Creates(PreviewLinkView, 'sites/{prv_site}/preview-links/{prv_id}')
  @AnswersSecret()
  @Problems('limit_reached')
  create(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: CreatePreviewLink): Promise<NewPreviewLink> {
    return this.links.create(caller, id, body);
  }

  /**
   * Deletes a preview link.
   *
   * It no longer shows anything.
   */
  @Delete(':prv_id')
  @Policy({ all: ['content:edit'] })
  @HasId('id', SITE)
  @HasId('prv_id', 'Id of the preview link.')
  @Deletes()
  remove(@Caller() caller: Principal, @PathId() id: string, @PathId('prv_id') prv_id: string): Promise<void> {
    return this.links.remove(caller, id, prv_id);
  }
}

/** Redirects of a site. */
@ApiTags('Website publishing')
@Controller('sites/:id/redirects')
export class RedirectsController {
  constructor(private readonly redirects: RedirectsService) {}

  /**
   * Lists the redirects of a site.
   *
   * The newest come first. Pages that get another path leave redirects of the kind `auto`.
   */
  @Get()
  @Policy({ any: ['site:view'] })
  @HasId('id', SITE)
  @Returns(RedirectPage, 'A page of redirects.')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListRedirects): Promise<Page<RedirectRow>> {
    return this.redirects.list(caller, id, query);
  }

  /**
   * Creates a redirect.
   *
   * `red_to` or `red_node` says where it leads; neither is given for the status 410. A redirect to a page follows that
   * page to its current path. A published page wins over a redirect of a prefix. Fails with 400 if `red_from` is the
   * path of a published page or if the redirect leads back to itself, and with 409 beyond 20,000 redirects.
   */
  @Post()
  @Policy({ all: ['site:edit'] })
  @HasId('id', SITE)
  @Creates(RedirectView, 'sites/{red_site}/redirects/{red_id}')
  @Problems('already_exists', 'limit_reached')
  create(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: CreateRedirect): Promise<RedirectRow> {
    return this.redirects.create(caller, id, body);
  }

  /** Deletes a redirect. */
  @Delete(':red_id')
  @Policy({ all: ['site:edit'] })
  @HasId('id', SITE)
  @HasId('red_id', 'Id of the redirect.')
  @Deletes()
  remove(@Caller() caller: Principal, @PathId() id: string, @PathId('red_id') red_id: string): Promise<void> {
    return this.redirects.remove(caller, id, red_id);
  }
}
