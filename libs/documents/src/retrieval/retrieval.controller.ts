import { Body as FromBody, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { HasId, JobView, PathId, Problems, Returns, Starts } from '@atrium/platform/http';
import type { Job } from '@atrium/platform/messaging';
import { OpenPassage, PassageView, ReindexPassages, RetrievalQuery, RetrievalResult, RetrievalStatus } from './retrieval.dto';
import { RetrievalService, type IndexStatus, type ShownPassage, type ShownResult } from './retrieval.service';

@ApiTags('Retrieval')
@Controller('retrieval')
export class RetrievalController {
  constructor(private readonly retrieval: RetrievalService) {}

  /**
   * Searches passages by their words and by their meaning.
   *
   * Only passages that you can view are found. Scopes that you cannot search are listed in `ignored_scopes`; if none
   * remains, the result is empty. If embeddings are unavailable, only words are searched and `fallback` gives the
   * reason; with `mode: vector`, the request fails with 502.
   */
  @Post('search')
  @HttpCode(200)
  @Named('searchPassages')
  @Policy({ any: ['document:view', 'knowledge-base:view', 'object:view'] }, { rate: 'search' })
  @Returns(RetrievalResult, 'The passages found.')
  @Problems('upstream_failed')
  search(@Caller() caller: Principal, @FromBody() body: RetrievalQuery): Promise<ShownResult> {
    return this.retrieval.searchPassages(caller, body);
  }

  /**
   * Reads a passage with its source and its neighboring passages.
   *
   * Use it to open a citation.
   */
  @Get('passages/:id')
  @Named('readPassage')
  @Policy({ any: ['document:view', 'knowledge-base:view', 'object:view'] })
  @HasId('id', 'Id of the passage.')
  @Returns(PassageView, 'The passage.')
  passage(@Caller() caller: Principal, @PathId() id: string, @Query() { neighbors }: OpenPassage): Promise<ShownPassage> {
    return this.retrieval.getPassage(caller, id, neighbors);
  }

  /**
   * Reads the state of the workspace's search index.
   */
  @Get('status')
  @Named('readRetrievalStatus')
  @Policy({ all: ['admin:settings'] })
  @Returns(RetrievalStatus, 'Counts of the search index.')
  status(): Promise<IndexStatus> {
    return this.retrieval.getStatus();
  }

  /**
   * Indexes sources again in the background.
   *
   * Passages whose text has not changed keep their ids and are not embedded again.
   */
  @Post('reindex')
  @Named('reindexPassages')
  @Policy({ all: ['admin:settings'] })
  @Starts(JobView, 'jobs/{job_id}')
  reindex(@FromBody() body: ReindexPassages): Promise<Job> {
    return this.retrieval.startReindexing(body);
  }
}
