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
   * Only what the caller may read at this moment is found. Scopes the caller may not read are named in
   * `ignored_scopes`; when none is left, the answer is empty. Without embeddings the words alone count, and `fallback`
   * says so; `mode: vector` then answers 502.
   */
  @Post('search')
  @HttpCode(200)
  @Named('searchPassages')
  @Policy({ any: ['document:view', 'knowledge-base:view', 'object:view'] }, { rate: 'search' })
  @Returns(RetrievalResult, 'The passages that were found.')
  @Problems('upstream_failed')
  search(@Caller() caller: Principal, @FromBody() body: RetrievalQuery): Promise<ShownResult> {
    return this.retrieval.search(caller, body);
  }

  /**
   * Reads a passage with its source and those beside it: what a citation opens.
   */
  @Get('passages/:id')
  @Named('readPassage')
  @Policy({ any: ['document:view', 'knowledge-base:view', 'object:view'] })
  @HasId('id', 'Id of the passage.')
  @Returns(PassageView, 'The passage.')
  passage(@Caller() caller: Principal, @PathId() id: string, @Query() { neighbors }: OpenPassage): Promise<ShownPassage> {
    return this.retrieval.passage(caller, id, neighbors);
  }

  /**
   * Reads the state of the index of the workspace.
   */
  @Get('status')
  @Named('readRetrievalStatus')
  @Policy({ all: ['admin:settings'] })
  @Returns(RetrievalStatus, 'Counts of the search index.')
  status(): Promise<IndexStatus> {
    return this.retrieval.status();
  }

  /**
   * Has sources indexed again, in the background.
   *
   * Passages whose text is unchanged keep their ids, and what was embedded already is not embedded again.
   */
  @Post('reindex')
  @Named('reindexPassages')
  @Policy({ all: ['admin:settings'] })
  @Starts(JobView, 'jobs/{job_id}')
  reindex(@FromBody() body: ReindexPassages): Promise<Job> {
    return this.retrieval.reindex(body);
  }
}
