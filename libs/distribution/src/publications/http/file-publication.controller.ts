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
   * Reads the publication of a file: its address, the live version, the window, its rules and the baseline.
   *
   * 404 while there is none.
   */
  @Get()
  @Policy({ any: VIEW_PUBLICATIONS, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @ReturnsResource(PublicationDetail)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<PublicationAnswer> {
    return this.answers.ofFile(caller, id);
  }

  /**
   * Releases the current version of a file at its permanent address.
   *
   * 201 for the first time, 200 afterwards. The address is made once and never changes; rules and dates take effect at
   * once. A new version is copied in the background (`pub_copy_state`), and what was there is served until then. 409 when
   * the file is not ready, in quarantine or in the trash, or its status, rights or somebody's consent forbid it.
   */
  @Post()
  @Named('publishFile')
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @Creates(PublicationDetail, 'publications/{pub_id}')
  @KeptAs(({ first, publication }: Partial<Published>) => publication && { status: first ? 201 : 200, body: publication })
  @ApiOkResponse({ type: PublicationDetail, description: 'It was released before.' })
  @Problems('invalid_state')
  async publish(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: PublishBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PublicationAnswer> {
    const { first, publication } = await this.publications.publish(caller, id, body);
    if (!first) response.status(200);
    return publication;
  }

  /**
   * Takes a file from the public: the copy is deleted and the address answers 410.
   *
   * The address is kept, so that releasing the file again revives it. A draft that was never released is removed.
   */
  @Delete()
  @Named('unpublishFile')
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  unpublish(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.publications.unpublish(caller, id, precondition);
  }

  /**
   * Saves rules without releasing anything.
   *
   * Without a publication it makes a draft; beside one they are kept as `pub_draft` until they are applied or dropped.
   */
  @Put('draft')
  @Named('savePublicationDraft')
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @ReturnsResource(PublicationDetail)
  saveDraft(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: ReleaseBody): Promise<PublicationAnswer> {
    return this.drafts.save(caller, id, body);
  }

  /** Releases the file under the rules that were saved, in one step. */
  @Post('draft/apply')
  @Named('applyPublicationDraft')
  @HttpCode(200)
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @ReturnsResource(PublicationDetail)
  @Problems('invalid_state')
  applyDraft(@Caller() caller: Principal, @PathId() id: string): Promise<PublicationAnswer> {
    return this.drafts.apply(caller, id);
  }

  /** Drops the rules that were saved; a draft that was never released goes as a whole. */
  @Delete('draft')
  @Named('discardPublicationDraft')
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @Deletes()
  dropDraft(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.drafts.drop(caller, id);
  }

  /** Tries a copy again that has failed; 409 in any other state of it. */
  @Post('retry')
  @Named('retryPublication')
  @HttpCode(200)
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the file.')
  @ReturnsResource(PublicationDetail)
  @Problems('invalid_state')
  retry(@Caller() caller: Principal, @PathId() id: string): Promise<PublicationAnswer> {
    return this.publications.retry(caller, id);
  }
}
