import { Body as FromBody, Controller, Delete, Get, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { Deletes, HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import type { Response } from 'express';
import type { AutomationView as Automation } from '../application/connection-views';
import { ConnectionsService } from '../application/connections.service';
import { PlanService } from '../application/plan.service';
import type { SyncPlan } from '../domain/sync-plan';
import { SyncService, type LinkRow } from '../application/sync.service';
import { WebhooksService, type WebhookAnswer } from '../application/webhooks.service';
import { PROVIDERS, type ProviderDescription } from '../domain/provider-descriptions';
import {
  AutomationView,
  ChangeAutomation,
  CmsConnectionView,
  CmsLinkPage,
  ConnectSite,
  CreateWebhook,
  ListCmsLinks,
  CmsProviderPage,
  ReadPlan,
  SyncPlanView,
  WebhookView,
} from './cms.dto';

const VIEW = { any: ['site:view'] } as const;
const CONNECT = { all: ['site:cms:connect'] } as const;
const MOST_PLANNED = 1_000;

/** CMS products that sites can be connected to. */
@ApiTags('CMS sync')
@Controller('cms-providers')
export class CmsProvidersController {
  /** Lists the content management systems that sites can be connected to. */
  @Get()
  @Named('listCmsProviders')
  @Policy(VIEW)
  @Returns(CmsProviderPage, 'The providers.')
  list(): Page<ProviderDescription> {
    return { data: [...PROVIDERS], has_more: false, next_cursor: null };
  }
}

/** Connections of sites to a content management system. */
@ApiTags('CMS sync')
@Controller('sites/:id/cms')
export class CmsController {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly plans: PlanService,
    private readonly sync: SyncService,
    private readonly webhooks: WebhooksService,
  ) {}

  /** Reads the connection of a site to its content management system. */
  @Get()
  @Named('readCmsConnection')
  @Policy(VIEW)
  @HasId('id', 'Id of the site.')
  @Returns(CmsConnectionView, 'The connection, or `connected: false`.')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<object> {
    return this.connections.get(caller, id);
  }

  /**
   * Connects a site to a content management system, or replaces its credentials.
   *
   * Reads the space, its locales, one page and the schemas; nothing is synchronized. If the CMS refuses one of these steps, the response
   * is 422 and names it. With `dryRun`, nothing is stored. While pages are linked, only the same space can be connected again (409).
   */
  @Post('connect')
  @HttpCode(200)
  @Named('connectCms')
  @Policy(CONNECT)
  @HasId('id', 'Id of the site.')
  @Returns(CmsConnectionView, 'The connection.')
  @Problems('invalid_state', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  connect(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: ConnectSite): Promise<object> {
    return this.connections.connect(caller, id, body);
  }

  /**
   * Disconnects a site from its content management system.
   *
   * The connection and the links between pages are forgotten; content stays on both sides. The webhook is removed from the CMS if
   * possible. Fails with 409 while a sync run has not finished.
   */
  @Delete()
  @Named('disconnectCms')
  @Policy(CONNECT)
  @HasId('id', 'Id of the site.')
  @Deletes({ stays: true })
  @Problems('invalid_state')
  disconnect(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.connections.disconnect(caller, id);
  }

  /** Reads what happens unattended between a site and its content management system. */
  @Get('automation')
  @Named('readCmsAutomation')
  @Policy(VIEW)
  @HasId('id', 'Id of the site.')
  @Returns(AutomationView, 'The automation.')
  automation(@Caller() caller: Principal, @PathId() id: string): Promise<Automation> {
    return this.connections.getAutomation(caller, id);
  }

  /**
   * Changes what happens unattended between a site and its content management system.
   *
   * Omitted fields stay as they are. Nothing of it ever writes to the CMS.
   */
  @Put('automation')
  @Named('changeCmsAutomation')
  @Policy(CONNECT)
  @HasId('id', 'Id of the site.')
  @Returns(AutomationView, 'The automation.')
  @Problems('invalid_state')
  changeAutomation(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: ChangeAutomation): Promise<Automation> {
    return this.connections.changeAutomation(caller, id, { ...body });
  }

  /**
   * Compares a site with its content management system.
   *
   * Nothing is written. After 25 seconds, the response has `complete: false` and the pages that were compared until then.
   */
  @Get('plan')
  @Named('planCmsSync')
  @Policy({ all: ['site:cms:sync'] })
  @HasId('id', 'Id of the site.')
  @Returns(SyncPlanView, 'What a pull or push would do.')
  @Problems('invalid_state', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  plan(@Caller() caller: Principal, @PathId() id: string, @Query() query: ReadPlan): Promise<SyncPlan> {
    const { direction = 'both', limit = MOST_PLANNED } = query;
    return this.plans.plan(caller, id, { direction, limit });
  }

  /**
   * Lists the links between pages of a site and pages of its content management system.
   *
   * The newest come first. Pages that only one side has are listed as well.
   */
  @Get('links')
  @Named('listCmsLinks')
  @Policy(VIEW)
  @HasId('id', 'Id of the site.')
  @Returns(CmsLinkPage, 'A page of links.')
  links(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListCmsLinks): Promise<Page<LinkRow>> {
    return this.sync.listLinks(caller, id, query);
  }

  /**
   * Creates the webhook with which the content management system reports changes.
   *
   * Events only name pages; their content is compared, never taken. If the webhook exists, the response is 200 with it. With `rotate`, it
   * is replaced by one with another address and secret.
   */
  @Post('webhook')
  @Named('createCmsWebhook')
  @Policy(CONNECT)
  @HasId('id', 'Id of the site.')
  @Returns(WebhookView, 'The existing webhook.')
  @ApiResponse({ status: 201, type: WebhookView, description: 'Created.' })
  @Problems('invalid_state', 'not_configured', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  async createWebhook(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: CreateWebhook,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookAnswer> {
    const { webhook, isNew } = await this.webhooks.create(caller, id, body.rotate ?? false);
    response.status(isNew ? 201 : 200);
    return webhook;
  }

  /** Removes the webhook from the content management system. */
  @Delete('webhook')
  @Named('deleteCmsWebhook')
  @Policy(CONNECT)
  @HasId('id', 'Id of the site.')
  @Deletes({ stays: true })
  @Problems('invalid_state', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  removeWebhook(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.webhooks.remove(caller, id);
  }
}
