import { Body as FromBody, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { SitesService, type SiteRow, type VersionedSiteAnswer } from '../application/sites.service';
import { ChangeSite, CreateSite, ListSites, SitePage, SiteView } from './sites.dto';

/** Websites of a workspace. */
@ApiTags('Sites')
@Controller('sites')
export class SitesController {
  constructor(private readonly sites: SitesService) {}

  /**
   * Lists sites.
   *
   * The newest come first. Only sites that you can view are listed; deleted ones are listed only with
   * `site_active=false`.
   */
  @Get()
  @Policy({ any: ['site:view'] })
  @Returns(SitePage, 'A page of sites.')
  list(@Caller() caller: Principal, @Query() query: ListSites): Promise<Page<SiteRow>> {
    return this.sites.list(caller, query);
  }

  /**
   * Creates a site without pages.
   *
   * Locales are returned in their canonical form (`EN-us` becomes `en-US`). Without `site_locales`, the site has the
   * language of the workspace. `site_key` is public: front ends read the published pages with it. Fails with 409 if an
   * active site has the same name, and beyond 1,000 active sites.
   */
  @Post()
  @Policy({ all: ['site:edit'] })
  @Creates(SiteView, 'sites/{site_id}')
  @Problems('already_exists', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateSite): Promise<VersionedSiteAnswer> {
    return this.sites.create(caller, body);
  }

  /**
   * Reads a site with its counts.
   *
   * A deleted site is returned with `site_active` false for 30 days.
   */
  @Get(':id')
  @Policy({ any: ['site:view'] })
  @HasId('id', 'Id of the site.')
  @ReturnsState(SiteView, 'The site.')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedSiteAnswer> {
    return this.sites.get(caller, id);
  }

  /**
   * Changes a site.
   *
   * Omitted fields stay as they are. `site_locales` is replaced as a whole: a locale that it no longer names is removed,
   * and if pages have content in it, `drop_locales` must name it too (409 `in_use` otherwise). What was published in a
   * removed locale is no longer delivered. The default locale cannot be changed once the site has pages. Only owners of
   * the site and administrators can change `site_acl`. A deleted site cannot be changed until it is restored (409).
   */
  @Patch(':id')
  @Policy({ all: ['site:edit'] })
  @HasId('id', 'Id of the site.')
  @HonoursIfMatch()
  @ReturnsState(SiteView, 'The site.')
  @Problems('already_exists', 'in_use', 'invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeSite,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedSiteAnswer> {
    return this.sites.change(caller, id, body, precondition);
  }

  /**
   * Deletes a site.
   *
   * Its pages are no longer delivered. Nothing is unpublished, and the connection to a content management system stays:
   * a site that is restored within 30 days delivers what it delivered before.
   */
  @Delete(':id')
  @Policy({ all: ['site:delete'] })
  @HasId('id', 'Id of the site.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.sites.remove(caller, id, precondition);
  }

  /**
   * Restores a deleted site.
   *
   * What was live when it was deleted is delivered again. Fails with 409 if the site is not deleted or if an active
   * site has the same name, and with 410 after 30 days.
   */
  @Post(':id/restore')
  @HttpCode(200)
  @Named('restoreSite')
  @Policy({ all: ['site:delete'] })
  @HasId('id', 'Id of the site.')
  @ReturnsState(SiteView, 'The site.')
  @Problems('already_exists', 'gone', 'invalid_state', 'limit_reached')
  restore(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedSiteAnswer> {
    return this.sites.restore(caller, id);
  }
}
