import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Named, Public } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { AnyOrigin, Problems, Returns, ReturnsEither, type WrittenAnswer } from '@atrium/platform/http';
import type { Request, Response } from 'express';
import { DraftDelivery } from '../application/draft-delivery';
import { PageLists } from '../application/page-lists';
import { tagOf } from '../application/page-texts';
import { SiteOverview, type SiteAnswer } from '../application/site-overview';
import type { ListedPage, PageAnswer, RedirectAnswer, TreeNode } from '../domain/delivered';
import {
  DeliveredPageView,
  DeliveredRedirectView,
  DeliveredSiteView,
  DeliverPage,
  DeliverPages,
  DeliverTree,
  ListedPagePage,
  LiveTreeView,
} from './delivery.dto';
import { announceDraft, announceLive, isKnownTo } from './delivery-headers';
import { KnownAddressesEndpoint } from './known-addresses.endpoint';
import { PageAnswers } from './page-answers';

const KEY = {
  name: 'site_key',
  description: 'Public key of the site.',
  schema: { type: 'string', example: 'wsk_4fR9aTn2KcVb71XeQm0LpZsu' },
} as const;
const WHY = 'published pages are public; the key names the site';

/** 304 to those who have it already. */
const Revalidates = (): MethodDecorator =>
  ApiResponse({ status: 304, description: 'Not modified: you already have the version in `If-None-Match`.' });

/** What is live of a site, for front ends. */
@ApiTags('Website delivery')
@AnyOrigin()
@Controller('delivery')
export class DeliveryController {
  constructor(
    private readonly pages: PageAnswers,
    private readonly addresses: KnownAddressesEndpoint,
    private readonly drafts: DraftDelivery,
    private readonly lists: PageLists,
    private readonly overview: SiteOverview,
  ) {}

  /**
   * Reads a site with its locales.
   *
   * `seq` grows with every change of what is live; so does the header `X-Site-Seq` of every response of the delivery.
   */
  @Get(':site_key')
  @Named('getDeliverySite')
  @Public(WHY, { rate: 'read' })
  @ApiParam(KEY)
  @Returns(DeliveredSiteView, 'The site.')
  @Revalidates()
  @Problems('not_found')
  async readSite(
    @Param('site_key') site_key: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SiteAnswer | undefined> {
    const { body, ...facts } = await this.overview.describeSite(site_key);
    announceLive(response, facts);
    return unlessKnown(request, response, facts.tag, body);
  }

  /**
   * Reads the page at a path.
   *
   * Where a page moved or a redirect is set up, the answer is a redirect for the front end to follow. Responses have an
   * `ETag`; a request with `If-None-Match` gets 304 as long as nothing that the page shows has changed. With
   * `version=draft` and the token of a preview link, the draft is returned.
   */
  @Get(':site_key/page')
  @Public(WHY, { rate: 'read' })
  @ApiParam(KEY)
  @ApiHeader({
    name: 'X-Site-Token',
    required: false,
    description: 'Token of a preview link, for `version=draft`.',
    schema: { type: 'string' },
  })
  @ReturnsEither([DeliveredPageView, DeliveredRedirectView], 'The page, or where its address leads.')
  @Revalidates()
  @Problems('gone', 'not_found', 'unauthenticated')
  async readPage(
    @Param('site_key') site_key: string,
    @Query() { version, token, ...query }: DeliverPage,
    @Headers('x-site-token') sent: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageAnswer | RedirectAnswer | WrittenAnswer | undefined> {
    if (version === 'draft') {
      const { site, page } = await this.drafts.deliverDraft(site_key, query, sent ?? token);
      announceDraft(response, site);
      return page;
    }
    const asked = { site_key, ...query };
    const answer = await this.pages.answerPage(request, response, asked);
    if (token === undefined) this.addresses.keepAddress(request, asked);
    return answer;
  }

  /**
   * Lists live pages with their content.
   *
   * The most recently published come first; `sort` takes `published`, `name`, `order`, and `content_<key>` of filterable
   * fields of one template, each with `-` in front for the reverse. `limit` is 25 by default and at most 100; a page of the list
   * that would be larger than 8 MB ends earlier.
   */
  @Get(':site_key/pages')
  @Public(WHY, { rate: 'read' })
  @ApiParam(KEY)
  @Returns(ListedPagePage, 'A page of live pages.')
  @Revalidates()
  @Problems('not_found')
  async listPages(
    @Param('site_key') site_key: string,
    @Query() query: DeliverPages,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<ListedPage> | undefined> {
    const { site, page } = await this.lists.listPages(site_key, query);
    const tag = tagOf(page);
    announceLive(response, { site, tag });
    return unlessKnown(request, response, tag, page);
  }

  /**
   * Reads the tree of what is live.
   *
   * In the order of menus, at most 5,000 entries.
   */
  @Get(':site_key/tree')
  @Public(WHY, { rate: 'read' })
  @ApiParam(KEY)
  @Returns(LiveTreeView, 'The live tree.')
  @Revalidates()
  @Problems('not_found')
  async readTree(
    @Param('site_key') site_key: string,
    @Query() query: DeliverTree,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ readonly tree: readonly TreeNode[] } | undefined> {
    const { body, ...facts } = await this.overview.showTree(site_key, query);
    announceLive(response, facts);
    return unlessKnown(request, response, facts.tag, { tree: body });
  }
}

function unlessKnown<T>(request: Request, response: Response, tag: string, body: T): T | undefined {
  if (!isKnownTo(request)(tag)) return body;
  response.status(304);
  return undefined;
}
