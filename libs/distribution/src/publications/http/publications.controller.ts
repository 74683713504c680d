import { Body as FromBody, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { FileJobView, type FileJobRow } from '@atrium/files';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns, ReturnsResource, Starts } from '@atrium/platform/http';
import { PublicationAnswers, type PublicationAnswer, type PublicationRow } from '../application/publication-answers.service';
import { PublicationBatches } from '../application/publication-batches';
import { PUBLICATION_MODULE, PUBLISH_SET, VIEW_PUBLICATIONS } from '../application/publish-set';
import type { PublicationEvent } from '../domain/publication-event';
import {
  ListPublicationEvents,
  ListPublications,
  PublicationDetail,
  PublicationEventPage,
  PublicationPage,
  PublicationStatsQuery,
  PublicationStatsView,
  PublishMany,
  RefreshMany,
  UnpublishMany,
} from './publications.dto';
import { PublicationsService } from '../application/publications.service';

/** Everything that is released in the workspace. */
@ApiTags('Publications')
@Controller('publications')
export class PublicationsController {
  constructor(
    private readonly publications: PublicationAnswers,
    private readonly batches: PublicationBatches,
    private readonly stats: PublicationsService,
  ) {}

  /**
   * Lists past, current and scheduled publications.
   *
   * Publications of files that you may not see are omitted.
   */
  @Get()
  @Policy({ any: VIEW_PUBLICATIONS, license: PUBLICATION_MODULE })
  @Returns(PublicationPage, 'A page of publications.')
  list(@Caller() caller: Principal, @Query() query: ListPublications): Promise<Page<PublicationRow>> {
    return this.publications.list(caller, query);
  }

  /** Counts hits, bytes and refusals by day, of one publication or of all publications that you may see. */
  @Get('stats')
  @Policy({ any: VIEW_PUBLICATIONS, license: PUBLICATION_MODULE })
  @Returns(PublicationStatsView, 'The counts by day.')
  @Problems('not_found')
  statistics(@Caller() caller: Principal, @Query() query: PublicationStatsQuery): Promise<object> {
    return this.stats.getStatistics(caller, query);
  }

  /** Reads one publication with its rules and the baseline. */
  @Get(':id')
  @Policy({ any: VIEW_PUBLICATIONS, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the publication.')
  @ReturnsResource(PublicationDetail)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<PublicationAnswer> {
    return this.publications.get(caller, id);
  }

  /**
   * Lists the events of a publication: who changed it, when, and which rules.
   *
   * `ph_edges` is when each edge confirmed the event; for a revocation, it proves that the file was removed there.
   */
  @Get(':id/history')
  @Policy({ any: VIEW_PUBLICATIONS, license: PUBLICATION_MODULE })
  @HasId('id', 'Id of the publication.')
  @Returns(PublicationEventPage, 'A page of events, newest first.')
  history(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListPublicationEvents): Promise<Page<PublicationEvent>> {
    return this.publications.listHistory(caller, id, query);
  }

  /** Publishes up to 500 files with the same rules in the background. */
  @Post('actions/publish')
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @Starts(FileJobView, 'file-jobs/{job_id}')
  publishMany(@Caller() caller: Principal, @FromBody() { file_ids, ...order }: PublishMany): Promise<FileJobRow> {
    return this.batches.startPublishing(caller, file_ids, order);
  }

  /** Unpublishes up to 500 files in the background. */
  @Post('actions/unpublish')
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @Starts(FileJobView, 'file-jobs/{job_id}')
  unpublishMany(@Caller() caller: Principal, @FromBody() { file_ids }: UnpublishMany): Promise<FileJobRow> {
    return this.batches.startUnpublishing(caller, file_ids);
  }

  /**
   * Updates publications to the newest version of their files in the background.
   *
   * Rules are not changed.
   */
  @Post('actions/refresh')
  @Policy({ all: PUBLISH_SET, license: PUBLICATION_MODULE })
  @Starts(FileJobView, 'file-jobs/{job_id}')
  @Problems('invalid_state')
  refreshMany(@Caller() caller: Principal, @FromBody() { file_ids }: RefreshMany): Promise<FileJobRow> {
    return this.batches.refreshStale(caller, file_ids);
  }
}
