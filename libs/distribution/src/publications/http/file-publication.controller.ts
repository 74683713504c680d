import { Body as FromBody, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, KeptAs, PathId, Problems, ReturnsResource } from '@atrium/platform/http';
import type { Response } from 'express';
import { PublicationAnswers, type PublicationAnswer } from '../application/publication-answers.service';
import { PublicationDrafts } from '../application/publication-drafts.service';
import { PublicationsService, type Published } from '../application/publications.service';
import { PUBLICATION_MODULE, PUBLISH_SET, VIEW_PUBLICATIONS } from '../application/publish-set';
import { PublicationDetail, PublishBody } from './publications.dto';
import { ReleaseBody } from '../../control/http/release.dto';

/** The publication of one file. */
@ApiTags('Publications')
@Controller('files/:id/publication')
export class FilePublicationController {
  constructor(
    private readonly publications: PublicationsService,
    private readonly drafts: PublicationDrafts,
    private readonly answers: PublicationAnswers,
  ) {}

  /**
   * Reads the publication of a file: its URL, live version, period, rules and the baseline.
   *
   * 404 if there is none.
   */
  @Get()
  @Policy({ any: VIEW_PUBLICATIONS, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @ReturnsResource(PublicationDetail)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<PublicationAnswer> {
    return this.answers.getPublicationOfFile(caller, id);
  }

  /**
   * Publishes the current version of a file at its permanent URL.
   *
   * 201 for the first time, 200 afterwards. The URL is created once and never changes; rules and dates take effect immediately. A new
   * version is copied in the background (`pub_copy_state`), and the previous one is served until then. 409 if the file is not ready,
   * in quarantine or in the trash, or if its status, its rights or the consent of a person do not allow it.
   */
  @Post()
  @Named('publishFile')
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @Creates(PublicationDetail, 'publications/{pub_id}')
  @KeptAs(({ first, publication }: Partial<Published>) => publication && { status: first ? 201 : 200, body: publication })
  @ApiOkResponse({ type: PublicationDetail, description: 'It was published before.' })
  @Problems('invalid_state')
  async publish(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: PublishBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PublicationAnswer> {
    const { first, publication } = await this.publications.publishFile(caller, id, body);
    if (!first) response.status(200);
    return publication;
  }

  /**
   * Unpublishes a file: the public copy is deleted and the URL returns 410.
   *
   * The URL is reserved, so that publishing the file again restores it; another request returns 204 as well and changes nothing. A
   * release that was never live becomes a draft again. A draft that was never released is deleted, and another request returns 404.
   */
  @Delete()
  @Named('unpublishFile')
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  unpublish(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.publications.unpublishFile(caller, id, precondition);
  }

  /**
   * Saves rules without publishing.
   *
   * If there is no publication, a draft is created; otherwise the rules are stored as `pub_draft` until they are applied or discarded.
   */
  @Put('draft')
  @Named('savePublicationDraft')
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @ReturnsResource(PublicationDetail)
  saveDraft(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: ReleaseBody): Promise<PublicationAnswer> {
    return this.drafts.saveDraft(caller, id, body);
  }

  /** Publishes the file with the saved rules in one step. */
  @Post('draft/apply')
  @Named('applyPublicationDraft')
  @HttpCode(200)
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @ReturnsResource(PublicationDetail)
  @Problems('invalid_state')
  applyDraft(@Caller() caller: Principal, @PathId() id: string): Promise<PublicationAnswer> {
    return this.drafts.applyDraft(caller, id);
  }

  /** Discards the saved rules; a draft that was never released is deleted. */
  @Delete('draft')
  @Named('discardPublicationDraft')
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @Deletes()
  dropDraft(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.drafts.discardDraft(caller, id);
  }

  /**
   * Retries a failed copy of a publication.
   *
   * 409 in any other copy status.
   */
  @Post('retry')
  @Named('retryPublication')
  @HttpCode(200)
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @ReturnsResource(PublicationDetail)
  @Problems('invalid_state')
  retry(@Caller() caller: Principal, @PathId() id: string): Promise<PublicationAnswer> {
    return this.publications.retryCopy(caller, id);
  }
}
